"""The rating of the Brass City club."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from players.parameters import Parameter
from players.ratings.fibs import FibsFamily
from players.ratings.system import provisional_parameter, start_parameter
from rules.errors import gettext_noop


@dataclass(frozen=True)
class BrassCity(FibsFamily):
    """As on FIBS, but K falls from 2 to 1."""

    slug: ClassVar[str] = "brass-city"
    name: ClassVar[str] = gettext_noop("Brass City")
    description: ClassVar[str] = gettext_noop("As FIBS, but a newcomer moves only twice as fast.")
    source: ClassVar[str] = "brasscitybackgammon.com/leader-board.html"
    verified: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (start_parameter(1500.0), provisional_parameter(0))

    def ramp(self, experience: int, length: int) -> float:
        """Return K (1..2)."""
        return max(1.0, 2 - experience / 400)
