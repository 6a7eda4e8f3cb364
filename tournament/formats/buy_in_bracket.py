"""The buy-in bracket: its draw once buy-ins are closed, and its pairings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.formats.advance import Run
from tournament.formats.chance import chance_in
from tournament.formats.first_round import why_drawn
from tournament.formats.knockout import BUY_IN, FINAL, NOBODY, Feed, FeedKind, Graph
from tournament.formats.main_bracket import round_count, seeding_order, winners_meet
from tournament.formats.plan import Draw, Entrant, Reason

SCOPE = "buy-ins"

Match = tuple[Entrant, Entrant | None]
Met = set[frozenset[int]]


@dataclass(frozen=True, slots=True)
class BuyInBracket:
    """Round 1 of the buy-in bracket as drawn; None is a bye. ``left_out`` could only have met themselves.

    A single buy-in has won the bracket without a match: then there are no ``matches``, only ``alone``.
    """

    matches: tuple[Match, ...]
    reasons: tuple[Reason, ...] = ()
    notes: tuple[Reason, ...] = ()
    left_out: tuple[Entrant, ...] = ()
    alone: Entrant | None = None

    @property
    def lines(self) -> tuple[Entrant | None, ...]:
        """The lines of round 1 from top to bottom, two for each match."""
        return (self.alone,) if self.alone else tuple(line for match in self.matches for line in match)


def draw_buy_ins(draw: Draw, run: Run, buy_ins: Sequence[Entrant]) -> BuyInBracket | None:
    """Draw the buy-ins by lot; None without any.

    Then players change lines so that nobody meets themselves in round 1, and as few as can be meet their family or
    somebody whom their player met in the main bracket. Entries that could only meet themselves are left out, the last
    first. A published round stands as long as the same players are in it.
    """
    if published := _published(draw, buy_ins):
        return BuyInBracket(tuple(published), _reasons(published, published))
    met = _met(draw, run)
    order = list(buy_ins)
    if len(order) > 1:
        chance_in(draw, SCOPE, seeded=SCOPE).shuffle(order, lambda entrant: entrant.lot_name)
    left_out: list[Entrant] = []
    while len(order) > 1:
        drawn = _in_turn(order)
        matches = _apart(drawn, met)
        clash = next(((a, b) for a, b in matches if b and a.persons & b.persons), None)
        if clash is None:
            notes = tuple(_why_again(a, b) for a, b in matches if b and _has_met(a, b, met))
            return BuyInBracket(tuple(matches), _reasons(matches, drawn), notes, tuple(left_out))
        left_out.append(max(clash, key=lambda entrant: (entrant.number, entrant.id)))
        order.remove(left_out[-1])
    return BuyInBracket((), left_out=tuple(left_out), alone=order[0]) if order else None


def _published(draw: Draw, buy_ins: Sequence[Entrant]) -> list[Match]:
    """Return round 1 as published if it holds exactly these entrants; otherwise nothing."""
    known = {entrant.id: entrant for entrant in buy_ins}
    first = [line for line in draw.published if line.key.startswith(f"{BUY_IN}1-")]
    first.sort(key=lambda line: int(line.key.partition("-")[2]))
    if {side for line in first for side in (line.a, line.b) if side is not None} != known.keys():
        return []
    return [(known[line.a], None if line.b is None else known[line.b]) for line in first]


def _met(draw: Draw, run: Run) -> Met:
    """Return the pairs of persons who have met in the main bracket."""
    persons = {entrant.id: entrant.persons for entrant in draw.entrants}
    return {
        frozenset((one, other))
        for key, outcome in draw.outcomes.items()
        if key in run.graph.index and not outcome.is_void
        for one in persons[outcome.winner]
        for other in persons[outcome.loser]
    }


def _has_met(a: Entrant, b: Entrant, met: Met) -> bool:
    return any(frozenset((one, other)) in met for one in a.persons for other in b.persons)


def _in_turn(order: Sequence[Entrant]) -> list[Match]:
    """Give every entrant a line in this order, with byes as in a draw by seeds: in all halves, quarters ... alike."""
    pairings = 2 ** (round_count(len(order)) - 1)
    waiting = iter(order)
    return [
        (next(waiting), None if 2 * pairings + 1 - rank > len(order) else next(waiting))
        for rank in seeding_order(2 * pairings)[::2]
    ]


def _apart(drawn: Sequence[Match], met: Met) -> list[Match]:
    """Exchange players, from top to bottom, until no exchange of two makes round 1 better."""
    seats = [entrant for match in drawn for entrant in match]

    def cost(*lines: int) -> tuple[int, ...]:
        pairs = [(seats[first], seats[first + 1]) for first in {line - line % 2 for line in lines}]
        return tuple(map(sum, zip(*(_cost(a, b, met) for a, b in pairs), strict=True)))

    improved = True
    while improved:
        improved = False
        for line, other in ((line, other) for line in range(len(seats)) for other in range(len(seats))):
            if seats[line] is None or seats[other] is None or line // 2 == other // 2 or not any(cost(line)):
                continue
            before = cost(line, other)
            seats[line], seats[other] = seats[other], seats[line]
            if cost(line, other) < before:
                improved = True
            else:
                seats[line], seats[other] = seats[other], seats[line]
    return [(a, b) for a, b in zip(seats[::2], seats[1::2], strict=True) if a is not None]


def _cost(a: Entrant | None, b: Entrant | None, met: Met) -> tuple[int, int, int]:
    if a is None or b is None:
        return 0, 0, 0
    return bool(a.persons & b.persons), bool(a.family) and a.family == b.family, _has_met(a, b, met)


def _reasons(matches: Sequence[Match], drawn: Sequence[Match]) -> tuple[Reason, ...]:
    entrants = sum(1 + (b is not None) for _a, b in matches)
    return tuple(
        why_drawn(b, number, entrants, 2 * len(matches)) if match == before else _why_moved(is_bye=b is None)
        for number, (match, before) in enumerate(zip(matches, drawn, strict=True), start=1)
        for _a, b in (match,)
    )


def _why_moved(*, is_bye: bool) -> Reason:
    if is_bye:
        return Reason(
            "buy_in_bye_moved",
            gettext_noop("Bye: drawn at random for another player, then moved here to avoid a rematch in round 1."),
        )
    return Reason(
        "buy_in_moved",
        gettext_noop(
            "Drawn at random among those who bought in, then swapped with another line so that as few as possible meet "
            "again in round 1."
        ),
    )


def _why_again(a: Entrant, b: Entrant) -> Reason:
    return Reason(
        "buy_in_rematch",
        gettext_noop(
            "%(a)s and %(b)s meet again in round 1 of the buy-in bracket: with this field it cannot be avoided."
        ),
        (("a", a.name), ("b", b.name)),
    )


def add_buy_ins(graph: Graph, bracket: BuyInBracket, first: int, final: int, *, reunite: bool) -> None:
    """Add the buy-in bracket, whose lines are counted from ``first``, and the grand final if the two ``reunite``.

    ``final`` is the final of the main bracket.
    """
    feeds = [
        NOBODY if entrant is None else Feed(FeedKind.LINE, first + line) for line, entrant in enumerate(bracket.lines)
    ]
    rounds = round_count(len(feeds))
    for round in range(1, rounds + 1):
        nodes = []
        for number, (upper, lower) in enumerate(zip(feeds[::2], feeds[1::2], strict=True), start=1):
            if round == 1:
                why = bracket.reasons[number - 1]
            else:
                why = winners_meet(graph.nodes[upper.index], graph.nodes[lower.index])
            place, to_final = (round, number), rounds - round
            nodes.append(graph.add(BUY_IN, place, (upper, lower), why, to_final=to_final, lengths="buy_in_lengths"))
        feeds = [Feed(FeedKind.WINNER, node) for node in nodes]
    if reunite:
        why = Reason(
            "grand_final_of_buy_ins",
            gettext_noop("The grand final: the winner of the main bracket against the winner of the buy-in bracket."),
        )
        seats = (Feed(FeedKind.WINNER, final), feeds[0])
        graph.add(FINAL, (1, 1), seats, why, to_final=0, lengths="final_lengths")
