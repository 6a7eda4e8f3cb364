"""The berths at which a round of main losers enters the consolation, and who can be met again from each of them."""

from __future__ import annotations

from functools import cached_property, lru_cache

from tournament.formats.knockout import CONSOLATION, FeedKind, Graph

EVERY_TIME = 1 << 48
"""Certainty; chances are whole multiples of 1 / EVERY_TIME, which more matches than a consolation has can halve."""


class Berths:
    """The berths of one main ``round``, from the first to the last.

    ``own`` has the main pairing whose loser takes each berth in the fixed order; ``seats`` the consolation pairing in
    which the berth is, by index; ``is_free`` whether that is a bye. ``before`` are the pairings of the consolation in
    all rounds before the earliest of these.
    """

    def __init__(self, graph: Graph, round: int, seats: list[tuple[int, int]], before: range) -> None:
        self.round = round
        self.own = tuple(own for _node, own in seats)
        self.seats = tuple(node for node, _own in seats)
        self.is_free = tuple(graph.nodes[node].is_bye for node in self.seats)
        self.before = before
        self._graph = graph
        self._chances: dict[int, list[int]] = {}

    @cached_property
    def _below(self) -> dict[int, list[tuple[int, int]]]:
        """The berths from which each pairing can be reached, with the matches to be won before it."""
        following, nodes = follow_consolation(self._graph), self._graph.nodes
        below: dict[int, list[tuple[int, int]]] = {}
        for berth, seat in enumerate(self.seats):
            matches, node = 0, seat
            below.setdefault(node, []).append((berth, matches))
            while node in following:
                matches += not nodes[node].is_bye
                node = following[node]
                below.setdefault(node, []).append((berth, matches))
        return below

    def chances(self, node: int) -> list[int]:
        """Return for each berth how likely the player there meets the one who plays next in ``node``, if all is even.

        Each has to win every match before the pairing where their ways come together.
        """
        if node not in self._chances:
            following = follow_consolation(self._graph).get(node)
            found = [0] * len(self.seats) if following is None else self.chances(following)
            found = found[:] if self._graph.nodes[node].is_bye else [chance >> 1 for chance in found]
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
    begins: dict[int, int] = {}
    seats: dict[int, list[tuple[int, int]]] = {}
    for index, node in graph.bracket(CONSOLATION):
        begins.setdefault(node.round, index)
        for feed in (node.a, node.b):
            if feed.origin is FeedKind.PLACED:
                seats.setdefault(graph.nodes[feed.index].round, []).append((index, feed.index))
    due: dict[int, tuple[Berths, ...]] = {}
    for round, places in sorted(seats.items()):
        first = begins[graph.nodes[places[0][0]].round]
        berths = Berths(graph, round, places, range(begins[1], first))
        due[first] = (*due.get(first, ()), berths)
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
