"""Clocks that were read before a lock: the stored moments are in the order in which things were done."""

from datetime import timedelta
from itertools import pairwise

import pytest

from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of
from tests.tournament.past.test_past import picture
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.standings import store_standings
from tournament.entries.attendance import check_in, leave_event, leave_out_absent
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import LogEntry
from tournament.past.event import find_moment, snapshot_at
from tournament.results.enter import enter_result, void_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db
EARLIER, LATER = AT + timedelta(seconds=5), AT + timedelta(seconds=9)


@pytest.fixture
def tournament():
    return build_tournament(build_director())


def event_in(tournament, **terms):
    return build_event(None, players=4, tournament=tournament, **terms)


def enter(event, key: str, winner: Side, at, base: int = 0):
    match = fixture_of(event, key).match
    final = (match.length, 1) if winner is Side.A else (1, match.length)
    return enter_result(match, claim=claim(final=final, base=base), by=None, at=at)


def seen(event):
    store_standings(event.pk)
    return picture(take_snapshot(event.pk))


def assert_in_order(tournament):
    for event in (None, *tournament.events.all()):
        moments = LogEntry.objects.filter(tournament=tournament, event=event).order_by("id")
        assert all(before <= after for before, after in pairwise(moments.values_list("at", flat=True)))


def test_a_change_that_waited_for_the_lock_is_not_seen_at_the_row_before_it(tournament):
    event = event_in(tournament)
    enter(event, "M1-1", Side.A, LATER)
    row, then = event.log.first(), seen(event)
    sheet = enter(event, "M1-1", Side.B, EARLIER, base=1)
    now = event.log.first()
    assert sheet.at == now.at > row.at
    assert seen(event) != then
    assert picture(snapshot_at(event.pk, find_moment(event, str(row.pk)))) == then
    assert picture(snapshot_at(event.pk, find_moment(event, row.at.isoformat()))) == then
    assert picture(snapshot_at(event.pk, find_moment(event, str(now.pk)))) == seen(event)
    assert audit_event(event) == []


def test_a_result_taken_back_with_an_earlier_clock_is_seen_before_that(tournament):
    event = event_in(tournament)
    enter(event, "M1-1", Side.A, LATER)
    row, then = event.log.first(), seen(event)
    void_result(fixture_of(event, "M1-1").match, base=1, reason="No.", by=None, at=EARLIER)
    assert picture(snapshot_at(event.pk, find_moment(event, str(row.pk)))) == then


def test_each_event_and_the_tournament_have_logs_in_their_own_order(tournament):
    first, second = event_in(tournament), event_in(tournament)
    enter(first, "M1-1", Side.A, LATER)
    sheet = enter(second, "M1-1", Side.A, EARLIER)
    assert sheet.at == second.log.first().at == EARLIER
    add_tables(tournament, first=1, last=1, by=None, at=LATER)
    add_tables(tournament, first=2, last=2, by=None, at=EARLIER)
    call_match(fixture_of(first, "M1-2").match, by=None, at=EARLIER)
    assert first.log.first().at > LATER
    assert_in_order(tournament)


def test_the_time_of_a_clock_that_is_not_behind_is_kept(tournament):
    event = event_in(tournament)
    enter(event, "M1-1", Side.A, EARLIER)
    sheet = enter(event, "M1-2", Side.A, LATER)
    assert (sheet.at, event.log.first().at) == (LATER, LATER)


def test_a_departure_is_undone_by_its_row_even_if_the_clock_was_behind(tournament):
    second, third = (event_in(tournament, drawn=drawn) for drawn in (True, False))
    enter(second, "M1-2", Side.A, LATER)
    leave_event(entry_of(second, "M1-1"), kind="withdrawn", by=None, at=EARLIER)
    undo_step(second.log.filter(verb="leave_event").select_related("event").get(), by=None, at=EARLIER)
    check_in(third.entries.get(number=1), by=None, at=LATER)
    leave_out_absent(third, by=None, at=EARLIER)
    undo_step(third.log.select_related("event").first(), by=None, at=EARLIER)
    for event in (second, third):
        assert not event.entries.filter(left_at__isnull=False).exists()
    assert_in_order(tournament)


def entry_of(event, key: str):
    return fixture_of(event, key).entry_a


def test_a_wrong_clock_is_not_followed(tournament):
    event = event_in(tournament)
    tomorrow = AT + timedelta(days=1)
    enter(event, "M1-1", Side.A, tomorrow)
    assert enter(event, "M1-2", Side.A, LATER).at == LATER
