"""Several events in one hall: boards of teams, pending reports, reserved tables, helpers of only one event."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import SheetState
from players.errors import Conflict
from players.models import User
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of, win
from tests.fresh import forget_everything
from tests.tournament.api.client import CheckedClient
from tournament.draw.chain import load_chain
from tournament.events.stages import add_stage
from tournament.forecast.day import plan_of_the_day
from tournament.forecast.event import _later_stages, _running, _situation, _tables_for, play_slice
from tournament.formats import FORMATS, parse_options
from tournament.hall.calling import call_match, call_ready, start_match
from tournament.hall.desk import Desk, take_desk
from tournament.hall.search import find_in_hall
from tournament.hall.tables import add_tables
from tournament.models import Appointment, Board, Event, Role, Table
from tournament.rehearsal.chance import MINUTES_A_POINT
from tournament.rehearsal.pace import Pace
from tournament.rehearsal.simulation import play_event
from tournament.results.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def teams(director: User) -> Event:
    """Four teams of three in a knockout, in a hall of four tables."""
    event = build_event(director, players=4, boards=3)
    add_tables(event.tournament, first=1, last=4, by=director, at=AT)
    return event


@pytest.fixture
def singles(director: User) -> Event:
    event = build_event(director, players=8)
    add_tables(event.tournament, first=1, last=4, by=director, at=AT)
    return event


def board(event: Event, key: str, number: int):
    return Board.objects.get(fixture__stage__event=event, fixture__key=key, number=number).match


def desk_of(event: Event) -> Desk:
    return take_desk(event.tournament, at=AT)


def places(matches) -> list[str]:
    return [match.place for match in matches]


# Teams


def test_every_board_of_a_team_match_is_on_the_desk_with_its_players(teams):
    ready = desk_of(teams).ready
    assert places(ready) == [f"M1-{number} board {board}" for number in (1, 2) for board in (1, 2, 3)]
    fixture = fixture_of(teams, "M1-1")
    first = ready[0]
    assert first.teams == (fixture.entry_a.name, fixture.entry_b.name)
    assert (first.a, first.b) == (fixture.entry_a.player.name, fixture.entry_b.player.name)
    assert first.persons == {fixture.entry_a.player_id, fixture.entry_b.player_id}
    assert {match.rest for match in ready} == {10}


def test_the_boards_of_a_team_match_are_called_played_and_decided_one_by_one(teams):
    assert [call.table.number for call in call_ready(teams.tournament, by=None, at=AT)] == [1, 2, 3, 4]
    start_match(board(teams, "M1-1", 1), by=None, at=AT)
    win(board(teams, "M1-1", 2), Side.A)
    desk = desk_of(teams)
    assert places(desk.playing) == ["M1-1 board 1"]
    assert places(desk.called) == ["M1-1 board 3", "M1-2 board 1"]
    assert [table.number for table in desk.free] == [2]
    assert places(desk.ready) == ["M1-2 board 2", "M1-2 board 3"]


def test_a_board_is_called_and_entered_from_the_page_of_the_desk(director, teams):
    client = Client()
    client.force_login(director)
    match = board(teams, "M1-1", 2)

    def tap(action: str, **data: object):
        return client.post(reverse("desk-act", args=[teams.tournament.slug, match.pk, action]), data)

    assert tap("call", table=3).status_code == 302
    wall = client.get(reverse("hall-screen", args=[teams.tournament.slug])).content.decode()
    assert match.name_a in wall
    assert match.name_b in wall
    assert tap("enter", key=uuid.uuid4().hex, base=0, final_a=5, final_b=2).status_code == 302
    assert match.sheets.get().state == SheetState.CONFIRMED
    elsewhere = build_tournament(director, name="Elsewhere")
    assert client.post(reverse("desk-act", args=[elsewhere.slug, match.pk, "call"])).status_code == 409


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("m1-1", ["M1-1 board 1", "M1-1 board 2", "M1-1 board 3"]),
        ("bo 3", ["Bo 3 · Team 3 · Main"]),
        (
            "team 2",
            ["Anna 2 · Team 2 · Main", "Bo 2 · Team 2 · Main", "Carl 2 · Team 2 · Main", "Dora 2 · Team 2 · Main"],
        ),
    ],
)
def test_boards_members_and_teams_are_found(teams, text, found):
    names = [line.name.split(" Main:")[0] for line in find_in_hall(teams.tournament, text, at=AT)]
    assert names == found


def test_the_day_plan_counts_the_boards(teams):
    win(board(teams, "M1-1", 1), Side.A)
    (line,) = plan_of_the_day(teams.tournament, at=AT)["lines"]
    assert (line["event"].matches, line["event"].decided) == (9, 1)


def test_the_forecast_knows_which_boards_are_being_played(teams):
    for number in (1, 2):
        call_match(board(teams, "M1-1", number), by=None, at=AT)
    start_match(board(teams, "M1-1", 2), by=None, at=AT)
    chain = load_chain(teams)
    running = _running(chain.fixtures[chain.stages[0].pk], (), AT + timedelta(minutes=7))
    assert running == {"M1-1": 7}
    while play_slice(teams.pk, at=AT):
        pass
    assert plan_of_the_day(teams.tournament, at=AT)["lines"][0]["half"] is not None


@pytest.mark.parametrize("count", [8, 32])
def test_the_desk_of_teams_takes_the_same_queries_in_every_field(director, count):
    event = build_event(director, players=count, boards=3)
    add_tables(event.tournament, first=1, last=9, by=director, at=AT)
    call_ready(event.tournament, by=None, at=AT)
    taken = []
    for forgets in (True, False):
        if forgets:
            forget_everything()
        with CaptureQueriesContext(connection) as queries:
            take_desk(event.tournament, at=AT)
        taken.append(len(queries))
    assert taken == [8, 3]


# Reports


def report(event: Event, key: str, side: Side | None, final=None, games=()) -> None:
    said = claim(final=final, games=games)
    report_result(fixture_of(event, key).match, claim=said, side=side, by=None, at=AT)


def test_a_report_is_confirmed_with_one_tap(director, singles):
    call_match(fixture_of(singles, "M1-1").match, by=None, at=AT)
    report(singles, "M1-1", Side.A, final=(5, 2))
    (reported,) = desk_of(singles).reported
    assert [(told.by, told.score, told.is_over) for told in reported.reports] == [(reported.a, (5, 2), True)]
    client = Client()
    client.force_login(director)
    page = client.get(reverse("desk", args=[singles.tournament.slug])).content.decode()
    path = reverse("desk-act", args=[singles.tournament.slug, reported.id, "confirm"])
    assert path in page
    client.post(path, {"number": reported.reports[0].number})
    assert fixture_of(singles, "M1-1").match.sheets.get().state == SheetState.CONFIRMED
    desk = desk_of(singles)
    assert (desk.reported, [table.number for table in desk.free]) == ((), [1, 2, 3, 4])


def test_a_dispute_names_the_difference_and_each_report_can_be_confirmed(singles):
    report(singles, "M1-1", Side.A, final=(5, 2))
    report(singles, "M1-1", Side.B, final=(3, 5))
    (disputed,) = desk_of(singles).disputed
    a, b = disputed.a, disputed.b
    assert disputed.dispute == f"The match ended {a} 5–2 {b} according to {a}, but {a} 3–5 {b} according to {b}."
    assert [told.score for told in disputed.reports] == [(5, 2), (3, 5)]


def test_a_match_of_which_only_games_are_reported_is_still_being_played(singles):
    report(singles, "M1-1", Side.A, games=(GameResult(Side.B, 2, Level.SINGLE),))
    (playing,) = desk_of(singles).playing
    assert (playing.key, playing.score) == ("M1-1", (0, 2))


def test_a_confirmed_result_is_not_corrected_from_the_desk_once_the_next_match_has_begun(director, singles):
    win(fixture_of(singles, "M1-1").match, Side.A)
    win(fixture_of(singles, "M1-2").match, Side.A)
    later = fixture_of(singles, "M2-1").match
    report_result(
        later, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), side=None, by=None, at=AT + timedelta(1)
    )
    client = Client()
    client.force_login(director)
    first = fixture_of(singles, "M1-1").match
    said = {"key": "k", "base": 1, "final_a": 1, "final_b": 5, "reason": "wrong"}
    answer = client.post(reverse("desk-act", args=[singles.tournament.slug, first.pk, "enter"]), said)
    assert answer.status_code == 409
    assert first.sheets.count() == 1


# Tables


def test_a_match_with_only_reserved_or_streamed_tables_free_says_which_could_be_chosen(director, singles):
    other = build_event(director, tournament=singles.tournament, players=4)
    Table.objects.filter(number__in=(2, 3)).update(event=other)
    Table.objects.filter(number=4).update(streamed=True)
    call_match(fixture_of(singles, "M1-1").match, by=None, at=AT)
    ready = {match.event_id: match for match in desk_of(singles).ready}
    mine, theirs = ready[singles.pk], ready[other.pk]
    assert (mine.has_table, mine.other_numbers) == (False, [2, 3, 4])
    assert (theirs.has_table, theirs.other_numbers) == (True, [])
    client = Client()
    client.force_login(director)
    page = client.get(reverse("desk", args=[singles.tournament.slug])).content.decode()
    assert (f'id="call-{mine.id}"' in page, f'id="call-{theirs.id}"' in page) == (False, True)
    with pytest.raises(Conflict, match="You can choose one of these: 2, 3, 4") as refusal:
        call_match(fixture_of(singles, "M1-2").match, by=None, at=AT)
    assert refusal.value.code == "no_table_free"


@pytest.mark.parametrize(("boards", "tables"), [(1, 2), (3, 6), (3, 3), (3, 1)])
def test_a_later_stage_of_teams_is_played_with_its_boards_on_all_tables(director, boards, tables):
    event = build_event(director, players=4, boards=boards, format="round-robin", lengths=(1,))
    add_stage(event, format="single-elimination", options={"lengths": [7]}, qualifiers=4, by=None, at=AT)
    chain = load_chain(event)
    first, later = chain.stages
    here = _situation(chain, first, Pace(60 * MINUTES_A_POINT, 0), tables, AT)
    field = sorted(here.draw.entrants, key=lambda entrant: entrant.id)
    played = play_event(
        FORMATS["single-elimination"], parse_options(later.format, later.options), tuple(field), "s 2", tables, boards
    )
    assert _later_stages(chain, first, here, "s") == played.minutes


def test_the_forecast_gives_an_event_the_tables_that_the_others_do_not_need(director):
    tournament = build_tournament(director)
    add_tables(tournament, first=1, last=20, by=director, at=AT)
    large = build_event(director, tournament=tournament, players=64)
    assert _tables_for(large) == 20
    small = build_event(director, tournament=tournament, players=8)
    assert (_tables_for(large), _tables_for(small)) == (16, 10)
    Table.objects.filter(number__lte=3).update(event=small)
    assert (_tables_for(large), _tables_for(small)) == (16, 3 + 9)


def test_a_round_robin_needs_one_table_for_every_two_players_and_no_more(director):
    tournament = build_tournament(director)
    add_tables(tournament, first=1, last=20, by=director, at=AT)
    build_event(director, tournament=tournament, players=8, format="round-robin")
    other = build_event(director, tournament=tournament, players=64)
    assert _tables_for(other) == 16


# Helpers of one event


@pytest.mark.parametrize("role", [Role.DEPUTY, Role.SCORER, Role.READER])
def test_a_helper_of_one_event_sees_the_whole_desk_and_acts_only_in_that_event(director, singles, role):
    other = build_event(director, tournament=singles.tournament, players=4)
    helper = build_director("helper")
    Appointment.objects.create(tournament=singles.tournament, event=singles, user=helper, role=role, since=AT)
    mine, theirs = fixture_of(singles, "M1-1").match, fixture_of(other, "M1-1").match
    client, api = Client(), CheckedClient()
    client.force_login(helper)
    api.force_authenticate(helper)
    page = client.get(reverse("desk", args=[singles.tournament.slug])).content.decode()
    acts = role != Role.READER
    assert (f'id="m-{mine.pk}"' in page, f'id="m-{theirs.pk}"' in page) == (True, True)
    assert (f'id="call-{mine.pk}"' in page, f'id="call-{theirs.pk}"' in page) == (acts, False)
    assert 'id="call-all"' not in page
    assert len(api.get(reverse("api:hall", args=[singles.tournament_id])).json()["matches"]) == 6
    call = reverse("desk-act", args=[singles.tournament.slug, mine.pk, "call"])
    assert client.post(call, headers={"HX-Request": "true"}).status_code == (200 if acts else 403)
    assert api.post(reverse("api:call-match", args=[theirs.pk]), {}).status_code == 403
    assert client.post(reverse("call-ready", args=[singles.tournament.slug])).status_code == 403
