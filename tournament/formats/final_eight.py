"""The draw of a final eight: everyone from the main bracket meets somebody who came through the consolation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from rules.errors import gettext_noop
from tournament.formats.advance import Run, Sitter
from tournament.formats.chance import chance_in
from tournament.formats.knockout import BYE, FINAL_EIGHT, Feed, FeedKind
from tournament.formats.plan import Draw, Entrant, Reason

SCOPE = "final eight"

Sat = tuple[Feed, Sitter]
"""A seat of the final eight and who comes to it; nobody after a void match."""


@dataclass(frozen=True, slots=True)
class FinalEight:
    """The first round of the final eight as drawn; ``notes`` are the rematches that could not be avoided."""

    seats: list[tuple[Feed, Feed]]
    reasons: list[Reason]
    notes: tuple[Reason, ...]


def draw_final_eight(draw: Draw, run: Run, main: Sequence[Feed], fallen: Sequence[Feed]) -> FinalEight | None:
    """Draw the first round of the final eight; None until all who reach it are known.

    Lots put each side in order. Then those from the consolation are the opponents of those from the main bracket, in
    the first order in which no player meets themselves, as few as possible meet again, and families stay apart. A
    published round stands as long as the same eight are in it.
    """
    sides = [[(feed, _sitter(run, feed)) for feed in feeds] for feeds in (main, fallen)]
    if any(sitter is None for side in sides for _feed, sitter in side):
        return None
    chance = chance_in(draw, SCOPE, seeded=SCOPE)
    for side in sides:
        chance.shuffle(side, lambda sat: _lot_name(run, sat))
    upper, lower = sides
    met = {pairing.entrant_ids for pairing in run.pairings if pairing.key in draw.outcomes}
    pairs = _published(draw, sides) or _apart(upper, lower, met)
    is_moved = [other for _one, other in pairs] != lower
    return FinalEight(
        seats=[(one[0], other[0]) for one, other in pairs],
        reasons=[_why(run, one, other, met, is_moved=is_moved) for one, other in pairs],
        notes=tuple(_why_again(one[1], other[1]) for one, other in pairs if _ids(one, other) in met),
    )


def _sitter(run: Run, feed: Feed) -> Sitter:
    return (run.winners if feed.origin is FeedKind.WINNER else run.losers)[feed.index]


def _lot_name(run: Run, sat: Sat) -> str:
    feed, sitter = sat
    return sitter.lot_name if isinstance(sitter, Entrant) else f"nobody from {run.graph.nodes[feed.index].key}"


def _ids(one: Sat, other: Sat) -> frozenset[int]:
    return frozenset(sitter.id for _feed, sitter in (one, other) if isinstance(sitter, Entrant))


def _published(draw: Draw, sides: Sequence[Sequence[Sat]]) -> list[tuple[Sat, Sat]]:
    """Return the published round if it holds all who reach the final eight now; otherwise nothing."""
    first = sorted((one for one in draw.published if one.key.startswith(f"{FINAL_EIGHT}1-")), key=lambda one: one.key)
    upper, lower = ({sat[1].id: sat for sat in side if isinstance(sat[1], Entrant)} for side in sides)
    stands = len(first) == len(upper) == len(lower) == len(sides[0])
    if not stands or any(one.a not in upper or one.b not in lower for one in first):
        return []
    return [(upper[one.a], lower[one.b]) for one in first if one.b is not None]


def _apart(upper: Sequence[Sat], lower: Sequence[Sat], met: set[frozenset[int]]) -> list[tuple[Sat, Sat]]:
    def cost(order: Iterable[Sat]) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(_cost(*pair, met) for pair in zip(upper, order, strict=True)), strict=True)))

    return list(zip(upper, min(permutations(lower), key=cost), strict=True))


def _cost(one: Sat, other: Sat, met: set[frozenset[int]]) -> tuple[int, ...]:
    """Return what is wrong with the pairing: a player against themselves, nobody there, a rematch, one family."""
    a, b = one[1], other[1]
    if not isinstance(a, Entrant) or not isinstance(b, Entrant):
        return 0, int(a is BYE and b is BYE), 0, 0
    return bool(a.persons & b.persons), 0, _ids(one, other) in met, bool(a.family) and a.family == b.family


def _why(run: Run, one: Sat, other: Sat, met: set[frozenset[int]], *, is_moved: bool) -> Reason:
    if _ids(one, other) in met:
        return _why_again(one[1], other[1])
    keys = tuple((name, run.graph.nodes[sat[0].index].key) for name, sat in (("upper", one), ("lower", other)))
    if is_moved:
        return Reason(
            "eight_drawn_apart",
            gettext_noop(
                "Final eight, drawn by lot once all eight were known, and then arranged so that as few as possible "
                "meet again: one of the last four of the main bracket (%(upper)s) meets one of the last four of the "
                "consolation (%(lower)s)."
            ),
            keys,
        )
    return Reason(
        "eight_drawn",
        gettext_noop(
            "Final eight, drawn by lot once all eight were known: one of the last four of the main bracket (%(upper)s) "
            "meets one of the last four of the consolation (%(lower)s)."
        ),
        keys,
    )


def _why_again(one: Sitter, other: Sitter) -> Reason:
    names = [sitter.name if isinstance(sitter, Entrant) else "" for sitter in (one, other)]
    return Reason(
        "eight_meet_again",
        gettext_noop(
            "%(a)s and %(b)s meet again in the first round of the final eight: with these eight it cannot be avoided."
        ),
        (("a", names[0]), ("b", names[1])),
    )
