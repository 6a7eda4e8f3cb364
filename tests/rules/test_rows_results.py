"""Rows 33-60 and 62 of the rule texts: levels, cube, resignation, Crawford, disputes. Each test is named by its row."""

from dataclasses import replace

import pytest

from rules.cube import CENTRED, Cube, CubeFault
from rules.game import (
    JACQUET_START,
    ActionFault,
    Doubled,
    Dropped,
    EarlyRollJudged,
    GameState,
    IllegalAction,
    InvalidRoll,
    OpeningThrow,
    Played,
    PlayedIllegally,
    RedoDemanded,
    Resigned,
    Rolled,
    RolledEarly,
    Stage,
    Took,
)
from rules.notation import parse_play
from rules.outcome import won_level
from rules.plays import legal_plays
from rules.position import BAR, OFF, START, Position, pack
from rules.profiles import DBF, DE_LEAFLET, DK_LEAFLET, NBGF_INFO, SE_WEB, WBGF, Variants
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.rules.boards import board

A, B = Side.A, Side.B
SINGLE, GAMMON, BACKGAMMON = Level.SINGLE, Level.GAMMON, Level.BACKGAMMON
S0, S1, S2, S3, S4 = DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, DE_LEAFLET
OPENED = (Rolled(A, (3, 1)), Played(A, parse_play("8/5 6/5")))
"""Side A has opened; side B is on roll."""


def of(*texts):
    return pytest.mark.parametrize("profile", texts, ids=lambda profile: profile.slug)


def game(profile, *events, length=0, variants=None):
    state = GameState.begin(MatchScore(length), profile, variants or Variants())
    for event in events:
        state = state.apply(event)
    return state


def fault(state, event):
    with pytest.raises(IllegalAction) as refusal:
        state.apply(event)
    return refusal.value.code


def level(loser, profile):
    return won_level(Position.of({OFF: 15}, loser), profile)


def after_last_checker(profile, cube, loser):
    """The result of side A's last checker, borne off with the cube at its owner's."""
    position = Position.of({1: 1, OFF: 14}, loser)
    state = replace(game(profile), position=position, on_roll=A, stage=Stage.TURN, cube=cube)
    return state.apply(Rolled(A, (2, 1))).apply(Played(A, parse_play("1/off"))).result


# --- levels -------------------------------------------------------------------------------------------------------


def test_row_33_what_the_loser_has_left_decides_the_level():
    assert level({1: 14}, S0) is SINGLE
    assert level({18: 15}, S0) is GAMMON
    assert level({18: 14, 19: 1}, S0) is BACKGAMMON
    assert level({18: 14, BAR: 1}, S0) is BACKGAMMON
    assert "borne_off_is_single" in S0.defaults
    assert level({24: 1}, S0) is SINGLE


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


# --- the cube -----------------------------------------------------------------------------------------------------


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


def test_row_41_the_answerer_may_redouble_at_once_and_the_cube_goes_to_the_first_doubler():
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
    state = replace(game(profile, *OPENED), cube=Cube(64, B))
    assert fault(state, Doubled(B, 128)) == CubeFault.CUBE_ABOVE_CAP
    assert replace(state, cube=Cube(32, B)).apply(Doubled(B, 64)).apply(Took(A)).cube == Cube(64, A)
    assert check_sheet(Terms(0, profile=profile), [GameResult(A, 128)]).errors[0].code == "cube_above_cap"
    assert GameResult(A, 64, GAMMON).points == 128
    assert check_sheet(Terms(0, profile=profile), [GameResult(A, 64, GAMMON)]).ok


def test_row_43_an_immediate_redouble_stops_at_64_too():
    state = replace(game(S0, *OPENED), cube=Cube(32, B)).apply(Doubled(B, 64))
    assert fault(state, Doubled(A, 128)) == CubeFault.CUBE_ABOVE_CAP


@pytest.mark.parametrize("cube", [64, 128, 256, 2**20])
def test_row_44_the_cube_has_no_limit(cube):
    state = replace(game(S3, *OPENED), cube=Cube(cube, B))
    assert state.apply(Doubled(B, 2 * cube)).apply(Took(A)).cube == Cube(2 * cube, A)
    assert check_sheet(Terms(0, profile=S3), [GameResult(A, 2 * cube)]).ok


@of(S0, S2, S3, S4)
def test_row_45_a_drop_pays_the_cube_before_the_double(profile):
    doubled = game(profile, *OPENED, Doubled(B, 2))
    assert doubled.apply(Dropped(A)).result == GameResult(B, 1, SINGLE, Ending.DROP)
    owned = replace(game(profile, *OPENED), cube=Cube(2, B)).apply(Doubled(B, 4))
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
        opened = replace(game(profile, *OPENED), score=score)
        assert fault(opened, Doubled(B, 2)) == CubeFault.CRAWFORD_CUBE
        assert replace(opened, score=score.after(Side.A if score.a < 6 else Side.B, 1)).apply(Doubled(B, 2))
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


