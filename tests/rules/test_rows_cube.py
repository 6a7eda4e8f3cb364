"""Rows 38-49 and 62 of the rule texts: the cube. Each test is named by its row."""

import pytest

from rules.actions import (
    ActionFault,
    Doubled,
    Dropped,
    InvalidRoll,
    Played,
    Resigned,
    Rolled,
    Took,
)
from rules.answers import Stage
from rules.cube import CENTRED, Cube, CubeFault
from rules.notation import parse_play
from rules.position import BAR, OFF, Position
from rules.profiles import Variants
from rules.score import Ending, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.rules.texts import GAMMON, OPENED, S0, S1, S2, S3, S4, SINGLE, A, B, fault, game, of


def after_last_checker(profile, cube, loser):
    """Return the result when side A bears off the last checker, with the cube on its owner's side."""
    position = Position.of({1: 1, OFF: 14}, loser)
    state = game(profile)._replace(position=position, on_roll=A, stage=Stage.TURN, cube=cube)
    return state.apply(Rolled(A, (2, 1))).apply(Played(A, parse_play("1/off"))).result


@of(S0, S2, S3)
def test_row_38_a_double_comes_before_ones_own_roll(profile):
    opened = game(profile, *OPENED)
    assert opened.apply(Doubled(B, 2)).stage is Stage.DOUBLED
    assert fault(opened.apply(Rolled(B, (3, 1))), Doubled(B, 2)) == ActionFault.DOUBLE_AFTER_ROLL
    assert fault(opened, Doubled(A, 2)) == ActionFault.WRONG_TURN
    invalid = opened.apply(InvalidRoll(B))
    assert fault(invalid, Doubled(B, 2)) == ActionFault.DOUBLE_CHANCE_GONE


def test_row_39_a_double_comes_at_any_time():
    opened = game(S4, *OPENED)
    for doubler, taker in ((A, B), (B, A)):
        taken = opened.apply(Doubled(doubler, 2)).apply(Took(taker))
        assert (taken.cube, taken.on_roll, taken.stage) == (Cube(2, taker), B, Stage.TURN)
        again = taken.apply(Doubled(taker, 4)).apply(Took(doubler))
        assert again.cube == Cube(4, doubler)
        assert fault(taken, Doubled(doubler, 4)) == CubeFault.CUBE_OWNER
    rolled = opened.apply(Rolled(B, (3, 1)))
    taken = rolled.apply(Doubled(A, 2)).apply(Took(B))
    assert (taken.stage, taken.roll, taken.on_roll) == (Stage.ROLLED, (3, 1), B)
    assert taken.apply(Played(B, parse_play("8/5 6/5"))).on_roll is A
    assert rolled.apply(Doubled(B, 2)).apply(Dropped(A)).result == GameResult(B, 1, SINGLE, Ending.DROP)
    assert opened.apply(InvalidRoll(B)).apply(Doubled(B, 2)).stage is Stage.DOUBLED
    assert fault(game(S4), Doubled(A, 2)) == ActionFault.OPENING_ROLL_FIRST


@of(S0, S2, S3, S4)
def test_row_40_the_taker_owns_the_cube(profile):
    taken = game(profile, *OPENED, Doubled(B, 2), Took(A))
    assert taken.cube == Cube(2, A)
    assert fault(taken, Doubled(B, 4)) == CubeFault.CUBE_OWNER
    later = taken.apply(Rolled(B, (3, 1))).apply(Played(B, parse_play("8/5 6/5")))
    assert later.apply(Doubled(A, 4)).apply(Took(B)).cube == Cube(4, B)


def test_row_41_the_doubled_side_may_redouble_at_once_and_the_cube_goes_to_the_first_doubler():
    redoubled = game(S0, *OPENED, Doubled(B, 2), Doubled(A, 4))
    taken = redoubled.apply(Took(B))
    assert (taken.cube, taken.on_roll, taken.stage) == (Cube(4, B), B, Stage.TURN)
    assert redoubled.apply(Dropped(B)).result == GameResult(A, 2, SINGLE, Ending.DROP)
    assert redoubled.apply(Doubled(B, 8)).apply(Took(A)).cube == Cube(8, A)
    assert redoubled.apply(Doubled(B, 8)).apply(Dropped(A)).result == GameResult(B, 4, SINGLE, Ending.DROP)
    assert fault(redoubled, Doubled(A, 8)) == ActionFault.WRONG_TURN
    assert fault(game(S0, *OPENED, Doubled(B, 2)), Doubled(A, 8)) == CubeFault.CUBE_VALUE


