"""The table of a score keeper: it lets in what the engine takes, and nothing else but what is asked about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import keeper
from rules.errors import Severity
from rules.keeper import (
    IN_A_WORD,
    WORDS,
    alike,
    first_difference,
    games_alike,
    kind_at,
    score_key,
    scores_of,
    table_of,
    word_of,
)
from rules.penalties import Penalty
from rules.profiles import PROFILES
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_game, check_sheet

A, B = Side.A, Side.B
TERMS = st.builds(
    Terms,
    length=st.integers(1, 11),
    profile=st.sampled_from(list(PROFILES.values())),
    crawford=st.booleans(),
)
GAMES = st.builds(
    GameResult,
    st.sampled_from(list(Side)),
    st.sampled_from([1, 2, 3, 4, 8, 16, 32, 64, 128]),
    st.sampled_from(list(Level)),
    st.sampled_from([Ending.BEAROFF, Ending.DROP]),
)


def keys(terms: Terms) -> set[str]:
    return {score_key(score) for score in scores_of(terms)}


def reached(terms: Terms) -> set[str]:
    """Every score that games of 1 point up to the length lead to, one after the other."""
    found, open_ones = set(), [terms.opening]
    while open_ones:
        score = open_ones.pop()
        if score.over or score_key(score) in found:
            continue
        found.add(score_key(score))
        open_ones += [score.after(side, points) for side in Side for points in range(1, terms.length + 1)]
    return found


@pytest.mark.parametrize("length", [1, 2, 3, 5, 7])
@pytest.mark.parametrize(
    "more",
    [{}, {"crawford": False}, {"start": (1, 0)}, {"start": (0, 1), "length": 2}, {"start": (1, 1), "length": 2}],
    ids=str,
)
def test_the_table_has_every_score_that_a_game_can_begin_at_and_no_other(length, more):
    terms = Terms(**{"length": length, **more})
    if max(terms.start) < terms.length:
        assert keys(terms) == reached(terms)


def test_a_match_resumed_after_its_crawford_game_has_only_games_after_it():
    terms = Terms(5, start=(4, 2), crawford_done=True)
    assert keys(terms) == {"4-2p", "4-3p", "4-4p"}


def test_with_penalty_points_the_score_that_they_make_is_in_the_table():
    terms = Terms(5, penalties=(Penalty(0, 4, 0), Penalty(2, 0, 2)))
    assert table_of(terms)["start"] == [0, 4]
    assert table_of(terms)["penalties"] == [{"after": 2, "a": 2, "b": 0}]
    score = check_sheet(terms, [GameResult(A), GameResult(A)]).score
    assert score_key(score) == "4-4p"
    assert score_key(score) in keys(terms)


@given(terms=TERMS, data=st.data())
def test_whatever_the_table_lets_in_is_a_sheet_that_the_engine_takes(terms, data):
    score, games = terms.opening, []
    while not score.over and len(games) < 30:
        kind = kind_at(terms, score)
        word = data.draw(st.sampled_from(kind.endings))
        cube = data.draw(st.sampled_from(kind.drops if word == "drop" else kind.cubes))
        level, ending = WORDS[word]
        game = GameResult(data.draw(st.sampled_from(list(Side))), cube, level, ending)
        assert kind.has(game)
        games.append(game)
        score = terms.after(score, len(games), game)
    check = check_sheet(terms, games)
    assert check.ok
    assert check.score == score


@given(terms=TERMS, game=GAMES, data=st.data())
def test_a_game_outside_the_table_is_refused_or_unlikely_and_one_inside_is_legal(terms, game, data):
    score = data.draw(st.sampled_from(list(scores_of(terms))))
    found = check_game(terms, score, 1, game)
    if kind_at(terms, score).has(game):
        assert not any(one.severity is Severity.ERROR for one in found)
    else:
        assert any(one.severity is Severity.ERROR or one.code == "cube_implausible" for one in found)


def test_nobody_doubles_in_the_crawford_game_and_both_may_after_it():
    terms = Terms(7)
    before = kind_at(terms, MatchScore(7, 6, 2))
    assert (before.cubes, before.drops, before.endings) == ((1,), (), ("single", "gammon", "backgammon"))
    after = kind_at(terms, MatchScore(7, 6, 3, crawford_done=True))
    assert (after.cubes, after.endings) == ((1, 2, 4), ("single", "gammon", "backgammon", "drop"))


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_levels_and_the_highest_cube_are_those_of_the_rules(profile):
    kind = kind_at(Terms(99, profile), MatchScore(99))
    assert ("backgammon" in kind.endings) == (3 in profile.multipliers)
    if profile.cube_cap is not None:
        assert max(kind.cubes) == min(profile.cube_cap, 128)
        assert profile.cube_cap not in kind.drops


def test_a_match_that_is_over_has_no_next_game():
    with pytest.raises(ValueError, match="over"):
        kind_at(Terms(5), MatchScore(5, 5, 0))


def test_the_table_of_a_long_match_is_small_because_scores_share_kinds():
    table = table_of(Terms(25))
    assert len(table["scores"]) > 600
    assert len(table["kinds"]) < 12


def test_the_engine_is_asked_once_for_scores_that_are_alike_so_that_no_phone_waits_for_a_long_match(monkeypatch):
    asked = []
    monkeypatch.setattr(keeper, "check_game", lambda *game: asked.append(game) or check_game(*game))
    table_of.cache_clear()
    scores = table_of(Terms(99))["scores"]
    assert len(scores) > 9_000
    assert len(asked) < len(scores)


PENALTIES = st.builds(Penalty, st.integers(0, 4), st.integers(0, 2), st.integers(0, 2))
MORE_TERMS = st.builds(
    Terms,
    length=st.integers(2, 9),
    profile=st.sampled_from(list(PROFILES.values())),
    crawford=st.booleans(),
    start=st.tuples(st.integers(0, 1), st.integers(0, 1)),
    penalties=st.lists(PENALTIES, max_size=2).map(tuple),
)


@given(terms=MORE_TERMS, data=st.data())
def test_every_score_that_games_and_penalty_points_lead_to_is_in_the_table_with_what_the_engine_lets_be(terms, data):
    table, score, number = table_of(terms), terms.opening, 0
    while not score.over:
        kind = kind_at(terms, score)
        assert table["kinds"][table["scores"][score_key(score)]] == kind.as_dict()
        word = data.draw(st.sampled_from(kind.endings))
        cube = data.draw(st.sampled_from(kind.drops if word == "drop" else kind.cubes))
        number += 1
        score = terms.after(score, number, GameResult(data.draw(st.sampled_from(list(Side))), cube, *WORDS[word]))


def test_every_word_is_one_ending_and_back():
    assert len(IN_A_WORD) == len(WORDS)
    assert word_of(GameResult(A, 2, Level.GAMMON, Ending.RESIGNED)) == "resigned-gammon"


def test_sheets_are_alike_up_to_the_game_that_differs_and_a_resignation_is_no_difference():
    first, other = GameResult(A, 2), GameResult(B, 1, Level.GAMMON)
    resigned = GameResult(B, 1, Level.GAMMON, Ending.RESIGNED)
    assert alike(other, resigned)
    assert not alike(GameResult(A, 2), GameResult(A, 2, ending=Ending.DROP))
    assert games_alike([first, other], [first, resigned, first]) == 2
    assert first_difference([first, other], [first, resigned, first]) is None
    assert first_difference([first, other], [first, first]) == 2
    assert first_difference([], [first]) is None
