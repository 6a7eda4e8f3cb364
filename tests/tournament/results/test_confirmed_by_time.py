"""A complete report counts once nobody has objected for as long as the event asks, and the log says so."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches.history import load_history
from matches.models import Match, SheetState
from matches.side_sheets import sheet_of_side
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_terms, claim, fixture_of
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.standings import store_standings
from tournament.events.services import update_event
from tournament.log.words import tell
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.reports import confirm_by_time, dispute_result, report_result, withdraw_result
from tournament.results.waiting import reports_due
from tournament.tasks import heal

A, B = Side.A, Side.B
RUNNING = (GameResult(A, 2), GameResult(B, 1, Level.GAMMON))
WHOLE = (*RUNNING, GameResult(A, 4))
DUE = AT + timedelta(minutes=15)
pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, confirm_minutes=15)


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


def report(match: Match, side: Side, *games: GameResult, base: int = 0) -> None:
    report_result(match, claim=claim(games=games, base=base), side=side, by=None, at=AT)


def states(match: Match) -> list[str]:
    return [sheet.state for sheet in match.sheets.all()]


def test_it_is_due_after_the_minutes_and_then_advances_the_draw(event, match):
    report(match, A, *WHOLE)
    assert list(reports_due(DUE - timedelta(seconds=1))) == []
    assert list(reports_due(DUE)) == [(match.pk, 1)]
    assert not confirm_by_time(match, number=1, at=DUE - timedelta(seconds=1))
    assert confirm_by_time(match, number=1, at=DUE)
    assert not confirm_by_time(match, number=1, at=DUE)
    assert states(match) == [SheetState.CONFIRMED]
    row = event.log.first()
    assert (row.verb, row.actor) == ("confirm_by_time", None)
    assert tell(row).endswith(" confirmed because nobody objected within 15 minutes")
    store_standings(event.pk)
    assert audit_event(Event.objects.get()) == []


@pytest.mark.parametrize(
    "act",
    [
        lambda match: report(match, B, GameResult(B)),
        lambda match: dispute_result(match, number=1, side=B, reason="No.", by=None, at=AT),
        lambda match: enter_result(match, claim=claim(games=(GameResult(B),)), by=None, at=AT),
        lambda match: report(match, A, *RUNNING, base=1),
        lambda match: Event.objects.update(confirm_minutes=None),
        lambda match: Event.objects.update(confirm_minutes=16),
    ],
    ids=["differs", "objection", "desk", "taken back", "no limit", "longer"],
)
def test_whatever_happens_between_the_sweep_and_the_lock_it_is_asked_again(match, act):
    report(match, A, *WHOLE)
    assert list(reports_due(DUE)) == [(match.pk, 1)]
    act(match)
    assert not confirm_by_time(match, number=1, at=DUE)
    assert SheetState.CONFIRMED not in states(match)


def test_the_time_begins_anew_when_a_dispute_has_ended(match):
    """The other side may be correcting its own games at that moment."""
    report(match, A, *WHOLE)
    report(match, B, GameResult(B))
    later = AT + timedelta(minutes=20)
    withdraw_result(match, base=2, side=B, at=later)
    assert list(reports_due(later)) == []
    assert sheet_of_side(load_history(match), B, confirm_minutes=15).confirm_by == later + timedelta(minutes=15)
    assert not confirm_by_time(match, number=1, at=later + timedelta(minutes=14))
    assert list(reports_due(later + timedelta(minutes=15))) == [(match.pk, 1)]
    assert confirm_by_time(match, number=1, at=later + timedelta(minutes=15))


def test_a_match_in_play_and_an_event_without_a_limit_have_nothing_due(event, match):
    report(match, A, *RUNNING)
    assert list(reports_due(DUE)) == []
    report(match, A, *WHOLE, base=1)
    update_event(event, build_terms(), by=None, at=AT)
    assert list(reports_due(DUE + timedelta(days=9))) == []


def test_the_sweep_confirms_what_is_due_after_a_restart(event, match, eager_tasks):
    long_ago = timezone.now() - timedelta(hours=1)
    report_result(match, claim=claim(games=WHOLE), side=A, by=None, at=long_ago)
    heal()
    assert states(match) == [SheetState.CONFIRMED]
    assert event.log.filter(verb="confirm_by_time").count() == 1


def test_a_director_undoes_it(event, match):
    report(match, A, *WHOLE)
    confirm_by_time(match, number=1, at=DUE)
    undo_step(event.log.first(), by=None, at=DUE)
    assert states(match) == [SheetState.VOID]
