"""The legal plays as players write them, and the move at which a play goes wrong."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.notation import Hop, Play
from rules.plays import Fault, RefusedPlay, Roll, dice_of, judge_play, legal_plays, step_fault
from rules.position import BAR, OFF, Position
from rules.profiles import RuleProfile

_Paths = dict[Position, Play]

COUNTING = frozenset({Fault.MORE_DICE, Fault.HIGHER_DIE, Fault.MUST_MOVE})
"""Faults of a play as a whole, in which each single move is legal."""


@dataclass(frozen=True, slots=True)
class WrittenPlay:
    """A legal play: the shortest way to write it, and the position after it, still seen by the player who rolled."""

    play: Play
    after: Position


def written_plays(position: Position, roll: Roll, profile: RuleProfile) -> tuple[WrittenPlay, ...]:
    """Return every legal play once, starting with the rearmost checkers; empty if the player must pass.

    One checker that moves by several dice is one hop unless it hits on its way; every hit is marked, and `judge_play`
    reads the text back to the same position. Of two ways to the same position, the one with fewer hops is written.
    """
    legal = legal_plays(position, roll, profile)
    orders = {dice_of(roll), dice_of(roll)[::-1]}
    best: _Paths = {}
    for dice in orders:
        reached: _Paths = {position: ()}
        for die in dice:
            reached = _shortest(
                (here.moved(hop.start, hop.end), (*path, hop))
                for here, path in reached.items()
                for hop in _hops(here, die, profile)
            )
            best = _shortest([*best.items(), *((after, path) for after, path in reached.items() if after in legal)])
    plays = (WrittenPlay(_joined(path), after) for after, path in best.items())
    return tuple(sorted(plays, key=lambda written: [(-hop.start, hop.end) for hop in written.play]))


def faulty_hop(position: Position, roll: Roll, play: Play, profile: RuleProfile) -> int | None:
    """Return the index of the first move, in the order written, that cannot be made; None if each can be made.

    In that case the play is legal, or wrong as a whole: too few dice, or the wrong one of them.
    """
    for length in range(1, len(play) + 1):
        try:
            judge_play(position, roll, play[:length], profile)
        except RefusedPlay as refused:
            if refused.code not in COUNTING:
                return length - 1
        except ValueError:
            continue
    return None


def _hops(position: Position, die: int, profile: RuleProfile) -> Iterable[Hop]:
    for start in range(BAR, OFF, -1):
        if step_fault(position, start, die, profile) is None:
            end = max(start - die, OFF)
            yield Hop(start, end, position.is_hit(end))


def _shortest(paths: Iterable[tuple[Position, Play]]) -> _Paths:
    best: _Paths = {}
    for after, path in paths:
        known = best.get(after)
        if known is None or _weight(path) < _weight(known):
            best[after] = path
    return best


def _weight(path: Play) -> tuple[int, list[tuple[int, int]]]:
    joined = _joined(path)
    return len(joined), [(-hop.start, hop.end) for hop in joined]


def _joined(path: Play) -> Play:
    """Return the steps without their quiet stops, the rearmost checker first."""
    hops = list(path)
    for step in path:
        before = next((hop for hop in hops if hop.end == step.start and not hop.hit), None)
        if before is not None and step in hops:
            hops.remove(before)
            hops.remove(step)
            hops.append(Hop(before.start, step.end, step.hit))
    return tuple(sorted(hops, key=lambda hop: (-hop.start, hop.end)))
