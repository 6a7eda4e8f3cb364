from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.formats.chance import SeededChance
from tournament.formats.consolation_graph import Shape, knockout_graph
from tournament.formats.knockout import FeedKind
from tournament.formats.main_bracket import round_count, spread_byes

DOUBLE = {"reunite": "grand-final", "recharge": True}


def graph_of(entrants, seed=0, *, stay=1, **shape):
    """The graph in which losers fall, except in the last ``stay`` rounds; 0 lets all of them fall."""
    rounds = round_count(entrants)
    byes = tuple(spread_byes(2 ** (rounds - 1), 2**rounds - entrants, SeededChance(seed)))
    return knockout_graph(byes, Shape(max(rounds - stay, 0), **shape))


def matches(graph, bracket):
    return sum(node.bracket == bracket and not node.is_bye for node in graph.nodes)


def by_time(graph):
    """How many matches are played at the same time, step by step, if each begins as soon as it can."""
    times = []
    for node in graph.nodes:
        ready = max(
            (times[feed.index] for feed in (node.a, node.b) if feed.origin is not FeedKind.LINE and feed.index >= 0),
            default=0,
        )
        times.append(ready + (not node.is_bye))
    counts = Counter(time for time, node in zip(times, graph.nodes, strict=True) if not node.is_bye)
    return [counts[time] for time in sorted(counts)]


def rounds_of(graph, bracket):
    counts = Counter(node.round for _, node in graph.bracket(bracket) if not node.is_bye)
    return [counts[round] for round in sorted(counts)]


def test_main_and_shifted_consolation_of_32_take_60_matches_in_seven_rounds():
    """tourneygeek.com/2020/02/24; unshifted it takes one round more."""
    assert by_time(graph_of(32, shifted=True)) == [16, 16, 12, 8, 5, 2, 1]
    assert by_time(graph_of(32)) == [16, 16, 12, 6, 5, 2, 2, 1]
    assert sum(by_time(graph_of(32))) == 60


def test_shifted_consolation_and_last_chances_of_24():
    """tourneygeek.com/2019/11/13/last-chance-for-some."""
    full = graph_of(24, shifted=True, last_chance="full")
    assert (rounds_of(full, "C"), rounds_of(full, "L")) == ([8, 6, 4, 2, 1], [6, 6, 4, 2, 1])
    assert rounds_of(graph_of(24, shifted=True, last_chance="partial"), "L") == [2, 2, 1]


@pytest.mark.parametrize("entrants", [*range(2, 131), 255, 511, 512, 513, 1023, 1024])
def test_double_elimination_takes_two_matches_for_each_but_one_or_two(entrants):
    graph = graph_of(entrants, stay=0, **DOUBLE)
    assert sum(not node.is_bye for node in graph.nodes) == 2 * entrants - 1
    assert sum(node.is_certain for node in graph.nodes) == 2 * entrants - 2
    if entrants == 2 ** round_count(entrants) > 2:
        assert len(rounds_of(graph, "C")) == 2 * (round_count(entrants) - 1)


@given(
    st.integers(2, 200),
    st.integers(0, 4),
    st.booleans(),
    st.booleans(),
    st.sampled_from(("none", "partial", "full")),
    st.integers(0, 9),
)
def test_every_loser_goes_on_once_at_most_and_everyone_is_in_one_bracket_once(
    entrants, stay, shifted, second, last_chance, seed
):
    graph = graph_of(
        entrants,
        seed,
        stay=stay,
        shifted=shifted,
        second_consolation=second,
        last_chance=last_chance,
        third_place=stay > 1,
    )
    feeds = [(feed.origin, feed.index) for node in graph.nodes for feed in (node.a, node.b) if feed.index >= 0]
    assert len(feeds) == len(set(feeds))
    for index, node in enumerate(graph.nodes):
        assert node.a.origin is not FeedKind.NOBODY
        assert max(node.a.index, node.b.index) < max(index, 2 * entrants)
        for feed in (node.a, node.b):
            if feed.origin is not FeedKind.LINE and feed.index >= 0:
                assert feed.index < index
                assert not (graph.nodes[feed.index].is_bye and feed.origin is FeedKind.LOSER)
                assert (
                    feed.origin is FeedKind.LOSER
                    or graph.nodes[feed.index].bracket == node.bracket
                    or node.bracket == "C"
                )
    for bracket in "CDL":
        rounds = rounds_of(graph, bracket)
        assert rounds == [] or rounds[-1] == 1
        byes = {node.round for _, node in graph.bracket(bracket) if node.is_bye}
        assert byes <= {1}


