"""The number of plays to a given depth, the figure by which move generators are compared."""

from rules.plays import Roll, legal_plays
from rules.position import CHECKERS, OFF, Position, count
from rules.profiles import RuleProfile

ROLLS: tuple[Roll, ...] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""


def perft(position: Position, depth: int, profile: RuleProfile) -> int:
    """Count the ways in which `depth` turns can go from here, each roll and each distinct result of a roll once.

    A roll that must be passed is one way; a game that is over has none. Depth 0 is one way. The start gives 447 and
    202,782, the figures of other programs for depths 1 and 2.
    """
    if depth == 0:
        return 1
    if CHECKERS in (count(position.mine, OFF), count(position.theirs, OFF)):
        return 0
    ways = 0
    for roll in ROLLS:
        results = legal_plays(position, roll, profile) or (position,)
        ways += len(results) if depth == 1 else sum(perft(after.swapped(), depth - 1, profile) for after in results)
    return ways
