"""An event as it stood at any moment: the past shows exactly what was seen then."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Scoresheet, SheetChange
from matches.rulings import RulingRequest
from players.errors import Refusal
from rules.rulings import RulingKind
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of, open_matches
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.reconcile import Repair
from tournament.draw.standings import store_standings
from tournament.entries.attendance import (
    check_in,
    leave_event,
    leave_out_absent,
    put_to_wait,
    set_door,
    undo_check_in,
    undo_leaving,
)
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry, set_home_evening, withdraw_entry
from tournament.models import Event, LogEntry, Stage
from tournament.past.event import Moment, find_moment, snapshot_at
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.rulings import rule_match
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


class Scene:
    """An event in which each step is a minute after the one before, and what was seen after each."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.at = AT
        self.seen: list[tuple[Moment, object]] = []

    def do(self, step, *args, **kwargs) -> None:
        self.at += timedelta(minutes=1)
        step(*args, **kwargs, by=None, at=self.at)
        store_standings(self.event.pk)
        self.seen.append((Moment(self.at), picture(take_snapshot(self.event.pk))))

    def win(self, key: str, winner: Side, **rest) -> None:
        match = fixture_of(self.event, key).match
        sheet = match.sheets.filter(state__in=["live", "confirmed"]).first()
        final = (match.length, 1) if winner is Side.A else (1, match.length)
        said = claim(final=final, base=sheet.number if sheet else 0, reason="Seen.")
        self.do(enter_result, match, claim=said, may_repair=True, **rest)


def picture(snapshot) -> object:
    stages = [
        (
            stage.drawn_at is not None,
            [
                (f.key, f.a.label, f.b.label, f.a.points, f.b.points, f.length, f.advanced and f.advanced.name)
                for f in stage.fixtures
            ],
            [(line.place, line.place_to, line.entry.name, line.wins) for line in stage.standings],
        )
        for stage in snapshot.stages
    ]
    entries = [
        (e.name, e.seed, e.presence, e.waiting, e.checked_in, e.left_kind, e.left_reason, e.bye_taken, e.home_evening)
        for e in (*snapshot.entries, *snapshot.waiting, *snapshot.gone)
    ]
    return entries, stages


def check(scene: Scene) -> None:
    for moment, seen in scene.seen:
        assert picture(snapshot_at(scene.event.pk, moment)) == seen


def test_corrections_repairs_rulings_and_draws_are_all_shown_as_they_stood():
    event = build_event(build_director(), players=5, drawn=False)
    scene = Scene(event)
    scene.do(add_entries, event, lines=[EntryLine(name="Late Comer", line=1)])
    scene.do(make_draw, event)
    scene.do(cancel_draw, event)
    scene.do(remove_entry, event.entries.last())
    scene.do(remove_entry, event.entries.last())
    scene.do(make_draw, event)
    scene.win("M1-1", Side.A)
    scene.win("M1-1", Side.B)
    scene.win("M1-2", Side.A)
    request = RulingRequest(RulingKind.PENALTY_POINTS, key="r", reason="Late.", penalty_points=(1, 0))
    scene.do(rule_match, fixture_of(event, "M2-1").match, request=request)
    scene.win("M2-1", Side.A)
    scene.win("M1-2", Side.B, repair=Repair.STAND)
    scene.do(end_advance, fixture_of(event, "M1-2").match, reason="No.", repair=Repair.REPLAY, may_repair=True)
    scene.win("M2-1", Side.B)
    scene.do(void_result, fixture_of(event, "M2-1").match, base=1, reason="Wrong.")
    check(scene)


def test_attendance_is_shown_as_it_was():
    event = build_event(build_director(), players=6, drawn=False)
    scene = Scene(event)
    entries = list(event.entries.all())
    scene.do(put_to_wait, entries[5])
    scene.do(check_in, entries[0])
    scene.do(undo_check_in, entries[0])
    scene.do(set_home_evening, entries[0], weekday=2)
    scene.do(set_door, event, max_entries=5, check_in=False, late_minutes=5)
    scene.do(leave_event, entries[4], kind="no-show")
    scene.do(undo_leaving, entries[4])
    scene.do(remove_entry, entries[4])
    scene.do(make_draw, event)
    scene.do(add_entries, event, lines=[EntryLine(name="Late Comer")])
    scene.do(replace_player, event.entries.last(), line=EntryLine(name="Stand-in"))
    scene.do(remove_entry, event.entries.last())
    scene.do(leave_event, entries[1], kind="disqualified", reason="A second phone.")
    scene.do(undo_leaving, entries[1])
    scene.do(cancel_draw, event)
    scene.do(leave_out_absent, event)
    check(scene)


def test_an_entry_that_left_and_was_taken_out_later_is_shown_as_gone_in_between():
    event = build_event(build_director(), players=4, drawn=False)
    scene = Scene(event)
    scene.do(leave_event, event.entries.first(), kind="disqualified", reason="A second phone.")
    scene.do(set_home_evening, event.entries.last(), weekday=2)
    scene.do(remove_entry, event.entries.first())
    check(scene)


