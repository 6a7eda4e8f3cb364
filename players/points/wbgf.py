"""Points by finishing order and fee, as in the world rankings of the WBGF."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from players.parameters import Parameter, ParameterError, ParameterKind
from players.points.system import PlayedEvent, PointSystem, decimals_parameter, exact, mean_of_places, points_parameter
from rules.errors import gettext_noop

CURVES: tuple[tuple[str, str], ...] = (
    ("even", gettext_noop("in equal steps from last to first")),
    ("steep", gettext_noop("half for second place, a third for third place")),
)


@dataclass(frozen=True)
class WbgfPoints(PointSystem):
    """Every player gets a part of a pool, by their place; the pool is the number of players times a grade for the fee.

    That much is published. The exact formula is not, so the grades and the curves here are ours: the grade is the
    number in ``grades`` for the highest of the ``fees`` (in whole currency) that the fee reaches.
    """

    slug: ClassVar[str] = "wbgf"
    name: ClassVar[str] = gettext_noop("By finishing order and fee (like WBGF)")
    description: ClassVar[str] = gettext_noop("Every player scores; the larger field and the higher fee give more.")
    source: ClassVar[str] = "results.wbgf.info/about"
    verified: ClassVar[bool] = False
    asks: ClassVar[frozenset[str]] = frozenset({"weight"})
    parameters: ClassVar[tuple[Parameter, ...]] = (
        points_parameter(
            "fees",
            gettext_noop("Fees from which a grade holds"),
            (0.0, 50.0, 100.0, 200.0, 400.0),
            gettext_noop("In rising order, the first is 0."),
        ),
        points_parameter("grades", gettext_noop("Grade for each fee"), (1.0, 2.0, 3.0, 4.0, 5.0)),
        Parameter("curve", ParameterKind.CHOICE, gettext_noop("Points rise"), "even", choices=CURVES),
        decimals_parameter(2),
    )

    fees: tuple[float, ...] = (0.0, 50.0, 100.0, 200.0, 400.0)
    grades: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0, 5.0)
    curve: str = "even"

    def __post_init__(self) -> None:
        if len(self.fees) != len(self.grades) or self.fees[0] != 0 or list(self.fees) != sorted(set(self.fees)):
            raise ParameterError(
                "parameters_conflict",
                gettext_noop("The fees begin with 0 and rise, and there are as many grades as fees."),
                field="fees",
            )

    def grade(self, fee: int) -> Fraction:
        """Return the grade of a fee, given in the smallest unit: 100 to the whole."""
        return exact(
            next(
                grade
                for least, grade in reversed(list(zip(self.fees, self.grades, strict=True)))
                if fee >= 100 * exact(least)
            )
        )

    def points(self, event: PlayedEvent) -> dict[int, Fraction]:
        def share(place: int) -> Fraction:
            return Fraction(1, place) if self.curve == "steep" else Fraction(event.players + 1 - place)

        pool = event.players * self.grade(event.fee) * event.weight
        whole = sum((share(place) for place in range(1, event.players + 1)), Fraction(0))
        return {finish.player: pool * mean_of_places(finish, share) / whole for finish in event.finishes}
