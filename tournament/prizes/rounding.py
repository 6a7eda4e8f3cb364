"""Rounding without loss: an amount is divided into multiples of a step that add up to it exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError

Steps = Callable[[int, Sequence[int]], list[int]]


@dataclass(frozen=True, slots=True)
class Rounding:
    """A way to round: ``divide(steps, weights)`` gives each weight its share of the steps, with none left over."""

    name: str
    description: str
    divide: Steps


def largest_remainder(steps: int, weights: Sequence[int]) -> list[int]:
    """Round every quota down, and give the steps left over to the largest remainders, equal ones in order.

    Hamilton's method: a greater weight never gets less than a smaller one.
    """
    whole = sum(weights)
    shares = [steps * weight // whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: (-(steps * weights[index] % whole), index))
    for index in order[: steps - sum(shares)]:
        shares[index] += 1
    return shares


def rest_to_first(steps: int, weights: Sequence[int]) -> list[int]:
    """Round every quota down, and give all that is left over to the first."""
    whole = sum(weights)
    shares = [steps * weight // whole for weight in weights]
    shares[0] += steps - sum(shares)
    return shares


ROUNDINGS: dict[str, Rounding] = {
    "largest-remainder": Rounding(
        gettext_noop("Largest remainder"),
        gettext_noop(
            "All prizes are rounded down; what is left goes to the places that lost the most in the rounding, one "
            "step each."
        ),
        largest_remainder,
    ),
    "rest-to-first": Rounding(
        gettext_noop("Remainder to first place"),
        gettext_noop("All prizes are rounded down; what is left goes to first place."),
        rest_to_first,
    ),
}
"""The ways to round the shares of an amount, by the slug that is stored."""


def apportion(
    amount: int, weights: Sequence[int], *, step: int = 1, rounding: str = "largest-remainder"
) -> tuple[int, ...]:
    """Divide the amount in proportion to the weights, into multiples of ``step`` that add up to it exactly.

    Any excess of the amount over a multiple of the step goes to the first share. Raises MoneyError for weights that
    are negative or all 0, a negative amount, a step below 1, or a rounding that does not exist.
    """
    if amount < 0 or step < 1 or not weights or min(weights) < 0 or not any(weights):
        raise MoneyError("shares_impossible", gettext_noop("This amount cannot be divided in this way."))
    if rounding not in ROUNDINGS:
        raise MoneyError(
            "rounding_unknown", gettext_noop("There is no rounding rule called “%(slug)s”."), slug=rounding[:30]
        )
    shares = [step * steps for steps in ROUNDINGS[rounding].divide(amount // step, weights)]
    shares[0] += amount % step
    return tuple(shares)
