"""Who may repair a result is asked under the lock: a role that was taken while its holder waited no longer counts."""

from functools import partial

import pytest

from matches.services import current_sheet
from players.errors import Forbidden
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tournament.draw.reconcile import Repair
from tournament.models import Appointment, Event, Role
from tournament.results.enter import end_advance, enter_result, void_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    """Four players in a knockout, with both semifinals over."""
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2"):
        enter_result(fixture_of(event, key).match, claim=claim(final=(5, 2)), by=director, at=AT)
    return event


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
        acts[act](match, may_repair=True, by=lowered, at=AT)
    assert refused.value.code == "role_missing"
    assert current_sheet(match) == before
