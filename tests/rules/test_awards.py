"""Clocks that ran out, and awards: the winner, the cost, and when it is too late."""

import pytest

from rules.awards import rule_awarded, rule_clock_lost, rule_clock_penalty
from rules.penalties import Penalty
from rules.profiles import PROFILES
from rules.rulings import RulingKind, RulingRefused
from rules.score import Side
from rules.sheet import GameResult, Terms

A, B = Side.A, Side.B
TERMS = Terms(5, PROFILES["wbgf"])
GAMES = (GameResult(A, 2),)
OVER = (GameResult(A, 8),)


def refusal(rule, *args, **kwargs) -> str:
    with pytest.raises(RulingRefused) as refused:
        rule(*args, **kwargs)
    return refused.value.code


def test_the_side_whose_clock_runs_out_loses_and_the_games_stay():
    proposal = rule_clock_lost(TERMS, GAMES, expired=A)
    assert (proposal.kind, proposal.awarded_to, proposal.games) == (RulingKind.CLOCK_LOST, B, GAMES)


def test_a_match_is_awarded_with_its_games():
    proposal = rule_awarded(TERMS, GAMES, winner=A)
    assert (proposal.kind, proposal.awarded_to, proposal.games) == (RulingKind.AWARDED, A, GAMES)


@pytest.mark.parametrize(("rule", "ruling"), [(rule_clock_lost, {"expired": A}), (rule_awarded, {"winner": A})])
def test_after_the_end_nothing_is_awarded(rule, ruling):
    assert refusal(rule, TERMS, OVER, **ruling) == "award_after_the_end"
    assert refusal(rule, Terms(0, PROFILES["wbgf"]), (), **ruling) == "ruling_in_money_play"


def test_points_for_a_clock_are_added_to_those_already_given_there():
    given = Terms(5, PROFILES["wbgf"], penalties=(Penalty(1, 1, 0),))
    proposal = rule_clock_penalty(given, GAMES, against_a=1, against_b=0)
    assert (proposal.kind, proposal.terms.penalties) == (RulingKind.CLOCK_PENALTY, (Penalty(1, 2, 0),))
    assert refusal(rule_clock_penalty, TERMS, GAMES, against_a=0, against_b=0) == "penalty_invalid"


def test_too_many_points_for_a_clock_lose_the_match():
    assert rule_clock_penalty(TERMS, GAMES, against_a=0, against_b=3).awarded_to is A
