"""Plays written the usual way: hop by hop in an order in which they can be made, with every hit at the end of a hop."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rules.notation import Play
from rules.position import BAR, BITS, COUNT, OFF, ONE
from rules.profiles import Overshoot

_OUTSIDE: Final = 7


class _Step(NamedTuple):
    """What one checker's step by one die requires of both packed sides, and what it adds to them.

    The mover's side must be below `limit`: no checker waits on the bar or, where this one is borne off, is outside the
    home board or behind a point that is left by too large a die. It must have some bit of `start`, and the opponent's
    side no bits of `end` but `lone`. If it has that one, a checker is hit: `hit` is added to that side. `move` is added
    to the mover's.
    """

    limit: int
    start: int
    end: int
    lone: int
    hit: int
    move: int


def _step(point: int, die: int, *, freely: bool) -> _Step:
    start = COUNT * ONE[point]
    if point <= die:
        limit = ONE[_OUTSIDE] if freely or point == die else ONE[point] << BITS
        return _Step(limit, start, 0, 0, 0, ONE[OFF] - ONE[point])
    end = point - die
    theirs = ONE[BAR - end]
    limit = ONE[BAR] << BITS if point == BAR else ONE[BAR]
    return _Step(limit, start, COUNT * theirs, theirs, ONE[BAR] - theirs, ONE[end] - ONE[point])


_STEPS: Final = {
    overshoot: [[_step(point, die, freely=overshoot is Overshoot.FREE) for point in range(BAR + 1)] for die in range(7)]
    for overshoot in Overshoot
}
"""The step for each die and point."""
_STRICT: Final = _STEPS[Overshoot.HIGHEST_MANDATORY]


def made_as_written(
    mine: int, theirs: int, roll: tuple[int, int], play: Play, overshoot: Overshoot
) -> tuple[int, int, int] | None:
    """Return both sides after the hops, made in the order written, and how many dice are left.

    None if a hop cannot be made, or not without a hit on its way. No other reading hits less. Does not check whether
    the remaining dice had to be played: a play that leaves none is legal.
    """
    steps = _STEPS[overshoot]
    first, second = roll
    left = [first, second] if first != second else [first] * 4
    for point, goal, marked in play:
        while True:
            die = point - goal
            if die not in left:
                die = _first_die(theirs, point, goal, left)
                if not die:
                    return None
            left.remove(die)
            limit, start, end, lone, hit, move = steps[die][point]
            there = theirs & end
            if mine >= limit or not mine & start or there > lone:
                return None
            mine += move
            point -= die
            if there:
                theirs += hit
            elif marked and point <= goal:
                return None
            if point <= goal:
                break
    return mine, theirs, len(left)


Steps = tuple[tuple[int, int, int, int, int, int, bool], ...]
"""For each of the dice what its `_Step` says, and whether a hit is marked at its end."""


def steps_of(roll: tuple[int, int], play: Play) -> Steps | None:
    """Return the steps of a play in which each hop takes one die and all dice are taken; None for any other play.

    What these steps require is what the strictest text does: a play that cannot be made by them may still be legal.
    """
    first, second = roll
    left = [first, second] if first != second else [first] * 4
    found = []
    for point, goal, marked in play:
        die = point - goal
        if die not in left:
            if goal != OFF or max(left, default=0) < die:
                return None
            die = max(left)
        left.remove(die)
        found.append((*_STRICT[die][point], marked))
    return None if left else tuple(found)


def made_by_steps(mine: int, theirs: int, steps: Steps) -> tuple[int, int] | None:
    """Return both sides after the steps, made in their order; None if one of them cannot be made."""
    for limit, start, end, lone, hit, move, marked in steps:
        there = theirs & end
        if mine >= limit or not mine & start or there > lone:
            return None
        mine += move
        if there:
            theirs += hit
        elif marked:
            return None
    return mine, theirs


def _first_die(theirs: int, point: int, goal: int, left: Sequence[int]) -> int:
    """Return the die that begins a hop which no die makes alone: a larger one that bears off, or one that hits nothing.

    0 if there is none.
    """
    distance = point - goal
    if goal == OFF and max(left, default=0) > distance:
        return max(left)
    for die in left:
        if die < distance and not theirs & COUNT * ONE[BAR - point + die]:
            return die
    return 0
