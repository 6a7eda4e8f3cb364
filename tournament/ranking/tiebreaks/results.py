"""The facts that a ranking goes by: decided matches, byes that count as wins, ratings, play-offs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

Value = int | Fraction
"""A number of wins or the value of a tie-break, exact; whole numbers are always of type ``int``."""


class ResultKind(StrEnum):
    """The way in which a decided match ended."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    WALKOVER = "walkover"


@dataclass(frozen=True, slots=True)
class Result:
    """A decided match as the ranking sees it: the entry ids and final scores of both sides, and the winner.

    ``winner`` is None for a drawn match of two teams, which is half a win for each. ``round`` counts from 1 through the
    whole ranking; 0 if it is not known. ``lower_rates`` are the sides that have a second win for the lower error rate.
    Raises ValueError if the winner is not one of two different sides or the
    conclusion is unknown.
    """

    key: str
    a: int
    b: int
    score_a: int
    score_b: int
    winner: int | None
    conclusion: str
    length: int
    round: int = 0
    lower_rates: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.a == self.b or self.winner not in (self.a, self.b, None):
            raise ValueError(f"{self.key}: the winner must be one of two different sides")
        ResultKind(self.conclusion)

    @property
    def loser(self) -> int | None:
        """The entry id of the side that lost; None in a drawn match."""
        if self.winner is None:
            return None
        return self.b if self.winner == self.a else self.a

    @property
    def half_wins(self) -> tuple[tuple[int, int, int], ...]:
        """Each side, its opponent, and its share in half wins: 2 for a win or the lower error rate, 1 for a draw."""
        won = 1 if self.winner is None else 2 if self.winner == self.a else 0
        rate_a, rate_b = (2 * (side in self.lower_rates) for side in (self.a, self.b))
        return (self.a, self.b, won + rate_a), (self.b, self.a, 2 - won + rate_b)

    @property
    def most_half_wins(self) -> int:
        """How many half wins a side could have: 2 for the match and 2 for the error rate, if the rates are known."""
        return 4 if self.lower_rates else 2

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

    def wins(self) -> Mapping[int, Value]:
        """Count each entrant's wins, including byes that count as wins; a drawn match is half a win. 0 for others."""
        halves = half_wins_in(self.results)
        halves.update({entrant: 2 * len(rounds) for entrant, rounds in self.free_wins.items()})
        return defaultdict(int, {entrant: halved(count) for entrant, count in halves.items()})


def half_wins_in(results: Iterable[Result]) -> Counter[int]:
    """Count the half wins of each side in these matches."""
    halves: Counter[int] = Counter()
    for result in results:
        for entrant, _opponent, share in result.half_wins:
            halves[entrant] += share
    return halves


def halved(value: Value) -> Value:
    """Return half of ``value``, as a whole number if it is one."""
    return value // 2 if isinstance(value, int) and value % 2 == 0 else whole(Fraction(value) / 2)


def whole(value: Value) -> Value:
    """Return ``value`` as an ``int`` if it is a whole number."""
    return int(value) if value == int(value) else value
