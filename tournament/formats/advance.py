"""A single pass that advances a knockout graph, seating every entrant where the outcomes take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from rules.errors import gettext_noop
from tournament.formats.drawing import check_outcome_keys, settle
from tournament.formats.errors import PlanError
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
    ``at`` are their pairings, None for those that nobody reaches.
    ``void`` are the nodes that nobody comes out of, because neither side came to the match; they do not count as
    played. ``tracks`` are the entrants of each bracket, by id.
    """

    graph: Graph
    at: list[Pairing | None]
    winners: list[Sitter]
    losers: list[Sitter]
    played: list[bool | None]
    tracks: dict[str, dict[int, Track]]
    stale: list[str] = field(default_factory=list)
    void: set[int] = field(default_factory=set)

    @property
    def pairings(self) -> list[Pairing]:
        """The pairings that should exist, in the order of the nodes."""
        return [pairing for pairing in self.at if pairing is not None]

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
    return advance_to_follow(graph, lines, reasons, draw).result


def advance_to_follow(
    graph: Graph,
    lines: Sequence[Entrant | None],
    reasons: Iterable[Reason],
    draw: Draw,
    notes: tuple[Reason, ...] = (),
) -> Advanced:
    """Do the same as :func:`advance`; :func:`follow` takes what is returned further, its ``result`` is the run.

    ``notes`` are those of its plan, which follow from the draw alone.
    """
    check_outcome_keys(draw.outcomes, graph.index)
    advanced = Advanced(graph, lines, iter(reasons), draw, notes)
    advanced.run()
    return advanced


def follow(before: Advanced, key: str, outcome: Outcome) -> tuple[Advanced, tuple[Pairing, ...]] | None:
    """Return the knockout after one more outcome, and the pairings that changed: as :func:`advance` would plan them.

    Only what follows from the outcome is decided again. None where more may change than that: a pairing that was
    decided before or that falls away, a void match, losers who are placed round by round.
    """
    run, graph = before.result, before.graph
    index = graph.index.get(key)
    if index is None or key in before.outcomes or outcome.is_void or run.stale or graph.places_losers:
        return None
    after = before.with_outcomes({**before.outcomes, key: outcome})
    later, changed, due = after.result, [], [index]
    while due:
        index = heappop(due)
        decided = later.winners[index], later.losers[index]
        after.decide(index, graph.nodes[index])
        pairing = later.at[index]
        if pairing is None and run.at[index] is not None:
            return None
        if pairing is not None and pairing != run.at[index]:
            changed.append(pairing)
        if (later.winners[index], later.losers[index]) != decided:
            for follower in set(graph.followers[index]).difference(due):
                heappush(due, follower)
    return None if later.stale else (after, tuple(changed))


def retrace(before: Advanced, outcomes: Mapping[str, Outcome]) -> Advanced | None:
    """Return the knockout by these outcomes instead of its own, as :func:`advance` would plan it.

    Only what follows from those that differ is decided again; where none does, it is ``before``. None where only a
    whole plan tells: if losers are placed round by round, or come only if they have not won, and for outcomes that do
    not belong to this draw.
    """
    graph = before.graph
    differing = {key for key in before.outcomes.keys() | outcomes if before.outcomes.get(key) != outcomes.get(key)}
    if not differing:
        return before
    if graph.places_losers or graph.asks_for_wins or not before.admits(outcomes.get(key) for key in differing):
        return None
    if not differing <= graph.index.keys():
        return None
    after = before.with_outcomes(outcomes)
    try:
        after.decide_again(sorted(graph.index[key] for key in differing))
    except PlanError:
        return None
    return after


