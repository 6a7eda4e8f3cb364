"""Points of the American Backgammon Tour."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from players.parameters import Parameter
from players.points.system import (
    PlayedEvent,
    PointSystem,
    at_place,
    decimals_parameter,
    exact,
    mean_of_places,
    points_parameter,
)
from rules.errors import gettext_noop


@dataclass(frozen=True)
class Abt(PointSystem):
    """Those who place share as many points as the division has players, times the factor of the division.

    The pool, the factors of the divisions and that first place gets twice as much as second are published. The shares
    of further places could not be read, so those here are ours; the director designates which places count.
    """

    slug: ClassVar[str] = "abt"
    name: ClassVar[str] = gettext_noop("American Backgammon Tour")
    description: ClassVar[str] = gettext_noop("Those who place share as many points as there are players.")
    source: ClassVar[str] = "usbgf.org, How ABT Points are Calculated, 2025; chicagopoint.com/abtmod.html"
    verified: ClassVar[bool] = False
    asks: ClassVar[frozenset[str]] = frozenset({"division", "weight", "designated"})
    parameters: ClassVar[tuple[Parameter, ...]] = (
        points_parameter(
            "divisions",
            gettext_noop("Factor of each division"),
            (1.0, 0.5, 0.25),
            gettext_noop("The strongest first; the last holds for all further ones."),
        ),
        points_parameter("shares", gettext_noop("Shares, first place first"), (8.0, 4.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0)),
        decimals_parameter(2),
    )

    divisions: tuple[float, ...] = (1.0, 0.5, 0.25)
    shares: tuple[float, ...] = (8.0, 4.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0)

    def points(self, event: PlayedEvent) -> dict[int, Fraction]:
        def share(place: int) -> Fraction:
            return at_place(self.shares, place) if event.counts(place) else Fraction(0)

        factor = exact(self.divisions[min(event.division, len(self.divisions)) - 1])
        shares = {finish.player: mean_of_places(finish, share) for finish in event.finishes}
        whole = sum(shares.values(), Fraction(0))
        pool = event.players * factor * event.weight
        return {player: pool * own / whole if whole else Fraction(0) for player, own in shares.items()}
