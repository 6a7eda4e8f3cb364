"""The berths at which a round of main losers enters the consolation, and who can be met again from each of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from tournament.formats.knockout import CONSOLATION, FeedKind, Graph

EVERY_TIME = 1 << 48
"""Certainty; chances are whole multiples of 1 / EVERY_TIME, which more matches than a consolation has can halve."""


class Berths:
    """The berths of one main ``round``, from the first to the last.

    ``own`` has the main pairing whose loser takes each berth in the fixed order; ``seats`` the consolation pairing in
    which the berth is, by index; ``is_free`` whether that is a bye. ``begins`` is the first pairing of the earliest
    round of these, and ``before`` are all pairings of the consolation in earlier rounds.
    """

    def __init__(self, graph: Graph, round: int, seats: list[tuple[int, int]], following: Mapping[int, int]) -> None:
        self.round = round
        self.own = tuple(own for _node, own in seats)
        self.seats = tuple(node for node, _own in seats)
        self.is_free = tuple(graph.nodes[node].is_bye for node in self.seats)
        first = min(graph.nodes[node].round for node in self.seats)
        consolation = {index: node.round for index, node in graph.bracket(CONSOLATION)}
        self.before = [index for index, place in consolation.items() if place < first]
        self.begins = next(index for index, place in consolation.items() if place == first)
        self._following = following
        self._steps = [1 - node.is_bye for node in graph.nodes]
        self._below: dict[int, list[tuple[int, int]]] = {}
        for berth, seat in enumerate(self.seats):
            matches, node = 0, seat
            while True:
                self._below.setdefault(node, []).append((berth, matches))
                if node not in following:
                    break
                matches += self._steps[node]
                node = following[node]
        self._chances: dict[int, list[int]] = {}

    def chances(self, node: int) -> list[int]:
        """Return for each berth how likely the player there meets the one who plays next in ``node``, if all is even.

        Each has to win every match before the pairing where their ways come together.
        """
        if node not in self._chances:
            following = self._following.get(node)
            found = [0] * len(self.seats) if following is None else self.chances(following)
            found = [chance >> self._steps[node] for chance in found]
            for berth, matches in self._below.get(node, ()):
                found[berth] = EVERY_TIME >> matches
            self._chances[node] = found
        return self._chances[node]

    def repeats(self, berth: int, met: tuple[int, ...]) -> int:
        """Return the repeats to expect at a berth for a player who has met those who play next in these pairings."""
        return sum(self.chances(node)[berth] for node in met)


@lru_cache(maxsize=64)
def follow_consolation(graph: Graph) -> dict[int, int]:
    """Return where the winner of each consolation pairing plays next, within the consolation."""
    return {
        feed.index: index
        for index, node in graph.bracket(CONSOLATION)
        for feed in (node.a, node.b)
        if feed.origin is FeedKind.WINNER
    }


@lru_cache(maxsize=64)
def berths_of(graph: Graph) -> dict[int, tuple[Berths, ...]]:
    """Return the berths of every round that is placed, by the pairing of the consolation before which it is placed."""
    seats: dict[int, list[tuple[int, int]]] = {}
    for index, node in graph.bracket(CONSOLATION):
        for feed in (node.a, node.b):
            if feed.origin is FeedKind.PLACED:
                seats.setdefault(graph.nodes[feed.index].round, []).append((index, feed.index))
    due: dict[int, tuple[Berths, ...]] = {}
    for round, places in sorted(seats.items()):
        berths = Berths(graph, round, places, follow_consolation(graph))
        due[berths.begins] = (*due.get(berths.begins, ()), berths)
    return due


@lru_cache(maxsize=64)
def homes_of(graph: Graph) -> dict[int, int]:
    """Return the consolation pairing in which the loser of a main pairing begins, for those who are not placed."""
    return {
        feed.index: index
        for index, node in graph.bracket(CONSOLATION)
        for feed in (node.a, node.b)
        if feed.origin is FeedKind.LOSER
    }
