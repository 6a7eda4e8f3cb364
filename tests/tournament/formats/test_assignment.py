"""The cheapest assignment, compared with all assignments there are."""

from itertools import permutations
from random import Random

import pytest

from tournament.formats.assignment import cheapest_assignment
from tournament.formats.matching import cheapest_matching


def cost_of(costs, taken):
    return sum(line[column] for line, column in zip(costs, taken, strict=True))


def costs_of(size, most, rng):
    return [[rng.randint(-most, most) for _column in range(size)] for _row in range(size)]


@pytest.mark.parametrize("most", [0, 1, 3, 10**30])
@pytest.mark.parametrize("size", range(1, 7))
def test_no_assignment_is_cheaper(size, most):
    rng = Random(f"{size} {most}")
    for _case in range(40):
        costs = costs_of(size, most, rng)
        taken = cheapest_assignment(costs)
        assert sorted(taken) == list(range(size))
        assert cost_of(costs, taken) == min(cost_of(costs, order) for order in permutations(range(size)))


@pytest.mark.parametrize("most", [2, 50, 10**6])
@pytest.mark.parametrize("size", [20, 60])
def test_a_larger_one_costs_what_the_matching_of_the_swiss_finds(size, most):
    costs = [[cost + most for cost in line] for line in costs_of(size, most, Random(f"{size} {most}"))]
    edges = [(row, size + column, (cost,)) for row, line in enumerate(costs) for column, cost in enumerate(line)]
    pairs, left = cheapest_matching(2 * size, edges, (size,))
    assert left == 0
    assert cost_of(costs, cheapest_assignment(costs)) == sum(costs[row][column - size] for row, column in pairs)
