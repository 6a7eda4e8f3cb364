"""Rows 57-60 of the rule texts: disputes at the board. Each test is named by its row."""

import pytest

from rules.actions import (
    ActionFault,
    Doubled,
    EarlyRollJudged,
    InvalidRoll,
    Played,
    PlayedIllegally,
    RedoDemanded,
    Rolled,
    RolledEarly,
)
from rules.answers import Stage
from rules.disputes import Dispute, Outcome, settle
from rules.notation import parse_play
from rules.position import BAR, OFF, START, Position, pack
from rules.profiles import WBGF
from tests.rules.boards import board
from tests.rules.texts import OPENED, S0, S1, S2, S3, S4, A, B, fault, game


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


def test_row_59_an_illegal_play_is_accepted_or_the_whole_roll_is_played_again():
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
    dance = rolled._replace(position=board({BAR: 1}, {22: 2, 24: 2}))
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
    state = game(S2)._replace(position=position, on_roll=A, stage=Stage.TURN).apply(Rolled(A, (2, 1)))
    disputed = state.apply(PlayedIllegally(A, Position.of({OFF: 15}, {1: 15})))
    assert fault(disputed, Rolled(B, (6, 5))) == ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE


def test_row_60_the_opponent_decides_on_a_roll_thrown_before_the_dice_were_lifted():
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


def test_row_60_a_roll_is_early_only_while_the_opponents_dice_are_on_the_board():
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
    again = disputed.apply(RedoDemanded(B)).apply(Played(A, parse_play("8/5 6/5")))
    assert (again.on_roll, again.roll) == (B, (6, 6))


def test_row_65_touching_the_cube_with_clear_intent_is_a_double():
    settled = settle(Dispute.CUBE_TOUCHED, S2)
    assert (settled.outcome, settled.rule, settled.stated) == (Outcome.DOUBLED, "row 65", True)
    assert not settle(Dispute.CUBE_TOUCHED, S1).stated
