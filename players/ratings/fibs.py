"""The rating of the First Internet Backgammon Server."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from players.ratings.system import Rating, RatingSystem
from rules.errors import gettext_noop


def upset_probability(difference: float, length: int) -> float:
    """Return the probability (0..0.5) that the lower rated player wins a match of ``length`` points.

    ``difference`` is the distance between the ratings, whichever is higher.
    Source: FIBS man page (stason.org/TULARC/games/backgammon, 14); McCool, bkgm.com/articles/McCool/ratings.html.
    """
    odds: float = 10.0 ** (-abs(difference) * math.sqrt(length) / 2000)
    return odds / (1 + odds)


@dataclass(frozen=True)
class Fibs(RatingSystem):
    """The FIBS system: both ratings move by 4 K sqrt(length) times the probability of the result that did not happen.

    K falls from 5 to 1 with the player's own experience, so a newcomer moves faster than the opponent, and the sum of
    the ratings is preserved only among the experienced.

    ``this_match_counts``: the sources disagree on K. The FIBS man page and McCool take the experience before the
    match (False, the default); the MacFIBS glossary takes it with the match included (True).
    """

    slug: ClassVar[str] = "fibs"
    name: ClassVar[str] = gettext_noop("FIBS")
    newcomer: ClassVar[Rating] = Rating(1500.0)

    this_match_counts: bool = False

    def ramp(self, experience: int, length: int) -> float:
        """Return K (1..5) for a player with ``experience`` before a match of ``length`` points."""
        counted = experience + length if self.this_match_counts else experience
        return max(1.0, 5 - counted / 100)

    def rate_match(self, winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
        upset = upset_probability(winner.value - loser.value, length)
        unexpected = 1 - upset if winner.value < loser.value else upset
        stake = 4 * math.sqrt(length) * unexpected
        return (
            Rating(
                value=winner.value + stake * self.ramp(winner.experience, length),
                experience=winner.experience + length,
                matches=winner.matches + 1,
                wins=winner.wins + 1,
            ),
            Rating(
                value=loser.value - stake * self.ramp(loser.experience, length),
                experience=loser.experience + length,
                matches=loser.matches + 1,
                wins=loser.wins,
            ),
        )
