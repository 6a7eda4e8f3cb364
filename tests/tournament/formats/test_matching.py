"""The least-cost matching that compares costs rule by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.pairing_oracle import add
from tournament.formats.matching import LARGEST, cheapest_matching

RULES = 3


@st.composite
def graphs(draw):
    nodes = draw(st.integers(2, 7))
    edges = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    chosen = draw(st.lists(st.sampled_from(edges), unique=True, min_size=1))
    costs = st.tuples(st.integers(0, 3), st.integers(0, 50), st.integers(0, 1000))
    return nodes, [(a, b, draw(costs)) for a, b in chosen]


def all_matchings(edges):
    if not edges:
        yield []
        return
    (a, b, costs), *others = edges
    yield from all_matchings(others)
    for more in all_matchings([edge for edge in others if not {a, b} & set(edge[:2])]):
        yield [(a, b, costs), *more]


@given(graphs())
def test_matching_leaves_over_as_few_as_possible_and_then_costs_least_rule_by_rule(graph):
    nodes, edges = graph
    pairs, left_over = cheapest_matching(nodes, edges, [nodes // 2] * RULES)
    best = min(
        (nodes - 2 * len(chosen), add([(0,) * RULES, *(e[2] for e in chosen)])) for chosen in all_matchings(edges)
    )
    found = [edge for edge in edges if edge[:2] in pairs]
    assert len(found) == len(pairs)
    assert (left_over, add([(0,) * RULES, *(edge[2] for edge in found)])) == best


def test_field_without_edges_is_left_over():
    assert cheapest_matching(3, [], [1]) == (set(), 3)


def test_earlier_rule_decides_against_any_later_cost():
    edges = [(0, 1, (1, 0)), (2, 3, (0, 0)), (0, 2, (0, 10**6)), (1, 3, (0, 10**6))]
    assert cheapest_matching(4, edges, [2, 2]) == ({(0, 2), (1, 3)}, 0)


@pytest.mark.parametrize("largest", [2**100, 2**400])
def test_costs_too_large_to_add_up_are_rounded_by_the_last_rule_alone(largest):
    edges = [(0, 1, (1, 0, 0)), (2, 3, (0, 0, 0)), (0, 2, (0, 1, largest)), (1, 3, (0, 0, largest))]
    edges += [(0, 3, (0, 1, 2 * largest)), (1, 2, (0, 0, 2 * largest))]
    assert cheapest_matching(4, edges, [2, 2, 2]) == ({(0, 2), (1, 3)}, 0)


@pytest.mark.parametrize(("players", "rematches"), [(4096, 0), (128, 30)])
def test_costs_of_every_swiss_fit_without_rounding(players, rematches):
    """A field of more than 128 has room for 30 rounds without a rematch, so only a smaller one can have any."""
    pairs = players // 2
    total = 1
    for most in (rematches * pairs, 30, 30, 30**2 * pairs, pairs, pairs, players**2 * pairs):
        total *= most + 1
    assert total <= LARGEST
