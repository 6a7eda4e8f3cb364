"""Rows 1-32, 61 and 63 of the rule texts: setup, opening, plays and bearing off. Each test is named by its row."""

from dataclasses import replace

import pytest

from rules.actions import ActionFault, IllegalAction, OpeningThrow, Played, Rolled
from rules.answers import Stage
from rules.errors import IllegalPlay, NotationError
from rules.game import GameState
from rules.ids import position_id
from rules.notation import parse_play
from rules.notation_sw import Colour, parse_sw
from rules.plays import judge_play, legal_plays, must_pass
from rules.position import BAR, OFF, START, Position, count
from rules.profiles import PROFILES
from rules.score import MatchScore
from tests.rules.boards import board
from tests.rules.texts import S0, S1, S2, S3, S4, A, B, of

MONEY = MatchScore(0)
TEXTS = [S0, S1, S2, S3, S4]
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

every_text = pytest.mark.parametrize("profile", TEXTS, ids=lambda profile: profile.slug)


def played(position, roll, text, profile):
    return judge_play(position, roll, parse_play(text), profile)


def refused(position, roll, text, profile):
    with pytest.raises(IllegalPlay) as refusal:
        played(position, roll, text, profile)
    return refusal.value.code


def exactly(position, roll, texts, profile):
    assert legal_plays(position, roll, profile) == {played(position, roll, text, profile) for text in texts}
    return True


def opened(profile, a, b):
    return GameState.begin(MONEY, profile).apply(OpeningThrow(a, b))


@of(S0, S3)
def test_row_1_thirty_checkers_start_where_the_text_puts_them(profile):
    state = GameState.begin(MONEY, profile)
    assert state.position == Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert (state.position.pips(), state.position.swapped().pips()) == (167, 167)
    assert position_id(state.position) == "4HPwATDgc/ABMA"


def test_row_2_the_points_are_named_s_and_w():
    assert S0.notation == "dk_sw"
    assert parse_sw("S1-S5-S10", Colour.WHITE) == parse_play("24/20/15")
    assert parse_sw("W1-W5-W10", Colour.BLACK) == parse_play("24/20/15")


@of(S0, S3)
def test_row_3_one_die_each_the_higher_starts_and_a_tie_is_thrown_again(profile):
    assert opened(profile, (5,), (4,)).on_roll is A
    assert opened(profile, (2,), (6,)).on_roll is B
    tied = opened(profile, (3,), (3,))
    assert (tied.stage, tied.on_roll, tied.cube.value) == (Stage.OPENING, None, 1)
    assert tied.apply(OpeningThrow((5,), (4,))).on_roll is A
    with pytest.raises(IllegalAction) as refusal:
        opened(profile, (6, 1), (3, 3))
    assert refusal.value.code == ActionFault.OPENING_DICE


@of(S0, S3)
def test_row_4_the_starter_plays_both_opening_dice(profile):
    assert sorted(opened(profile, (2,), (6,)).roll) == [2, 6]
    with pytest.raises(IllegalAction) as refusal:
        GameState.begin(MONEY, profile).apply(Rolled(A, (3, 3)))
    assert refusal.value.code == ActionFault.OPENING_DOUBLE


def test_row_5_two_dice_each_the_highest_total_starts_with_its_own_roll():
    first = opened(S1, (6, 1), (3, 3))
    assert (first.on_roll, first.roll) == (A, (6, 1))
    double = opened(S1, (5, 5), (6, 3))
    assert (double.on_roll, double.roll) == (A, (5, 5))
    assert opened(S1, (4, 3), (6, 1)).stage is Stage.OPENING
    with pytest.raises(IllegalAction) as refusal:
        opened(S1, (6,), (3,))
    assert refusal.value.code == ActionFault.OPENING_DICE


def test_row_6_the_opening_is_won_with_31_however_that_is_thrown():
    assert not S2.states("opening")
    state = opened(S2, (3,), (1,))
    assert (state.on_roll, sorted(state.roll)) == (A, [1, 3])


def test_row_7_a_text_that_does_not_say_who_starts_lets_the_highest_total_start():
    assert S4.opening == S1.opening


def test_row_66_the_opening_is_thrown_with_both_dice_and_never_with_the_cube():
    assert S4.states("opening")
    assert (opened(S4, (6, 1), (3, 3)).on_roll, opened(S4, (5, 5), (6, 3)).roll) == (A, (5, 5))
    for thrown, code in (((6,), ActionFault.OPENING_DICE), ((6, 64), ActionFault.NO_SUCH_DICE)):
        with pytest.raises(IllegalAction) as refusal:
            opened(S4, thrown, (3, 3))
        assert refusal.value.code == code


@every_text
def test_row_8_checkers_move_forward_only(profile):
    for text in ("20/24", "13/13", "24/bar", "off/1"):
        with pytest.raises(NotationError):
            parse_play(text)
    for roll in ROLLS:
        assert all(result.pips() < START.pips() for result in legal_plays(START, roll, profile))


