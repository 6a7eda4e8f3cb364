"""Losers placed when a round is over: who of them enters the consolation where, so that repeats are fewest.

The losers of a main round have never met each other, so the repeats to expect from placing one of them do not depend
on where the others go: the placing that makes them fewest is found exactly, as the cheapest assignment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rules.errors import gettext_noop
from tournament.formats.assignment import cheapest_assignment
from tournament.formats.berths import EVERY_TIME, Berths, berths_of, follow_consolation, homes_of
from tournament.formats.chance import chance_in
from tournament.formats.knockout import BYE, CONSOLATION, MAIN, Feed, FeedKind, Node
from tournament.formats.plan import Draw, Entrant, LoserOf, Reason, Seat, feed_of

if TYPE_CHECKING:
    from tournament.formats.advance import Run

RANK = 1 << 64
"""What the first of two aims weighs against the next: more than a whole round of losers can add up to by it."""


class Newcomer(NamedTuple):
    """A loser to be placed, by what counts: the consolation pairings in which those whom they have ``met`` play next.

    ``near`` are the same for the others whom their conqueror has beaten. ``had_bye`` says that they had one before.
    """

    met: tuple[int, ...] = ()
    near: tuple[int, ...] = ()
    had_bye: bool = False


def place(berths: Berths, newcomers: Sequence[Newcomer], free: Sequence[int]) -> tuple[int, ...]:
    """Return the berth of each newcomer, one of the ``free``; their order decides between placings that are as good.

    First, as few as can be have a second bye. Then the repeats to expect are fewest if all matches still to be played
    are even. Then each is near the others whom their conqueror has beaten, so that later there is room for that player,
    who will have to be kept away from all of them.
    """
    taken = cheapest_assignment([_costs(berths, one, free) for one in newcomers])
    return tuple(free[column] for column in taken)


def _costs(berths: Berths, one: Newcomer, free: Sequence[int]) -> list[int]:
    met = _added(berths, one.met)
    near = _added(berths, one.near)
    bye = one.had_bye * RANK * RANK
    return [met[berth] * RANK - near[berth] + bye * berths.is_free[berth] for berth in free]


def _added(berths: Berths, nodes: Sequence[int]) -> Sequence[int]:
    """Return for each berth the chances to meet those who play next in ``nodes``, added up."""
    if not nodes:
        return [0] * len(berths.own)
    return [sum(chances) for chances in zip(*map(berths.chances, nodes), strict=True)]


class PlacedLosers:
    """The losers placed in a graph while it is advanced, round by round.

    The losers of a round are placed once it is over, and so are all rounds of the consolation before the first in which
    one of them sits: later results do not change the placing. Where play had begun when an earlier result was
    corrected, those who sit in published pairings stay there.
    """

    def __init__(self, run: Run, draw: Draw) -> None:
        self._run = run
        self._draw = draw
        self._nodes = run.graph.nodes
        self._due = berths_of(run.graph)
        self._homes = homes_of(run.graph)
        self._following = follow_consolation(run.graph)
        self._published = {line.key: line for line in draw.published}
        self._sources: dict[int, int] = {}
        self._reasons: dict[int, Reason] = {}
        self._new_homes: dict[int, int] = {}
        self._wins: dict[int, list[int]] = {}
        self._first_byes: dict[int, int] = {}

    def node(self, index: int, node: Node) -> Node:
        """Return ``node`` with the seats of those who have been placed; every node has to be asked for in turn."""
        for berths in self._due.get(index, ()):
            self._seat_losers(berths)
        placed = [feed.index for feed in (node.a, node.b) if self._is_placed(feed)]
        if not placed:
            return node
        (a, seat_a, text_a), (b, seat_b, text_b) = map(self._seat, (node.a, node.b), node.waiting, node.feeds)
        why = self._reasons[placed[-1]]
        return replace(node, a=a, b=b, waiting=(seat_a, seat_b), feeds=(text_a, text_b), why=why)

    def _is_placed(self, feed: Feed) -> bool:
        return feed.origin is FeedKind.PLACED and feed.index in self._sources

    def _seat(self, feed: Feed, waiting: Seat, text: str) -> tuple[Feed, Seat, str]:
        if not self._is_placed(feed):
            return feed, waiting, text
        source = self._sources[feed.index]
        seat = LoserOf(self._nodes[source].key)
        return Feed(FeedKind.LOSER, source), seat, feed_of(seat)

    def _seat_losers(self, berths: Berths) -> None:
        """Place the losers of the round, or, until all of them are known, only those who stay where they were."""
        held = self._held(berths)
        if not self._is_over(berths):
            self._take(berths, self._with_nobody(berths, held), _why_it_stands(berths))
            return
        newcomers = tuple(self._newcomer(source, berths.round) for source in berths.own)
        order = self._by_lot(berths)
        best, why = _place_rest(berths, newcomers, tuple(self._with_nobody(berths, {}).items()), order)
        if held.items() <= best.items():
            self._take(berths, best, why)
        else:
            taken, _why = _place_rest(berths, newcomers, tuple(self._with_nobody(berths, held).items()), order)
            self._take(berths, taken, _why_it_stands(berths))

    def _is_over(self, berths: Berths) -> bool:
        return not any(self._run.losers[source] is None for source in berths.own) and not any(
            self._run.winners[index] is None for index in berths.before
        )

    def _held(self, berths: Berths) -> dict[int, int]:
        """Return the losers of the round who sit in published pairings: their numbers, by berth."""
        numbers = {
            loser.id: number
            for number, source in enumerate(berths.own)
            if isinstance(loser := self._run.losers[source], Entrant)
        }
        held: dict[int, int] = {}
        for berth, seat in enumerate(berths.seats):
            node = self._nodes[seat]
            line = self._published.get(node.key)
            if line is None:
                continue
            side = line.a if node.a.index == berths.own[berth] else line.b
            # With nobody to meet, the player of the second seat is published as the first.
            sitting = numbers.get(line.a if side is None else side)
            if sitting is not None and sitting not in held.values():
                held[berth] = sitting
        return held

    def _with_nobody(self, berths: Berths, held: Mapping[int, int]) -> dict[int, int]:
        """Add to those who are ``held`` the void pairings: their berths of the fixed order, or the next, stay empty."""
        taken = dict(held)
        for number, source in enumerate(berths.own):
            if self._run.losers[source] is BYE:
                berth = number if number not in taken else min(set(range(len(berths.own))) - taken.keys())
                taken[berth] = number
        return taken

    def _newcomer(self, source: int, round: int) -> Newcomer:
        loser, winner = self._run.losers[source], self._run.winners[source]
        if not isinstance(loser, Entrant) or not isinstance(winner, Entrant):
            return Newcomer()
        self._read_main()
        return Newcomer(
            met=self._where(loser.id, round),
            near=self._where(winner.id, round),
            had_bye=self._first_byes.get(loser.id, round) < round,
        )

    def _read_main(self) -> None:
        """Read once who has beaten whom in the main bracket, and in which round anybody first had a bye there."""
        if self._wins:
            return
        for index, node in enumerate(self._nodes):
            winner = self._run.winners[index] if node.bracket == MAIN else None
            if isinstance(winner, Entrant) and self._run.played[index]:
                self._wins.setdefault(winner.id, []).append(index)
            elif isinstance(winner, Entrant):
                self._first_byes.setdefault(winner.id, node.round)

    def _where(self, entrant: int, round: int) -> tuple[int, ...]:
        """Return where those whom the entrant has beaten before ``round`` play next, leaving out those who are out."""
        beaten = (source for source in self._wins.get(entrant, ()) if self._nodes[source].round < round)
        return tuple(node for source in beaten if (node := self._next(source)) is not None)

    def _next(self, source: int) -> int | None:
        """Return the consolation pairing in which the loser of a main pairing plays next; None if they are out."""
        loser = self._run.losers[source]
        track = self._run.tracks[CONSOLATION].get(loser.id) if isinstance(loser, Entrant) else None
        if track is None:
            return self._new_homes.get(source, self._homes.get(source)) if isinstance(loser, Entrant) else None
        if track.won is None:
            return track.node
        return self._following.get(track.node) if track.won else None

    def _by_lot(self, berths: Berths) -> tuple[int, ...]:
        """Return the numbers of the losers in an order drawn by lot, which decides between equally good placings."""
        coming = [
            (number, loser)
            for number, source in enumerate(berths.own)
            if isinstance(loser := self._run.losers[source], Entrant)
        ]
        if len(coming) > 1:
            scope = f"placing {berths.round}"
            chance_in(self._draw, scope, seeded=scope).shuffle(coming, lambda one: one[1].lot_name)
        return tuple(number for number, _loser in coming)

    def _take(self, berths: Berths, taken: Mapping[int, int], why: Reason) -> None:
        for berth, number in taken.items():
            source, seat = berths.own[number], berths.seats[berth]
            self._sources[berths.own[berth]] = source
            self._reasons[berths.own[berth]] = _why_bye(berths) if berths.is_free[berth] else why
            self._new_homes[source] = seat


@lru_cache(maxsize=256)
def _place_rest(
    berths: Berths, newcomers: tuple[Newcomer, ...], taken: tuple[tuple[int, int], ...], order: tuple[int, ...]
) -> tuple[Mapping[int, int], Reason]:
    """Add to the berths that are ``taken`` those of the other newcomers: the number of each, by berth; and say why.

    The last answers are cached: they stay the same while later results come in.
    """
    found = dict(taken)
    rest = [number for number in order if number not in found.values()]
    free = [berth for berth in range(len(newcomers)) if berth not in found]
    found.update(zip(place(berths, [newcomers[number] for number in rest], free), rest, strict=True))
    return found, _why_placed(berths, newcomers, found)


def why_placed_later(round: int) -> Reason:
    """Return the reason for a pairing whose loser of main round ``round`` is not known yet."""
    return Reason(
        "placed_later",
        gettext_noop(
            "A loser of round %(round)s of the main bracket comes here. All of them are placed together, so that "
            "rematches are fewest, once that round is over and so are the rounds of the consolation before this one."
        ),
        (("round", round),),
    )


def _why_placed(berths: Berths, newcomers: Sequence[Newcomer], taken: Mapping[int, int]) -> Reason:
    repeats = sum(berths.repeats(berth, newcomers[number].met) for berth, number in taken.items())
    in_fixed_order = sum(berths.repeats(berth, one.met) for berth, one in enumerate(newcomers))
    return Reason(
        "placed",
        gettext_noop(
            "Placed when round %(round)s of the main bracket was over: of all ways to place its losers, this one leads "
            "to the fewest rematches in the rest of the consolation if all matches are even, %(rematches)s in 100 "
            "events. In the usual fixed order it would be %(fixed)s."
        ),
        (("round", berths.round), ("rematches", _in_a_hundred(repeats)), ("fixed", _in_a_hundred(in_fixed_order))),
    )


def _in_a_hundred(chance: int) -> int:
    return (100 * chance + EVERY_TIME // 2) // EVERY_TIME


def _why_bye(berths: Berths) -> Reason:
    return Reason(
        "bye_placed",
        gettext_noop(
            "Bye: those who enter here do not fill all the lines. It was given when the losers of round %(round)s of "
            "the main bracket were placed: first so that as few as can be have a second bye, then so that rematches "
            "are fewest."
        ),
        (("round", berths.round),),
    )


def _why_it_stands(berths: Berths) -> Reason:
    return Reason(
        "placed_stands",
        gettext_noop(
            "Play in this round of the consolation had begun when a result before it was corrected. So the losers of "
            "round %(round)s of the main bracket stay where they were placed, and only those whom the correction moved "
            "were placed again."
        ),
        (("round", berths.round),),
    )
