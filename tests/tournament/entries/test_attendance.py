"""Attendance: check-in, waiting list, late entries, and players who leave and come back."""

import pytest

from matches.models import Conclusion, Scoresheet, SheetSource, SheetState
from matches.ratings import rateable_sheets
from players.errors import Conflict, Refusal
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, win
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event, set_door, undo_leaving
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.events.stages import add_stage
from tournament.models import Entry, Event
from tournament.results.enter import enter_result
from tournament.snapshot import take_snapshot

WHOLE = {"last_chance": "full"}


def late(event: Event, *names: str) -> list[Entry]:
    lines = [EntryLine(name=name, line=line) for line, name in enumerate(names, start=1)]
    return add_entries(event, lines=lines, by=None, at=AT)


def leave(entry: Entry, kind: str = "withdrawn", **said: object) -> Entry:
    return leave_event(entry, kind=kind, by=None, at=AT, **said)


def entry_of(event: Event, key: str, side: str = "a") -> Entry:
    return getattr(fixture_of(event, key), f"entry_{side}")


def sides(event: Event) -> dict[str, tuple[int | None, int | None]]:
    fixtures = event.stages.get(number=1).fixtures.all()
    return {fixture.key: (fixture.entry_a_id, fixture.entry_b_id) for fixture in fixtures}


def current(event: Event, key: str) -> Scoresheet | None:
    return fixture_of(event, key).match.sheets.filter(state__in=Scoresheet.CURRENT).first()


def assert_audited(event: Event) -> None:
    store_standings(event.pk)
    assert [str(difference) for difference in audit_event(event)] == []


def set_limit(event: Event, most: int | None, **door: object) -> None:
    set_door(event, **{"max_entries": most, "check_in": False, "late_minutes": 5, **door}, by=None, at=AT)


# Leaving.


def test_opponent_of_a_player_who_leaves_has_a_walkover_at_once(director):
    event = build_event(director, players=4)
    gone, there = entry_of(event, "M1-1"), entry_of(event, "M1-1", "b")
    leave(gone, "no-show")
    sheet = current(event, "M1-1")
    assert (sheet.conclusion, sheet.awarded_to, sheet.source) == (Conclusion.WALKOVER, "B", SheetSource.ABSENCE)
    assert fixture_of(event, "M2-1").entry_a == there
    assert not rateable_sheets().exists()
    assert_audited(event)


def test_walkovers_follow_into_consolation_and_last_chance_until_nothing_changes(director):
    event = build_event(director, players=8, format="consolation", options=WHOLE)
    gone = entry_of(event, "M1-1")
    leave(gone)
    play_out(event)
    lost = Scoresheet.objects.filter(source=SheetSource.ABSENCE, match__fixture__stage__event=event)
    brackets = sorted(sheet.match.fixture.bracket for sheet in lost)
    assert brackets == ["C", "L", "M"]
    finish_event(event, by=director, at=AT)
    assert_audited(event)


def test_a_player_who_leaves_only_the_main_plays_in_the_consolation(director):
    event = build_event(director, players=8, format="consolation", options=WHOLE)
    gone = entry_of(event, "M1-1")
    leave(gone, only_main=True)
    win(fixture_of(event, "M1-2").match, Side.A)
    fixture = next(
        f for f in event.stages.get().fixtures.filter(bracket="C") if gone.pk in (f.entry_a_id, f.entry_b_id)
    )
    assert current(event, "M1-1").awarded_to == "B"
    assert current(event, fixture.key) is None
    assert_audited(event)


