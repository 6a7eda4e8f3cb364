"""The search for legal plays, on packed sides and on bit masks of the mover's points.

Bit p of a mask is the mover's own point p, and bit 25 the bar; a checker that is borne off has none. The search
yields the whole set of plays of a roll; `rules.plays` judges single ones.
"""

from functools import cache, lru_cache
from typing import Final

from rules.position import BAR, BITS, COUNT, OFF, ONE, Position

Sides = tuple[int, int]
"""The mover's side and the opponent's, packed."""

State = tuple[int, int, int, int, int]
"""A position in the middle of a play: both sides packed, and masks of the mover's points, of the lone enemy checkers,
and of the points that the next checker may leave.
"""

_BAR: Final = 1 << BAR
_OUTSIDE: Final = 1 << 7
_ANYWHERE: Final = (1 << BAR + 1) - 1
_SIDES: Final = 1 << 12
"""The number of sides of the board that are remembered."""

_STEP: Final = [[ONE[max(point - die, OFF)] - ONE[point] for point in range(BAR + 1)] for die in range(7)]
"""_STEP[die][point], added to the mover's side, moves one checker."""

_HIT: Final = [ONE[BAR] - ONE[BAR - point] for point in range(BAR + 1)]
"""_HIT[point], added to the opponent's side, puts their checker on the *mover's* point on the bar."""

Step = tuple[int, int, int, int, int]
"""One checker's step: what it adds to the packed side, the mask of its start and how far left the count of that start
is packed, the mask of its end, and the mask of all points from its start down.
"""


@cache
def _step(die: int, point: int) -> Step:
    return _STEP[die][point], 1 << point, BITS * point, (1 << point >> die) & ~1, (2 << point) - 1


_NINE: Final = (1 << 9) - 1
_POINTS: Final = [
    [[point for point in range(shift, min(shift + 9, BAR + 1)) if bits << shift >> point & 1] for bits in range(1 << 9)]
    for shift in (0, 9, 18)
]
"""The points in the lower, the middle and the upper nine bits of a mask; below, for each die, the steps from there and
what these add to the packed side.
"""
_STEPS: Final = [
    [[tuple(_step(die, point) for point in points) for points in third] for third in _POINTS] for die in range(7)
]
_MOVES: Final = [[[tuple(step[0] for step in steps) for steps in third] for third in thirds] for thirds in _STEPS]


_DIGITS: Final = b"0123456789abcdef"
_HELD: Final = bytes.maketrans(_DIGITS, b"0" + b"1" * 15)
_OPEN: Final = bytes.maketrans(_DIGITS, b"11" + b"0" * 14)
_ALONE: Final = bytes.maketrans(_DIGITS, b"01" + b"0" * 14)
"""A packed side written in hexadecimal has one digit for each point; these turn it into a mask written in binary."""


@lru_cache(maxsize=_SIDES)
def _standing(mine: int) -> int:
    """Return the points, bar included, where this side has checkers."""
    return int((b"%x" % (mine >> BITS)).translate(_HELD), 2) << 1


@lru_cache(maxsize=_SIDES)
def _facing(theirs: int) -> tuple[int, int]:
    """Return the mover's points that this opponent leaves open, and those where they have one checker."""
    from_24 = (b"%026x" % theirs)[BAR - 1 : OFF : -1]
    return int(from_24.translate(_OPEN), 2) << 1, int(from_24.translate(_ALONE), 2) << 1


def _steps(mask: int, die: int) -> tuple[Step, ...]:
    """Return the steps by this die from the points of a mask."""
    lower, middle, upper = _STEPS[die]
    return lower[mask & _NINE] + middle[mask >> 9 & _NINE] + upper[mask >> 18]


def _starts(standing: int, open_points: int, die: int, freely: bool) -> int:
    """Return the points from which a single checker may move by this die."""
    if standing >= _BAR:
        return open_points << die & _BAR
    starts = standing & open_points << die
    if 0 < standing < _OUTSIDE:
        highest = standing.bit_length() - 1
        starts |= standing & ((2 << die) - 1 if freely else 1 << min(die, highest))
    return starts


