"""Points by place, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from players.parameters import Parameter, ParameterKind
from players.points.system import (
    Finish,
    PlayedEvent,
    PointSystem,
    at_place,
    decimals_parameter,
    exact,
    mean_of_places,
    points_parameter,
)
from rules.errors import gettext_noop

SHARED: tuple[tuple[str, str], ...] = (
    ("mean", gettext_noop("share the points of these places equally")),
    ("first", gettext_noop("each get the points of the first of them")),
    ("last", gettext_noop("each get the points of the last of them")),
)
SHARED_PARAMETER = Parameter(
    "shared", ParameterKind.CHOICE, gettext_noop("Players who share places"), "mean", choices=SHARED
)


@dataclass(frozen=True)
class PlacePoints(PointSystem):
    """Each place has its points, times the weight of the event; everybody gets ``taking_part`` besides."""

    slug: ClassVar[str] = "places"
    name: ClassVar[str] = gettext_noop("Points by place, own table")
    description: ClassVar[str] = gettext_noop("Each place has its points.")
    source: ClassVar[str] = ""
    verified: ClassVar[bool] = False
    asks: ClassVar[frozenset[str]] = frozenset({"weight", "designated"})
    parameters: ClassVar[tuple[Parameter, ...]] = (
        points_parameter("table", gettext_noop("Points, first place first"), (10.0, 6.0, 4.0, 4.0)),
        Parameter(
            "taking_part", ParameterKind.DECIMAL, gettext_noop("Points for taking part"), 0.0, least=0, most=1_000_000
        ),
        SHARED_PARAMETER,
        decimals_parameter(2),
    )

    table: tuple[float, ...] = (10.0, 6.0, 4.0, 4.0)
    taking_part: float = 0.0
    shared: str = "mean"

    def points(self, event: PlayedEvent) -> dict[int, Fraction]:
        def value(place: int) -> Fraction:
            return at_place(self.table, place) if event.counts(place) else Fraction(0)

        def of(finish: Finish) -> Fraction:
            match self.shared:
                case "first":
                    return value(finish.place)
                case "last":
                    return value(finish.place_to)
            return mean_of_places(finish, value)

        own = exact(self.taking_part)
        return {finish.player: event.weight * (own + of(finish)) for finish in event.finishes}
