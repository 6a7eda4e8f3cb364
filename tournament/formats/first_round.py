"""The lines of a knockout, drawn at random or by seeding with byes spread evenly, and the reasons for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.errors import gettext_noop
from tournament.formats.chance import Source, chance_of, source_in
from tournament.formats.drawing import drawn_order
from tournament.formats.errors import PlanError
from tournament.formats.hand import pair_meets_itself, reason_of, swap_seats
from tournament.formats.lots import DRAW
from tournament.formats.main_bracket import round_count, seeding_order, spread_byes
from tournament.formats.options import Options, Seeding
from tournament.formats.plan import Draw, Entrant, Reason
from tournament.formats.protection import Match, keep_apart, meetings_of


@dataclass(frozen=True, slots=True)
class FirstRound:
    """The pairings of round 1.

    ``lines`` are two for each, from top to bottom; the second is None for a bye, and then ``byes`` has a 1. ``notes``
    are the meetings that could not be avoided.
    """

    lines: tuple[Entrant | None, ...]
    byes: tuple[int, ...]
    reasons: tuple[Reason, ...]
    notes: tuple[Reason, ...] = ()


def draw_first_round(draw: Draw) -> FirstRound:
    """Give every entrant a line, drawn by lot; in a seeded draw the options decide where the byes go.

    Those whom the options protect are kept apart. Late entries are not drawn: each takes the bye that is theirs, and
    nobody else changes lines for it. The director's swaps come last. Raises PlanError where two entries of one player
    have to meet, and if a bye that somebody took does not exist.
    """
    options = draw.options
    entrants = tuple(sorted(draw.entrants, key=lambda entrant: entrant.id))
    first = draw_lines(
        tuple(entrant for entrant in entrants if not entrant.bye_taken),
        options.seeding,
        options.choice("byes") == "seeds",
        options.choice("protect"),
        source_in(draw, DRAW),
    )
    first = _seat_late(first, [entrant for entrant in entrants if entrant.bye_taken])
    return swap_by_hand(first, draw, options.choice("protect"))


def swap_by_hand(first: FirstRound, draw: Draw, protect: str) -> FirstRound:
    """Return the first round after the director's swaps: entrants change places, byes stay on their lines."""
    if not draw.moves:
        return first
    swapped = swap_seats(first.lines, draw.moves, pair_meets_itself)
    matches = list(zip(swapped.seats[::2], swapped.seats[1::2], strict=True))
    reasons = tuple(
        reason_of([entrant.id for entrant in match if entrant], swapped.causes) or drawn
        for match, drawn in zip(matches, first.reasons, strict=True)
    )
    notes = (*meetings_of([(a, b) for a, b in matches if a], protect), *swapped.notes)
    return FirstRound(swapped.seats, first.byes, reasons, notes)


def _seat_late(first: FirstRound, late: Sequence[Entrant]) -> FirstRound:
    if not late:
        return first
    lines, byes, reasons = list(first.lines), list(first.byes), list(first.reasons)
    for entrant in late:
        number = entrant.bye_taken
        if not (number <= len(byes) and byes[number - 1]):
            raise PlanError(
                "bye_not_there",
                gettext_noop("Pairing %(number)s of round 1 has no bye that %(name)s could take."),
                number=number,
                name=entrant.name,
            )
        lines[2 * number - 1] = entrant
        byes[number - 1] = 0
        reasons[number - 1] = Reason(
            "late_into_bye",
            gettext_noop(
                "%(name)s entered after the draw and took the bye on line %(line)s of %(lines)s, drawn by "
                "lot among the byes that were left; nobody else was moved."
            ),
            (("name", entrant.name), ("line", 2 * number), ("lines", len(lines))),
        )
    return FirstRound(tuple(lines), tuple(byes), tuple(reasons), first.notes)