class Advanced:
    """A graph that is advanced node by node; ``result`` does not refer back, so that nothing has to be collected."""

    def __init__(
        self,
        graph: Graph,
        lines: Sequence[Entrant | None],
        reasons: Iterator[Reason],
        draw: Draw,
        notes: tuple[Reason, ...] = (),
    ) -> None:
        self.graph = graph
        self.lines = lines
        self.reasons = reasons
        self.draw = draw
        self.notes = notes
        self.outcomes = draw.outcomes
        self.lengths = _Lengths(draw.options)
        count = len(graph.nodes)
        tracks: dict[str, dict[int, Track]] = {node.bracket: {} for node in graph.nodes}
        self.result = Run(graph, [None] * count, [None] * count, [None] * count, [None] * count, tracks)
        self.have_won: set[int] = set()
        self.byes_by_hand: dict[int, Reason] = {}
        self.drawn_why: dict[int, Reason] = {}

    def run(self) -> None:
        """Decide every node in turn."""
        placing = PlacedLosers(self.result, self.draw) if self.graph.places_losers else None
        for index, node in enumerate(self.graph.nodes):
            self.decide(index, node if placing is None else placing.node(index, node))

    def with_outcomes(self, outcomes: Mapping[str, Outcome]) -> Advanced:
        """Return a copy that has these outcomes, with nothing decided by them yet."""
        later, before = copy(self), self.result
        later.outcomes = outcomes
        later.have_won = set(self.have_won)
        later.result = Run(
            self.graph,
            list(before.at),
            list(before.winners),
            list(before.losers),
            list(before.played),
            {bracket: dict(tracks) for bracket, tracks in before.tracks.items()},
            list(before.stale),
            set(before.void),
        )
        return later

    def admits(self, outcomes: Iterable[Outcome | None]) -> bool:
        """Whether each outcome is one of two entrants of this draw, with a winner or void."""
        ids = {entrant.id for entrant in self.draw.entrants}
        return all(
            one is None or (one.winner != one.loser and not one.is_drawn and {one.winner, one.loser} <= ids)
            for one in outcomes
        )

    def decide_again(self, due: list[int]) -> None:
        """Decide these nodes, in their order, and all that follows where they are decided differently."""
        result, stale = self.result, set(self.result.stale)
        result.stale.clear()
        while due:
            index = heappop(due)
            node = self.graph.nodes[index]
            decided = result.winners[index], result.losers[index], result.played[index]
            result.void.discard(index)
            stale.discard(node.key)
            self.decide(index, node)
            if (result.winners[index], result.losers[index], result.played[index]) != decided:
                for follower in set(self.graph.followers[index]).difference(due):
                    heappush(due, follower)
        result.stale[:] = sorted(stale.union(result.stale), key=self.graph.index.__getitem__)
        self._track_again()

    def _track_again(self) -> None:
        for tracks in self.result.tracks.values():
            tracks.clear()
        for index, node in enumerate(self.graph.nodes):
            pairing = self.result.at[index]
            if pairing is not None:
                self._track(index, node, pairing.a, pairing.b)
            elif node.recharge is not None:
                self._track(index, node, self._sitter(node.a), self._sitter(node.b))

    def decide(self, index: int, node: Node) -> None:
        """Decide who sits and who wins in this node; those that feed it must have been decided."""
        result = self.result
        a, b = self._sitter(node.a), self._sitter(node.b)
        outcome = self.outcomes.get(node.key)
        result.at[index] = None
        if (a is BYE and b is BYE) or self._is_not_needed(node):
            decided = self._skip(node, outcome)
        elif b is BYE:
            decided = self._pass(index, node, a, 0, outcome)
        elif a is BYE:
            decided = self._pass(index, node, b, 1, outcome)
        else:
            decided = self._meet(index, node, a, b, outcome)
        result.winners[index], result.losers[index], result.played[index] = decided
        self._track(index, node, a, b)

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

    def _why(self, index: int, node: Node) -> Reason:
        """Return why these two meet: the node's own reason, or that of the draw."""
        if node.why is None and index not in self.drawn_why:
            self.drawn_why[index] = next(self.reasons)
        return node.why or self.drawn_why[index]

    def _pass(self, index: int, node: Node, free: Sitter, side: int, outcome: Outcome | None) -> Decided:
        why = self._why(index, node)
        if not node.is_bye:
            why = self._why_nobody_came(node.a if side else node.b)
        elif why.code == BY_HAND:
            self.byes_by_hand[index] = why
        pairing = self._add(index, node, (free or node.waiting[side], BYE), (node.feeds[side], "bye"), why)
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
        why = self._why_bye_by_hand(node) or self._why(index, node)
        pairing = self._add(index, node, (a or node.waiting[0], b or node.waiting[1]), node.feeds, why)
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

    def _add(self, index: int, node: Node, seats: tuple[Seat, Seat], feeds: tuple[str, str], why: Reason) -> Pairing:
        length = self.lengths.of(node)
        pairing = Pairing(node.key, node.bracket, node.round, node.number, *seats, length, *feeds, why)
        self.result.at[index] = pairing
        return pairing

    def _track(self, index: int, node: Node, a: Seat | None, b: Seat | None) -> None:
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
