"""Minimum-cost matching, where costs are compared rule by rule: an earlier rule outranks all later ones."""

from __future__ import annotations

from collections.abc import Sequence

from rustworkx import PyGraph, max_weight_matching

Costs = tuple[int, ...]
Edge = tuple[int, int, Costs]

LARGEST = 2**110
"""The most that all costs of a matching may add up to. The algorithm counts in 128 bits, doubles each cost, and moves
it once for each node at most: this leaves room for 2**15 nodes."""


def cheapest_matching(nodes: int, edges: Sequence[Edge], limits: Sequence[int]) -> tuple[set[tuple[int, int]], int]:
    """Return the cheapest matching of nodes 0 to ``nodes`` - 1, and how many nodes it leaves without a partner.

    An edge is two nodes and what pairing them costs by each rule, in whole numbers from 0. Of the matchings along
    ``edges`` that leave the fewest nodes over, this one costs least by the first rule, of those least by the second,
    and so on. ``limits`` says for each rule how many pairs of a matching can cost something by it. Should the costs not
    fit into :data:`LARGEST`, those of the last rule are rounded, and no others.

    Exact: Edmonds' blossom algorithm in whole numbers, which rustworkx implements after Z. Galil, "Efficient Algorithms
    for Finding Maximum Matching in Graphs" (1986).
    """
    if not edges:
        return set(), nodes
    weights, shift = _weights([max(column) for column in zip(*(costs for _, _, costs in edges), strict=True)], limits)
    last = len(weights) - 1
    sums = [
        sum([cost * weight for cost, weight in zip(costs[:last], weights, strict=False) if cost])
        + (costs[last] >> shift)
        for _, _, costs in edges
    ]
    dearest = max(sums)
    graph: PyGraph[None, int] = PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(a, b, dearest - sum_) for (a, b, _), sum_ in zip(edges, sums, strict=True)])
    found = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return {(min(pair), max(pair)) for pair in found}, nodes - 2 * len(found)


def _weights(largest: Sequence[int], limits: Sequence[int]) -> tuple[list[int], int]:
    """Return each rule's weight, above all that later rules can add up to, and by how many bits the last is rounded.

    ``largest`` is the most that one pair costs by each rule.
    """
    *higher, last = [most * limit for most, limit in zip(largest, limits, strict=True)]
    room = LARGEST
    for most in higher:
        room //= most + 1
    shift = 0
    while (last >> shift) + 1 > room:
        shift += 1
    weights = [1]
    scale = (largest[-1] >> shift) * limits[-1] + 1
    for most in reversed(higher):
        weights.insert(0, scale)
        scale *= most + 1
    return weights, shift
