"""Crossing: how those who come from groups are seeded, so that the same group meets again as late as possible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.groups import group_letters
from tournament.formats.knockout import MAIN
from tournament.formats.main_bracket import round_count, seeding_order
from tournament.formats.matching import Costs, Edge, cheapest_matching
from tournament.formats.options import Options, Seeding
from tournament.formats.plan import Draw, Entrant, Seat

Qualifier = tuple[int, int]
"""The index of a group and the place there, both from 0: (1, 0) won group B."""


@lru_cache(maxsize=64)
def seed_across(places: tuple[tuple[int, ...], ...]) -> tuple[Qualifier, ...]:
    """Return who gets seed 1, 2, ...; ``places`` has for each place the groups from which somebody in it goes on.

    The winners come first, group by group, then the second places, and so on. Within a place those meetings of one
    group that come first in a bracket of these seeds are fewest, then those that come next; where that leaves a choice,
    neighbouring groups cross: A1 meets B2, and B1 meets A2.
    """
    count = sum(map(len, places))
    order = seeding_order(2 ** round_count(count)) if count > 1 else [1]
    line_of = {seed: line for line, seed in enumerate(order)}
    seeded: list[Qualifier] = []
    for place, groups in enumerate(places):
        chosen = _assign(groups, seeded, line_of) if place else groups
        seeded += [(group, place) for group in chosen]
    return tuple(seeded)


def _assign(groups: Sequence[int], seeded: Sequence[Qualifier], line_of: dict[int, int]) -> Sequence[int]:
    """Return the groups in the order of the next seeds, as the cheapest matching of both."""
    size, rounds = len(groups), round_count(len(line_of))
    at = {line_of[seed]: group for seed, (group, _place) in enumerate(seeded, start=1)}
    lines_of: dict[int, list[int]] = {}
    for line, group in at.items():
        lines_of.setdefault(group, []).append(line)
    edges: list[Edge] = []
    for number in range(size):
        line = line_of[len(seeded) + number + 1]
        neighbour = at.get(line ^ 1)
        for index, group in enumerate(groups):
            meetings = [(line ^ other).bit_length() for other in lines_of.get(group, ())]
            costs: Costs = (
                *(meetings.count(round) for round in range(1, rounds)),
                int(neighbour is not None and neighbour ^ 1 != group),
                abs(number - (size - 1 - index)),
            )
            edges.append((number, size + index, costs))
    pairs, _left = cheapest_matching(2 * size, edges, [size] * (rounds + 1))
    return [groups[index - size] for _number, index in sorted(pairs)]


def name_of(qualifier: Qualifier) -> str:
    """Return A1 for the winner of group A, B2 for the second of group B, and so on."""
    group, place = qualifier
    return f"{group_letters(group)}{place + 1}"


def crossing(format: Format, options: Options, groups: int, count: int) -> tuple[tuple[str, str], ...]:
    """Return who meets whom in round 1, as A1 and B2, if ``count`` from each group go on; a bye is an empty name.

    Empty where the lots or a format other than a knockout decide, and where the field does not fit the format.
    """
    if groups < 2 or options.seeding is not Seeding.SEEDED or options.own.get("byes", "seeds") != "seeds":
        return ()
    seeded = seed_across((tuple(range(groups)),) * count)
    field = tuple(Entrant(seed, name_of(one), seed=seed) for seed, one in enumerate(seeded, start=1))
    try:
        pairings = format.plan(Draw(field, options)).pairings
    except PlanError:
        return ()
    first = (pairing for pairing in pairings if (pairing.bracket, pairing.round) == (MAIN, 1))
    return tuple((_name(pairing.a), _name(pairing.b)) for pairing in first)


def _name(seat: Seat) -> str:
    return seat.name if isinstance(seat, Entrant) else ""
