"""Rating systems: pure functions from results in their order to ratings, standard library only."""

from players.ratings.fibs import Fibs
from players.ratings.system import RatedResult, Rating, RatingChange, RatingSystem

RATINGS: dict[str, RatingSystem] = {system.slug: system for system in (Fibs(),)}

DEFAULT_RATING = Fibs.slug
"""The system whose ratings are used when an entry goes into a draw."""

__all__ = ["DEFAULT_RATING", "RATINGS", "RatedResult", "Rating", "RatingChange", "RatingSystem"]