@of(S1, S2, S3, S4)
def test_row_42_a_double_is_taken_or_dropped(profile):
    doubled = game(profile, *OPENED, Doubled(B, 2))
    for event in (Doubled(A, 4), Rolled(B, (3, 1)), Resigned(A, SINGLE), InvalidRoll(B)):
        assert fault(doubled, event) == ActionFault.DOUBLE_UNANSWERED
    assert doubled.apply(Took(A)).stage is Stage.TURN
    assert doubled.apply(Dropped(A)).stage is Stage.OVER


@of(S0, S1, S2, S4)
def test_row_43_the_cube_ends_at_64(profile):
    state = game(profile, *OPENED)._replace(cube=Cube(64, B))
    assert fault(state, Doubled(B, 128)) == CubeFault.CUBE_ABOVE_CAP
    assert state._replace(cube=Cube(32, B)).apply(Doubled(B, 64)).apply(Took(A)).cube == Cube(64, A)
    assert check_sheet(Terms(0, profile=profile), [GameResult(A, 128)]).errors[0].code == "cube_above_cap"
    assert GameResult(A, 64, GAMMON).points == 128
    assert check_sheet(Terms(0, profile=profile), [GameResult(A, 64, GAMMON)]).ok


def test_row_43_an_immediate_redouble_stops_at_64_too():
    state = game(S0, *OPENED)._replace(cube=Cube(32, B)).apply(Doubled(B, 64))
    assert fault(state, Doubled(A, 128)) == CubeFault.CUBE_ABOVE_CAP


@pytest.mark.parametrize("cube", [64, 128, 256, 2**20])
def test_row_44_the_cube_has_no_limit(cube):
    state = game(S3, *OPENED)._replace(cube=Cube(cube, B))
    assert state.apply(Doubled(B, 2 * cube)).apply(Took(A)).cube == Cube(2 * cube, A)
    assert check_sheet(Terms(0, profile=S3), [GameResult(A, 2 * cube)]).ok


@of(S0, S2, S3, S4)
def test_row_45_a_drop_pays_the_cube_before_the_double(profile):
    doubled = game(profile, *OPENED, Doubled(B, 2))
    assert doubled.apply(Dropped(A)).result == GameResult(B, 1, SINGLE, Ending.DROP)
    owned = game(profile, *OPENED)._replace(cube=Cube(2, B)).apply(Doubled(B, 4))
    assert owned.apply(Dropped(A)).result == GameResult(B, 2, SINGLE, Ending.DROP)
    assert check_sheet(Terms(0, profile=profile), [GameResult(B, 2, SINGLE, Ending.DROP)]).score.b == 2


@of(S0, S2)
def test_row_46_gammon_and_backgammon_multiply_the_cube(profile):
    assert after_last_checker(profile, Cube(2, A), {1: 15}).points == 4
    assert after_last_checker(profile, Cube(2, A), {1: 14, BAR: 1}).points == 6
    assert after_last_checker(profile, Cube(2, A), {1: 14}).points == 2


def test_row_47_the_first_double_is_to_two_and_pays_two_four_or_six():
    opened = game(S2, *OPENED)
    assert [fault(opened, Doubled(B, value)) for value in (1, 3, 4)] == [CubeFault.CUBE_VALUE] * 3
    taken = opened.apply(Doubled(B, 2)).apply(Took(A)).cube
    losers = ({1: 14}, {1: 15}, {1: 14, BAR: 1})
    assert {after_last_checker(S2, taken, loser).points for loser in losers} == {2, 4, 6}


def test_row_48_the_cube_starts_in_the_middle_at_one():
    state = game(S2)
    assert (state.cube, state.cube.value, state.cube.owner) == (CENTRED, 1, None)
    for side in Side:
        assert (
            game(S2, Rolled(side.other, (3, 1)), Played(side.other, parse_play("8/5 6/5")))
            .apply(Doubled(side, 2))
            .offered_by
            is side
        )


def test_row_49_a_double_cannot_be_taken_back():
    doubled = game(S2, *OPENED, Doubled(B, 2))
    for event in (Rolled(B, (3, 1)), Resigned(B, SINGLE)):
        assert fault(doubled, event) == ActionFault.DOUBLE_UNANSWERED
    for event in (Took(B), Dropped(B)):
        assert fault(doubled, event) == ActionFault.WRONG_TURN


@of(S1, S3)
def test_row_62_a_game_may_be_played_without_a_cube(profile):
    without = Variants(cube=False)
    assert fault(game(profile, *OPENED, variants=without), Doubled(B, 2)) == CubeFault.NO_CUBE
    terms = Terms(0, profile=profile, variants=without)
    for result in (GameResult(A, 2), GameResult(A, 1, SINGLE, Ending.DROP)):
        assert [error.code for error in check_sheet(terms, [result]).errors] == ["no_cube"]
    assert check_sheet(terms, [GameResult(A, 1, GAMMON)]).ok
