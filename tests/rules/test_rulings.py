"""Rulings propose a sheet that holds, explain it, and are refused where they may not be made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.final_score import check_final
from rules.penalties import Penalty, penalty_limit
from rules.profiles import Variants
from rules.rulings import (
    PRINCIPLES,
    RulingKind,
    RulingRefused,
    rule_crawford_annulled,
    rule_crawford_stands,
    rule_penalty_points,
    rule_resumed,
)
from rules.score import Ending, Level, Side
from rules.sheet import GameResult, Terms, check_sheet
from rules.wrong_length import LengthSchool, rule_wrong_length

A, B = Side.A, Side.B
GAMMON, DROP = Level.GAMMON, Ending.DROP
AT_CRAWFORD = (GameResult(A, 2, Level.BACKGAMMON),)
"""6-0 in a match to 7: the next game is the Crawford game."""


def refusal(ruling, *arguments, **keywords):
    with pytest.raises(RulingRefused) as refused:
        ruling(*arguments, **keywords)
    assert str(refused.value) == refused.value.template % refused.value.params
    return refused.value.code


@pytest.mark.parametrize("kind", RulingKind)
def test_every_kind_of_ruling_follows_a_rule_with_its_source(kind):
    principle = PRINCIPLES[kind]
    assert principle.name
    assert principle.sentence.endswith(".")
    assert principle.source


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
    points = {"against_a": against_a, "against_b": against_b}
    lost = [against_a >= limit, against_b >= limit]
    if not (against_a or against_b):
        assert refusal(rule_penalty_points, Terms(length), (), **points) == "penalty_none"
    elif all(lost):
        assert refusal(rule_penalty_points, Terms(length), (), **points) == "penalty_both_lost"
    else:
        proposal = rule_penalty_points(Terms(length), (), **points)
        assert proposal.awarded_to == (B if lost[0] else A if lost[1] else None)
        assert proposal.terms == Terms(length, penalties=() if any(lost) else (Penalty(0, against_a, against_b),))
        assert proposal.check.ok
        assert (proposal.check.score.a, proposal.check.score.b) == ((0, 0) if any(lost) else (against_b, against_a))
        assert f"{limit} penalty points" in proposal.message or not any(lost)


def test_penalty_points_may_begin_a_match_in_its_crawford_game():
    proposal = rule_penalty_points(Terms(2), (), against_a=1, against_b=0)
    assert proposal.check.score.is_crawford
    assert proposal.message == (
        "Penalty points before game 1: side A 1, side B 0. The match continues at 0–1 with the Crawford game."
    )


@pytest.mark.parametrize(
    ("games", "points", "score", "phase"),
    [
        ((GameResult(A, 4), GameResult(B)), (0, 1), (5, 1), "before"),
        ((GameResult(A, 4), GameResult(B)), (0, 2), (6, 1), "crawford"),
        (AT_CRAWFORD, (1, 0), (6, 1), "crawford"),
        (AT_CRAWFORD, (0, 1), (7, 0), "over"),
        (AT_CRAWFORD, (2, 1), (7, 2), "over"),
        ((*AT_CRAWFORD, GameResult(B)), (2, 0), (6, 3), "after"),
    ],
)
def test_penalty_points_between_games_are_not_a_game(games, points, score, phase):
    proposal = rule_penalty_points(Terms(7), games, against_a=points[0], against_b=points[1])
    assert proposal.terms == Terms(7, penalties=(Penalty(len(games), *points),))
    stands = proposal.check.score
    assert (proposal.games, stands.a, stands.b, stands.phase) == (games, *score, phase)
    assert (proposal.awarded_to, proposal.check.ok) == (None, True)


@given(st.integers(1, 9), st.lists(st.tuples(st.sampled_from(Side), st.integers(1, 3)), max_size=8), st.data())
def test_a_sheet_with_penalty_points_adds_every_point_once(length, wins, data):
    """The score of each side is counted separately: its games, and what the other side had given away by then."""
    terms, games, expected = Terms(length, crawford=False), [], {A: 0, B: 0}
    for number, (winner, level) in enumerate([(None, 0), *wins]):
        if winner:
            games.append(GameResult(winner, level=Level(level)))
            expected[winner] = min(length, expected[winner] + level)
        if length in expected.values():
            break
        given_now = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))
        penalty = Penalty(number, *given_now)
        ends = [points >= length - expected[side.other] for side, points in zip(Side, given_now, strict=True)]
        if not any(given_now) or all(ends):
            continue
        terms = Terms(length, crawford=False, penalties=(*terms.penalties, penalty))
        for side, points in zip(Side, given_now, strict=True):
            expected[side.other] = min(length, expected[side.other] + points)
        if length in expected.values():
            break
    check = check_sheet(terms, games)
    assert check.ok
    assert (check.score.a, check.score.b) == (expected[A], expected[B])
    assert check.scores == terms.scores(games)
    if check.score.over:
        assert check_final(terms, check.score.a, check.score.b).ok


def test_penalty_points_at_one_place_are_set_as_a_total_and_taken_back_by_zero():
    games = (GameResult(A),)
    terms = rule_penalty_points(Terms(9), (), against_a=1, against_b=0).terms
    terms = rule_penalty_points(terms, games, against_a=0, against_b=1).terms
    assert terms.penalties == (Penalty(0, 1, 0), Penalty(1, 0, 1))
    more = rule_penalty_points(terms, games, against_a=1, against_b=2)
    assert (more.terms.penalties, more.check.score.a, more.check.score.b) == (
        (Penalty(0, 1, 0), Penalty(1, 1, 2)),
        3,
        2,
    )
    none = rule_penalty_points(more.terms, games, against_a=0, against_b=0)
    assert none.terms.penalties == (Penalty(0, 1, 0),)
    assert refusal(rule_penalty_points, none.terms, games, against_a=0, against_b=0) == "penalty_none"
    back = rule_penalty_points(terms, (), against_a=1, against_b=0)
    assert back.terms.penalties == (Penalty(0, 1, 0),)


def test_penalty_points_of_the_whole_match_count_towards_losing_it():
    terms = Terms(7, penalties=(Penalty(0, 3, 0),))
    lost = rule_penalty_points(terms, (GameResult(A),), against_a=1, against_b=0)
    assert (lost.awarded_to, lost.games, lost.terms) == (B, (GameResult(A),), terms)
    assert lost.message == ("A total of 4 penalty points loses a match to 7. Totals: side A 4, side B 0.")


def test_penalty_points_that_end_a_match_before_its_first_game_award_it():
    terms = Terms(7, start=(6, 5))
    ended = rule_penalty_points(terms, (), against_a=0, against_b=1)
    assert (ended.awarded_to, ended.terms) == (A, terms)
    assert ended.message.endswith("They end the match at 7–5.")


def test_a_final_score_holds_at_least_the_penalty_points():
    terms = Terms(7, penalties=(Penalty(0, 2, 0), Penalty(3, 1, 1)))
    assert check_final(terms, 7, 3).ok
    refused = check_final(terms, 7, 2, 4).errors[0]
    assert (refused.code, refused.params["start_b"]) == ("final_below_start", 3)
    assert check_final(terms, 0, 7, 4).errors[0].params["start_a"] == 1
    assert check_final(terms, 7, 2).ok
    assert check_final(terms, 7, 1).errors[0].params["start_b"] == 2


def test_penalty_points_dated_after_the_end_count_neither_on_a_sheet_nor_in_a_final_score():
    terms = Terms(7, penalties=(Penalty(0, 2, 0), Penalty(3, 0, 1), Penalty(9, 3, 0)))
    short, long = (GameResult(A, 8),), (GameResult(A), GameResult(B), GameResult(A), GameResult(A, 4))
    for games in (short, long):
        score = check_sheet(terms, games).score
        assert check_final(terms, score.a, score.b, len(games)).ok
    assert not check_final(terms, 7, 2, 4).errors
    assert check_final(terms, 7, 1, 1).errors[0].code == "final_below_start"


@pytest.mark.parametrize(
    ("terms", "games", "points", "code"),
    [
        (Terms(0), (), (1, 0), "ruling_in_money_play"),
        (Terms(7), (), (-1, 2), "penalty_invalid"),
        (Terms(7), (), (True, 2), "penalty_invalid"),
        (Terms(-7), (), (0, 1), "length_invalid"),
        (Terms(7), (GameResult(A, 8),), (1, 0), "penalty_after_end"),
        (Terms(7), (GameResult(A, 3),), (1, 0), "cube_not_power_of_two"),
        (Terms(7, start=(6, 6)), (), (1, 1), "penalty_both_won"),
    ],
)
def test_penalty_points_are_refused_where_none_can_be_given(terms, games, points, code):
    assert refusal(rule_penalty_points, terms, games, against_a=points[0], against_b=points[1]) == code


# --- resuming in the middle ---------------------------------------------------------------------------------------


def test_a_resumed_match_says_itself_whether_its_crawford_game_was_played():
    before = rule_resumed(Terms(7), a=6, b=5, crawford_done=False)
    after = rule_resumed(Terms(7), a=6, b=5, crawford_done=True)
    assert (before.check.score.is_crawford, after.check.score.is_crawford) == (True, False)
    assert after.message == "The match is resumed at 6–5, after its Crawford game."


def test_a_resumed_match_keeps_no_earlier_ruling():
    terms = Terms(7, waived=frozenset({2}), penalties=(Penalty(0, 1, 0),))
    assert rule_resumed(terms, a=3, b=2, crawford_done=False).terms == Terms(7, start=(3, 2))


@pytest.mark.parametrize(
    ("keywords", "code"),
    [
        ({"a": 7, "b": 2, "crawford_done": False}, "resumed_after_end"),
        ({"a": -1, "b": 2, "crawford_done": False}, "start_invalid"),
        ({"a": 3, "b": 2, "crawford_done": True}, "crawford_done_invalid"),
        ({"a": 3, "b": 2, "crawford_done": False, "games": AT_CRAWFORD}, "resumed_with_games"),
    ],
)
def test_a_match_is_resumed_only_where_it_can_continue(keywords, code):
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
def test_an_annulled_double_counts_as_if_it_had_never_been_made(doubled, counted, score):
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


def test_by_the_posted_length_the_side_that_reached_it_first_has_won():
    proposal = rule_wrong_length(Terms(11), TO_13, posted=11, played=13, school=LengthSchool.POSTED)
    assert (proposal.kind, proposal.games, proposal.terms.length) == (RulingKind.LENGTH_POSTED, TO_13[:5], 11)
    assert (proposal.check.score.winner, proposal.check.score.a, proposal.check.score.b) == (A, 11, 9)
    assert (
        proposal.message == "The match was to the posted 11 points and was over after game 5; number of later games: 4."
    )


def test_by_the_agreed_length_the_match_counts_as_it_was_played():
    proposal = rule_wrong_length(Terms(11), TO_13, posted=11, played=13, school=LengthSchool.AGREED)
    assert (proposal.kind, proposal.games, proposal.terms) == (RulingKind.LENGTH_AGREED, TO_13, Terms(13))
    assert (proposal.check.score.winner, proposal.check.score.a, proposal.check.score.b) == (B, 12, 13)


def test_by_the_posted_length_a_match_that_was_stopped_early_continues():
    games = (GameResult(A, 2), GameResult(A, 2), GameResult(B), GameResult(A))
    proposal = rule_wrong_length(Terms(7), games, posted=7, played=5, school=LengthSchool.POSTED)
    assert (proposal.games, proposal.check.over) == (games, False)
    assert proposal.message == "The match is to the posted 7 points, and it continues."


def test_by_the_posted_length_a_double_in_good_faith_stands_in_the_crawford_game():
    games = (GameResult(A, 2, GAMMON), GameResult(B, 2), GameResult(A, 2))
    proposal = rule_wrong_length(Terms(5), games, posted=5, played=9, school=LengthSchool.POSTED)
    assert proposal.terms.waived == {2}
    assert (proposal.games, proposal.check.ok, proposal.check.score.winner) == (games, True, A)


def test_after_one_ruling_on_the_length_the_other_school_can_still_be_ruled():
    agreed = rule_wrong_length(Terms(11), TO_13, posted=11, played=13, school=LengthSchool.AGREED)
    posted = rule_wrong_length(agreed.terms, agreed.games, posted=11, played=13, school=LengthSchool.POSTED)
    assert (posted.terms.length, posted.games) == (11, TO_13[:5])


@pytest.mark.parametrize(("posted", "played", "final"), [(7, 5, (5, 3)), (6, 5, (5, 4)), (9, 5, (2, 5))])
def test_a_match_that_stopped_short_counts_or_continues_where_only_its_score_is_known(posted, played, final):
    terms = Terms(posted)
    lengths = {"posted": posted, "played": played, "final": final}
    agreed = rule_wrong_length(terms, (), **lengths, school=LengthSchool.AGREED)
    assert (agreed.terms, agreed.final, agreed.games) == (Terms(played), final, ())
    assert agreed.check.score.winner is (A if final[0] == played else B)
    goes_on = rule_wrong_length(terms, (), **lengths, school=LengthSchool.POSTED)
    assert (goes_on.terms, goes_on.final, goes_on.games) == (Terms(posted, start=final), None, ())
    assert goes_on.check.score.is_crawford == (played == posted - 1)
    assert goes_on.message.endswith(f"continues at {final[0]}–{final[1]}.")


@pytest.mark.parametrize(
    ("terms", "posted", "played", "school", "final", "code"),
    [
        (Terms(0), 11, 7, LengthSchool.POSTED, None, "ruling_in_money_play"),
        (Terms(11), 11, 11, LengthSchool.POSTED, None, "length_not_another"),
        (Terms(11), 11, 0, LengthSchool.AGREED, None, "length_not_another"),
        (Terms(11), 11, True, LengthSchool.AGREED, None, "length_not_another"),
        (Terms(11), 11, 9, LengthSchool.AGREED, None, "crawford_cube"),
        (Terms(11, start=(9, 0)), 11, 9, LengthSchool.AGREED, None, "length_already_reached"),
        (Terms(13, start=(11, 0)), 11, 13, LengthSchool.POSTED, None, "length_already_reached"),
        (Terms(5), 5, 7, LengthSchool.POSTED, (7, 3), "length_games_needed"),
        (Terms(7), 7, 5, LengthSchool.POSTED, (5, 5), "final_unreachable"),
        (Terms(7), 7, 5, LengthSchool.AGREED, (4, 3), "final_not_over"),
    ],
)
def test_a_length_is_ruled_on_only_where_it_differed(terms, posted, played, school, final, code):
    lengths = {"posted": posted, "played": played, "final": final}
    assert refusal(rule_wrong_length, terms, TO_13, **lengths, school=school) == code
