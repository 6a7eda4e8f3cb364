"""What all rating systems share: a rating, a result to rate, and the replay of results in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's standing: rating, experience (sum of the lengths played), matches rated and matches won."""

    value: float
    experience: int = 0
    matches: int = 0
    wins: int = 0


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
class RatingChange:
    """The effect of one match on both players."""

    result: RatedResult
    winner_before: Rating
    winner_after: Rating
    loser_before: Rating
    loser_after: Rating


class RatingSystem(ABC):
    """A rating computed match by match, so that the order of the results matters.

    Replaying the same results in the same order always gives the same ratings. A correction in the past is a replay
    from that point on, with the ratings before it as ``known``.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    newcomer: ClassVar[Rating]

    @abstractmethod
    def rate_match(self, winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
        """Return the ratings of winner and loser after a match of ``length`` points."""

    def changes(
        self, results: Iterable[RatedResult], known: Mapping[int, Rating] | None = None
    ) -> Iterator[RatingChange]:
        """Yield the change that each result makes, in the given order.

        Players who are not ``known`` start as newcomers.
        """
        ratings = dict(known or {})
        for result in results:
            winner = ratings.get(result.winner, self.newcomer)
            loser = ratings.get(result.loser, self.newcomer)
            winner_after, loser_after = self.rate_match(winner, loser, result.length)
            ratings[result.winner], ratings[result.loser] = winner_after, loser_after
            yield RatingChange(result, winner, winner_after, loser, loser_after)

    def rate(self, results: Iterable[RatedResult], known: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
        """Return the rating of everyone who is ``known`` or played, after all results in the given order."""
        ratings = dict(known or {})
        for result in results:
            winner, loser = ratings.get(result.winner, self.newcomer), ratings.get(result.loser, self.newcomer)
            ratings[result.winner], ratings[result.loser] = self.rate_match(winner, loser, result.length)
        return ratings
