"""The score of a match. Points are added here and nowhere else; the Crawford game is derived here, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Side(StrEnum):
    A = "A"
    B = "B"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class Level(IntEnum):
    """The level at which a game is won; the number multiplies the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


class Ending(StrEnum):
    """How a game ended."""

    BEAROFF = "bearoff"
    DROP = "drop"
    RESIGNED = "resigned"
    FORFEIT = "forfeit"


class Phase(StrEnum):
    """What the score says about the next game."""

    MONEY = "money"
    BEFORE = "before"
    CRAWFORD = "crawford"
    AFTER = "after"
    PLAIN = "plain"
    OVER = "over"


def is_integer(value: object) -> bool:
    """Whether the value is an int and not a bool: True is not a score, a cube or a length."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Points of side A and side B in a match to ``length`` points; length 0 is money play, which is never over.

    ``crawford`` says that the Crawford rule is in force, ``crawford_done`` that its game has been played. The score
    alone does not tell that: 6-5 to 7 may be the Crawford game or a game after it.
    Raises ValueError for a score that no match can have.
    """

    length: int
    a: int = 0
    b: int = 0
    crawford: bool = True
    crawford_done: bool = False

    def __post_init__(self) -> None:
        for value in (self.length, self.a, self.b):
            if not is_integer(value):
                raise ValueError(f"Length and score must be whole numbers, not {value!r}.")
            if value < 0:
                raise ValueError("Length and score cannot be below 0.")
        if self.length and max(self.a, self.b) > self.length:
            raise ValueError("No side can have more points than the length of the match.")
        if self.length and self.a == self.b == self.length:
            raise ValueError("Only one side can reach the length of the match.")
        if self.crawford_done and not (self.crawford and self.length >= 2 and max(self.a, self.b) >= self.length - 1):
            raise ValueError("The Crawford game cannot have been played before a side is one point away.")

    def of(self, side: Side) -> int:
        return self.a if Side(side) is Side.A else self.b

    def away(self, side: Side) -> int:
        """Return the points that ``side`` still needs. Raises ValueError in money play, where nobody needs any."""
        if not self.length:
            raise ValueError("In money play nobody is any number of points away.")
        return self.length - self.of(side)

    @property
    def over(self) -> bool:
        return self.winner is not None

    @property
    def winner(self) -> Side | None:
        if not self.length or max(self.a, self.b) < self.length:
            return None
        return Side.A if self.a == self.length else Side.B

    @property
    def is_crawford(self) -> bool:
        """Whether the next game is the Crawford game: the first in which a side needs one point.

        Both sides may need one (penalty points before the match): the rule as written makes that game the Crawford
        game. Matches to one point have none. Source: S2 (dbf), Crawford; WBGF reading: the cube is dead for both.
        """
        return self.crawford and not self.crawford_done and self.length >= 2 and max(self.a, self.b) == self.length - 1

    @property
    def phase(self) -> Phase:
        """What the score says about the next game.

        PLAIN is a match without a Crawford game: the rule is off or the length is 1.
        """
        if not self.length:
            return Phase.MONEY
        if self.over:
            return Phase.OVER
        if not self.crawford or self.length == 1:
            return Phase.PLAIN
        if self.is_crawford:
            return Phase.CRAWFORD
        return Phase.AFTER if self.crawford_done else Phase.BEFORE

    def after(self, winner: Side, points: int, *, played: bool = True) -> MatchScore:
        """Return the score after ``winner`` has won a game of ``points`` (cube times level).

        In a match, no more is credited than the winner needed; the loser's score is unchanged. Penalty points are not a
        game (``played`` False): if the next game was the Crawford game before them, it still is.
        Raises ValueError if the match is over, for less than 1 point and for a winner who is neither side.
        """
        if not is_integer(points) or points < 1:
            raise ValueError("A game gives a whole number of points, 1 or more.")
        if self.over:
            raise ValueError("The match is over: no game can follow.")
        total = self.of(winner) + points
        if self.length:
            total = min(total, self.length)
        return MatchScore(
            length=self.length,
            a=total if winner == Side.A else self.a,
            b=total if winner == Side.B else self.b,
            crawford=self.crawford,
            crawford_done=self.crawford_done or (played and self.is_crawford),
        )
