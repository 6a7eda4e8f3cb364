"""What all systems of points share: an event as it ended, and what each player gets for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import ClassVar

from players.parameters import Parameter, ParameterKind, is_as_published, parameters_of
from rules.errors import gettext_noop

MAIN, CONSOLATION, LAST_CHANCE = "main", "consolation", "last-chance"
BRACKETS = (MAIN, CONSOLATION, LAST_CHANCE)


@dataclass(frozen=True, slots=True)
class Win:
    """A match that a player has won: its length, and one of ``BRACKETS``."""

    length: int
    bracket: str = MAIN


@dataclass(frozen=True, slots=True)
class Finish:
    """How a player finished: the place, or the first and the last of the places that are shared, and the matches won.

    Raises ValueError for places that are none.
    """

    player: int
    place: int
    place_to: int
    wins: tuple[Win, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.place <= self.place_to:
            raise ValueError("A place is 1 or more, and no shared place ends before it begins.")


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """An event that is over, with the finish of each player.

    ``players`` is the number of different people, however often each has entered. ``fee`` is in the smallest unit of a
    currency. ``division`` is 1 for the strongest of the main events, 2 for the next. ``weight`` is what the federation
    says the event counts for. Only so many places count as the director has ``designated``; None stands for all.
    Raises ValueError for numbers that do not fit together.
    """

    players: int
    finishes: tuple[Finish, ...]
    fee: int = 0
    division: int = 1
    weight: Fraction = Fraction(1)
    designated: int | None = None

    def __post_init__(self) -> None:
        if len({finish.player for finish in self.finishes}) != len(self.finishes):
            raise ValueError("A player finishes an event once.")
        if self.players < len(self.finishes) or any(finish.place_to > self.players for finish in self.finishes):
            raise ValueError("An event has no more places than players.")
        if (
            self.fee < 0
            or self.division < 1
            or self.weight < 0
            or (self.designated is not None and self.designated < 1)
        ):
            raise ValueError("Fee and weight are not negative; divisions and designated places count from 1.")

    def counts(self, place: int) -> bool:
        """Whether the place is designated."""
        return self.designated is None or place <= self.designated


@dataclass(frozen=True)
class PointSystem(ABC):
    """Points for the players of an event.

    ``source`` says where the rule is published. A system is ``verified`` if the whole rule could be read there and
    every published example comes out; one that is not claims no conformity. ``parameters`` are its fields. One that
    ``counts_wins`` asks which matches each player has won; ``asks`` names what else of an event changes its points, of
    ``division``, ``weight`` and ``designated``.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    description: ClassVar[str]
    source: ClassVar[str]
    verified: ClassVar[bool]
    parameters: ClassVar[tuple[Parameter, ...]]
    counts_wins: ClassVar[bool] = False
    asks: ClassVar[frozenset[str]] = frozenset()

    decimals: int = 2

    @property
    def conforms(self) -> bool:
        """Whether these are the published points: the system is verified, and has the published parameters."""
        return self.verified and is_as_published(self, self.parameters)

    def as_dict(self) -> dict[str, object]:
        """Return the parameters as JSON; :func:`players.points.build_points` makes the system of them again."""
        return parameters_of(self, self.parameters)

    def award(self, event: PlayedEvent) -> dict[int, Decimal]:
        """Return what each player of the event gets, to ``decimals`` places, by player."""
        return {player: rounded(points, self.decimals) for player, points in self.points(event).items()}

    @abstractmethod
    def points(self, event: PlayedEvent) -> dict[int, Fraction]:
        """Return what each player of the event gets before rounding, by player."""


def mean_of_places(finish: Finish, value: Callable[[int], Fraction]) -> Fraction:
    """Return what a place is worth; those who share places share their sum equally."""
    places = range(finish.place, finish.place_to + 1)
    return sum((value(place) for place in places), Fraction(0)) / len(places)


def at_place(values: tuple[float, ...], place: int) -> Fraction:
    """Return the value of a place, first place first; those beyond the table get 0."""
    return exact(values[place - 1]) if place <= len(values) else Fraction(0)


def exact(number: float) -> Fraction:
    """Return the number as it is written: 0.1 is a tenth."""
    return Fraction(str(number))


def rounded(points: Fraction, decimals: int) -> Decimal:
    """Return the points to this number of places, a half rounded up."""
    return Decimal(floor(points * 10**decimals + Fraction(1, 2))).scaleb(-decimals)


def decimals_parameter(default: int) -> Parameter:
    """Return the declaration of ``decimals``."""
    return Parameter("decimals", ParameterKind.INT, gettext_noop("Decimal places"), default, most=4, neutral=True)


def points_parameter(name: str, label: str, default: tuple[float, ...], help: str = "") -> Parameter:
    """Return the declaration of a table of numbers, first place first."""
    return Parameter(name, ParameterKind.DECIMALS, label, default, help, most=1_000_000)