# --- disputes at the board ----------------------------------------------------------------------------------------


def test_row_57_an_invalid_roll_is_thrown_again_and_the_chance_to_double_is_gone():
    opened = game(S2, *OPENED)
    invalid = opened.apply(InvalidRoll(B))
    assert (invalid.stage, invalid.on_roll, invalid.roll) == (Stage.TURN, B, None)
    assert fault(invalid, Doubled(B, 2)) == ActionFault.DOUBLE_CHANCE_GONE
    again = invalid.apply(InvalidRoll(B)).apply(Rolled(B, (3, 1))).apply(Played(B, parse_play("8/5 6/5")))
    assert again.apply(Doubled(A, 2)).offered_by is A
    next_turn = again.apply(Rolled(A, (6, 5))).apply(Played(A, parse_play("24/13")))
    assert next_turn.apply(Doubled(B, 2)).offered_by is B
    assert fault(opened, InvalidRoll(A)) == ActionFault.WRONG_TURN
    assert fault(opened.apply(Rolled(B, (3, 1))), InvalidRoll(B)) == ActionFault.ALREADY_ROLLED
    assert game(S2).apply(InvalidRoll(A)) == game(S2)


def test_row_58_a_turn_lasts_until_its_play_is_finished():
    rolled = game(S2, *OPENED, Rolled(B, (3, 1)))
    assert fault(rolled, Rolled(A, (6, 5))) == ActionFault.WRONG_TURN
    assert rolled.apply(Played(B, parse_play("8/5 6/5"))).apply(Rolled(A, (6, 5))).on_roll is A


WRONG = START.moved(8, 4).moved(6, 5)
"""Side A's opening 31 played as a 4 and a 1."""


def test_row_59_an_illegal_play_is_accepted_or_played_anew_as_a_whole():
    disputed = game(S2, Rolled(A, (3, 1)), PlayedIllegally(A, WRONG))
    rolled = disputed.apply(Rolled(B, (6, 5)))
    assert (rolled.position, rolled.on_roll, rolled.stage) == (WRONG.swapped(), B, Stage.ROLLED)
    doubled = disputed.apply(Doubled(B, 2))
    assert (doubled.position, doubled.offered_by, doubled.stage) == (WRONG.swapped(), B, Stage.DOUBLED)
    redo = disputed.apply(RedoDemanded(B))
    assert (redo.position, redo.on_roll, redo.roll, redo.stage) == (START, A, (3, 1), Stage.ROLLED)
    assert redo.apply(Played(A, parse_play("24/20"))).on_roll is B
    for event in (Played(A, parse_play("8/5 6/5")), InvalidRoll(B), Rolled(A, (3, 1)), Doubled(A, 2)):
        assert fault(disputed, event) == ActionFault.ILLEGAL_PLAY_UNANSWERED
    assert fault(disputed, RedoDemanded(A)) == ActionFault.WRONG_TURN


def test_row_59_only_an_illegal_play_is_disputed():
    rolled = game(S2, Rolled(A, (3, 1)))
    legal = START.moved(8, 5).moved(6, 5)
    assert fault(rolled, PlayedIllegally(A, legal)) == ActionFault.PLAY_IS_LEGAL
    assert fault(rolled, PlayedIllegally(B, WRONG)) == ActionFault.WRONG_TURN
    assert fault(rolled, RedoDemanded(B)) == ActionFault.NO_ILLEGAL_PLAY
    assert fault(game(S2), PlayedIllegally(A, WRONG)) == ActionFault.WRONG_TURN
    assert fault(game(S2, *OPENED), PlayedIllegally(B, WRONG)) == ActionFault.NOT_ROLLED_YET
    dance = replace(rolled, position=board({BAR: 1}, {22: 2, 24: 2}))
    assert fault(dance, PlayedIllegally(A, dance.position)) == ActionFault.PLAY_IS_LEGAL
    for impossible in (Position(START.mine, 14), Position(pack({24: 15}), pack({1: 15}))):
        with pytest.raises(ValueError, match=r"checkers"):
            rolled.apply(PlayedIllegally(A, impossible))


def test_row_59_a_dance_with_a_legal_play_is_an_illegal_play():
    assert game(S2, Rolled(A, (3, 1)), PlayedIllegally(A, START)).stage is Stage.ILLEGAL


