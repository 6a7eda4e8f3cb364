"""Who sits on which line of a knockout, and why: at random or by seeds, with byes spread evenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rules.errors import gettext_noop
from tournament.formats.drawing import drawn_order
from tournament.formats.main_bracket import round_count, seeding_order, spread_byes
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw, Entrant, Reason

Match = tuple[Entrant, Entrant | None]
"""Two who meet in round 1; None for a bye."""


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
    """Everyone has a line, drawn with the seed of the draw; in a seeded draw the byes go where the options say."""
    byes_by_seed = draw.options.choice("byes") == "seeds"
    rng = Random(draw.seed)
    order = drawn_order(draw, rng)
    pairings = 2 ** (round_count(len(order)) - 1)
    seeded = draw.options.seeding is Seeding.SEEDED
    ranks = seeding_order(2 * pairings)[::2]
    if seeded and byes_by_seed:
        byes = [int(2 * pairings + 1 - rank > len(order)) for rank in ranks]
    else:
        byes = spread_byes(pairings, 2 * pairings - len(order), rng)
    matches = _by_rank(order, ranks, byes) if seeded else _in_turn(order, byes)
    reasons = [
        _why_seeded(a, b, len(order), 2 * pairings)
        if seeded and (b or byes_by_seed)
        else _why_drawn(b, number, len(order), 2 * pairings)
        for number, (a, b) in enumerate(matches, start=1)
    ]
    return FirstRound(tuple(line for match in matches for line in match), tuple(byes), tuple(reasons))


def _in_turn(order: Sequence[Entrant], byes: Sequence[int]) -> list[Match]:
    waiting = iter(order)
    return [(next(waiting), None if bye else next(waiting)) for bye in byes]


def _by_rank(order: Sequence[Entrant], ranks: Sequence[int], byes: Sequence[int]) -> list[Match]:
    """Each pairing has one of the best by its rank; the others come to those without a bye, the worst to the best."""
    others = iter(order[len(ranks) :])
    second: list[Entrant | None] = [None] * len(ranks)
    for number in sorted(range(len(ranks)), key=lambda number: -ranks[number]):
        if not byes[number]:
            second[number] = next(others)
    return [(order[rank - 1], other) for rank, other in zip(ranks, second, strict=True)]


def _why_drawn(b: Entrant | None, number: int, entrants: int, lines: int) -> Reason:
    line = 2 * number - 1
    if b is None:
        return Reason(
            "bye_drawn",
            gettext_noop(
                "Bye, drawn at random (line %(line)s of %(lines)s): %(entrants)s entrants do not fill all lines, and "
                "the empty ones are spread evenly."
            ),
            (("line", line), ("lines", lines), ("entrants", entrants)),
        )
    return Reason(
        "drawn",
        gettext_noop("Drawn at random: lines %(line)s and %(next)s of %(lines)s."),
        (("line", line), ("next", line + 1), ("lines", lines)),
    )


def _why_seeded(a: Entrant, b: Entrant | None, entrants: int, lines: int) -> Reason:
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
            gettext_noop("Bye for seed %(seed)s: %(entrants)s entrants on %(lines)s lines; the best seeds go free."),
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
            "Seed %(seed)s meets seed %(other)s: the best seeds meet the last, so that they meet each other late."
        ),
        (("seed", a.seed), ("other", b.seed)),
    )
