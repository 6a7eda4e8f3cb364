"""Ratings that a formula of both values and experiences moves; their replay costs hardly more than the formula."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from players.ratings.system import Rating, RatingSystem, Result


class Rated(Protocol):
    """What a formula knows of a player."""

    @property
    def value(self) -> float: ...

    @property
    def experience(self) -> int: ...


class _Moving:
    """A rating that is changed in place while results are replayed."""

    __slots__ = ("experience", "matches", "value", "wins")

    def __init__(self, rating: Rating) -> None:
        self.value, self.experience = rating.value, rating.experience
        self.matches, self.wins = rating.matches, rating.wins

    def as_rating(self) -> Rating:
        return Rating(self.value, self.experience, self.matches, self.wins)


@dataclass(frozen=True)
class FormulaRating(RatingSystem):
    """A system of which :meth:`values_after` is all."""

    @abstractmethod
    def values_after(self, winner: Rated, loser: Rated, length: int) -> tuple[float, float]:
        """Return the rating points of winner and loser after a match of ``length`` points."""

    def rate_match(self, winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
        won, lost = self.values_after(winner, loser, length)
        return (
            Rating(won, winner.experience + length, winner.matches + 1, winner.wins + 1),
            Rating(lost, loser.experience + length, loser.matches + 1, loser.wins),
        )

    def rate(self, results: Iterable[Result], known: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
        ratings, newcomer, after = dict(known or {}), self.newcomer, self.values_after
        moving: dict[int, _Moving] = {}
        for result in results:
            length = result.length
            winner = moving.get(result.winner)
            if winner is None:
                winner = moving[result.winner] = _Moving(ratings.get(result.winner, newcomer))
            loser = moving.get(result.loser)
            if loser is None:
                loser = moving[result.loser] = _Moving(ratings.get(result.loser, newcomer))
            winner.value, loser.value = after(winner, loser, length)
            winner.experience += length
            loser.experience += length
            winner.matches += 1
            loser.matches += 1
            winner.wins += 1
        return ratings | {player: one.as_rating() for player, one in moving.items()}
