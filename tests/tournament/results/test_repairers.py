"""Who may repair a result is asked under the lock: a role that was taken while its holder waited no longer counts."""

from functools import partial
from unittest.mock import patch

import pytest

from matches.services import current_sheet
from players.errors import Forbidden
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tournament.draw import steps
from tournament.draw.reconcile import Repair
from tournament.models import Appointment, Event, Role
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.roles.permissions import may

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    """Four players in a knockout, with both semifinals over."""
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2"):
        enter_result(fixture_of(event, key).match, claim=claim(final=(5, 2)), by=director, at=AT)
    return event


def test_the_faces_ask_for_the_role_once_the_event_is_locked(event, client, director):
    """The role is taken when the event is locked: whatever was asked before no longer counts."""
    match = fixture_of(event, "M1-1").match
    client.force_login(director)
    wrapped = steps.lock_fixture

    def taken_meanwhile(*given):
        locked = wrapped(*given)
        Appointment.objects.filter(user=director).delete()
        return locked

    body = {"key": "k", "base": 1, "final": [2, 5], "reason": "Misread.", "repair": "replay"}
    with patch("tournament.results.enter.lock_fixture", taken_meanwhile):
        answer = client.post(f"/api/v1/matches/{match.pk}/result/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "role_missing")


@pytest.mark.parametrize("role", [None, Role.SCORER])
@pytest.mark.parametrize("act", ["correct", "void", "end advance"])
def test_a_director_whose_role_was_taken_or_lowered_while_they_waited_repairs_nothing(event, act, role):
    match = fixture_of(event, "M1-1").match
    lowered = build_director("lowered")
    if role is not None:
        Appointment.objects.create(tournament=event.tournament, user=lowered, role=role, since=AT)
    before = current_sheet(match)
    correction = claim(final=(2, 5), base=before.number, reason="Read the wrong way round.")
    acts = {
        "correct": partial(enter_result, claim=correction, repair=Repair.REPLAY),
        "void": partial(void_result, base=before.number, reason="Never played.", repair=Repair.REPLAY),
        "end advance": partial(end_advance, reason="After all not."),
    }
    with pytest.raises(Forbidden) as refused:
        acts[act](match, may_repair=lambda locked: may(lowered, locked, "repair_result"), by=lowered, at=AT)
    assert refused.value.code == "role_missing"
    assert current_sheet(match) == before
