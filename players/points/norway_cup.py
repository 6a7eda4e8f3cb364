"""Points of the Norway Cup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from players.parameters import Parameter
from players.points.places import SHARED_PARAMETER, PlacePoints
from players.points.system import decimals_parameter, points_parameter
from rules.errors import gettext_noop

TABLE = (32.0, 22.0, 14.0, 14.0, 8.0, 8.0, 8.0, 8.0, *(4.0,) * 8)


@dataclass(frozen=True)
class NorwayCup(PlacePoints):
    """Points by place over a calendar year; the first 16 of a class (the first 8 of the beginners) play a final.

    That much is in the rules of the federation. The numbers of its table could not be read, so those here are ours.
    """

    slug: ClassVar[str] = "norway-cup"
    name: ClassVar[str] = gettext_noop("Norway Cup")
    description: ClassVar[str] = gettext_noop(
        "Points by place over a calendar year. The table shown is an example: enter that of the season."
    )
    source: ClassVar[str] = "nbgf.no, Norway Cup Rules 2024"
    verified: ClassVar[bool] = False
    parameters: ClassVar[tuple[Parameter, ...]] = (
        points_parameter("table", gettext_noop("Points, first place first"), TABLE),
        SHARED_PARAMETER,
        decimals_parameter(2),
    )

    table: tuple[float, ...] = TABLE
