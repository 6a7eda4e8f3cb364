"""Rematches: how many to expect in a draw, and the orders of losers that keep them few."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from tournament.formats.editions import EDITION, FIRST
from tournament.formats.knockout import FINAL, SECOND_PLACE, FeedKind, Graph

T = TypeVar("T")

Table = tuple[tuple[int, tuple[int, ...]], ...]

STEADY: Table = (
    (4, ()),
    (8, (1,)),
    (16, (2, 0)),
    (19, (4, 1, 1)),
    (21, (2, 2, 0)),
    (22, (4, 1, 1)),
    (32, (2, 2, 0)),
    (64, (8, 6, 1, 1)),
    (128, (4, 8, 6, 1, 1)),
    (256, (24, 8, 8, 6, 0, 1)),
    (512, (80, 48, 16, 2, 2, 3, 0)),
    (1024, (128, 80, 56, 24, 4, 1, 2, 0)),
)
"""For fields up to a size: how the losers of main rounds 2, 3, ... are exchanged when they enter a consolation.

The loser who leaves at position p, counted from 0, takes the place p xor the number: 1 exchanges neighbours, 2
exchanges pairs, and so on, so that every half, quarter ... stays together. Those of round 1, and of rounds beyond the
numbers, enter as they leave. Found by search; ``script/bench draws`` prints what they give.
"""

SHIFTED: Table = (
    (8, (0, -1)),
    (12, (0, -1, -2)),
    (14, (3, -1, -2)),
    (16, (-7, -3, -1)),
    (32, (0, 2, -4, -1)),
    (47, (-1, -5, 6, 2, -2)),
    (56, (7, 3, 0, 3, -1)),
    (64, (0, -1, -5, 2, -2)),
    (80, (0, 24, -5, -1, 2, -2)),
    (96, (0, 12, 3, 7, 3, 1)),
    (128, (0, 24, -5, -1, 2, -2)),
    (256, (18, 60, 14, 12, -3, -1, 0)),
    (512, (0, 56, 20, 2, 15, 2, 3, -1)),
    (1024, (167, 159, 95, 34, 4, 4, 0, 2, -2)),
)
"""For fields up to a size: how the losers of main rounds 1, 2, ... are turned (`turned`) into a shifted consolation.

Found by search for the cut-off after which only the finalists stay.
"""

SHIFTED_ALL: Table = (
    (4, (-2, 0)),
    (6, (-2, -1, 0)),
    (8, (3, -1, 0)),
    (10, (0, 3, -1, 0)),
    (12, (-4, 1, 0, 0)),
    (14, (-3, 3, -1, 0)),
    (16, (-7, 1, -2, 0)),
    (22, (0, 4, 1, -2, 0)),
    (24, (0, -1, -4, 0, 0)),
    (28, (0, 6, 2, -1, 0)),
    (32, (0, 2, 3, -1, 0)),
    (40, (0, 4, -7, -3, -2, 0)),
    (48, (2, 15, 6, 2, 1, 0)),
    (64, (0, 10, 3, 2, -2, 0)),
    (80, (0, 4, 14, 4, 3, -1, 0)),
    (96, (-8, -5, -9, -8, -1, 0, 0)),
    (128, (0, 4, 14, 4, 3, -1, 0)),
    (256, (-5, -33, -21, -7, -1, -2, 1, 0)),
    (384, (55, 64, 60, 12, 13, 2, -3, 1, 0)),
    (512, (17, 52, 18, 20, 0, 2, 3, -1, 0)),
    (1024, (30, 3, 19, 57, 20, 12, 4, 2, 0, 0)),
)
"""The same where all losers enter, the finalist too: the lines then fall differently."""

LAST_CHANCE: Table = (
    (8, (-2, -1)),
    (14, (0, -1, 0, -1)),
    (16, (-4, 1, 0, -1)),
    (18, (-2, -5, 2, -2, -2, 1)),
    (20, (0, 1, 3, -1, 0)),
    (24, (0, -1, 2, -2, -2)),
    (27, (0, -5, 2, -1, -2, -1)),
    (32, (0, 4, -3, 1, -1, -2)),
    (36, (0, 6, 1, 2, 2, -2, 1)),
    (40, (0, -5, -1, -4, 0, -1, 0)),
    (44, (0, 2, -3, 3, 3, 1, -2)),
    (48, (0, -5, -1, 2, 2, 0, -1)),
    (56, (0, 12, -3, -7, 1, -3, -1, 0)),
    (64, (0, -3, -4, -5, -4, -1, 0, -1)),
    (70, (0, -13, -1, -3, -5, -4, -1, 0, 1)),
    (75, (-3, -10, -15, -7, -4, 3, 2, 0, -1)),
    (96, (2, 9, 6, 2, 7, -2, 2, -2, 1)),
    (128, (0, -25, 8, 12, -5, 3, -1, -3, 1, -2)),
)
"""For fields up to a size: how the losers of consolation rounds 1, 2, ... are turned into a full last chance.