@of(S0, S1, S2, S3)
def test_row_9_a_wall_blocks_landing_and_stopping_over(profile):
    assert len(legal_plays(START, (5, 5), profile)) == 4
    assert {result.checkers(24) for result in legal_plays(START, (5, 5), profile)} == {2}
    assert refused(board({24: 1}, {19: 2}), (5, 5), "24/19", profile) == "blocked"
    for open_to_him in ({}, {19: 1}):
        assert not must_pass(board({24: 1}, open_to_him), (5, 5), profile)
    assert not must_pass(board({24: 1, 19: 1}), (5, 5), profile)


@of(S0, S1, S2, S3)
def test_row_10_the_dice_are_two_moves_of_one_checker_or_two(profile):
    results = legal_plays(START, (5, 4), profile)
    assert len(results) == 9
    assert {played(START, (5, 4), text, profile) for text in ("24/20/15", "13/9 13/8")} <= results
    assert parse_sw("S1-S5-S10", Colour.WHITE) == parse_play("24/20/15")
    assert played(START, (5, 4), "24/15", profile) == played(START, (5, 4), "24/20/15", profile)


def test_row_11_six_then_two_or_two_then_six_but_never_eight_at_once():
    assert must_pass(board({24: 1}, {22: 2, 18: 2}), (6, 2), S3)
    assert refused(board({24: 1}, {22: 2, 18: 2}), (6, 2), "24/16", S3) == "blocked"
    assert exactly(board({24: 1}, {18: 2}), (6, 2), ["24/22/16"], S3)
    assert exactly(board({24: 1}, {22: 2}), (6, 2), ["24/18/16"], S3)


def test_row_12_three_and_five_are_eight_of_one_checker_or_three_and_five_of_two():
    assert exactly(board({24: 2}), (5, 3), ["24/16", "24/21 24/19"], S1)


def test_row_13_an_opening_31_moves_24_20_or_makes_the_five_point():
    results = legal_plays(START, (3, 1), S2)
    assert len(results) == 16
    made = played(START, (3, 1), "8/5 6/5", S2)
    assert {played(START, (3, 1), "24/20", S2), made} <= results
    assert (made.checkers(8), made.checkers(6), made.checkers(5)) == (2, 4, 2)


