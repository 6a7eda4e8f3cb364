from collections import Counter

import pytest

from tests.tournament.formats.events import assert_even
from tournament.formats.chance import SeededChance
from tournament.formats.knockout import Graph
from tournament.formats.main_bracket import (
    add_main,
    leaving_order,
    round_count,
    round_title,
    seeding_order,
    spread_byes,
)


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        (2, [1, 2]),
        (4, [1, 4, 2, 3]),
        (8, [1, 8, 4, 5, 2, 7, 3, 6]),
        (16, [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]),
    ],
)
def test_seeding_order_is_the_standard_one(lines, order):
    assert seeding_order(lines) == order


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (512, 9)])
def test_round_count_is_the_smallest_that_fits(entrants, rounds):
    assert round_count(entrants) == rounds


@pytest.mark.parametrize(
    ("round", "rounds", "title"),
    [(4, 4, "Final"), (3, 4, "Semifinals"), (2, 4, "Quarterfinals"), (1, 4, "Round 1"), (1, 1, "Final")],
)
def test_round_title_counts_from_the_final(round, rounds, title):
    assert round_title(round, rounds).text == title


@pytest.mark.parametrize("pairings", [1, 2, 4, 8, 16, 32, 64, 128, 256])
def test_spread_byes_is_even_in_every_part(pairings):
    for byes in range(pairings):
        spread = spread_byes(pairings, byes, SeededChance(byes))
        assert sum(spread) == byes
        assert_even(spread)


def test_spread_byes_reaches_every_pairing():
    seen = Counter(spread_byes(4, 1, SeededChance(seed)).index(1) for seed in range(400))
    assert sorted(seen) == [0, 1, 2, 3]
    assert min(seen.values()) > 60


def main_of(byes):
    graph = Graph()
    return graph, add_main(graph, byes)


def test_winners_of_neighbours_meet():
    graph, rounds = main_of([0, 0, 0, 0])
    assert [[graph.nodes[node].key for node in nodes] for nodes in rounds] == [
        ["M1-1", "M1-2", "M1-3", "M1-4"],
        ["M2-1", "M2-2"],
        ["M3-1"],
    ]
    assert graph.nodes[rounds[1][1]].feeds == ("winner:M1-3", "winner:M1-4")
    assert [graph.nodes[nodes[0]].to_final for nodes in rounds] == [2, 1, 0]


@pytest.mark.parametrize(
    ("byes", "leaving"),
    [
        ([0, 0, 0, 0], [["M1-1", "M1-2", "M1-3", "M1-4"], ["M2-1", "M2-2"], ["M3-1"]]),
        ([0, 0, 0, 1], [["M1-3", "M1-1", "M1-2"], ["M2-2", "M2-1"], ["M3-1"]]),
        ([0, 1, 1, 1], [["M1-1"], ["M2-2", "M2-1"], ["M3-1"]]),
        ([1, 0, 1, 0], [["M1-2", "M1-4"], ["M2-1", "M2-2"], ["M3-1"]]),
    ],
)
def test_losers_leave_in_an_order_that_does_not_depend_on_where_the_byes_are(byes, leaving):
    graph, rounds = main_of(byes)
    assert [[graph.nodes[node].key for node in nodes] for nodes in leaving_order(graph, rounds)] == leaving


@pytest.mark.parametrize("entrants", [5, 11, 19, 45])
def test_all_even_spreads_of_byes_are_the_same_once_turned(entrants):
    pairings = 2 ** (round_count(entrants) - 1)
    shapes = set()
    for seed in range(12):
        graph, rounds = main_of(spread_byes(pairings, 2 * pairings - entrants, SeededChance(seed)))
        leaving = leaving_order(graph, rounds)
        place = {node: (round, number) for round, nodes in enumerate(leaving) for number, node in enumerate(nodes)}
        shapes.add(
            tuple(
                (place[index], tuple(sorted(place.get(feed.index, (-1, -1)) for feed in (node.a, node.b))))
                for index, node in sorted(enumerate(graph.nodes), key=lambda pair: place.get(pair[0], (-1, -1)))
                if index in place and node.round > 1
            )
        )
    assert len(shapes) == 1