@lru_cache(maxsize=32)
def draw_lines(
    entrants: tuple[Entrant, ...], seeding: Seeding, byes_by_seed: bool, protect: str, source: Source
) -> FirstRound:
    """Draw the lines of a field; the most recently drawn fields are cached."""
    seeded = seeding is Seeding.SEEDED
    chance = chance_of(source)
    order = drawn_order(Draw(entrants, Options((1,), seeding)), chance)
    pairings = 2 ** (round_count(len(order)) - 1)
    ranks = seeding_order(2 * pairings)[::2]
    if seeded and byes_by_seed:
        byes = [int(2 * pairings + 1 - rank > len(order)) for rank in ranks]
    else:
        byes = spread_byes(pairings, 2 * pairings - len(order), chance)
    drawn = pair_by_rank(order, ranks, byes) if seeded else _in_turn(order, byes)
    apart = keep_apart(drawn, protect, unseeded_move if seeded else _all_move, chance)
    reasons = [
        apart.reasons.get(number - 1)
        or (
            why_seeded(a, b, len(order), 2 * pairings)
            if seeded and (b or byes_by_seed)
            else why_drawn(b, number, len(order), 2 * pairings)
        )
        for number, (a, b) in enumerate(apart.matches, start=1)
    ]
    lines = tuple(line for match in apart.matches for line in match)
    return FirstRound(lines, tuple(byes), tuple(reasons), apart.notes)


def _all_move(entrant: Entrant) -> int | None:
    return 0


def unseeded_move(entrant: Entrant) -> int | None:
    """Return the group within which an entrant of a seeded draw may be swapped: the unseeded entrants form one."""
    return 0 if entrant.seed is None else None


def _in_turn(order: Sequence[Entrant], byes: Sequence[int]) -> list[Match]:
    waiting = iter(order)
    return [(next(waiting), None if bye else next(waiting)) for bye in byes]


def pair_by_rank(order: Sequence[Entrant], ranks: Sequence[int], byes: Sequence[int]) -> list[Match]:
    """Put one of the best in each pairing, by rank; those without a bye meet the others, the best against the worst."""
    others = iter(order[len(ranks) :])
    second: list[Entrant | None] = [None] * len(ranks)
    for number in sorted(range(len(ranks)), key=lambda number: -ranks[number]):
        if not byes[number]:
            second[number] = next(others)
    return [(order[rank - 1], other) for rank, other in zip(ranks, second, strict=True)]


def why_drawn(b: Entrant | None, number: int, entrants: int, lines: int) -> Reason:
    """Return the reason for pairing ``number`` of a random draw, where ``b`` is None for a bye."""
    line = 2 * number - 1
    if b is None:
        return Reason(
            "bye_drawn",
            gettext_noop(
                "Bye, drawn at random (line %(line)s of %(lines)s): %(entrants)s entrants do not fill all the lines, "
                "and the empty ones are spread evenly."
            ),
            (("line", line), ("lines", lines), ("entrants", entrants)),
        )
    return Reason(
        "drawn",
        gettext_noop("Drawn at random: lines %(line)s and %(next)s of %(lines)s."),
        (("line", line), ("next", line + 1), ("lines", lines)),
    )


def why_seeded(a: Entrant, b: Entrant | None, entrants: int, lines: int) -> Reason:
    """Return the reason for a pairing of a seeded draw, where ``b`` is None for a bye."""
    field = (("entrants", entrants), ("lines", lines))
    if b is None:
        if a.seed is None:
            return Reason(
                "bye_drawn_behind_seeds",
                gettext_noop(
                    "Bye, drawn at random among those without a seed: %(entrants)s entrants on %(lines)s lines leave "
                    "more byes than there are seeds."
                ),
                field,
            )
        return Reason(
            "bye_seeded",
            gettext_noop(
                "Bye for seed %(seed)s: %(entrants)s entrants on %(lines)s lines; the top seeds get the byes."
            ),
            (("seed", a.seed), *field),
        )
    if a.seed is None:
        return Reason("drawn_behind_seeds", gettext_noop("Neither is seeded: both were drawn at random."))
    if b.seed is None:
        return Reason(
            "seed_meets_unseeded",
            gettext_noop("Seed %(seed)s meets an opponent drawn at random among those without a seed."),
            (("seed", a.seed),),
        )
    return Reason(
        "seed_meets_seed",
        gettext_noop(
            "Seed %(seed)s meets seed %(other)s: the top seeds meet the lowest, so that the top seeds meet each "
            "other late."
        ),
        (("seed", a.seed), ("other", b.seed)),
    )
