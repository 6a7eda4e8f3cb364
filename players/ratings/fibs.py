"""The rating of the First Internet Backgammon Server, and what the systems that follow it share."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from players.parameters import Parameter, ParameterKind
from players.ratings.formula import FormulaRating, Rated
from players.ratings.system import provisional_parameter, start_parameter
from rules.errors import gettext_noop

SETTLED = 400
"""The experience from which on K is 1."""


def upset_probability(difference: float, length: int) -> float:
    """Return the probability (0..0.5) that the lower rated player wins a match of ``length`` points.

    ``difference`` is the distance between the ratings, whichever is higher.
    Source: FIBS man page (stason.org/TULARC/games/backgammon, 14); McCool, bkgm.com/articles/McCool/ratings.html.
    """
    odds: float = 10.0 ** (-abs(difference) * math.sqrt(length) / 2000)
    return odds / (1 + odds)


@dataclass(frozen=True)
class FibsFamily(FormulaRating):
    """Both ratings move by 4 K sqrt(length) times the probability of the result that did not happen.

    The systems differ in K, which each player has for themselves.
    """

    start: float = 1500.0

    @abstractmethod
    def ramp(self, experience: int, length: int) -> float:
        """Return K for a player with ``experience`` before a match of ``length`` points."""

    def values_after(self, winner: Rated, loser: Rated, length: int) -> tuple[float, float]:
        upset = upset_probability(winner.value - loser.value, length)
        unexpected = 1 - upset if winner.value < loser.value else upset
        stake = 4 * math.sqrt(length) * unexpected
        return (
            winner.value + stake * self.ramp(winner.experience, length),
            loser.value - stake * self.ramp(loser.experience, length),
        )


@dataclass(frozen=True)
class Fibs(FibsFamily):
    """The FIBS system: K falls from 5 to 1 with the player's own experience, so a newcomer moves faster.

    The sum of the ratings is therefore preserved only among the experienced.

    ``this_match_counts``: the sources disagree on K. The FIBS man page and McCool take the experience before the
    match (False, the default); the MacFIBS glossary takes it with the match included (True).
    """

    slug: ClassVar[str] = "fibs"
    name: ClassVar[str] = gettext_noop("FIBS")
    description: ClassVar[str] = gettext_noop(
        "A newcomer moves five times as fast, and slows down up to experience 400."
    )
    source: ClassVar[str] = "FIBS man page; McCool, bkgm.com"
    verified: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        start_parameter(1500.0),
        Parameter(
            name="this_match_counts",
            kind=ParameterKind.BOOL,
            label=gettext_noop("A match counts as experience for itself"),
            help=gettext_noop("The sources disagree: the FIBS man page says no, the MacFIBS glossary yes."),
            default=False,
            neutral=True,
        ),
        provisional_parameter(0),
    )

    this_match_counts: bool = False

    def ramp(self, experience: int, length: int) -> float:
        """Return K (1..5)."""
        counted = experience + length if self.this_match_counts else experience
        return 5 - counted / 100 if counted < SETTLED else 1.0
