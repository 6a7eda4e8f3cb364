"""Matches of two who have met before: how many a draw may expect, and the orders of losers that keep them few."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from tournament.formats.knockout import FINAL, SECOND_PLACE, Graph, Origin

T = TypeVar("T")

ORDERS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (4, ()),
    (8, (1,)),
    (16, (2, 0)),
    (23, (4, 1, 1)),
    (32, (2, 2, 0)),
    (64, (8, 6, 1, 1)),
    (128, (4, 8, 6, 1, 1)),
    (256, (24, 8, 8, 6, 0, 1)),
    (512, (80, 48, 16, 2, 2, 3, 0)),
    (1024, (128, 80, 56, 24, 4, 1, 2, 0)),
)
"""For fields up to a size: how the losers of main rounds 2, 3, ... are mixed when they come into a consolation.

The loser who leaves at position p, counted from 0, takes the place p xor the number: 1 exchanges neighbours, 2
exchanges pairs, and so on, so that every half, quarter ... stays together. Those of round 1, and of rounds beyond the
numbers, come in as they leave. Found by search, each round in turn over all numbers until none gave fewer repeats, for
the fullest and the emptiest field of the row; ``script/bench draws`` prints what they give.
"""


def mix(losers: Sequence[T], round: int, entrants: int) -> list[T]:
    """The losers of main round ``round`` of a field of so many ``entrants``, in the order in which they come in."""
    numbers = ORDERS[bisect_left(ORDERS, (entrants,))][1]
    number = numbers[round - 2] if 2 <= round <= len(numbers) + 1 else 0
    return [losers[place ^ number] for place in range(len(losers))]


def mix_again(losers: Sequence[T], wave: int) -> list[T]:
    """The losers of a consolation's round in the order in which they come into a further one, ``wave`` from 0.

    In turn as they leave, all reversed, each half reversed, and the halves exchanged: of the rules tried that suit
    waves of any size, this one keeps the repeats few at all sizes.
    """
    half = (len(losers) + 1) // 2
    upper, lower = list(losers[:half]), list(losers[half:])
    match wave % 4:
        case 0:
            return upper + lower
        case 1:
            return lower[::-1] + upper[::-1]
        case 2:
            return upper[::-1] + lower[::-1]
    return lower + upper


def expected_repeats(graph: Graph) -> Fraction:
    """How many matches are expected, all matches being even, of two who have met before; grand finals do not count.

    Exact, by following the two who meet in each match until they meet again or one is out. For graphs whose matches
    do not depend on results.
    """
    ways = _ways(graph)
    known: dict[tuple[int, int], int] = {}
    return Fraction(sum(_again(winner, loser, ways, known) for winner, loser in ways.values()), SURE)


SURE = 1 << 192
"""Certainty; chances are whole multiples of 1 / SURE, which many more matches than a knockout has can halve."""

Ways = dict[int, tuple[int | None, int | None]]


def _ways(graph: Graph) -> Ways:
    """Where the winner and the loser of each match play next."""
    following: dict[tuple[Origin, int], int] = {}
    for index, node in enumerate(graph.nodes):
        if node.bracket not in (FINAL, SECOND_PLACE):
            following |= {(feed.origin, feed.index): index for feed in (node.a, node.b)}

    def match(origin: Origin, index: int) -> int | None:
        after = following.get((origin, index))
        while after is not None and graph.nodes[after].is_bye:
            after = following.get((Origin.WINNER, after))
        return after

    return {
        index: (match(Origin.WINNER, index), match(Origin.LOSER, index))
        for index, node in enumerate(graph.nodes)
        if node.bracket not in (FINAL, SECOND_PLACE) and not node.is_bye
    }


def _again(a: int | None, b: int | None, ways: Ways, known: dict[tuple[int, int], int]) -> int:
    """The chance that the two who play next in ``a`` and ``b`` meet: whoever plays first goes on to either side."""
    if a is None or b is None:
        return 0
    if a == b:
        return SURE
    if a > b:
        a, b = b, a
    if (a, b) not in known:
        won, lost = ways[a]
        known[a, b] = (_again(won, b, ways, known) + _again(lost, b, ways, known)) >> 1
    return known[a, b]
