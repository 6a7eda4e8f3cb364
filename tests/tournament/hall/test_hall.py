"""Matches called to tables: nobody sits at two, a result frees the table, and a match being played has begun."""

import pytest
from django.db import IntegrityError, transaction

from matches.audit import audit_free_matches
from players.errors import Conflict, Refusal
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of, open_matches, win
from tournament.audit import audit_event
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.outcomes import has_begun, load_fixtures
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.deletion import delete_event
from tournament.hall.calling import call_match, move_match, recall_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Call, CallEnding, Event, LogEntry, Seat, Table
from tournament.results.enter import enter_result, void_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    event = build_event(build_director(), players=8)
    add_tables(event.tournament, first=1, last=4, by=None, at=AT)
    return event


def match_of(event: Event, key: str):
    return fixture_of(event, key).match


def call(event: Event, key: str, **said) -> Call:
    return call_match(match_of(event, key), by=None, at=AT, **said)


def start(event: Event, key: str) -> Call:
    call(event, key)
    return start_match(match_of(event, key), by=None, at=AT)


def begun(event: Event) -> set[str]:
    return {fixture.key for stage in event.stages.all() for fixture in load_fixtures(stage) if has_begun(fixture)}


def open_calls() -> list[tuple[str, int]]:
    calls = Call.objects.filter(left_at__isnull=True).order_by("table__number")
    return list(calls.values_list("match__fixture__key", "table__number"))


def differences(event: Event) -> list[str]:
    store_standings(event.pk)
    return [str(difference) for difference in audit_event(Event.objects.get(pk=event.pk))]


def another_event(event: Event, *names: str) -> Event:
    """A second event of the tournament, drawn, with these players."""
    other = build_event(build_director("other", event.tournament), tournament=event.tournament, players=0, drawn=False)
    lines = [EntryLine(name=name, line=number) for number, name in enumerate(names, start=1)]
    add_entries(other, lines=lines, by=None, at=AT)
    make_draw(other, by=None, at=AT)
    return other


def refused(action, *args, **said) -> str:
    """The code of the refusal; the hall stays as it is."""
    before = (open_calls(), Call.objects.count(), LogEntry.objects.count())
    with pytest.raises((Conflict, Refusal)) as refusal:
        action(*args, **said)
    assert (open_calls(), Call.objects.count(), LogEntry.objects.count()) == before
    return refusal.value.code


def test_matches_are_called_to_the_lowest_free_table_until_there_is_none(event):
    add_tables(event.tournament, first=1, last=3, by=None, at=AT)
    Table.objects.filter(number=4).update(out_of_order=True)
    assert [call(event, f"M1-{number}").table.number for number in (1, 2, 3)] == [1, 2, 3]
    assert refused(call, event, "M1-4") == "no_table_free"
    assert refused(call, event, "M1-4", table=4) == "table_out_of_order"
    assert refused(call, event, "M1-4", table=3) == "table_taken"
    assert refused(call, event, "M1-4", table=7) == "table_unknown"


def test_a_reserved_table_comes_first_for_its_event_and_never_for_others_and_a_streamed_one_only_by_choice(event):
    other = another_event(event, *"ABCD")
    Table.objects.filter(number=3).update(event=other)
    Table.objects.filter(number=1).update(streamed=True)
    assert call(other, "M1-1").table.number == 3
    assert call(other, "M1-2").table.number == 2
    assert call(event, "M1-1").table.number == 4
    assert refused(call, event, "M1-2") == "no_table_free"
    assert call(event, "M1-2", table=1).table.number == 1


def test_a_player_called_to_a_table_is_called_to_no_other(event):
    fixture = fixture_of(event, "M1-1")
    other = another_event(event, fixture.entry_a.name, "Stranger")
    call(event, "M1-1")
    with pytest.raises(Conflict) as refusal:
        call(other, "M1-1")
    assert refusal.value.code == "player_at_another_table"
    assert str(refusal.value) == f"{fixture.entry_a.name} has been called to table 1 for M1-1 of Main."
    start_match(fixture.match, by=None, at=AT)
    with pytest.raises(Conflict) as refusal:
        call(other, "M1-1")
    assert str(refusal.value) == f"{fixture.entry_a.name} is playing M1-1 of Main at table 1."
    win(fixture.match, Side.A)
    assert call(other, "M1-1").table.number == 1


def test_the_second_of_two_directors_is_told_who_called_the_match(event):
    match = match_of(event, "M1-1")
    call_match(match, by=build_director("Anna", event.tournament), at=AT)
    with pytest.raises(Conflict) as refusal:
        call(event, "M1-1")
    assert (refusal.value.code, str(refusal.value)) == (
        "match_called",
        "Anna called this match to table 1 at 20:00.",
    )


