"""Rulings propose a sheet that holds, say why, and are refused where they may not be made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.profiles import Variants
from rules.rulings import (
    LengthSchool,
    RulingKind,
    RulingRefused,
    penalty_limit,
    rule_crawford_annulled,
    rule_crawford_stands,
    rule_penalty_points,
    rule_resumed,
    rule_wrong_length,
)
from rules.score import Ending, Level, Side
from rules.sheet import GameResult, Terms

A, B = Side.A, Side.B
GAMMON, DROP = Level.GAMMON, Ending.DROP
AT_CRAWFORD = (GameResult(A, 2, Level.BACKGAMMON),)
"""6-0 in a match to 7: the next game is the Crawford game."""


def refusal(ruling, *arguments, **keywords):
    with pytest.raises(RulingRefused) as refused:
        ruling(*arguments, **keywords)
    assert str(refused.value) == refused.value.template % refused.value.params
    return refused.value.code


# --- penalty points -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "limit"), [(1, 1), (2, 2), (3, 2), (7, 4), (9, 5), (11, 6), (25, 13)])
def test_penalty_limit_is_the_first_number_above_half_the_length(length, limit):
    assert penalty_limit(length) == limit
    assert 2 * limit > length >= 2 * (limit - 1)


def test_penalty_limit_needs_a_match():
    with pytest.raises(ValueError, match="match"):
        penalty_limit(0)


@given(st.integers(1, 40), st.integers(0, 45), st.integers(0, 45))
def test_penalty_points_start_the_match_or_lose_it(length, against_a, against_b):
    limit = length // 2 + 1
    lost = [against_a >= limit, against_b >= limit]
    if not (against_a or against_b):
        assert refusal(rule_penalty_points, Terms(length), against_a=0, against_b=0) == "penalty_invalid"
    elif all(lost):
        points = {"against_a": against_a, "against_b": against_b}
        assert refusal(rule_penalty_points, Terms(length), **points) == "penalty_both_lost"
    else:
        proposal = rule_penalty_points(Terms(length), against_a=against_a, against_b=against_b)
        assert proposal.awarded_to == (B if lost[0] else A if lost[1] else None)
        assert proposal.terms == Terms(length, start=(0, 0) if any(lost) else (against_b, against_a))
        assert proposal.check.ok
        assert f"{limit} penalty points" in proposal.message or not any(lost)


def test_penalty_points_may_begin_a_match_in_its_crawford_game():
    proposal = rule_penalty_points(Terms(2), against_a=1, against_b=0)
    assert proposal.check.score.is_crawford
    assert proposal.message == (
        "The match begins at 0-1 with its Crawford game. Penalty points: 1 of the first player, 0 of the second."
    )
    assert proposal.terms.start == (0, 1)


@pytest.mark.parametrize(
    ("terms", "keywords", "code"),
    [
        (Terms(0), {"against_a": 1, "against_b": 0}, "ruling_in_money_play"),
        (Terms(7), {"against_a": 1, "against_b": 0, "games": AT_CRAWFORD}, "penalty_after_start"),
        (Terms(7), {"against_a": -1, "against_b": 2}, "penalty_invalid"),
        (Terms(7), {"against_a": True, "against_b": 2}, "penalty_invalid"),
        (Terms(-7), {"against_a": 0, "against_b": 1}, "length_invalid"),
    ],
)
def test_penalty_points_are_refused_where_they_cannot_be(terms, keywords, code):
    if code == "length_invalid":
        with pytest.raises(ValueError, match="length"):
            rule_penalty_points(terms, **keywords)
    else:
        assert refusal(rule_penalty_points, terms, **keywords) == code


# --- resuming in the middle ---------------------------------------------------------------------------------------


def test_a_resumed_match_says_itself_whether_its_crawford_game_was_played():
    before = rule_resumed(Terms(7), a=6, b=5, crawford_done=False)
    after = rule_resumed(Terms(7), a=6, b=5, crawford_done=True)
    assert (before.check.score.is_crawford, after.check.score.is_crawford) == (True, False)
    assert after.message == "The match is resumed at 6-5, after its Crawford game."


@pytest.mark.parametrize(
    ("keywords", "code"),
    [
        ({"a": 7, "b": 2, "crawford_done": False}, "resumed_after_end"),
        ({"a": -1, "b": 2, "crawford_done": False}, "start_invalid"),
        ({"a": 3, "b": 2, "crawford_done": True}, "crawford_done_invalid"),
        ({"a": 3, "b": 2, "crawford_done": False, "games": AT_CRAWFORD}, "resumed_with_games"),
    ],
)
def test_a_match_is_resumed_only_where_one_can_go_on(keywords, code):
    assert refusal(rule_resumed, Terms(7), **keywords) == code


# --- the annulled Crawford double ---------------------------------------------------------------------------------

IN_TIME = {"next_begun": False, "recorded": False}


@pytest.mark.parametrize(
    ("doubled", "counted", "score"),
    [
        (GameResult(B, 2), GameResult(B, 1), (6, 1)),
        (GameResult(B, 4, GAMMON), GameResult(B, 1, GAMMON), (6, 2)),
        (GameResult(A, 2), GameResult(A, 1), (7, 0)),
        (GameResult(B, 1, ending=DROP), None, (6, 0)),
        (GameResult(A, 2, ending=DROP), None, (6, 0)),
    ],
)
def test_an_annulled_double_counts_as_if_it_had_not_been(doubled, counted, score):
    proposal = rule_crawford_annulled(Terms(7), (*AT_CRAWFORD, doubled), **IN_TIME)
    assert proposal.kind is RulingKind.CRAWFORD_ANNULLED
    assert proposal.games == (*AT_CRAWFORD, *([counted] if counted else []))
    assert (proposal.check.ok, proposal.check.score.a, proposal.check.score.b) == (True, *score)
    assert proposal.check.score.is_crawford == (counted is None)
    assert proposal.message.startswith("The double in game 2, the Crawford game, is annulled: ")


def test_an_annulled_double_under_jacoby_leaves_a_single_game():
    terms = Terms(7, variants=Variants(jacoby=True))
    proposal = rule_crawford_annulled(terms, (*AT_CRAWFORD, GameResult(B, 2, GAMMON)), **IN_TIME)
    assert proposal.games[1] == GameResult(B)


@pytest.mark.parametrize(
    ("after", "guard", "code"),
    [
        ((), {"next_begun": True, "recorded": False}, "annul_after_next_game"),
        ((GameResult(A),), IN_TIME, "annul_after_next_game"),
        ((), {"next_begun": False, "recorded": True}, "annul_after_recording"),
    ],
)
def test_a_double_is_annulled_in_time_or_its_score_stands(after, guard, code):
    games = (*AT_CRAWFORD, GameResult(B, 2), *after)
    assert refusal(rule_crawford_annulled, Terms(7), games, **guard) == code
    stands = rule_crawford_stands(Terms(7), games, **guard)
    assert stands.games == games
    assert stands.terms == Terms(7, waived=frozenset({2}))
    assert (stands.check.ok, stands.check.scores[2].b) == (True, 2)
    assert stands.check.scores[2].crawford_done


def test_a_double_stands_only_when_it_is_too_late_to_annul_it():
    games = (*AT_CRAWFORD, GameResult(B, 2))
    assert refusal(rule_crawford_stands, Terms(7), games, **IN_TIME) == "annul_in_time"


@pytest.mark.parametrize("ruling", [rule_crawford_annulled, rule_crawford_stands])
@pytest.mark.parametrize(
    ("terms", "games", "code"),
    [
        (Terms(0), (GameResult(A, 2),), "ruling_in_money_play"),
        (Terms(7), (*AT_CRAWFORD, GameResult(B)), "no_crawford_double"),
        (Terms(7), (*AT_CRAWFORD, GameResult(B), GameResult(B, 2)), "no_crawford_double"),
        (Terms(7, crawford=False), (*AT_CRAWFORD, GameResult(B, 2)), "no_crawford_double"),
        (Terms(7), (GameResult(A, 3),), "cube_not_power_of_two"),
    ],
)
def test_only_a_double_in_the_crawford_game_is_ruled_on(ruling, terms, games, code):
    assert refusal(ruling, terms, games, next_begun=True, recorded=False) == code


def test_a_sheet_that_stays_wrong_is_not_proposed():
    games = (*AT_CRAWFORD, GameResult(B, 2), GameResult(A, 3))
    assert refusal(rule_crawford_stands, Terms(7), games, next_begun=True, recorded=False) == "cube_not_power_of_two"


# --- the wrong length ---------------------------------------------------------------------------------------------

TO_13 = (
    *(GameResult(A, 4, GAMMON), GameResult(B, 8), GameResult(A, 2), GameResult(B), GameResult(A)),  # 11-9
    *(GameResult(B, 2), GameResult(B), GameResult(A), GameResult(B)),  # 12-13
)
"""Posted to 11 and played to 13: side A had 11 points at 11-9, side B won 13-12."""


def test_by_the_posted_length_who_had_it_first_has_won():
    proposal = rule_wrong_length(Terms(11), TO_13, agreed=13, school=LengthSchool.POSTED)
    assert (proposal.kind, proposal.games, proposal.terms.length) == (RulingKind.LENGTH_POSTED, TO_13[:5], 11)
    assert (proposal.check.score.winner, proposal.check.score.a, proposal.check.score.b) == (A, 11, 9)
    assert proposal.message == "The match was one to the posted 11 and over after game 5; later games: 4."


def test_by_the_agreed_length_the_match_counts_as_it_was_played():
    proposal = rule_wrong_length(Terms(11), TO_13, agreed=13, school=LengthSchool.AGREED)
    assert (proposal.kind, proposal.games, proposal.terms) == (RulingKind.LENGTH_AGREED, TO_13, Terms(13))
    assert (proposal.check.score.winner, proposal.check.score.a, proposal.check.score.b) == (B, 12, 13)


def test_by_the_posted_length_a_match_that_was_stopped_early_goes_on():
    games = (GameResult(A, 2), GameResult(A, 2), GameResult(B), GameResult(A))
    proposal = rule_wrong_length(Terms(7), games, agreed=5, school=LengthSchool.POSTED)
    assert (proposal.games, proposal.check.over) == (games, False)
    assert proposal.message == "The match is one to the posted 7 and goes on."


def test_by_the_posted_length_a_double_in_good_faith_stands_in_the_crawford_game():
    games = (GameResult(A, 2, GAMMON), GameResult(B, 2), GameResult(A, 2))
    proposal = rule_wrong_length(Terms(5), games, agreed=9, school=LengthSchool.POSTED)
    assert proposal.terms.waived == {2}
    assert (proposal.games, proposal.check.ok, proposal.check.score.winner) == (games, True, A)


@pytest.mark.parametrize(
    ("terms", "agreed", "school", "code"),
    [
        (Terms(0), 7, LengthSchool.POSTED, "ruling_in_money_play"),
        (Terms(11), 11, LengthSchool.POSTED, "length_not_another"),
        (Terms(11), 0, LengthSchool.AGREED, "length_not_another"),
        (Terms(11), 9, LengthSchool.AGREED, "crawford_cube"),
        (Terms(11, start=(10, 0), crawford_done=True), 9, LengthSchool.AGREED, "start_invalid"),
    ],
)
def test_a_length_is_ruled_on_only_where_it_was_another(terms, agreed, school, code):
    assert refusal(rule_wrong_length, terms, TO_13, agreed=agreed, school=school) == code
