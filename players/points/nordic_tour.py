"""Points of the Nordic Backgammon Tour."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from players.parameters import Parameter, ParameterKind
from players.points.system import CONSOLATION, LAST_CHANCE, MAIN, PlayedEvent, PointSystem, decimals_parameter, exact
from rules.errors import gettext_noop


def _parameter(name: str, label: str, default: float) -> Parameter:
    return Parameter(name, ParameterKind.DECIMAL, label, default, most=1_000_000)


@dataclass(frozen=True)
class NordicTour(PointSystem):
    """A match that is won gives points, by its bracket; places give none."""

    slug: ClassVar[str] = "nordic-tour"
    name: ClassVar[str] = gettext_noop("Nordic Tour")
    description: ClassVar[str] = gettext_noop("Points for each match won: 7 in the main bracket, then 5 and 3.")
    source: ClassVar[str] = "nbgf.no, Nordic Backgammon Tour 2011"
    verified: ClassVar[bool] = True
    counts_wins: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        _parameter("main", gettext_noop("A win in the main bracket"), 7.0),
        _parameter("consolation", gettext_noop("A win in the consolation"), 5.0),
        _parameter("last_chance", gettext_noop("A win in the last chance"), 3.0),
        decimals_parameter(0),
    )

    decimals: int = 0
    main: float = 7.0
    consolation: float = 5.0
    last_chance: float = 3.0

    def points(self, event: PlayedEvent) -> dict[int, Fraction]:
        worth = {
            MAIN: exact(self.main),
            CONSOLATION: exact(self.consolation),
            LAST_CHANCE: exact(self.last_chance),
        }
        return {
            finish.player: sum((worth.get(win.bracket, Fraction(0)) for win in finish.wins), Fraction(0))
            for finish in event.finishes
        }