def test_the_database_itself_holds_one_open_call_per_match_per_table_and_per_person(event):
    first = call(event, "M1-1")
    free = Table.objects.get(number=4)
    seat = first.seats.first()
    other = match_of(event, "M1-2")
    for rows, values in (
        (Call, {"match": first.match, "table": free, "called_at": AT}),
        (Call, {"match": other, "table": first.table, "called_at": AT}),
        (Call, {"match": other, "table": free, "called_at": AT, "left_at": AT}),
        (Seat, {"call": first, "tournament": event.tournament, "person": seat.person}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.objects.create(**values)


def test_a_result_that_ends_the_match_frees_its_table_and_taking_it_back_does_not_call_it_again(event):
    start(event, "M1-1")
    match = match_of(event, "M1-1")
    sheet = enter_result(match, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    assert open_calls() == [("M1-1", 1)]
    sheet = win(match, Side.A, base=sheet.number)
    assert open_calls() == []
    assert match.calls.get().ending == CallEnding.DONE
    void_result(match, base=sheet.number, reason="", by=None, at=AT)
    assert (open_calls(), begun(event)) == ([], set())


def test_a_match_has_begun_when_its_players_have_and_taking_the_call_back_undoes_it(event):
    call(event, "M1-1")
    assert begun(event) == set()
    start_match(match_of(event, "M1-1"), by=None, at=AT)
    assert begun(event) == {"M1-1"}
    assert refused(cancel_draw, event, by=None, at=AT) == "draw_in_play"
    recall_match(match_of(event, "M1-1"), by=None, at=AT)
    assert (begun(event), open_calls()) == (set(), [])
    assert refused(start_match, match_of(event, "M1-1"), by=None, at=AT) == "match_not_called"
    assert refused(recall_match, match_of(event, "M1-1"), by=None, at=AT) == "match_not_called"
    cancel_draw(event, by=None, at=AT)
    assert differences(event) == []


def test_a_draw_that_is_taken_back_takes_its_calls_along(event):
    call(event, "M1-1")
    cancel_draw(event, by=None, at=AT)
    assert [call.ending for call in Call.objects.all()] == [CallEnding.REDRAWN]
    assert Seat.objects.filter(left_at__isnull=True).count() == 0


def test_a_correction_takes_nobody_out_of_a_match_being_played_and_a_call_not_begun_follows_it(event):
    sheets = {key: win(match_of(event, key), Side.A) for key in ("M1-1", "M1-2")}
    start(event, "M2-1")
    first = match_of(event, "M1-1")
    correct = {"claim": claim(final=(0, 5), base=sheets["M1-1"].number), "by": None, "at": AT}
    assert refused(enter_result, first, **correct) == "later_match_begun"
    recall_match(match_of(event, "M2-1"), by=None, at=AT)
    before = call(event, "M2-1").match
    enter_result(first, **correct)
    assert open_calls() == [("M2-1", 1)]
    assert [call.ending for call in before.calls.all()] == [CallEnding.RECALLED, CallEnding.REDRAWN]
    assert match_of(event, "M2-1") != before
    assert differences(event) == []
    assert list(audit_free_matches()) == []


def test_a_match_that_moves_keeps_its_time_and_frees_its_table(event):
    began = start(event, "M1-1")
    moved = move_match(match_of(event, "M1-1"), table=3, by=None, at=AT)
    assert (moved.table.number, moved.called_at, moved.started_at) == (3, began.called_at, began.started_at)
    assert open_calls() == [("M1-1", 3)]
    assert call(event, "M1-2").table.number == 1
    assert refused(move_match, match_of(event, "M1-1"), table=1, by=None, at=AT) == "table_taken"
    assert move_match(match_of(event, "M1-1"), table=3, by=None, at=AT) == moved
    assert begun(event) == {"M1-1"}


def test_a_pairing_of_a_swiss_stands_while_it_is_played(director):
    event = build_event(director, players=4, format="swiss", options={"rounds": 3})
    add_tables(event.tournament, first=1, last=4, by=None, at=AT)
    sheets = [win(match, Side.A) for match in open_matches(event)]
    second = event.stages.get().fixtures.filter(round=2).first()
    start(event, second.key)
    wrong = sheets[0].match
    enter_result(wrong, claim=claim(final=(0, 5), base=1), by=None, at=AT)
    kept = event.stages.get().fixtures.get(key=second.key)
    assert kept.match_id == second.match_id
    assert differences(event) == []
    recall_match(kept.match, by=None, at=AT)
    assert event.stages.get().fixtures.get(key=second.key).match_id != second.match_id
    assert differences(event) == []


def test_the_audit_finds_a_call_that_contradicts_its_match(event):
    open_call = start(event, "M1-1")
    assert differences(event) == []
    seat = open_call.seats.first()
    Seat.objects.filter(pk=seat.pk).update(left_at=AT)
    (seats,) = differences(event)
    assert "seats" in seats
    Seat.objects.filter(pk=seat.pk).update(left_at=None)
    win(open_call.match, Side.A)
    assert differences(event) == []
    Call.objects.filter(pk=open_call.pk).update(left_at=None, ending="")
    Seat.objects.filter(call=open_call).update(left_at=None)
    (ended,) = differences(event)
    assert ended.endswith("stored open, computed ended: the match is decided")


def test_a_deleted_event_leaves_its_tables(event):
    start(event, "M1-1")
    delete_event(event, typed=event.name, by=None, at=AT)
    assert (open_calls(), Seat.objects.filter(left_at=None).count()) == ([], 0)


def test_every_act_is_logged_and_raises_the_version_of_the_hall(event):
    tournament = event.tournament
    tournament.refresh_from_db()
    before, version = tournament.hall_version, Event.objects.get(pk=event.pk).version
    director = build_director("Bo", event.tournament)
    match = match_of(event, "M1-1")
    call_match(match, by=director, at=AT)
    start_match(match, by=director, at=AT)
    start_match(match, by=director, at=AT)
    move_match(match, table=2, by=director, at=AT)
    tournament.refresh_from_db()
    rows = LogEntry.objects.filter(actor=director).order_by("id")
    assert [(row.verb, row.detail["table"], row.event) for row in rows] == [
        ("call_match", 1, event),
        ("start_match", 1, event),
        ("move_match", 2, event),
    ]
    assert (tournament.hall_version, Event.objects.get(pk=event.pk).version) == (before + 3, version)


@pytest.mark.parametrize(("first", "last"), [(0, 4), (5, 4), (1, 1000)])
def test_impossible_table_numbers_are_refused(director, first, last):
    tournament = build_tournament(director)
    assert refused(add_tables, tournament, first=first, last=last, by=None, at=AT) == "table_numbers_out_of_range"