Found by search for the consolation that is not shifted and in which only the finalists do not come.
"""


Numbers = Mapping[int, tuple[int, ...]]

STEADY_SPREAD: Numbers = {
    22: (0, 2, 2, 0),
    37: (3, 4, 0, 3, 0),
    38: (0, 12, 4, 1, 1),
}
"""By size: other numbers than those of `STEADY`, for rounds 1, 2, ..., since the byes of a consolation are spread.

The losers of round 1 are turned.
"""

SHIFTED_SPREAD: Numbers = {
    13: (-3, 3, -2),
    19: (2, 5, -2, -2),
    34: (-2, -11, 3, -3, -1),
    35: (-1, -3, 7, -1, -2),
    37: (-4, -13, 2, 0, -1),
    44: (-12, -5, 6, 2, -2),
    54: (8, 2, 0, 3, -1),
    55: (-22, 2, -4, -4, -1),
    69: (-4, 23, -5, 1, 2, -2),
}
"""By size: other numbers than those of `SHIFTED`, for the same reason."""

SHIFTED_ALL_SPREAD: Numbers = {
    9: (-1, -1, -2, -1),
    10: (-2, -1, -2, -1),
    18: (-1, -5, -2, -1, -1),
    19: (0, 6, 2, -1, -1),
    20: (-4, -8, -3, -2, -1),
    33: (-1, -7, 5, 1, -1, -1),
    34: (-2, -11, -2, 0, -1, 0),
    35: (-1, -1, 0, -4, -2, 0),
    37: (0, 10, 3, 2, -2, 0),
    38: (0, 10, 3, 2, -2, -1),
    39: (-2, -11, -4, -3, -1, -1),
    67: (1, 4, 14, 4, 3, -1, 0),
    68: (1, 4, 14, 4, 3, -1, 0),
    69: (1, 3, 15, 4, 3, -1, 0),
    70: (2, 4, 14, 4, 3, -1, 0),
}
"""By size: other numbers than those of `SHIFTED_ALL`, for the same reason."""

LAST_CHANCE_SPREAD: Numbers = {
    9: (-1, -1, -2),
    11: (-3, -1, -2),
    17: (-1, 1, -4, -2, -1),
    18: (-2, -4, -3, -2, -1),
    19: (-2, -4, -3, -1, -2),
    20: (-3, 2, 1, -2, -1),
    21: (-3, 1, -4, 0, -1),
    22: (-6, 3, -2, -1, -2),
    33: (0, 6, 1, 2, -2, -2, 1),
    34: (-1, -3, 0, -1, -1, -2, 1),
    36: (1, -7, -3, 1, -3, -1, 0),
    37: (0, -5, -1, -4, -3, -1, -2),
    38: (0, -5, -1, -4, -3, -1, 0),
    39: (0, -5, -1, 2, 0, -1, 0),
    40: (0, -5, -1, 2, 0, -1, 0),
    41: (-3, 3, 1, 3, 0, 1, -2),
    42: (-2, -3, 0, 1, 2, -2, -1),
    43: (0, 2, -3, 3, -4, 1, -2),
    44: (0, 2, -3, 3, -4, 1, -2),
    71: (6, -11, -15, -7, -4, -1, 2, 0, -1),
    72: (-3, -8, 5, -7, 7, 3, -1, 0, -1),
    73: (-3, 10, -11, 1, 6, 2, -2, -2, -1),
    74: (9, -11, -15, -7, -5, -2, 2, 0, -1),
    75: (9, -3, -15, -7, -4, 3, -1, 0, -1),
}
"""By size: other numbers than those of `LAST_CHANCE`, for the same reason."""


def turned(losers: Sequence[T], number: int) -> list[T]:
    """Return the losers from position ``number`` on, wrapping round, or backwards from there if it is negative.

    It suits any number of losers: 1 puts the first behind the last, -1 is the reverse, -2 the reverse but for the last.
    """
    step = 1 if number >= 0 else -1
    return [losers[(number + step * place) % len(losers)] for place in range(len(losers))]


def mix(losers: Sequence[T], round: int, entrants: int, edition: int = EDITION) -> list[T]:
    """Put the losers of main round ``round`` in the order in which they enter, in a field of this many ``entrants``."""
    own = STEADY_SPREAD.get(entrants) if edition > FIRST else None
    number = _at(own, round) if own else _number(STEADY, entrants, round - 1)
    return turned(losers, number) if round == 1 else [losers[place ^ number] for place in range(len(losers))]


def mix_shifted(losers: Sequence[T], round: int, entrants: int, edition: int = EDITION) -> list[T]:
    """Do the same as :func:`mix` for a shifted consolation that not all losers enter."""
    return turned(losers, _number(SHIFTED, entrants, round, SHIFTED_SPREAD if edition > FIRST else {}))


def mix_shifted_all(losers: Sequence[T], round: int, entrants: int, edition: int = EDITION) -> list[T]:
    """Do the same as :func:`mix` for a shifted consolation that all losers enter."""
    return turned(losers, _number(SHIFTED_ALL, entrants, round, SHIFTED_ALL_SPREAD if edition > FIRST else {}))


def mix_last_chance(losers: Sequence[T], wave: int, entrants: int, edition: int = EDITION) -> list[T]:
    """Put the losers of a consolation round in the order in which they enter a full last chance, ``wave`` from 0."""
    if entrants > LAST_CHANCE[-1][0]:
        return mix_again(losers, wave)
    return turned(losers, _number(LAST_CHANCE, entrants, wave + 1, LAST_CHANCE_SPREAD if edition > FIRST else {}))


def _number(table: Table, entrants: int, round: int, instead: Numbers | None = None) -> int:
    """Return the number for a round, counted from 1, in a field of this size: ``instead`` of the table's if it has."""
    return _at((instead or {}).get(entrants) or table[bisect_left(table, (entrants,))][1], round)