@pytest.mark.parametrize("format", ["swiss", "double-elimination", "round-robin"])
def test_rounds_are_shown_as_they_were_paired(format):
    event = build_event(build_director(), players=7, format=format, drawn=False)
    Stage.objects.filter(event=event).update(seed="of a test")
    make_draw(event, by=None, at=AT)
    scene = Scene(event)
    rng = random.Random(5)
    for step in range(9):
        matches = open_matches(event)
        if not matches:
            break
        fixture = matches[0].fixture
        scene.win(fixture.key, rng.choice(list(Side)))
        if format == "swiss" and step == 4:
            scene.do(withdraw_entry, event.entries.first())
    check(scene)


def test_a_page_of_the_past_says_so_and_lets_nobody_change_anything():
    director = build_director()
    event = build_event(director, players=4)
    scene = Scene(event)
    scene.win("M1-1", Side.A)
    row = event.log.first()
    scene.win("M1-2", Side.A)
    client = Client()
    client.force_login(director)
    for name in ("pairings", "bracket", "standings", "screen"):
        address = reverse(name, args=[event.tournament.slug, event.slug])
        page = client.get(f"{address}?at={row.pk}")
        assert page.status_code == 200
        text = page.content.decode()
        assert "As it stood on" in text
        assert ["hx-get" in text, "data-live-events" in text, "data-live-state" in text] == [False] * 3
        assert "director-actions" not in text
        assert client.get(f"{address}?at=yesterday").status_code == 400
    assert find_moment(event, scene.seen[0][0].at.isoformat()).at == scene.seen[0][0].at


@pytest.mark.parametrize(
    "text",
    [
        *("0001-01-01T00:00:00+14:00", "0001-01-01T00:00", "0001-01-01", "9999-12-31T23:59:59-12:00"),
        *("9999-12-31T23:59:59Z", "2025-02-30", "2025-13-01T00:00", "2025-01-01T00:00+24:00", "x"),
    ],
)
def test_an_impossible_moment_is_refused(text):
    event = build_event(build_director(), players=4)
    with pytest.raises(Refusal) as refused:
        find_moment(event, text)
    assert refused.value.code == "moment_unknown"


def test_a_row_shows_the_state_after_an_earlier_row_with_a_later_time():
    """Two results at once, as an older program stored them: the first request waited and was written last."""
    event = build_event(build_director(), players=4)
    scene = Scene(event)
    scene.win("M1-1", Side.A)
    first, second = scene.at + timedelta(seconds=2), scene.at + timedelta(seconds=1)
    scene.at = first - timedelta(minutes=1)
    scene.win("M1-2", Side.A)
    waited = event.log.first()
    assert waited.at == first
    scene.at = second - timedelta(minutes=1)
    scene.win("M2-1", Side.A)
    last = event.log.first()
    assert last.at > waited.at
    LogEntry.objects.filter(pk=last.pk).update(at=second)
    Scoresheet.objects.filter(match__fixture__key="M2-1").update(at=second)
    SheetChange.objects.filter(sheet__match__fixture__key="M2-1").update(at=second)
    assert picture(snapshot_at(event.pk, find_moment(event, str(last.pk)))) == picture(take_snapshot(event.pk))


@pytest.mark.parametrize("players", [8, 64])
def test_the_past_takes_the_same_queries_in_every_field(players):
    event = build_event(build_director(), players=players)
    scene = Scene(event)
    scene.win("M1-1", Side.A)
    with CaptureQueriesContext(connection) as queries:
        snapshot_at(event.pk, Moment(scene.at))
    assert len(queries) == 15


@pytest.mark.parametrize("pairs", [2, 8])
def test_the_past_takes_the_same_queries_however_many_partners_were_replaced(pairs):
    event = build_event(build_director(), players=0, drawn=False, doubles=True)
    lines = [EntryLine(name=f"Ann {number} & Bo {number}", line=number) for number in range(1, pairs + 1)]
    add_entries(event, lines=lines, by=None, at=AT)
    for number, entry in enumerate(event.entries.all(), start=1):
        line = EntryLine(name=f"Ann {number} & Cy {number}", line=1)
        replace_player(entry, line=line, by=None, at=AT + timedelta(hours=1))
    with CaptureQueriesContext(connection) as queries:
        snapshot = snapshot_at(event.pk, Moment(AT))
        assert [entry.name for entry in snapshot.entries] == [line.name for line in lines]
    assert len(queries) == 9


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "0001-01-01", "9999-12-31"])
def test_a_moment_at_either_end_of_time_is_refused(client, text):
    event = build_event(build_director(), players=4)
    for name in ("pairings", "entries", "history"):
        page = client.get(reverse(name, args=[event.tournament.slug, event.slug]), {"at": text})
        assert (page.status_code, page.context["refusal"].code) == (400, "moment_unknown")