def test_a_player_who_leaves_now_forfeits_the_begun_match_with_what_was_played(director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    games = (GameResult(Side.A, 2, Level.SINGLE),)
    enter_result(match, claim=claim(games=games), by=None, at=AT)
    leave(entry_of(event, "M1-1"))
    sheet = current(event, "M1-1")
    assert (sheet.conclusion, sheet.awarded_to, sheet.lines.count()) == (Conclusion.FORFEIT, "B", 1)
    assert_audited(event)


def test_a_player_who_leaves_after_this_match_plays_it_to_its_end(director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    gone = entry_of(event, "M1-1")
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=None, at=AT)
    leave(gone, plays_on=True)
    assert current(event, "M1-1").conclusion == Conclusion.PLAYED
    win(match, Side.A, base=1)
    win(fixture_of(event, "M1-2").match, Side.A)
    assert current(event, "M2-1").awarded_to == "B"
    assert_audited(event)


@pytest.mark.parametrize("kind", ["no-show", "withdrawn"])
def test_of_two_absent_players_neither_wins_and_the_next_opponent_has_a_bye(director, kind):
    event = build_event(director, players=4)
    for side in ("a", "b"):
        leave(entry_of(event, "M1-1", side), kind)
    assert (current(event, "M1-1").conclusion, current(event, "M1-1").awarded_to) == (Conclusion.VOID, "")
    win(fixture_of(event, "M1-2").match, Side.A)
    final = fixture_of(event, "M2-1")
    assert (final.entry_a, final.entry_b, final.feed_b, final.match) == (entry_of(event, "M1-2"), None, "bye", None)
    store_standings(event.pk)
    lines = event.stages.get().standings.all()
    assert sorted((line.place, line.place_to, line.played, line.wins, line.losses) for line in lines) == [
        (1, 1, 1, 1, 0),
        (2, 4, 0, 0, 0),
        (2, 4, 0, 0, 0),
        (2, 4, 1, 0, 1),
    ]
    assert rateable_sheets().count() == 1
    stage = take_snapshot(event.pk).stage
    assert [fixture.status for fixture in stage.fixtures] == ["void", "confirmed", "bye"]
    assert (stage.done, stage.matches) == (1, 1)
    finish_event(event, by=director, at=AT)
    assert_audited(event)


def test_a_player_who_has_come_keeps_the_walkover_and_leaves_the_next_opponent_one(director):
    event = build_event(director, players=8)
    win(fixture_of(event, "M1-1").match, Side.A)
    win(fixture_of(event, "M1-2").match, Side.A)
    first, second = entry_of(event, "M2-1"), entry_of(event, "M2-1", "b")
    leave(first)
    leave(second)
    assert (current(event, "M2-1").conclusion, current(event, "M2-1").awarded_to) == (Conclusion.WALKOVER, "B")
    assert fixture_of(event, "M3-1").entry_a == second
    win(fixture_of(event, "M1-3").match, Side.A)
    win(fixture_of(event, "M1-4").match, Side.A)
    win(fixture_of(event, "M2-2").match, Side.A)
    assert (current(event, "M3-1").conclusion, current(event, "M3-1").awarded_to) == (Conclusion.WALKOVER, "B")
    assert_audited(event)


def test_a_void_match_is_a_walkover_again_once_one_of_the_two_is_back(director):
    event = build_event(director, players=4)
    first, second = entry_of(event, "M1-1"), entry_of(event, "M1-1", "b")
    leave(first, "no-show")
    leave(second, "no-show")
    undo_leaving(first, by=None, at=AT)
    assert (current(event, "M1-1").conclusion, current(event, "M1-1").awarded_to) == (Conclusion.WALKOVER, "A")
    assert fixture_of(event, "M2-1").entry_a == first
    undo_leaving(second, by=None, at=AT)
    assert current(event, "M1-1") is None
    assert_audited(event)


@pytest.mark.parametrize("format", ["consolation", "double-elimination", "swiss", "round-robin", "gsl"])
def test_two_absent_players_stop_no_format(director, format):
    event = build_event(director, players=8, format=format)
    match, begun, *_others = open_matches(event)
    win(begun, Side.A)
    for entry in (match.fixture.entry_a, match.fixture.entry_b):
        leave(entry, "no-show")
    assert current(event, match.fixture.key).conclusion == Conclusion.VOID
    play_out(event)
    store_standings(event.pk)
    gone = event.stages.get().standings.filter(section="", entry__left_at__isnull=False)
    assert [(line.played, line.wins, line.place > 1) for line in gone.filter(wins=0)] == [
        (line.played, 0, True) for line in gone
    ]
    finish_event(event, by=director, at=AT)
    assert_audited(event)


def test_lots_decide_between_two_absent_players_of_whom_one_plays_on_in_the_consolation(director):
    event = build_event(director, players=8, format="consolation", options=WHOLE)
    win(fixture_of(event, "M1-1").match, Side.A)
    leave(entry_of(event, "M2-1"))
    match = fixture_of(event, "M1-2").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=None, at=AT)
    plays_on = entry_of(event, "M1-2")
    leave(plays_on, plays_on=True, only_main=True)
    win(match, Side.A, base=1)
    assert current(event, "M2-1").conclusion == Conclusion.WALKOVER
    play_out(event)
    fallen = event.stages.get().fixtures.filter(bracket="C")
    assert any(plays_on.pk in (fixture.entry_a_id, fixture.entry_b_id) for fixture in fallen)
    assert_audited(event)


