"""The facts that a ranking goes by: decided matches, byes that count as wins, ratings, play-offs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ResultKind(StrEnum):
    """The way in which a decided match ended."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    WALKOVER = "walkover"


@dataclass(frozen=True, slots=True)
class Result:
    """A decided match as the ranking sees it: the entry ids and final scores of both sides, and the winner.

    ``round`` counts from 1 through the whole ranking; 0 if it is not known. Raises ValueError if the winner is not
    one of two different sides or the conclusion is unknown.
    """

    key: str
    a: int
    b: int
    score_a: int
    score_b: int
    winner: int
    conclusion: str
    length: int
    round: int = 0

    def __post_init__(self) -> None:
        if self.a == self.b or self.winner not in (self.a, self.b):
            raise ValueError(f"{self.key}: the winner must be one of two different sides")
        ResultKind(self.conclusion)

    @property
    def loser(self) -> int:
        """The entry id of the side that did not win."""
        return self.b if self.winner == self.a else self.a

    @property
    def counted_points(self) -> tuple[int, int]:
        """The points of side A and side B that count: none in a walkover, otherwise the score as it stood."""
        if self.conclusion == ResultKind.WALKOVER:
            return 0, 0
        return self.score_a, self.score_b


@dataclass(frozen=True, slots=True)
class Field:
    """A field as tie-breaks see it.

    ``results`` are all matches that count, including those of earlier stages and against opponents who are not in this
    one. ``free_wins`` are the rounds in which an entrant had a bye that counts as a win. ``ratings`` are in hundredths,
    as they were at the draw; an entrant without one is missing. ``play_offs`` are matches that were played only to
    separate those who were tied: they count for the tie-break of that name and for nothing else.
    """

    results: tuple[Result, ...]
    free_wins: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    ratings: Mapping[int, int] = field(default_factory=dict)
    play_offs: tuple[Result, ...] = ()

    def wins(self) -> Counter[int]:
        """Count each entrant's wins, including byes that count as wins."""
        wins = Counter(result.winner for result in self.results)
        wins.update({entrant: len(rounds) for entrant, rounds in self.free_wins.items()})
        return wins