def starts(position: Position, die: int, *, freely: bool) -> int:
    """Return the points, as a mask, from which one checker may move by this die; `freely` as in `in_order`."""
    open_points, _ = _facing(position.theirs)
    return _starts(_standing(position.mine), open_points, die, freely)


def _after_step(states: list[State], open_points: int, die: int, freely: bool, descending: bool) -> list[State]:
    """Return the states one step further; with `descending` no later step may begin behind this one."""
    following = []
    for mine, theirs, standing, blots, allowed in states:
        for move, start, shift, end, down in _steps(_starts(standing, open_points, die, freely) & allowed, die):
            after = mine + move
            held = (standing if after >> shift & COUNT else standing ^ start) | end
            hit = blots & end
            there = theirs + _HIT[end.bit_length() - 1] if hit else theirs
            following.append((after, there, held, blots ^ hit, down if descending else _ANYWHERE))
    return following


def _after_two_steps(
    states: list[State], open_points: int, first: int, second: int, freely: bool, descending: bool
) -> list[Sides]:
    """Return both sides two steps further: `_after_step` twice, without keeping the states in between."""
    lower, middle, upper = _MOVES[second]
    landing = open_points << second
    found: list[Sides] = []
    for mine, theirs, standing, blots, allowed in states:
        for move, start, shift, end, down in _steps(_starts(standing, open_points, first, freely) & allowed, first):
            after = mine + move
            held = (standing if after >> shift & COUNT else standing ^ start) | end
            starts = held & landing
            if not _OUTSIDE <= held < _BAR:
                starts = _starts(held, open_points, second, freely)
            if descending:
                starts &= down
            hit = blots & end
            there = theirs + _HIT[end.bit_length() - 1] if hit else theirs
            hits = starts & (blots ^ hit) << second
            if hits:
                starts ^= hits
                found += [
                    (after + move, there + _HIT[end.bit_length() - 1]) for move, _, _, end, _ in _steps(hits, second)
                ]
            moves = lower[starts & _NINE] + middle[starts >> 9 & _NINE] + upper[starts >> 18]
            found += [(after + move, there) for move in moves]
    return found


def in_order(position: Position, dice: tuple[int, ...], *, freely: bool) -> tuple[int, list[Sides]]:
    """Return how many of the dice can be played in this order, and both sides after that many.

    Each play of a double is found once: from the rear to the front, as every play can be made. `freely`: a larger die
    bears off from any point.
    """
    mine, theirs = position
    open_points, blots = _facing(theirs)
    states: list[State] = [(mine, theirs, _standing(mine), blots, _ANYWHERE)]
    double = dice[0] == dice[-1]
    for played, die in enumerate(dice[:-2]):
        following = _after_step(states, open_points, die, freely, double)
        if not following:
            return played, [state[:2] for state in states]
        states = following
    found = _after_two_steps(states, open_points, dice[-2], dice[-1], freely, double)
    if found:
        return len(dice), found
    following = _after_step(states, open_points, dice[-2], freely, double)
    return len(dice) - (1 if following else 2), [state[:2] for state in following or states]


def detours(position: Position, first: int, second: int) -> list[Sides] | None:
    """Return what playing `first` before `second` adds to the other order; None if only a search can tell.

    With no checker on the bar and none to be borne off, two checkers move in any order. What remains is one checker
    that moves by both dice, where the other way hits something else or is blocked.
    """
    mine, theirs = position
    standing = _standing(mine)
    outside = mine >> BITS * 7
    if standing >= _BAR or not outside & outside - 1:
        return None
    open_points, blots = _facing(theirs)
    there = standing & open_points << first & open_points << first + second
    found = []
    for _, start, _, _, _ in _steps(there & (blots << first | blots << second | ~(open_points << second)), first):
        point = start.bit_length() - 1
        stop, end = point - first, point - first - second
        hit = (_HIT[stop] if blots >> stop & 1 else 0) + (_HIT[end] if blots >> end & 1 else 0)
        found.append((mine + ONE[end] - ONE[point], theirs + hit))
    return found
