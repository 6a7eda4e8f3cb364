"""The rating of the Belgian federation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from players.parameters import Parameter
from players.ratings.fibs import FibsFamily
from players.ratings.system import provisional_parameter, start_parameter
from rules.errors import gettext_noop


@dataclass(frozen=True)
class Belgian(FibsFamily):
    """As on FIBS, but everybody moves like an experienced player from the first match on."""

    slug: ClassVar[str] = "belgian"
    name: ClassVar[str] = gettext_noop("Belgium")
    description: ClassVar[str] = gettext_noop(
        "As FIBS, but newcomers move no faster. Provisional below experience 100."
    )
    source: ClassVar[str] = "bgfed.be/rating-2"
    verified: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (start_parameter(1500.0), provisional_parameter(100))

    provisional_below: int = 100

    @property
    def keeps_sum(self) -> bool:
        return True

    def ramp(self, experience: int, length: int) -> float:
        """Return 1."""
        return 1.0
