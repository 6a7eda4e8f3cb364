"""A single pass that advances a knockout graph, seating every entrant where the outcomes take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.errors import gettext_noop
from tournament.formats.drawing import check_outcome_keys, settle
from tournament.formats.hand import BY_HAND
from tournament.formats.knockout import BYE, MAIN, Feed, FeedKind, Graph, Node
from tournament.formats.options import Options
from tournament.formats.placing import PlacedLosers
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, Pairing, Reason, Seat

Sitter = Entrant | Bye | None
"""The entrant that a feed brings, nobody at all (a bye), or None while it is not known."""

Decided = tuple[Sitter, Sitter, bool | None]
"""The winner and the loser of a node, and whether it is a match; None while that is open."""


class Track(NamedTuple):
    """How far an entrant got in a bracket: the index of their last node, and whether they won it; None while open.

    ``is_void`` says that nobody has won it.
    """

    node: int
    won: bool | None
    is_void: bool = False


@dataclass(slots=True)
class Run:
    """A graph advanced as far as the outcomes allow.

    ``winners`` and ``losers`` have one for each node: the winner of a bye is the entrant who sits there, its loser
    nobody. ``played`` says of each node whether it is a match, True or False, and None while that depends on results.
    ``void`` are the nodes that nobody comes out of, because neither side came to the match; they do not count as
    played. ``tracks`` are the entrants of each bracket, by id.
    """

    graph: Graph
    pairings: list[Pairing] = field(default_factory=list)
    winners: list[Sitter] = field(default_factory=list)
    losers: list[Sitter] = field(default_factory=list)
    played: list[bool | None] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    void: set[int] = field(default_factory=set)
    tracks: dict[str, dict[int, Track]] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether no match is left to play in any bracket."""
        return None not in self.winners


def advance(graph: Graph, lines: Sequence[Entrant | None], reasons: Iterable[Reason], draw: Draw) -> Run:
    """Return the pairings of ``graph`` with the known entrants seated, leaving out those that nobody reaches.

    ``lines`` are those of the first round from top to bottom, two for each pairing, None for nobody; ``reasons`` are
    those of its pairings. Outcomes that name entrants who do not sit there are stale. Raises PlanError for an outcome
    of a pairing that the graph does not have, or that contradicts the draw itself.
    """
    check_outcome_keys(draw.outcomes, graph.index)
    return _Advance(graph, lines, iter(reasons), draw).run()


