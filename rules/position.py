"""A backgammon position, always seen by the player to move."""

from collections.abc import Mapping
from typing import NamedTuple, Self

OFF = 0
BAR = 25
CHECKERS = 15

BITS = 4
COUNT = (1 << BITS) - 1
ONE = tuple(1 << BITS * slot for slot in range(BAR + 1))
"""ONE[p], added to a packed side, puts one checker on that side's own point p."""

HOME = sum(COUNT * one for one in ONE[: 6 + 1])
"""The mask of a packed side's own home board and the checkers borne off."""


def count(side: int, point: int) -> int:
    """Return the number of checkers that a packed side has on its own point (BAR and OFF included)."""
    return side >> BITS * point & COUNT


def pack(points: Mapping[int, int]) -> int:
    """Pack one side into an int; checkers that the mapping {own point: count} leaves out are borne off.

    Raises ValueError for an impossible point or more than fifteen checkers.
    """
    side = 0
    for point, number in points.items():
        if not (OFF <= point <= BAR and 0 <= number <= CHECKERS):
            raise ValueError(f"{number} checkers on point {point}")
        side += number * ONE[point]
    placed = sum(points.values())
    if placed > CHECKERS or (points.get(OFF) and placed != CHECKERS):
        raise ValueError(f"a side must have {CHECKERS} checkers, not {placed}")
    return side if OFF in points else side + (CHECKERS - placed) * ONE[OFF]


class Position(NamedTuple):
    """Where all thirty checkers are, without cube, dice or score.

    `mine` is the player to move, `theirs` the opponent. Each is a packed int of 26 four-bit counts, in that side's
    *own* numbering: slot 24 is the furthest point, 6..1 the home board, 25 the bar, 0 the checkers borne off. The
    opponent's point p is the mover's point 25 - p.
    """

    mine: int
    theirs: int

    @classmethod
    def of(cls, mine: Mapping[int, int], theirs: Mapping[int, int]) -> Self:
        """Return the position with these checkers of each side, {own point: count}; those left out are borne off.

        Raises ValueError for more than fifteen checkers or a point held by both sides.
        """
        position = cls(pack(mine), pack(theirs))
        for point in range(1, BAR):
            if position.checkers(point) and position.opposing(point):
                raise ValueError(f"both sides have checkers on point {point}")
        return position

    def checkers(self, point: int) -> int:
        """Return the number of the mover's checkers on a point in the mover's numbering."""
        return count(self.mine, point)

    def opposing(self, point: int) -> int:
        """Return the number of the opponent's checkers on the *mover's* point 1..24 (the bar is `theirs` slot BAR)."""
        return count(self.theirs, BAR - point)

    def swapped(self) -> "Position":
        """Return the same checkers seen by the other player."""
        return Position(self.theirs, self.mine)

    def is_hit(self, end: int) -> bool:
        """Whether a checker of the mover that arrives on this point hits a lone enemy checker."""
        return end != OFF and self.opposing(end) == 1

    def moved(self, start: int, end: int) -> "Position":
        """Return the position after one checker moved from start to end; a lone enemy checker there goes to the bar.

        Does not check any rule: see `rules.plays`.
        """
        mine = self.mine - ONE[start] + ONE[end]
        if self.is_hit(end):
            return Position(mine, self.theirs - ONE[BAR - end] + ONE[BAR])
        return Position(mine, self.theirs)

    def pips(self) -> int:
        """Return the mover's pip count; the opponent's is `swapped().pips()`."""
        return sum(point * self.checkers(point) for point in range(1, BAR + 1))


_STARTING = {24: 2, 13: 5, 8: 3, 6: 5}

START = Position.of(_STARTING, _STARTING)
"""The standard start. Source: S3 (nbgf-info), "Oppstilling av backgammonbrett"; S0 (dk-leaflet), "Regler"."""
