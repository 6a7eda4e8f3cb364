"""U+0000 in a body, a query or an address of the API: refused by a code of its own before anything is read."""

from collections.abc import Iterator

import pytest

from tests.builders import build_event
from tests.strict import like_postgresql

SENTENCE = "A text cannot contain the character U+0000."


@pytest.fixture(autouse=True)
def _as_on_postgresql(db) -> Iterator[None]:
    with like_postgresql():
        yield


def told(answer) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


@pytest.mark.parametrize("path", ["players/", "tournaments/", "official-lists/", "clubs/", "formats/", "players/1/"])
@pytest.mark.parametrize("name", ["q", "nonsense", "limit", "club", "at", "format"])
def test_a_query_is_refused_with_it(anonymous, path, name):
    answer = anonymous.get(f"{path}?{name}=a%00")
    assert told(answer) == (400, "character_nul", SENTENCE)
    assert answer.json()["errors"] == [{"field": name, "code": "character_nul", "message": SENTENCE}]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "a\0"}, "name"),
        ({"name": {"a": ["b", "\0"], "c": "\0"}}, "name.a.1"),
        ({"a": {"b\0": 1}}, "a"),
        (["a", {"b": "\0"}], "1.b"),
    ],
)
def test_a_body_is_refused_with_it(api, director, unchanged, body, field):
    event = build_event(director, players=0, drawn=False)
    with unchanged():
        answer = api.post(f"events/{event.pk}/entries/", body)
    assert told(answer) == (400, "character_nul", SENTENCE)
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.parametrize("path", ["federations/%00/", "invitations/a%00/", "players/%00/", "official-lists/%00/"])
def test_nothing_has_an_address_with_it(client, path):
    answer = client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
