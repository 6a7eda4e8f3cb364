"""Reserves: who may take another member's board, and when."""

import pytest

from players.errors import Conflict, Refusal
from players.models import Player
from players.services import create_player
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, open_matches, win
from tests.tournament.entries.test_teams import boards_of, seats_of
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Entry
from tournament.results.boards import seat_reserve
from tournament.results.enter import enter_result, void_result


@pytest.fixture
def event(director):
    """Four teams of three, each with a reserve, drawn in a knockout."""
    return build_event(director, players=4, boards=3)


def reserve_of(name: str) -> Player:
    return Entry.objects.get(team=name).people[-1]


def test_a_reserve_takes_a_board_and_leaves_it_again(event):
    a, _b = seats_of(event, "M1-1")
    match = boards_of(event, "M1-1")[1]
    own = match.side_a
    seat_reserve(match, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    assert boards_of(event, "M1-1")[1].side_a == reserve_of(a)
    assert event.log.first().verb == "seat_reserve"
    seat_reserve(match, side=Side.A, player_id=own.pk, by=None, at=AT)
    assert boards_of(event, "M1-1")[1].side_a == own
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_reserve_stays_when_another_board_is_decided(event):
    a, _b = seats_of(event, "M1-1")
    first, second, _third = boards_of(event, "M1-1")
    seat_reserve(second, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    win(first, Side.B)
    assert boards_of(event, "M1-1")[1].side_a == reserve_of(a)
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize(
    ("seat", "code"), [("stranger", "not_a_reserve"), ("other team", "not_a_reserve"), ("other board", "not_a_reserve")]
)
def test_only_a_reserve_of_the_team_takes_a_board(event, seat, code):
    _a, b = seats_of(event, "M1-1")
    first, second, _third = boards_of(event, "M1-1")
    who = {
        "stranger": create_player(name="Xu", at=AT),
        "other team": reserve_of(b),
        "other board": second.side_a,
    }[seat]
    with pytest.raises(Refusal) as refused:
        seat_reserve(first, side=Side.A, player_id=who.pk, by=None, at=AT)
    assert (refused.value.code, boards_of(event, "M1-1")[0].side_a) == (code, first.side_a)


def test_a_reserve_sits_at_one_board_of_a_fixture(event):
    a, _b = seats_of(event, "M1-1")
    first, second, _third = boards_of(event, "M1-1")
    seat_reserve(first, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        seat_reserve(second, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    assert refused.value.code == "reserve_taken"


def test_nobody_takes_the_board_of_a_match_that_has_begun(event):
    a, _b = seats_of(event, "M1-1")
    match = boards_of(event, "M1-1")[0]
    enter_result(match, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        seat_reserve(match, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    assert refused.value.code == "match_begun"


def test_a_result_taken_back_stays_with_those_who_played_it(event):
    a, _b = seats_of(event, "M1-1")
    played = boards_of(event, "M1-1")[0]
    win(played, Side.A)
    void_result(played, base=1, reason="wrong board", by=None, at=AT)
    own = played.side_a
    now = seat_reserve(played, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    played.refresh_from_db()
    assert (played.side_a, now.side_a, boards_of(event, "M1-1")[0]) == (own, reserve_of(a), now)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_reserve_goes_to_the_table_to_which_the_board_is_called(event):
    a, _b = seats_of(event, "M1-1")
    match = boards_of(event, "M1-1")[0]
    own, reserve = match.side_a, reserve_of(a)
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    call = call_match(match, by=None, at=AT)
    seat_reserve(match, side=Side.A, player_id=reserve.pk, by=None, at=AT)
    assert set(call.seats.values_list("person", flat=True)) == {reserve.pk, match.side_b_id}
    start_match(match, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        seat_reserve(match, side=Side.A, player_id=own.pk, by=None, at=AT)
    assert refused.value.code == "match_begun"


def test_a_match_of_players_has_no_reserves(director):
    event = build_event(director, players=4)
    match = open_matches(event)[0]
    with pytest.raises(Refusal) as refused:
        seat_reserve(match, side=Side.A, player_id=match.side_b_id, by=None, at=AT)
    assert refused.value.code == "match_without_teams"
