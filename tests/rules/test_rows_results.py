"""Rows 33-37 and 50-56 of the rule texts: levels, resignations, variants, matches. Each test is named by its row."""

import pytest

from rules.actions import (
    ActionFault,
    Doubled,
    Dropped,
    OpeningThrow,
    Played,
    Resigned,
    Took,
)
from rules.cube import CENTRED, Cube, CubeFault
from rules.game import JACQUET_START
from rules.notation import parse_play
from rules.outcome import won_level
from rules.plays import legal_plays
from rules.position import BAR, OFF, Position
from rules.profiles import Variants
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.rules.texts import BACKGAMMON, GAMMON, OPENED, S0, S1, S2, S3, S4, SINGLE, A, B, fault, game, of


def level(loser, profile):
    return won_level(Position.of({OFF: 15}, loser), profile)


# --- levels -------------------------------------------------------------------------------------------------------


def test_row_33_what_the_loser_has_left_decides_the_level():
    assert level({1: 14}, S0) is SINGLE
    assert level({18: 15}, S0) is GAMMON
    assert level({18: 14, 19: 1}, S0) is BACKGAMMON
    assert level({18: 14, BAR: 1}, S0) is BACKGAMMON


@pytest.mark.parametrize(("loser", "expected"), [({18: 1}, SINGLE), ({19: 1}, GAMMON), ({1: 13, BAR: 1}, GAMMON)])
def test_row_64_a_single_game_demands_nobody_left_in_the_winners_home(loser, expected):
    assert level(loser, S0) is expected
    assert [level(loser, text) for text in (S1, S2, S3, S4)] == [SINGLE] * 4


@pytest.mark.parametrize("loser", [{1: 14}, {24: 1}, {BAR: 14}])
def test_row_34_stragglers_do_not_matter_once_a_checker_is_off(loser):
    assert S2.states("borne_off_is_single")
    assert level(loser, S2) is SINGLE
    assert [level({1: 15}, S2), level({1: 14, 19: 1}, S2), level({1: 14, BAR: 1}, S2)] == [2, 3, 3]


def test_row_35_the_norwegian_levels_are_the_danish_ones():
    for loser in ({1: 14}, {24: 1}, {1: 15}, {18: 15}, {1: 14, 19: 1}, {1: 14, BAR: 1}):
        assert level(loser, S3) is level(loser, S2)


def test_row_36_a_checker_in_the_winners_half_makes_a_backgammon():
    assert level({1: 14, 15: 1}, S1) is BACKGAMMON
    assert level({1: 14, 12: 1}, S1) is GAMMON
    assert [level({1: 14, 15: 1}, text) for text in (S0, S2, S3)] == [GAMMON] * 3


def test_row_37_there_is_no_backgammon():
    assert level({1: 14, BAR: 1}, S4) is GAMMON
    assert check_sheet(Terms(0, profile=S4), [GameResult(A, 1, BACKGAMMON)]).errors[0].code == "level_not_in_profile"
    assert fault(game(S4, *OPENED), Resigned(B, BACKGAMMON)) == ActionFault.RESIGNATION_UNKNOWN


# --- giving up ----------------------------------------------------------------------------------------------------


def test_row_50_a_resigned_game_is_lost_as_a_backgammon():
    taken = game(S0, *OPENED, Doubled(B, 2), Took(A))
    assert taken.apply(Resigned(A, BACKGAMMON)).result.points == 6
    for lower in (SINGLE, GAMMON):
        assert fault(taken, Resigned(A, lower)) == ActionFault.RESIGNATION_LEVEL
        sheet = [GameResult(B, 2, lower, Ending.RESIGNED)]
        assert [error.code for error in check_sheet(Terms(0, profile=S0), sheet).errors] == ["resignation_level"]
    assert game(S0, *OPENED, Doubled(B, 2), Dropped(A)).result.level is SINGLE


@of(S2, S3)
def test_row_51_a_resignation_is_worth_the_level_that_was_offered(profile):
    assert "resignation" in profile.defaults
    for offered in Level:
        assert game(profile, *OPENED, Resigned(A, offered)).result == GameResult(B, 1, offered, Ending.RESIGNED)


# --- variants -----------------------------------------------------------------------------------------------------


def test_row_52_a_tie_at_the_opening_doubles_the_cube_up_to_the_limit():
    tie, decided = OpeningThrow((3,), (3,)), OpeningThrow((5,), (4,))
    assert game(S0, tie, decided).cube == CENTRED
    once = Variants(automatic_doubles=1)
    assert game(S0, tie, decided, variants=once).cube == Cube(2, None)
    assert game(S0, tie, tie, decided, variants=once).cube == Cube(2, None)
    assert game(S0, tie, tie, decided, variants=Variants(automatic_doubles=3)).cube == Cube(4, None)
    assert game(S0, *[tie] * 9, decided, variants=Variants(automatic_doubles=9)).cube == Cube(64, None)
    started = game(S0, tie, *OPENED, variants=once)
    assert started.apply(Doubled(B, 4)).apply(Dropped(A)).result == GameResult(B, 2, SINGLE, Ending.DROP)
    with pytest.raises(ValueError, match="money"):
        game(S0, length=7, variants=once)


def test_row_53_all_checkers_start_off_the_board():
    state = game(S0, variants=Variants(jacquet=True))
    assert state.position == JACQUET_START
    assert legal_plays(state.position, (3, 1), S0) == {JACQUET_START.moved(BAR, 22).moved(BAR, 24)}
    entered = JACQUET_START
    for _ in range(4):
        entered = entered.moved(BAR, 19)
    assert legal_plays(state.position, (6, 6), S0) == {entered}
    begun = state.apply(OpeningThrow((3,), (1,))).apply(Played(A, parse_play("bar/22 bar/24")))
    assert (begun.on_roll, begun.position.checkers(BAR), begun.position.opposing(22)) == (B, 15, 0)
    assert begun.position.opposing(3) == 1
    with pytest.raises(ValueError, match="Jacquet"):
        game(S2, variants=Variants(jacquet=True))


# --- matches ------------------------------------------------------------------------------------------------------


@of(S2, S3)
def test_row_54_nobody_doubles_in_the_game_after_a_side_first_needs_one_point(profile):
    for score in (MatchScore(7, 6, 3), MatchScore(7, 3, 6)):
        opened = game(profile, *OPENED)._replace(score=score)
        assert fault(opened, Doubled(B, 2)) == CubeFault.CRAWFORD_CUBE
        assert opened._replace(score=score.after(Side.A if score.a < 6 else Side.B, 1)).apply(Doubled(B, 2))
    terms = Terms(7, profile=profile)
    at_six = [GameResult(A, 2, BACKGAMMON)]
    assert check_sheet(terms, [*at_six, GameResult(B, 2)]).errors[0].code == "crawford_cube"
    assert check_sheet(terms, [*at_six, GameResult(B), GameResult(B, 2), GameResult(B, 4)]).ok


def test_row_55_crawford_lasts_one_round():
    score = MatchScore(7, 5, 4, crawford=S3.crawford)
    assert not score.is_crawford
    assert score.after(A, 1).is_crawford
    assert not score.after(A, 1).after(B, 1).is_crawford
    assert score.after(A, 1).after(B, 1).crawford_done


@of(S0, S1, S4)
def test_row_56_the_text_knows_neither_match_nor_crawford_game(profile):
    assert (profile.match_play, profile.crawford) == (False, False)
    check = check_sheet(Terms(0, profile=profile), [GameResult(A, 4), GameResult(B, 2), GameResult(A, 8)])
    assert (check.ok, check.score.a, check.score.b, check.over) == (True, 12, 2, False)
