"""Rating systems: pure functions from results in their order to ratings, standard library only."""

from collections.abc import Mapping

from players.parameters import build
from players.ratings.belgian import Belgian
from players.ratings.brass_city import BrassCity
from players.ratings.dbf import Dbf
from players.ratings.elo import Elo
from players.ratings.fibs import Fibs
from players.ratings.glicko2 import Glicko2
from players.ratings.system import DatedResult, RatedResult, Rating, RatingChange, RatingSystem
from rules.errors import gettext_noop

RATINGS: dict[str, RatingSystem] = {system.slug: system for system in (Fibs(),)}
"""The systems in which every rated match counts, each with one list."""

DEFAULT_RATING = Fibs.slug
"""The system whose ratings are used when an entry goes into a draw."""

SYSTEMS: dict[str, type[RatingSystem]] = {
    system.slug: system for system in (Fibs, Dbf, Belgian, BrassCity, Glicko2, Elo)
}
"""The systems from which the list of a federation is made, each with its own parameters."""


def build_system(kind: str, parameters: Mapping[str, object]) -> RatingSystem:
    """Return the rating system of this kind, as :func:`players.parameters.build` makes it."""
    unknown = gettext_noop("There is no rating system “%(slug)s”. Available: %(known)s.")
    return build(SYSTEMS, kind, parameters, code="rating_system_unknown", unknown=unknown)


__all__ = [
    "DEFAULT_RATING",
    "RATINGS",
    "SYSTEMS",
    "DatedResult",
    "RatedResult",
    "Rating",
    "RatingChange",
    "RatingSystem",
    "build_system",
]
