"""The rating of the Danish federation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from players.parameters import Parameter
from players.ratings.fibs import upset_probability
from players.ratings.formula import FormulaRating, Rated
from players.ratings.system import provisional_parameter, start_parameter
from rules.errors import gettext_noop


@dataclass(frozen=True)
class Dbf(FormulaRating):
    """A match is for its length in rating points: that much lies between the winner's gain and a defeat."""

    slug: ClassVar[str] = "dbf"
    name: ClassVar[str] = gettext_noop("Denmark (DBgF)")
    description: ClassVar[str] = gettext_noop("A match of 9 points is for 9 rating points; both players move alike.")
    source: ClassVar[str] = "backgammon.dk/Rangliste/Beregning+af+rating"
    verified: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (start_parameter(1000.0), provisional_parameter(0))

    start: float = 1000.0

    @property
    def keeps_sum(self) -> bool:
        return True

    def values_after(self, winner: Rated, loser: Rated, length: int) -> tuple[float, float]:
        upset = upset_probability(winner.value - loser.value, length)
        stake = length * (1 - upset if winner.value < loser.value else upset)
        return winner.value + stake, loser.value - stake