class _Advance:
    def __init__(self, graph: Graph, lines: Sequence[Entrant | None], reasons: Iterator[Reason], draw: Draw) -> None:
        self.graph = graph
        self.lines = lines
        self.reasons = reasons
        self.draw = draw
        self.outcomes = draw.outcomes
        self.lengths = _Lengths(draw.options)
        self.result = Run(graph)
        self.have_won: set[int] = set()
        self.byes_by_hand: dict[int, Reason] = {}

    def run(self) -> Run:
        result = self.result
        result.tracks = {node.bracket: {} for node in self.graph.nodes}
        placing = PlacedLosers(result, self.draw) if self.graph.places_losers else None
        for index, node in enumerate(self.graph.nodes):
            if placing is not None:
                node = placing.node(index, node)
            a, b = self._sitter(node.a), self._sitter(node.b)
            outcome = self.outcomes.get(node.key)
            if (a is BYE and b is BYE) or self._is_not_needed(node):
                winner, loser, played = self._skip(node, outcome)
            elif b is BYE:
                winner, loser, played = self._pass(node, a, 0, outcome)
            elif a is BYE:
                winner, loser, played = self._pass(node, b, 1, outcome)
            else:
                winner, loser, played = self._meet(index, node, a, b, outcome)
            result.winners.append(winner)
            result.losers.append(loser)
            result.played.append(played)
            self._track(index, node, a, b)
        return result

    def _sitter(self, feed: Feed) -> Sitter:
        match feed.origin:
            case FeedKind.WINNER:
                return self.result.winners[feed.index]
            case FeedKind.LOSER:
                return self.result.losers[feed.index]
            case FeedKind.LINE:
                return self.lines[feed.index]
            case FeedKind.NOBODY:
                return BYE
            case FeedKind.PLACED:
                return None
        loser = self.result.losers[feed.index]
        return BYE if isinstance(loser, Entrant) and loser.id in self.have_won else loser

    def _is_not_needed(self, node: Node) -> bool:
        """Whether the repeat of the grand final is not needed because the unbeaten side won the first."""
        if node.recharge is None:
            return False
        winner = self.result.winners[node.recharge]
        return winner is not None and winner is self._sitter(self.graph.nodes[node.recharge].a)

    def _skip(self, node: Node, outcome: Outcome | None) -> Decided:
        if outcome:
            self.result.stale.append(node.key)
        if node.recharge is None:
            return BYE, BYE, False
        return self.result.winners[node.recharge], self.result.losers[node.recharge], False

    def _pass(self, node: Node, free: Sitter, side: int, outcome: Outcome | None) -> Decided:
        why = node.why or next(self.reasons)
        if not node.is_bye:
            why = self._why_nobody_came(node.a if side else node.b)
        elif why.code == BY_HAND:
            self.byes_by_hand[self.graph.index[node.key]] = why
        pairing = self._add(node, (free or node.waiting[side], BYE), (node.feeds[side], "bye"), why)
        if outcome and pairing.feed_a:
            self.result.stale.append(node.key)
        else:
            settle(pairing, outcome)
        return free, BYE, False

    def _why_nobody_came(self, source: Feed) -> Reason:
        """Return why the seat that ``source`` should have filled is empty."""
        key = (("key", self.graph.nodes[source.index].key),)
        if source.origin is FeedKind.WINLESS_LOSER and isinstance(self.result.losers[source.index], Entrant):
            return Reason(
                "bye_nobody_came",
                gettext_noop("Bye: the loser of %(key)s had already won a match, and so does not enter here."),
                key,
            )
        return Reason("bye_after_void", gettext_noop("Bye: nobody comes here from %(key)s."), key)

    def _meet(self, index: int, node: Node, a: Sitter, b: Sitter, outcome: Outcome | None) -> Decided:
        why = self._why_bye_by_hand(node) or node.why or next(self.reasons)
        pairing = self._add(node, (a or node.waiting[0], b or node.waiting[1]), node.feeds, why)
        settled = settle(pairing, outcome)
        if settled and outcome and outcome.is_void:
            self.result.void.add(index)
            return BYE, BYE, False
        if settled:
            if node.bracket == MAIN:
                self.have_won.add(settled[0].id)
            return *settled, True
        if outcome:
            self.result.stale.append(node.key)
        return None, None, True if node.is_certain else None

    def _why_bye_by_hand(self, node: Node) -> Reason | None:
        """Return why the director gave a bye to one of these, if that is how they come here."""
        sources = [feed.index for feed in (node.a, node.b) if feed.origin is FeedKind.WINNER]
        return next((self.byes_by_hand[index] for index in sources if index in self.byes_by_hand), None)

    def _add(self, node: Node, seats: tuple[Seat, Seat], feeds: tuple[str, str], why: Reason) -> Pairing:
        length = self.lengths.of(node)
        pairing = Pairing(node.key, node.bracket, node.round, node.number, *seats, length, *feeds, why)
        self.result.pairings.append(pairing)
        return pairing

    def _track(self, index: int, node: Node, a: Sitter, b: Sitter) -> None:
        winner = self.result.winners[index]
        tracks = self.result.tracks[node.bracket]
        for sitter in (a, b):
            if isinstance(sitter, Entrant):
                tracks[sitter.id] = Track(
                    index, None if winner is None else sitter is winner, index in self.result.void
                )


class _Lengths:
    """The match length of each node, looked up once per round of a bracket."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.known: dict[tuple[str, int], int] = {}

    def of(self, node: Node) -> int:
        place = (node.lengths, node.to_final)
        if place not in self.known:
            self.known[place] = self.options.length(node.to_final, node.lengths)
        return self.known[place]
