"""A ruling on a match of a draw advances it, is logged, and passes the audit."""

import pytest

from matches.models import SheetState
from matches.rulings import RulingRequest
from players.errors import Conflict
from rules.rulings import RulingKind
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, fixture_of, win
from tournament.audit import audit_event
from tournament.models import Event, LogEntry
from tournament.services.rulings import rule_match
from tournament.services.standings import store_standings
from tournament.templatetags.history import told

pytestmark = pytest.mark.django_db

GAMES = (GameResult(Side.A, 2, Level.GAMMON), GameResult(Side.A, 2))
"""5-0 in a match to 5, with a double in the Crawford game."""


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


def first_match(event: Event):
    return fixture_of(event, "M1-1")


def differences(event: Event) -> list[str]:
    """What the audit finds once the standings are computed."""
    store_standings(event.pk)
    return [str(difference) for difference in audit_event(Event.objects.get(pk=event.pk))]


def rule(event: Event, **said):
    fixture = first_match(event)
    usual = {"kind": RulingKind.CRAWFORD_ANNULLED, "key": "r", "reason": "Seen.", "games": GAMES}
    request = RulingRequest(**{**usual, **said})
    return rule_match(fixture.match, request=request, by=build_director("judge"), at=AT)


def test_a_ruling_that_ends_a_match_advances_the_draw_and_is_logged(event):
    ruling = rule(event)
    event.refresh_from_db()
    entry = LogEntry.objects.filter(event=event).latest("id")
    fixture = first_match(event)
    assert ruling.sheet.state == SheetState.CONFIRMED
    assert fixture.entry_a_id in (fixture_of(event, "M2-1").entry_a_id, fixture_of(event, "M2-1").entry_b_id)
    assert (entry.verb, entry.actor.username, entry.detail["reason"]) == ("ruling", "judge", "Seen.")
    assert (entry.detail["sheet"], entry.detail["score"], entry.detail["kind"]) == (1, [5, 0], "crawford_annulled")
    assert told(entry).endswith("ruling: The double in game 2, the Crawford game, is annulled: it counts 1, not 2.")
    assert differences(event) == []


def test_penalty_points_are_logged_without_a_sheet_and_pass_the_audit(event):
    rule(event, kind=RulingKind.PENALTY_POINTS, points=(1, 0), games=())
    entry = LogEntry.objects.filter(event=event).latest("id")
    assert (entry.detail["sheet"], entry.detail["score"]) == (None, [0, 1])
    win(first_match(event).match, Side.A, loser_points=2)
    assert differences(event) == []


def test_a_repeated_ruling_is_answered_even_after_the_event_has_ended(event):
    ruling = rule(event)
    Event.objects.filter(pk=event.pk).update(finished_at=AT)
    version = Event.objects.get(pk=event.pk).version
    fixture = first_match(event)
    request = RulingRequest(kind=RulingKind.CRAWFORD_ANNULLED, key="r", reason="Seen.", games=GAMES)
    assert rule_match(fixture.match, request=request, by=None, at=AT) == ruling
    assert Event.objects.get(pk=event.pk).version == version


def test_no_ruling_after_the_event_has_ended(event):
    Event.objects.filter(pk=event.pk).update(finished_at=AT)
    with pytest.raises(Conflict) as conflict:
        rule(event)
    assert conflict.value.code == "event_finished"