def test_the_draw_comes_to_its_end_even_if_nobody_is_left(director):
    event = build_event(director, players=8, format="consolation", options=WHOLE)
    for entry in event.entries.all():
        leave(entry, "no-show")
    finish_event(event, by=director, at=AT)
    assert not rateable_sheets().exists()
    assert_audited(event)


@pytest.mark.parametrize("format", ["round-robin", "swiss", "double-elimination"])
def test_every_format_plays_on_without_those_who_left(director, format):
    event = build_event(director, players=6, format=format)
    win(open_matches(event)[0], Side.A)
    leave(event.entries.get(number=3), "disqualified", reason="Left with the checkers")
    play_out(event)
    finish_event(event, by=director, at=AT)
    assert_audited(event)


def test_a_player_who_has_left_does_not_qualify(director):
    event = build_event(director, players=6, format="round-robin")
    add_stage(event, format="single-elimination", options={"lengths": [5]}, qualifiers=2, by=None, at=AT)
    play_out(event)
    store_standings(event.pk)
    best = event.stages.get(number=1).standings.filter(place=1).first().entry
    leave(best)
    make_draw(event, by=None, at=AT)
    final = event.stages.get(number=2).fixtures.get()
    assert best.pk not in (final.entry_a_id, final.entry_b_id)
    assert_audited(event)


def test_a_player_who_leaves_after_qualifying_is_walked_over_and_nobody_is_drawn_again(director):
    event = build_event(director, players=6, format="swiss")
    add_stage(event, format="single-elimination", options={"lengths": [5]}, qualifiers=4, by=None, at=AT)
    play_out(event)
    make_draw(event, by=None, at=AT)
    stage = event.stages.get(number=2)
    before = [(f.key, f.entry_a_id, f.entry_b_id) for f in stage.fixtures.filter(round=1)]
    leave(Entry.objects.get(pk=before[0][1]))
    assert [(f.key, f.entry_a_id, f.entry_b_id) for f in stage.fixtures.filter(round=1)] == before
    assert stage.fixtures.get(round=2).entry_a_id == before[0][2]
    assert_audited(event)


@pytest.mark.parametrize(
    ("kind", "said", "code"),
    [
        ("disqualified", {}, "reason_missing"),
        ("asleep", {}, "departure_unknown"),
        ("no-show", {"plays_on": True}, "departure_is_whole"),
        ("disqualified", {"reason": "x", "only_main": True}, "departure_is_whole"),
    ],
)
def test_impossible_departure_changes_nothing(director, kind, said, code):
    event = build_event(director, players=4)
    with pytest.raises(Refusal) as refused:
        leave(event.entries.first(), kind, **said)
    assert refused.value.code == code
    assert not event.entries.filter(left_at__isnull=False).exists()


def test_nobody_leaves_twice_and_a_player_who_plays_has_shown_up(director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    with pytest.raises(Conflict) as begun:
        leave(entry_of(event, "M1-1"), "no-show")
    gone = entry_of(event, "M1-2")
    leave(gone)
    with pytest.raises(Conflict) as twice:
        leave(gone)
    assert (begun.value.code, twice.value.code) == ("no_show_has_begun", "entry_out")


# The waiting list and the door.


def test_every_board_of_a_team_that_leaves_is_walked_over_and_opens_again(director):
    event = build_event(director, players=0, drawn=False, boards=3)
    teams = [f"Team {team}: " + ", ".join(f"{team}{board}" for board in range(3)) for team in "ABCD"]
    late(event, *teams)
    make_draw(event, by=None, at=AT)
    fixture = event.stages.get().fixtures.get(key="M1-1")
    gone, there = fixture.entry_a, fixture.entry_b
    leave(gone, "no-show")
    sheets = Scoresheet.objects.filter(match__board__fixture=fixture, state=SheetState.CONFIRMED)
    assert sorted(sheet.awarded_to for sheet in sheets) == ["B", "B", "B"]
    assert event.stages.get().fixtures.get(key="M2-1").entry_a == there
    assert_audited(event)
    undo_leaving(gone, by=None, at=AT)
    assert not sheets.all().exists()
    assert_audited(event)
