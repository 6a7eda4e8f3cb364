"""A match is shown as locked exactly when a scorer may not correct it: once either side has begun its next match."""

from datetime import timedelta

import pytest
from django.db import transaction

from matches.models import Match
from players.errors import Forbidden
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of
from tournament.entries.attendance import leave_event
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.reports import report_result
from tournament.snapshot import take_snapshot
from tournament.snapshot.states import MatchState

LATER = AT + timedelta(hours=1)


def decide(event: Event, key: str) -> None:
    for match in fixture_of(event, key).matches.values():
        enter_result(match, claim=claim(final=(match.length, 0)), by=None, at=AT)


def semifinals(event: Event) -> None:
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    for key in ("M1-1", "M1-2"):
        decide(event, key)


def nothing_more(event: Event) -> None:
    pass


def called(event: Event) -> None:
    call_match(next(iter(fixture_of(event, "M2-1").matches.values())), by=None, at=LATER)


def started(event: Event) -> None:
    called(event)
    start_match(next(iter(fixture_of(event, "M2-1").matches.values())), by=None, at=LATER)


def entered(event: Event) -> None:
    match = next(iter(fixture_of(event, "M2-1").matches.values()))
    enter_result(match, claim=claim(final=(match.length, 0)), by=None, at=LATER)


def reported(event: Event) -> None:
    match = next(iter(fixture_of(event, "M2-1").matches.values()))
    report_result(match, claim=claim(final=(match.length, 0)), side=Side.A, by=None, at=LATER)


def absent(event: Event) -> None:
    leave_event(fixture_of(event, "M2-1").entry_a, kind="withdrawn", by=None, at=LATER)


def is_closed_to_scorers(match: Match) -> bool:
    """Whether somebody who may not repair is refused a correction; one that is taken is undone again."""
    try:
        with transaction.atomic():
            corrected = claim(final=(match.length, 1), base=1, reason="Seen.")
            enter_result(match, claim=corrected, may_repair=False, by=None, at=LATER)
            transaction.set_rollback(True)
    except Forbidden:
        return True
    return False


@pytest.mark.parametrize("boards", [1, 3])
@pytest.mark.parametrize(
    ("step", "locked"),
    [
        (nothing_more, False),
        (called, False),
        (started, True),
        (entered, True),
        (reported, True),
        (absent, False),
    ],
)
def test_locked_is_what_a_scorer_may_not_correct(director, boards, step, locked):
    event = build_event(director, players=4, boards=boards)
    semifinals(event)
    step(event)
    shown = {fixture.key: fixture.status is MatchState.LOCKED for fixture in take_snapshot(event.pk).stage.fixtures}
    closed = {
        key: is_closed_to_scorers(match)
        for key in ("M1-1", "M1-2")
        for match in fixture_of(event, key).matches.values()
    }
    assert closed == {"M1-1": locked, "M1-2": locked}
    assert shown == {**closed, "M2-1": False}
