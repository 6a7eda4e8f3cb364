import pytest
from hypothesis import given

from rules.position import BAR, CHECKERS, OFF, START, Position, count, pack
from tests.rules.boards import board, positions


def test_start_has_fifteen_checkers_and_167_pips_on_either_side():
    assert START.swapped() == START
    assert {point: START.checkers(point) for point in range(BAR + 1) if START.checkers(point)} == {
        24: 2,
        13: 5,
        8: 3,
        6: 5,
    }
    assert START.pips() == 167


def test_opposing_counts_the_opponent_on_the_movers_points():
    assert {point: START.opposing(point) for point in range(1, BAR) if START.opposing(point)} == {
        1: 2,
        12: 5,
        17: 3,
        19: 5,
    }


def test_of_bears_off_what_is_left_out():
    position = Position.of({6: 2}, {BAR: 1})
    assert (position.checkers(OFF), count(position.theirs, OFF), count(position.theirs, BAR)) == (13, 14, 1)


@pytest.mark.parametrize("points", [{6: 16}, {6: 10, 5: 6}, {26: 1}, {-1: 1}, {6: -1}, {OFF: 3, 6: 2}])
def test_pack_refuses_what_no_side_can_have(points):
    with pytest.raises(ValueError, match="checkers"):
        pack(points)


def test_of_refuses_a_point_held_by_both():
    with pytest.raises(ValueError, match="both sides"):
        Position.of({6: 2}, {19: 2})


def test_moved_puts_a_lone_enemy_checker_on_the_bar():
    position = board({24: 2}, {20: 1, 18: 2})
    assert position.moved(24, 20) == board({24: 1, 20: 1}, {18: 2}, their_bar=1)
    assert position.moved(24, 23) == board({24: 1, 23: 1}, {20: 1, 18: 2})


def test_moved_takes_a_checker_off():
    assert board({3: 2}, {20: 1}).moved(3, OFF) == board({3: 1}, {20: 1})


@given(positions())
def test_swapped_twice_is_the_same_position_and_nobody_loses_a_checker(position):
    assert position.swapped().swapped() == position
    for side in (position.mine, position.theirs):
        assert sum(count(side, point) for point in range(BAR + 1)) == CHECKERS
    for point in range(1, BAR):
        assert position.opposing(point) == position.swapped().checkers(BAR - point)
