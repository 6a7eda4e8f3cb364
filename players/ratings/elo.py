"""A rating of the Elo kind whose every number can be set, for federations whose formula is not published."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from players.parameters import Parameter, ParameterError, ParameterKind
from players.ratings.formula import FormulaRating, Rated
from players.ratings.system import provisional_parameter, start_parameter
from rules.errors import gettext_noop

SCALES: tuple[tuple[str, str], ...] = (
    ("sqrt", gettext_noop("with the square root of the length")),
    ("linear", gettext_noop("with the length")),
    ("none", gettext_noop("not at all")),
)


def scaled(scale: str, length: int) -> float:
    """Return how much a match of ``length`` points counts, by a slug of ``SCALES``: 1 for a match of one point."""
    match scale:
        case "sqrt":
            return math.sqrt(length)
        case "linear":
            return float(length)
    return 1.0


@dataclass(frozen=True)
class Elo(FormulaRating):
    """Both ratings move by ``k`` times the length, as scaled, times the probability of the result that did not happen.

    The weaker player wins with probability 1 / (1 + 10 ** (D * length, as scaled / ``divisor``)). A newcomer moves
    ``newcomer_factor`` times as fast; the factor falls in a straight line to 1 at the experience ``ramp``. Nobody falls
    below the ``floor``. With the numbers of FIBS, DBgF, Belgium or Brass City it gives the same ratings as these.
    """

    slug: ClassVar[str] = "elo"
    name: ClassVar[str] = gettext_noop("Elo, own numbers")
    description: ClassVar[str] = gettext_noop("Every number of the formula can be set.")
    source: ClassVar[str] = ""
    verified: ClassVar[bool] = False
    parameters: ClassVar[tuple[Parameter, ...]] = (
        start_parameter(1500.0),
        Parameter(
            "k",
            ParameterKind.DECIMAL,
            gettext_noop("K"),
            4.0,
            gettext_noop("How fast ratings move."),
            least=0.01,
            most=1000,
        ),
        Parameter(
            "stake_scale",
            ParameterKind.CHOICE,
            gettext_noop("The change grows"),
            "sqrt",
            choices=SCALES,
        ),
        Parameter(
            "divisor",
            ParameterKind.DECIMAL,
            gettext_noop("Divisor of the difference"),
            2000.0,
            gettext_noop("The larger it is, the less a difference in rating says. FIBS has 2000, chess 400."),
            least=1,
            most=100_000,
        ),
        Parameter(
            "chance_scale",
            ParameterKind.CHOICE,
            gettext_noop("The favourite’s chance grows"),
            "sqrt",
            choices=SCALES,
        ),
        Parameter(
            "newcomer_factor",
            ParameterKind.DECIMAL,
            gettext_noop("A newcomer moves faster by"),
            1.0,
            gettext_noop("1 means no faster. FIBS has 5."),
            least=1,
            most=20,
        ),
        Parameter(
            "ramp",
            ParameterKind.INT,
            gettext_noop("Experience after which nobody moves faster"),
            400,
            least=1,
            most=100_000,
        ),
        Parameter(
            "this_match_counts",
            ParameterKind.BOOL,
            gettext_noop("A match counts as experience for itself"),
            False,
        ),
        Parameter(
            "floor",
            ParameterKind.DECIMAL,
            gettext_noop("Lowest rating"),
            None,
            gettext_noop("Nobody falls below it. Leave it empty for none."),
            least=-10_000,
            most=10_000,
            optional=True,
        ),
        provisional_parameter(0),
    )

    start: float = 1500.0
    k: float = 4.0
    stake_scale: str = "sqrt"
    divisor: float = 2000.0
    chance_scale: str = "sqrt"
    newcomer_factor: float = 1.0
    ramp: int = 400
    this_match_counts: bool = False
    floor: float | None = None

    def __post_init__(self) -> None:
        if self.floor is not None and self.floor > self.start:
            raise ParameterError(
                "parameters_conflict",
                gettext_noop("The lowest rating cannot be above the rating of a newcomer."),
                field="floor",
            )

    @property
    def keeps_sum(self) -> bool:
        return self.newcomer_factor == 1 and self.floor is None

    def factor(self, experience: int, length: int) -> float:
        """Return how many times as fast a player with ``experience`` before the match moves."""
        counted = experience + length if self.this_match_counts else experience
        return max(1.0, self.newcomer_factor - counted * (self.newcomer_factor - 1) / self.ramp)

    def values_after(self, winner: Rated, loser: Rated, length: int) -> tuple[float, float]:
        difference = winner.value - loser.value
        odds: float = 10.0 ** (-abs(difference) * scaled(self.chance_scale, length) / self.divisor)
        upset = odds / (1 + odds)
        stake = self.k * scaled(self.stake_scale, length) * (1 - upset if difference < 0 else upset)
        lost = loser.value - stake * self.factor(loser.experience, length)
        return (
            winner.value + stake * self.factor(winner.experience, length),
            lost if self.floor is None else max(min(loser.value, self.floor), lost),
        )
