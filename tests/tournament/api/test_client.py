"""The client that checks every answer does find what an operation does not declare."""

import pytest
from django.http import HttpResponse, JsonResponse

from tests.tournament.api import client
from tests.tournament.api.client import PREFIX, check_answer

VOID = f"{PREFIX}matches/1/void/"


def problem(status: int, code: str) -> HttpResponse:
    body = {"type": "about:blank", "title": "Problem", "status": status, "detail": "A sentence.", "code": code}
    return JsonResponse(body, status=status, content_type="application/problem+json")


@pytest.mark.parametrize(
    ("status", "code"),
    [(409, "walkover_of_absence"), (409, "changed_meanwhile"), (400, "reason_missing"), (404, "not_found")],
)
def test_a_declared_code_passes(status, code):
    check_answer("POST", VOID, problem(status, code))


@pytest.mark.parametrize(
    ("status", "code"),
    [(409, "reason_missing"), (400, "walkover_of_absence"), (409, "play_off_gone"), (409, "nonsense"), (404, "gone")],
)
def test_a_code_that_the_operation_does_not_declare_with_this_status_fails(status, code):
    with pytest.raises(AssertionError, match="void"):
        check_answer("POST", VOID, problem(status, code))


def test_an_address_that_the_document_does_not_know_has_the_two_codes_of_no_operation():
    check_answer("POST", f"{PREFIX}nowhere/", problem(404, "not_found"))
    check_answer("TRACE", VOID, problem(405, "method_not_allowed"))
    with pytest.raises(AssertionError, match="None"):
        check_answer("POST", f"{PREFIX}nowhere/", problem(404, "walkover_of_absence"))


def test_every_answer_of_the_client_is_checked(anonymous, monkeypatch):
    assert anonymous.get("players/1/").status_code == 404
    monkeypatch.setattr(client, "declared_codes", lambda *operation: frozenset({"other"}))
    with pytest.raises(AssertionError, match="players"):
        anonymous.get("players/1/")