def test_row_14_a_52_makes_the_four_point():
    position = Position.of({24: 2, 13: 3, 9: 1, 8: 3, 6: 5, 5: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert played(position, (5, 2), "9/4 6/4", S2) in legal_plays(position, (5, 2), S2)


@every_text
def test_row_15_a_double_is_four_moves(profile):
    texts = ["24/8", "24/12 24/20", "24/16(2)", "24/16 24/20(2)", "24/20(4)"]
    assert exactly(board({24: 4}), (4, 4), texts, profile)


def test_row_16_a_double_five_is_twenty_pips():
    assert {START.pips() - result.pips() for result in legal_plays(START, (5, 5), S1)} == {20}


def test_row_17_a_checker_hits_where_it_stops_over_too():
    position = board({24: 2, 13: 5, 8: 3, 6: 5}, {20: 1, 16: 1, 1: 2, 12: 5, 19: 6})
    result = played(position, (4, 4), "24/20*/16* 13/9(2)", S2)
    assert result in legal_plays(position, (4, 4), S2)
    assert (count(result.theirs, BAR), result.checkers(9)) == (2, 2)


@of(S0, S2, S3)
def test_row_18_both_dice_are_used_if_they_can_be(profile):
    position = board({8: 1, 2: 1}, {3: 2})
    assert refused(position, (5, 2), "8/6", profile) == "more_dice"
    assert exactly(position, (5, 2), ["8/6/1"], profile)


@of(S0, S2, S3)
def test_row_19_if_only_one_die_can_be_used_it_is_the_higher(profile):
    position = board({24: 1}, {18: 2})
    assert exactly(position, (4, 2), ["24/20"], profile)
    assert refused(position, (4, 2), "24/22", profile) == "higher_die"
    assert exactly(board({24: 1}, {18: 2, 20: 2}), (4, 2), ["24/22"], profile)


@of(S1, S4)
def test_row_20_where_the_higher_die_is_not_stated_the_profile_decides(profile):
    position = board({24: 1}, {18: 2})
    assert "higher_die" in profile.defaults
    assert exactly(position, (4, 2), ["24/20"], profile)
    as_written = replace(profile, higher_die=False)
    assert legal_plays(position, (4, 2), as_written) == {position.moved(24, 20), position.moved(24, 22)}
    assert refused(position, (4, 2), "", as_written) == "must_move"


@of(S0, S2, S3, S4)
def test_row_21_without_a_legal_play_the_turn_passes(profile):
    blocked = board({24: 1, 1: 2}, {23: 2, 22: 2})
    state = GameState.begin(MONEY, profile)._replace(position=blocked, on_roll=A, stage=Stage.TURN)
    passed = state.apply(Rolled(A, (2, 1))).apply(Played(A, ()))
    assert (passed.on_roll, passed.position) == (B, blocked.swapped())


@of(S0, S1, S2, S3)
def test_row_22_a_hit_checker_enters_before_any_other_moves_and_all_of_them_do(profile):
    hit = played(board({8: 2}, {6: 1}), (2, 1), "8/6*/5", profile)
    assert count(hit.theirs, BAR) == 1
    assert refused(board({BAR: 1, 6: 2}), (2, 1), "6/4 6/5", profile) == "bar_first"
    assert refused(board({BAR: 2, 6: 2}), (2, 1), "bar/23 6/5", profile) == "bar_first"
    assert exactly(board({BAR: 2, 6: 1}, {20: 2}), (5, 4), ["bar/21"], profile)


@pytest.mark.parametrize("die", range(1, 7))
def test_row_23_a_die_enters_on_25_minus_the_die(die):
    entered = legal_plays(board({BAR: 1}), (die, die), S3)
    assert {result.checkers(BAR) for result in entered} == {0}
    only = board({BAR: 1}, {point: 2 for point in range(19, 25) if point != 25 - die})
    assert exactly(only, (die, 7 - die), [f"bar/{25 - die}/18"], S3)


def test_row_24_with_both_entries_walled_the_turn_passes():
    assert must_pass(board({BAR: 1, 6: 1}, {22: 2, 19: 2}), (6, 3), S0)
    assert exactly(board({BAR: 1, 6: 1}, {22: 2, 19: 1}), (6, 3), ["bar/19*/16", "bar/19* 6/3"], S0)
    assert exactly(board({BAR: 1, 6: 1}, {22: 2}), (6, 3), ["bar/19/16", "bar/19 6/3"], S0)


@pytest.mark.parametrize("roll", [(4, 2), (5, 1)])
def test_row_25_the_dice_are_not_added_to_enter(roll):
    only_six = board({BAR: 1}, {20: 2, 21: 2, 22: 2, 23: 2, 24: 2})
    assert must_pass(only_six, roll, S0)
    assert exactly(only_six, (6, 1), ["bar/19/18"], S0)


def test_row_26_against_six_closed_points_the_turn_is_lost():
    closed = board({BAR: 1, 6: 5}, dict.fromkeys(range(19, 25), 2))
    assert all(must_pass(closed, roll, S2) for roll in ROLLS)


@of(S0, S1, S2, S3)
def test_row_27_no_checker_is_borne_off_before_all_are_home(profile):
    assert refused(board({8: 1, 2: 1}), (2, 1), "2/off 8/7", profile) == "not_home"
    assert exactly(board({7: 1, 1: 1}), (6, 5), ["7/1/off"], profile)
    assert refused(board({BAR: 1, 2: 3}), (2, 1), "2/off bar/24", profile) == "bar_first"


@of(S0, S2, S3)
def test_row_28_an_exact_die_bears_off_or_moves_inside(profile):
    assert exactly(board({6: 2, 3: 2, 1: 3}), (6, 3), ["6/off 3/off", "6/off 6/3"], profile)
    assert played(board({4: 4, 6: 1}), (4, 4), "4/off(4)", profile) in legal_plays(board({4: 4, 6: 1}), (4, 4), profile)


@of(S0, S2)
def test_row_29_a_die_above_the_highest_point_must_bear_off_from_it(profile):
    assert exactly(board({5: 1, 3: 2, 2: 3, 1: 2}), (6, 5), ["5/off 3/off"], profile)


def test_row_30_the_example_counts_where_the_sentence_is_wrong():
    position = board({6: 1, 4: 1})
    assert refused(position, (5, 1), "4/off 6/5", S3) == "higher_point"
    assert played(position, (5, 1), "6/1 4/3", S3) in legal_plays(position, (5, 1), S3)
    assert played(board({4: 2}), (5, 1), "4/off 4/3", S3) in legal_plays(board({4: 2}), (5, 1), S3)


def test_row_31_a_larger_die_bears_off_from_anywhere():
    position = board({6: 1, 4: 1})
    assert played(position, (5, 1), "4/off 6/5", S4) in legal_plays(position, (5, 1), S4)


def test_row_32_3_and_4_bear_off_from_their_points_and_more_is_a_default():
    assert "bearoff_overshoot" in S1.defaults
    position = board({4: 2, 3: 2})
    assert played(position, (4, 3), "4/off 3/off", S1) in legal_plays(position, (4, 3), S1)


@every_text
def test_row_61_any_number_of_checkers_may_share_a_point(profile):
    assert exactly(board({6: 14, 8: 1}), (2, 1), ["8/6/5", "8/7 6/4", "8/6 6/5", "6/4 6/5", "6/3"], profile)
    gathered = played(board({6: 13, 8: 1, 7: 1}), (2, 1), "8/6 7/6", profile)
    assert gathered.checkers(6) == 15


def test_row_63_a_checker_hit_while_bearing_off_comes_home_first():
    position = board({BAR: 1, 3: 2, 2: 2})
    assert refused(position, (3, 2), "bar/22 2/off", S1) == "not_home"
    assert refused(position, (3, 2), "3/off bar/23", S1) == "bar_first"
    home = board({6: 1, 3: 2, 2: 2})
    assert count(played(home, (3, 2), "3/off 2/off", S1).mine, OFF) == 12


def test_rows_hold_in_every_profile_that_states_them():
    assert [profile.slug for profile in TEXTS] == [slug for slug in PROFILES if slug != "wbgf"]
