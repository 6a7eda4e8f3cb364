"""The standings of a season or series: the best results of each player, added up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A player's line: the place, or the first and the last of the places that are shared, and the points.

    ``counted`` and ``dropped`` are the places in the sequence of events of the results that count and do not.
    """

    player: int
    place: int
    place_to: int
    points: Decimal
    counted: tuple[int, ...]
    dropped: tuple[int, ...]


def series_standings(
    events: Sequence[Mapping[int, Decimal]], *, best: int | None = None, among: Collection[int] | None = None
) -> tuple[SeriesLine, ...]:
    """Return the standings after these events, given by what each player got for them, as first played.

    Only the ``best`` results of each player count; None counts all. Of equal results the earlier one counts. ``among``
    names those who take part in the series, None everybody. Players with equal points share their places, and stand
    in the order of their ids. Raises ValueError if not a single result may count.
    """
    if best is not None and best < 1:
        raise ValueError("At least one result of each player counts.")
    results: dict[int, list[tuple[Decimal, int]]] = {}
    for number, awards in enumerate(events):
        for player, points in awards.items():
            if among is None or player in among:
                results.setdefault(player, []).append((points, number))
    found = {}
    for player, own in results.items():
        own.sort(key=lambda result: (-result[0], result[1]))
        found[player] = (own[:best], own[len(own) if best is None else best :])
    totals = {player: sum((points for points, _ in kept), Decimal(0)) for player, (kept, _) in found.items()}
    lines: list[SeriesLine] = []
    for points, level in groupby(sorted(totals, key=lambda player: (-totals[player], player)), key=totals.__getitem__):
        players, place = list(level), len(lines) + 1
        for player in players:
            kept, rest = (tuple(sorted(number for _, number in part)) for part in found[player])
            lines.append(SeriesLine(player, place, place + len(players) - 1, points, kept, rest))
    return tuple(lines)


def qualifiers(standings: Sequence[SeriesLine], seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return who has one of the seats for certain, and who share the last ones and must still be separated."""
    certain = tuple(line.player for line in standings if line.place_to <= seats)
    level = tuple(line.player for line in standings if line.place <= seats < line.place_to)
    return certain, level
