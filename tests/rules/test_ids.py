import itertools
import string

import pytest
from hypothesis import given

from rules.errors import NotationError
from rules.ids import parse_position_id, position_id
from rules.position import START
from tests.rules.boards import board, positions


def test_position_id_of_the_start():
    assert position_id(START) == "4HPwATDgc/ABMA"
    assert parse_position_id("4HPwATDgc/ABMA") == START


def test_position_id_puts_the_player_not_on_roll_first():
    assert position_id(board({1: 1})) == "AAAAAgAAAAAAAA"
    assert position_id(board({}, {24: 1})) == "AQAAAAAAAAAAAA"


@given(positions())
def test_position_id_reads_back_to_the_same_position(position):
    assert parse_position_id(position_id(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMAA",
        "4HPwATDgc/AB A",
        "4HPwATDgc/ABMÅ",
        "////////////",
        "/" * 14,
        "4HPwATDgc/ABM/",
    ],
)
def test_parse_position_id_refuses_what_is_no_position(text):
    with pytest.raises(NotationError):
        parse_position_id(text)


def test_parse_position_id_of_a_changed_id_is_another_position_or_refused():
    outcomes = set()
    for place, letter in itertools.product(range(14), string.ascii_letters + string.digits + "+/"):
        text = "4HPwATDgc/ABMA"[:place] + letter + "4HPwATDgc/ABMA"[place + 1 :]
        try:
            outcomes.add(position_id(parse_position_id(text)) == text)
        except NotationError:
            outcomes.add(None)
    assert outcomes == {True, None}
