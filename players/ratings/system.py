"""What all rating systems share: a rating, a result to rate, and the replay of results in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from players.parameters import Parameter, ParameterKind, is_as_published, parameters_of
from rules.errors import gettext_noop


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's standing: rating, experience (sum of the lengths played), matches rated and matches won.

    A system that has to know more of a player has a subclass, with its own ``layout``: the fields in their order, as
    :mod:`struct` writes them.
    """

    layout: ClassVar[str] = "dIII"

    value: float
    experience: int = 0
    matches: int = 0
    wins: int = 0


class Result(Protocol):
    """What a replay has to know of a match: the ids of winner and loser, and its length in points."""

    @property
    def winner(self) -> int: ...

    @property
    def loser(self) -> int: ...

    @property
    def length(self) -> int: ...


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A match to rate: the ids of winner and loser, and its length in points.

    Raises ValueError for a length that is not an int of 1 or more, and for a player who meets themselves.
    """

    winner: int
    loser: int
    length: int

    def __post_init__(self) -> None:
        if not isinstance(self.length, int) or isinstance(self.length, bool) or self.length < 1:
            raise ValueError("A rated match must have a length of 1 point or more.")
        if self.winner == self.loser:
            raise ValueError("A player cannot be rated for a match against themselves.")


@dataclass(frozen=True, slots=True)
class DatedResult(RatedResult):
    """A match to rate with the day on which it was played (``date.toordinal``), for systems in which time counts."""

    day: int

    def __post_init__(self) -> None:
        RatedResult.__post_init__(self)
        if not isinstance(self.day, int) or isinstance(self.day, bool) or self.day < 1:
            raise ValueError("The day of a rated match must be the ordinal of a date.")


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The effect of one match on both players."""

    result: Result
    winner_before: Rating
    winner_after: Rating
    loser_before: Rating
    loser_after: Rating


@dataclass(frozen=True)
class RatingSystem(ABC):
    """A rating computed match by match, so that the order of the results matters.

    Replaying the same results in the same order always gives the same ratings. A correction in the past is a replay
    from that point on, with the ratings before it as ``known``.

    ``source`` says where the formula is published. A system is ``verified`` if the formula could be read there and
    every published example comes out; one that is not claims no conformity. ``parameters`` are its fields.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    description: ClassVar[str]
    source: ClassVar[str]
    verified: ClassVar[bool]
    parameters: ClassVar[tuple[Parameter, ...]]

    start: float
    provisional_below: int = 0

    @property
    def newcomer(self) -> Rating:
        """The rating of a player before their first match."""
        return self.starting(self.start)

    def starting(self, value: float, *, experience: int = 0, matches: int = 0, wins: int = 0) -> Rating:
        """Return the rating of a player who is taken over from another list with this value."""
        return Rating(value, experience, matches, wins)

    @property
    def is_sequential(self) -> bool:
        """Whether the order of the results matters; where it does not, matches of one period are rated as one."""
        return True

    @property
    def counts_time(self) -> bool:
        """Whether it matters on which days matches were played, so that :meth:`rate_on` has to be told."""
        return False

    @property
    def keeps_sum(self) -> bool:
        """Whether the winner always gains what the loser loses."""
        return False

    @property
    def conforms(self) -> bool:
        """Whether these are the published ratings: the system is verified, and has the published parameters."""
        return self.verified and is_as_published(self, self.parameters)

    def as_dict(self) -> dict[str, object]:
        """Return the parameters as JSON; :func:`players.ratings.build_system` makes the system of them again."""
        return parameters_of(self, self.parameters)

    def is_provisional(self, rating: Rating) -> bool:
        """Whether too little is known of the player for the rating to be ranked among the others."""
        return rating.experience < self.provisional_below

    def as_of(self, rating: Rating, day: int) -> Rating:
        """Return the rating as it stands on a day (an ordinal) until which the player has played no further match."""
        return rating

    @abstractmethod
    def rate_match(self, winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
        """Return the ratings of winner and loser after a match of ``length`` points."""

    def rate_on(self, day: int, winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
        """Return the ratings of winner and loser after a match of ``length`` points on a day (an ordinal)."""
        return self.rate_match(winner, loser, length)

    def changes(self, results: Iterable[Result], known: Mapping[int, Rating] | None = None) -> Iterator[RatingChange]:
        """Yield the change that each result makes, in the given order.

        Players who are not ``known`` start as newcomers.
        """
        ratings, newcomer = dict(known or {}), self.newcomer
        for result in results:
            winner = ratings.get(result.winner, newcomer)
            loser = ratings.get(result.loser, newcomer)
            winner_after, loser_after = self.rate_match(winner, loser, result.length)
            ratings[result.winner], ratings[result.loser] = winner_after, loser_after
            yield RatingChange(result, winner, winner_after, loser, loser_after)

    def rate(self, results: Iterable[Result], known: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
        """Return the rating of everyone who is ``known`` or played, after all results in the given order."""
        ratings, newcomer = dict(known or {}), self.newcomer
        for result in results:
            winner, loser = ratings.get(result.winner, newcomer), ratings.get(result.loser, newcomer)
            ratings[result.winner], ratings[result.loser] = self.rate_match(winner, loser, result.length)
        return ratings


def start_parameter(default: float) -> Parameter:
    """Return the declaration of ``start``."""
    return Parameter(
        name="start",
        kind=ParameterKind.DECIMAL,
        label=gettext_noop("Rating of a newcomer"),
        default=default,
        least=-10_000,
        most=10_000,
    )


def provisional_parameter(default: int) -> Parameter:
    """Return the declaration of ``provisional_below``."""
    return Parameter(
        name="provisional_below",
        kind=ParameterKind.INT,
        label=gettext_noop("Provisional below this experience"),
        help=gettext_noop(
            "Players with less experience are listed by themselves. 0 lists all players together. It belongs to the "
            "rating system, and stays once a list is published."
        ),
        default=default,
        least=0,
        most=100_000,
        neutral=True,
    )
