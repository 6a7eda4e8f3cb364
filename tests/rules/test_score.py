"""MatchScore against the invariants written out over the whole history of a match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.score import Ending, Level, MatchScore, Phase, Side

HUGE = 10**30

games = st.lists(st.tuples(st.sampled_from(Side), st.integers(1, 9)), max_size=40)


@st.composite
def openings(draw: st.DrawFn) -> MatchScore:
    length = draw(st.integers(1, 25))
    a, b = draw(st.integers(0, length)), draw(st.integers(0, length - 1))
    if draw(st.booleans()):
        a, b = b, a
    return MatchScore(length, a, b, crawford=draw(st.booleans()))


def is_over(score: tuple[int, int], length: int) -> bool:
    return max(score) >= length


def crawford_games(history: list[tuple[int, int]], length: int) -> list[int]:
    """I7 as written: numbers g of the games that follow S_0 .. S_(g-1) in ``history`` and are Crawford games."""
    return [
        g
        for g in range(1, len(history) + 1)
        if length >= 2 and max(history[g - 1]) == length - 1 and all(max(history[h]) < length - 1 for h in range(g - 1))
    ]


@given(openings(), games)
def test_match_score_agrees_with_the_invariants_over_its_history(opening, games):
    length, score = opening.length, opening
    history = [(opening.a, opening.b)]
    for winner, points in games:
        number = len(history)
        assert score.over == is_over(history[-1], length)
        assert score.is_crawford == (opening.crawford and number in crawford_games(history, length))
        if score.over:
            with pytest.raises(ValueError, match="over"):
                score.after(winner, points)
            break
        following = score.after(winner, points)
        credited = min(points, length - score.of(winner))
        assert following.of(winner) == score.of(winner) + credited
        assert following.of(winner.other) == score.of(winner.other)
        assert (following.length, following.crawford) == (length, opening.crawford)
        history.append((following.a, following.b))
        score = following
    assert len(crawford_games(history, length)) <= 1
    assert len(history) - 1 <= max(0, 2 * length - 1)
    assert score.crawford_done == (
        opening.crawford and any(number < len(history) for number in crawford_games(history, length))
    )
    assert score.over == (score.winner is not None)
    if score.winner:
        assert score.of(score.winner) == length
        assert score.of(score.winner.other) <= length - 1


@given(games, st.integers(0, 50), st.integers(0, 50))
def test_match_score_of_money_play_is_never_over(games, a, b):
    score = MatchScore(0, a, b)
    for winner, points in games:
        score = score.after(winner, points)
    assert score.phase is Phase.MONEY
    assert score.winner is None
    assert score.a == a + sum(points for winner, points in games if winner is Side.A)
    assert score.b == b + sum(points for winner, points in games if winner is Side.B)


@pytest.mark.parametrize(
    ("score", "phase"),
    [
        (MatchScore(0, 5, 3), Phase.MONEY),
        (MatchScore(7), Phase.BEFORE),
        (MatchScore(7, 5, 5), Phase.BEFORE),
        (MatchScore(7, 6, 5), Phase.CRAWFORD),
        (MatchScore(7, 6, 5, crawford_done=True), Phase.AFTER),
        (MatchScore(7, 6, 6, crawford_done=True), Phase.AFTER),
        (MatchScore(7, 6, 6), Phase.CRAWFORD),
        (MatchScore(7, 6, 5, crawford=False), Phase.PLAIN),
        (MatchScore(1), Phase.PLAIN),
        (MatchScore(2), Phase.BEFORE),
        (MatchScore(2, 1, 0), Phase.CRAWFORD),
        (MatchScore(1, 1, 0), Phase.OVER),
        (MatchScore(7, 2, 7), Phase.OVER),
        (MatchScore(7, 7, 6, crawford_done=True), Phase.OVER),
    ],
)
def test_phase_says_what_the_next_game_is(score, phase):
    assert score.phase is phase


def test_after_turns_the_crawford_game_into_the_games_after_it():
    before = MatchScore(7, 5, 4)
    crawford = before.after(Side.A, 1)
    after = crawford.after(Side.B, 1)
    assert (before.phase, crawford.phase, after.phase) == (Phase.BEFORE, Phase.CRAWFORD, Phase.AFTER)
    assert after == MatchScore(7, 6, 5, crawford_done=True)


def test_after_has_no_crawford_game_when_the_leader_jumps_over_it():
    assert MatchScore(7, 5, 4).after(Side.A, 4) == MatchScore(7, 7, 4)


def test_penalty_points_leave_the_crawford_game_to_be_played():
    given = MatchScore(7, 6, 3).after(Side.B, 1, played=False)
    assert (given.is_crawford, given) == (True, MatchScore(7, 6, 4))
    assert MatchScore(7, 5, 3).after(Side.A, 1, played=False).is_crawford
    assert MatchScore(7, 6, 3).after(Side.A, 2, played=False) == MatchScore(7, 7, 3)
    assert not MatchScore(7, 6, 3, crawford_done=True).after(Side.B, 1, played=False).is_crawford


def test_after_credits_no_more_than_the_winner_needed():
    assert MatchScore(7, 5, 4).after(Side.A, 192) == MatchScore(7, 7, 4)
    assert MatchScore(0, 5, 4).after(Side.A, 192) == MatchScore(0, 197, 4)
    assert MatchScore(7).after(Side.B, HUGE) == MatchScore(7, 0, 7)


@pytest.mark.parametrize("points", [0, -1, True, 1.0, "1", None])
def test_after_refuses_points_that_no_game_can_be_worth(points):
    with pytest.raises(ValueError, match="whole number of points"):
        MatchScore(7).after(Side.A, points)


@pytest.mark.parametrize("winner", ["C", "", None, 0])
def test_after_refuses_a_winner_who_is_neither_side(winner):
    with pytest.raises(ValueError, match="not a valid Side"):
        MatchScore(7).after(winner, 1)


@pytest.mark.parametrize(
    ("length", "a", "b"),
    [(-1, 0, 0), (7, -1, 0), (7, 0, -1), (7, 8, 0), (7, 0, HUGE), (7, 7, 7), (0, -1, 0)],
)
def test_match_score_refuses_scores_that_no_match_has(length, a, b):
    with pytest.raises(ValueError, match=r"side|below"):
        MatchScore(length, a, b)


@pytest.mark.parametrize("value", [True, 3.0, "3", None])
def test_match_score_takes_only_integers(value):
    for values in [(value, 0, 0), (7, value, 0), (7, 0, value)]:
        with pytest.raises(ValueError, match="whole numbers"):
            MatchScore(*values)


@pytest.mark.parametrize(
    "values",
    [
        {"length": 7, "a": 5, "b": 5},
        {"length": 7, "a": 6, "b": 5, "crawford": False},
        {"length": 1},
        {"length": 0, "a": 6},
    ],
)
def test_match_score_refuses_a_crawford_game_played_too_early(values):
    with pytest.raises(ValueError, match="Crawford game"):
        MatchScore(**values, crawford_done=True)


def test_away_counts_what_a_side_needs():
    score = MatchScore(7, 5, 3)
    assert (score.away(Side.A), score.away(Side.B)) == (2, 4)
    with pytest.raises(ValueError, match="money"):
        MatchScore(0, 5, 3).away(Side.A)


def test_enum_members_have_the_values_that_are_stored():
    assert [side.value for side in Side] == ["A", "B"]
    assert (Side.A.other, Side.B.other) == (Side.B, Side.A)
    assert [(level.name, level.value) for level in Level] == [("SINGLE", 1), ("GAMMON", 2), ("BACKGAMMON", 3)]
    assert [ending.value for ending in Ending] == ["bearoff", "drop", "resigned", "forfeit"]
    assert [phase.value for phase in Phase] == ["money", "before", "crawford", "after", "plain", "over"]
