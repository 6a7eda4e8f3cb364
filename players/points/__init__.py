"""Points for places and matches won, and the standings of a season or series: pure functions, standard library only."""

from collections.abc import Mapping

from players.parameters import build
from players.points.abt import Abt
from players.points.master import MasterPoints
from players.points.nordic_tour import NordicTour
from players.points.norway_cup import NorwayCup
from players.points.places import PlacePoints
from players.points.system import Finish, PlayedEvent, PointSystem, Win
from players.points.wbgf import WbgfPoints
from rules.errors import gettext_noop

POINTS: dict[str, type[PointSystem]] = {
    system.slug: system for system in (PlacePoints, WbgfPoints, Abt, MasterPoints, NorwayCup, NordicTour)
}
"""The systems of points, each with its own parameters."""


def build_points(kind: str, parameters: Mapping[str, object]) -> PointSystem:
    """Return the system of points of this kind, as :func:`players.parameters.build` makes it."""
    unknown = gettext_noop("There is no system of points “%(slug)s”. Available: %(known)s.")
    return build(POINTS, kind, parameters, code="point_system_unknown", unknown=unknown)


__all__ = ["POINTS", "Finish", "PlayedEvent", "PointSystem", "Win", "build_points"]
