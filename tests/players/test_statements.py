"""Statements whose SQL is made once find what the query finds, and results are remembered by value and by identity."""

from dataclasses import dataclass

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from players.models import Club, Player
from players.remembered import remembered
from players.services import create_player
from players.statements import Statement
from tests.builders import AT

pytestmark = pytest.mark.django_db


def build_query(first: int, last: int):
    return Player.objects.filter(pk__gte=first, pk__lte=last).order_by("-pk").values_list("pk", "name", "created_at")


def test_a_statement_finds_what_its_query_finds_for_all_numbers():
    players = [create_player(name=name, at=AT) for name in ("Ann", "Bo", "Cy")]
    statement = Statement(build_query)
    for first in players:
        for last in players:
            assert statement.rows(first.pk, last.pk) == list(build_query(first.pk, last.pk))
    assert statement.rows(players[-1].pk + 1, players[0].pk) == []


def test_a_statement_is_one_query():
    statement = Statement(build_query)
    for _each in range(2):
        with CaptureQueriesContext(connection) as queries:
            statement.rows(1, 2)
        assert len(queries) == 1


@dataclass(frozen=True)
class Value:
    number: int


def test_a_result_is_remembered_for_the_value_and_for_one_equal_to_it():
    asked = []

    @remembered(2)
    def double(value: Value, sign: int) -> int:
        asked.append((value, sign))
        return sign * 2 * value.number

    one = Value(1)
    assert [double(one, 1), double(one, 1), double(Value(1), 1), double(one, -1)] == [2, 2, 2, -2]
    assert asked == [(one, 1), (one, -1)]
    assert [double(Value(number), 1) for number in (2, 3, 4, 1)] == [4, 6, 8, 2]


def build_whole(name: str, first: int):
    found = Player.objects.filter(name=name, pk__gte=first).select_related("club", "merged_into")
    return found.order_by("pk").annotate(clubs_name=F("club__name"))


def seen(player: Player) -> tuple[object, ...]:
    club = player.__dict__["_state"].fields_cache["club"]
    own = {name: value for name, value in player.__dict__.items() if name != "_state"}
    return own, club and (club.pk, club.name), player._state.fields_cache["merged_into"], player._state.adding


def test_a_statement_finds_whole_rows_with_those_that_the_query_selects_along():
    club = Club.objects.create(name="Aarhus")
    for name in ("Ann", "Bo", "Ann"):
        create_player(name=name, at=AT)
    Player.objects.filter(name="Ann").update(club=club)
    statement = Statement(build_whole)
    for name in ("Ann", "Bo", "nobody", "1900000001"):
        for first in (0, Player.objects.first().pk + 1):
            expected = list(build_whole(name, first))
            with CaptureQueriesContext(connection) as queries:
                assert list(map(seen, statement.find(Player, name, first))) == list(map(seen, expected))
            assert len(queries) == 1


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
def test_a_number_that_no_column_can_hold_finds_nothing(number):
    create_player(name="Ann", at=AT)
    assert Statement(lambda pk: Player.objects.filter(pk=pk)).find(Player, number) == []
    assert list(Player.objects.filter(pk=number)) == []
