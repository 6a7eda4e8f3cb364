"""A body is judged by fields that are made once as it is by new ones, in each language and after any other body."""

from typing import Any

import pytest
from django.utils.translation import override
from rest_framework.exceptions import ErrorDetail, ValidationError

from tournament.api.results.serializers import ResultSerializer

BODIES: list[Any] = [
    {"key": "k", "base": 0, "final": [5, 1]},
    {"key": "k", "base": -1},
    {"key": "k", "base": 2**40, "games": [{"winner": "A"}, {"winner": "C", "cube": "2"}, {}]},
    {"base": 1, "games": [{"winner": "B", "level": 2, "ending": "drop"}], "confirmed": True, "reason": "  Late. "},
    {"base": 1, "games": [{"winner": "A"}] * 501, "reason": "x" * 201},
    {"key": "k" * 65, "final": [1, 2, 3], "conclusion": "won", "awarded_to": "c", "repair": "none"},
    {"unknown": 1, "key": "k", "base": 0},
    {},
    None,
    [],
    "text",
]
LANGUAGES = ["en", "da", "sv", "nb", "de", "en"]


def in_words(detail: Any) -> Any:
    if isinstance(detail, ErrorDetail):
        return str(detail), detail.code
    if isinstance(detail, dict):
        return {name: in_words(inner) for name, inner in detail.items()}
    return [in_words(inner) for inner in detail] if isinstance(detail, list) else detail


def by_new_fields(body: Any) -> Any:
    serializer = ResultSerializer(data=body)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_body_is_judged_as_by_new_fields(body):
    for language in LANGUAGES:
        judged = []
        for judge in (by_new_fields, ResultSerializer.valid):
            with override(language):
                try:
                    judged.append(("valid", judge(body)))
                except ValidationError as error:
                    judged.append(("refused", in_words(error.detail)))
        assert judged[0] == judged[1]


def test_what_is_valid_belongs_to_one_request():
    first, second = (ResultSerializer.valid({"key": "k", "base": 0}) for _request in range(2))
    assert first == second
    assert first["games"] is not second["games"]