@pytest.mark.parametrize(
    ("profile", "event", "code"),
    [
        (S0, None, ActionFault.ILLEGAL_PLAY_UNSTATED),
        (S1, None, ActionFault.ILLEGAL_PLAY_UNSTATED),
        (S3, None, ActionFault.ILLEGAL_PLAY_UNSTATED),
        (S4, None, ActionFault.ILLEGAL_PLAY_UNSTATED),
        (WBGF, Rolled(B, (6, 5)), ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE),
        (WBGF, Doubled(B, 2), ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE),
    ],
)
def test_row_59_other_texts_do_not_let_an_illegal_play_stand(profile, event, code):
    rolled = game(profile, Rolled(A, (3, 1)))
    if event is None:
        assert fault(rolled, PlayedIllegally(A, WRONG)) == code
    else:
        disputed = rolled.apply(PlayedIllegally(A, WRONG))
        assert fault(disputed, event) == code
        assert disputed.apply(RedoDemanded(B)).stage is Stage.ROLLED


def test_row_59_an_illegal_last_checker_cannot_be_accepted_by_going_on():
    position = Position.of({6: 1, OFF: 14}, {1: 15})
    state = replace(game(S2), position=position, on_roll=A, stage=Stage.TURN).apply(Rolled(A, (2, 1)))
    disputed = state.apply(PlayedIllegally(A, Position.of({OFF: 15}, {1: 15})))
    assert fault(disputed, Rolled(B, (6, 5))) == ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE


def test_row_60_of_a_roll_before_the_dice_were_lifted_the_opponent_chooses():
    early = game(S2, Rolled(A, (3, 1)), RolledEarly(B, (6, 6)))
    assert (early.stage, early.on_roll) == (Stage.EARLY, A)
    for event in (Played(A, parse_play("8/5 6/5")), Rolled(B, (6, 6))):
        assert fault(early, event) == ActionFault.EARLY_ROLL_UNANSWERED
    assert fault(early, EarlyRollJudged(B, stands=True)) == ActionFault.WRONG_TURN
    stands = early.apply(EarlyRollJudged(A, stands=True)).apply(Played(A, parse_play("8/5 6/5")))
    assert (stands.stage, stands.on_roll, stands.roll) == (Stage.ROLLED, B, (6, 6))
    assert fault(stands, Doubled(B, 2)) == ActionFault.DOUBLE_AFTER_ROLL
    again = early.apply(EarlyRollJudged(A, stands=False)).apply(Played(A, parse_play("8/5 6/5")))
    assert (again.stage, again.on_roll, again.roll) == (Stage.TURN, B, None)
    assert fault(again, Doubled(B, 2)) == ActionFault.DOUBLE_CHANCE_GONE
    assert again.apply(Rolled(B, (3, 1))).roll == (3, 1)


def test_row_60_a_roll_is_early_only_while_the_opponents_dice_lie():
    rolled = game(S2, Rolled(A, (3, 1)))
    for state, event in (
        (game(S2), RolledEarly(B, (6, 6))),
        (game(S2, *OPENED), RolledEarly(A, (6, 6))),
        (rolled, RolledEarly(A, (6, 6))),
        (rolled.apply(RolledEarly(B, (6, 6))).apply(EarlyRollJudged(A, stands=True)), RolledEarly(B, (1, 1))),
        (rolled, EarlyRollJudged(A, stands=True)),
    ):
        assert fault(state, event) == ActionFault.NO_EARLY_ROLL


def test_row_60_an_early_roll_that_stands_accepts_an_illegal_play_only_as_it_was():
    stands = game(S2, Rolled(A, (3, 1)), RolledEarly(B, (6, 6)), EarlyRollJudged(A, stands=True))
    disputed = stands.apply(PlayedIllegally(A, WRONG))
    assert fault(disputed, Rolled(B, (5, 5))) == ActionFault.ALREADY_ROLLED
    assert fault(disputed, Doubled(B, 2)) == ActionFault.DOUBLE_CHANCE_GONE
    accepted = disputed.apply(Rolled(B, (6, 6)))
    assert (accepted.position, accepted.roll) == (WRONG.swapped(), (6, 6))
    anew = disputed.apply(RedoDemanded(B)).apply(Played(A, parse_play("8/5 6/5")))
    assert (anew.on_roll, anew.roll) == (B, (6, 6))


@of(S1, S3)
def test_row_62_a_game_may_be_played_without_a_cube(profile):
    without = Variants(cube=False)
    assert fault(game(profile, *OPENED, variants=without), Doubled(B, 2)) == CubeFault.NO_CUBE
    terms = Terms(0, profile=profile, variants=without)
    for result in (GameResult(A, 2), GameResult(A, 1, SINGLE, Ending.DROP)):
        assert [error.code for error in check_sheet(terms, [result]).errors] == ["no_cube"]
    assert check_sheet(terms, [GameResult(A, 1, GAMMON)]).ok
