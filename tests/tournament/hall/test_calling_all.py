"""All ready matches called at once: in the order of the desk, each to its table, and nothing that has changed since."""

from collections.abc import Callable

import pytest
from django.urls import reverse

from players.errors import Forbidden
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, fixture_of, open_matches, win
from tests.meanwhile import before_transaction
from tournament.draw.calls import open_call_of, open_calls_in
from tournament.draw.make import make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.deletion import delete_event
from tournament.events.services import finish_event
from tournament.hall.calling import call_match, call_ready, start_match
from tournament.hall.desk import take_desk
from tournament.hall.floor import read_floor
from tournament.hall.tables import add_tables, update_table
from tournament.models import Appointment, Call, Event, LogEntry, Role, Seat, Table, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def events(director) -> tuple[Event, Event]:
    """Two events in a hall of six tables: one is reserved, one streamed and one out of order. Player 1 is in both."""
    tournament = build_tournament(director)
    first = build_event(director, tournament=tournament, players=8)
    second = build_event(director, tournament=tournament, players=0, drawn=False)
    names = ("Player 1", "Ann", "Bo", "Cy", "Di", "Ed")
    add_entries(second, lines=[EntryLine(name=name, line=1) for name in names], by=None, at=AT)
    make_draw(second, by=None, at=AT)
    add_tables(tournament, first=1, last=6, by=None, at=AT)
    Table.objects.filter(number=2).update(event=second)
    Table.objects.filter(number=3).update(streamed=True)
    Table.objects.filter(number=4).update(out_of_order=True)
    return first, second


def called(tournament: Tournament) -> list[tuple[int, int | None]]:
    calls = Call.objects.filter(seats__tournament=tournament, left_at=None).distinct().order_by("pk")
    return list(calls.values_list("match_id", "table__number"))


def call_one_by_one(tournament: Tournament) -> list[tuple[int, int | None]]:
    """Call the first match on the desk that can be called, until there is none."""
    while found := [match for match in take_desk(tournament, at=AT).ready if match.has_table]:
        call_match(fixture_of(Event.objects.get(pk=found[0].event_id), found[0].key).match, by=None, at=AT)
    return called(tournament)


def in_between(act: Callable[[], object], tournament: Tournament) -> list[Call]:
    """Call all while somebody else acts after the desk was read, and before the lock."""
    calls: list[list[Call]] = []
    assert before_transaction(1, act, lambda: calls.append(call_ready(tournament, by=None, at=AT)) or True)
    return calls[0]


def test_all_at_once_are_called_as_one_by_one_with_a_row_for_each(events, director):
    tournament = events[0].tournament
    before = LogEntry.objects.count()
    calls = call_ready(tournament, by=director, at=AT)
    assert [(call.match_id, call.table_number) for call in calls] == called(tournament)
    rows = LogEntry.objects.order_by("id")[before:]
    assert [(row.verb, row.actor, row.at, row.detail["table"]) for row in rows] == [
        ("call_match", director, AT, call.table_number) for call in calls
    ]
    assert Seat.objects.filter(left_at=None).count() == 2 * len(calls)
    at_once = called(tournament)
    Seat.objects.all().delete()
    Call.objects.all().delete()
    assert call_one_by_one(tournament) == at_once


def test_a_match_called_meanwhile_is_left_out_and_its_table_too(events):
    first, _second = events
    match = fixture_of(first, "M1-1").match
    calls = in_between(lambda: call_match(match, table=1, by=None, at=AT), first.tournament)
    assert match.pk not in {call.match_id for call in calls}
    assert 1 not in {call.table_number for call in calls}
    assert {call.table_number for call in calls} == {2, 5, 6}


@pytest.mark.parametrize("way", ["decided", "deleted", "finished", "out of order"])
def test_what_has_changed_since_the_desk_was_read_is_not_called(events, director, way):
    first, second = events
    tournament = first.tournament

    def end() -> None:
        while matches := open_matches(second):
            for match in matches:
                win(match, Side.A)
        finish_event(second, by=None, at=AT)

    def close_tables() -> None:
        for number in (1, 2, 5, 6):
            update_table(tournament, number=number, event=None, streamed=False, out_of_order=True, by=None, at=AT)

    acts = {
        "decided": lambda: [win(match, Side.A) for match in open_matches(second)],
        "deleted": lambda: delete_event(second, typed=second.name, by=director, at=AT),
        "finished": end,
        "out of order": close_tables,
    }
    calls = in_between(acts[way], tournament)
    matches = {match.pk for match in open_matches(first)}
    assert {call.match_id for call in calls} <= matches
    assert {call.table_number for call in calls} == (set() if way == "out of order" else {1, 5, 6})


def test_somebody_who_may_call_only_in_one_event_calls_all_of_that_event_or_none(events):
    first, _second = events
    scorer = build_director("scorer")
    Appointment.objects.create(tournament=first.tournament, event=first, user=scorer, role=Role.SCORER, since=AT)
    with pytest.raises(Forbidden):
        call_ready(first.tournament, by=scorer, at=AT)
    assert called(first.tournament) == []
    assert {call.table_number for call in call_ready(first.tournament, event=first, by=scorer, at=AT)} == {1, 5, 6}


def test_the_floor_and_the_open_calls_are_what_the_rows_say(events):
    first, second = events
    tournament = first.tournament
    for step in range(5):
        if step:
            match = open_matches((first, second)[step % 2])[-1]
            if open_call_of(match.pk) is None:
                call_match(match, table=(1, 2, 5, 6)[step - 1], by=None, at=AT)
            start_match(match, by=None, at=AT)
        floor = read_floor(tournament)
        tables = list(tournament.tables.order_by("number"))
        assert [vars_of(table) for table in floor.tables] == [vars_of(table) for table in tables]
        assert floor.taken == {table.pk for table in tables if table.calls.filter(left_at=None).exists()}
        assert floor.seated == set(Seat.objects.filter(left_at=None).values_list("person", flat=True))
        for event in events:
            found = Call.objects.filter(match__fixture__stage__event=event, left_at=None).order_by("pk")
            assert [vars_of(call) for call in open_calls_in(event)] == [vars_of(call) for call in found]
            assert [call.table for call in open_calls_in(event)] == [call.table for call in found]


def vars_of(row: object) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


@pytest.mark.parametrize("number", [10**6, 10**18 - 1, 2**63, 10**30])
def test_a_number_that_nothing_has_is_not_found(as_director, events, number):
    assert as_director.get(reverse("api:hall", args=[number])).status_code == 404
    assert as_director.post(reverse("api:call-ready", args=[number]), {}).status_code == 404
    if number < 10**18:
        desk_act = reverse("desk-act", args=[events[0].tournament.slug, number, "call"])
        assert as_director.post(desk_act).status_code == 409