@pytest.mark.parametrize(
    ("entrants", "stay", "fallen"),
    [(16, 1, 14), (16, 2, 12), (16, 3, 8), (16, 0, 15), (13, 1, 11), (13, 2, 9), (5, 1, 3), (4, 1, 2), (3, 1, 0)],
)
def test_losers_before_the_cut_off_fall(entrants, stay, fallen):
    """A consolation has one match less than players; with fewer than two there is none."""
    assert matches(graph_of(entrants, stay=stay), "C") == max(fallen - 1, 0)


def test_first_losers_are_those_who_have_won_no_match():
    """Of 12, four have a bye, and each of these may lose in round 2."""
    graph = graph_of(12, stay=3)
    came = Counter(feed.origin for _, node in graph.bracket("C") for feed in (node.a, node.b))
    assert (came[FeedKind.LOSER], came[FeedKind.WINLESS_LOSER]) == (4, 4)
    graph = graph_of(9, stay=3)
    came = Counter(feed.origin for _, node in graph.bracket("C") for feed in (node.a, node.b))
    assert (came[FeedKind.LOSER], came[FeedKind.WINLESS_LOSER]) == (1 + 3, 1)


def test_a_bye_in_round_one_leads_to_an_opponent_who_is_sure_to_come():
    for entrants in range(9, 16):
        for _, node in graph_of(entrants, stay=3).bracket("C"):
            assert [node.a.origin, node.b.origin].count(FeedKind.WINLESS_LOSER) < 2


def test_losers_of_the_semifinals_play_for_place_3():
    graph = graph_of(16, stay=2, third_place=True)
    node = next(node for _, node in graph.bracket("T"))
    assert (node.key, node.feeds, node.to_final) == ("T1-1", ("loser:M3-1", "loser:M3-2"), 1)
    assert matches(graph_of(3, stay=2, third_place=True), "T") == 0


def test_finals_are_fed_by_both_brackets():
    finals = {node.key: node.feeds for _, node in graph_of(8, stay=0, **DOUBLE).bracket("F")}
    assert finals == {"F1-1": ("winner:M3-1", "winner:C4-1"), "F2-1": ("loser:F1-1", "winner:F1-1")}
    finals = {node.key: node.feeds for _, node in graph_of(8, reunite="second-place").bracket("P")}
    assert finals == {"P1-1": ("loser:M3-1", "winner:C3-1")}


def test_graph_is_built_once():
    assert graph_of(100, 3, last_chance="full") is graph_of(100, 3, last_chance="full")


def test_every_pairing_says_why():
    texts = {node.key: node.why.text for node in graph_of(13, last_chance="full").nodes if node.why}
    assert texts["C1-1"] == (
        "Bye: those who enter here do not fill all the lines; later losers get the byes first, and among equals the "
        "lines of the draw decide."
    )
    assert texts["C2-1"] == (
        "The loser of M2-2 enters against the winner of C1-1: losers enter where rematches come as late as possible."
    )
    assert texts["C3-1"] == "The winner of C2-1 meets the winner of C2-2."
    assert texts["L1-2"] == "The loser of C2-4 meets the loser of C2-3."
    assert all("%" not in text for text in texts.values())
