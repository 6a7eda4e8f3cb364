"""Rating systems: pure functions from results in their order to ratings, standard library only."""

from players.ratings.fibs import Fibs
from players.ratings.system import RatedResult, Rating, RatingChange, RatingSystem

RATINGS: dict[str, RatingSystem] = {system.slug: system for system in (Fibs(),)}

__all__ = ["RATINGS", "RatedResult", "Rating", "RatingChange", "RatingSystem"]