def _at(numbers: Sequence[int], round: int) -> int:
    return numbers[round - 1] if 1 <= round <= len(numbers) else 0


def mix_again(losers: Sequence[T], wave: int) -> list[T]:
    """Put the losers of a consolation round in the order in which they enter the next one, ``wave`` from 0.

    In turn as they leave, all reversed, each half reversed, and the halves exchanged: of the rules of four steps that
    turn waves by quarters this one keeps the repeats fewest over all sizes. `LAST_CHANCE` has better ones.
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
    """Return how many rematches to expect if every match is even; grand finals do not count.

    Exact, by following the two who meet in each match until they meet again or one is out. For graphs whose matches do
    not depend on results.
    """
    ways = _ways(graph)
    known: dict[tuple[int, int], int] = {}
    return Fraction(sum(_again(winner, loser, ways, known) for winner, loser in ways.values()), SURE)


SURE = 1 << 192
"""Certainty; chances are whole multiples of 1 / SURE, which many more matches than a knockout has can halve."""

Ways = dict[int, tuple[int | None, int | None]]


def _ways(graph: Graph) -> Ways:
    """Return where the winner and loser of each match play next."""
    following: dict[tuple[FeedKind, int], int] = {}
    for index, node in enumerate(graph.nodes):
        if node.bracket not in (FINAL, SECOND_PLACE):
            following |= {(feed.origin, feed.index): index for feed in (node.a, node.b)}

    def match(origin: FeedKind, index: int) -> int | None:
        after = following.get((origin, index))
        while after is not None and graph.nodes[after].is_bye:
            after = following.get((FeedKind.WINNER, after))
        return after

    return {
        index: (match(FeedKind.WINNER, index), match(FeedKind.LOSER, index))
        for index, node in enumerate(graph.nodes)
        if node.bracket not in (FINAL, SECOND_PLACE) and not node.is_bye
    }


def _again(a: int | None, b: int | None, ways: Ways, known: dict[tuple[int, int], int]) -> int:
    """Return the probability that the two players who play next in ``a`` and ``b`` meet.

    The one who plays first goes on to either side.
    """
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
