"""Master Points of the USBGF."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from players.parameters import Parameter, ParameterKind
from players.points.system import PlayedEvent, PointSystem, decimals_parameter, exact, mean_of_places, points_parameter
from rules.errors import gettext_noop


def rank_factor(place: int) -> Fraction:
    """Return the factor of a place: 1, 0.7, and from third place 1 / (place - 1)."""
    match place:
        case 1:
            return Fraction(1)
        case 2:
            return Fraction(7, 10)
    return Fraction(1, place - 1)


@dataclass(frozen=True)
class MasterPoints(PointSystem):
    """A match won gives a third of the square root of its length. A designated place gives ``placement`` times the
    binary logarithm of the number of players, times the factor of the place.

    Both count times the weight of the event, which is 1 for the main event of the tour, and that of the division.
    """

    slug: ClassVar[str] = "usbgf-master"
    name: ClassVar[str] = gettext_noop("USBGF Master Points")
    description: ClassVar[str] = gettext_noop("For each match won, and for the places with points.")
    source: ClassVar[str] = "usbgf.org, How USBGF Master Points are Calculated, 2019"
    verified: ClassVar[bool] = True
    counts_wins: ClassVar[bool] = True
    asks: ClassVar[frozenset[str]] = frozenset({"division", "weight", "designated"})
    parameters: ClassVar[tuple[Parameter, ...]] = (
        points_parameter(
            "divisions",
            gettext_noop("Weight of each division"),
            (1.0, 0.7, 0.5),
            gettext_noop("The strongest first; the last holds for all further ones."),
        ),
        Parameter(
            "placement",
            ParameterKind.DECIMAL,
            gettext_noop("Weight of places"),
            0.6,
            gettext_noop("0.6 since 2019, before that 1."),
            most=100,
        ),
        decimals_parameter(2),
    )

    divisions: tuple[float, ...] = (1.0, 0.7, 0.5)
    placement: float = 0.6

    def points(self, event: PlayedEvent) -> dict[int, Fraction]:
        def factor(place: int) -> Fraction:
            return rank_factor(place) if event.counts(place) else Fraction(0)

        weight = event.weight * exact(self.divisions[min(event.division, len(self.divisions)) - 1])
        size = exact(self.placement) * Fraction(math.log2(event.players))
        return {
            finish.player: weight
            * (
                sum((Fraction(math.sqrt(win.length)) / 3 for win in finish.wins), Fraction(0))
                + size * mean_of_places(finish, factor)
            )
            for finish in event.finishes
        }
