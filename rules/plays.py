"""The plays that a roll allows, and why any other play is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations, repeat

from rules.errors import AmbiguousPlay, IllegalPlay, gettext_noop
from rules.generator import detours, in_order, starts
from rules.ids import position_id
from rules.notation import Hop, Play, format_play
from rules.plain import made_as_written
from rules.position import BAR, HOME, OFF, ONE, Position, count
from rules.profiles import Overshoot, RuleProfile

Roll = tuple[int, int]
"""Two dice, each 1 to 6, in either order."""


class Fault(StrEnum):
    """The rule that a play breaks."""

    NO_CHECKER = "no_checker"
    BAR_FIRST = "bar_first"
    BLOCKED = "blocked"
    NOT_HOME = "not_home"
    HIGHER_POINT = "higher_point"
    NOT_ROLLED = "not_rolled"
    NO_HIT = "no_hit"
    MORE_DICE = "more_dice"
    HIGHER_DIE = "higher_die"
    MUST_MOVE = "must_move"


TEMPLATES: dict[Fault, str] = {
    Fault.NO_CHECKER: gettext_noop(
        "%(roll)s: %(play)s: there is no checker to move on %(point)s. Position: %(position)s"
    ),
    Fault.BAR_FIRST: gettext_noop(
        "%(roll)s: %(play)s: every checker on the bar must enter before any other checker moves. Position: %(position)s"
    ),
    Fault.BLOCKED: gettext_noop(
        "%(roll)s: %(play)s: the opponent holds point %(point)s with two or more checkers. Position: %(position)s"
    ),
    Fault.NOT_HOME: gettext_noop(
        "%(roll)s: %(play)s: no checker can be borne off while another is outside the home board. "
        "Position: %(position)s"
    ),
    Fault.HIGHER_POINT: gettext_noop(
        "%(roll)s: %(play)s: a die larger than needed can bear off only from the highest occupied point. "
        "Position: %(position)s"
    ),
    Fault.NOT_ROLLED: gettext_noop(
        "%(roll)s: %(play)s: these dice do not move the checkers that way. Position: %(position)s"
    ),
    Fault.NO_HIT: gettext_noop("%(roll)s: %(play)s: a hit is marked where no checker is hit. Position: %(position)s"),
    Fault.MORE_DICE: gettext_noop(
        "%(roll)s: %(play)s: more of the dice can be played, so they must be. Position: %(position)s"
    ),
    Fault.HIGHER_DIE: gettext_noop(
        "%(roll)s: %(play)s: only one die can be played, and it must be the higher one. Position: %(position)s"
    ),
    Fault.MUST_MOVE: gettext_noop(
        "%(roll)s: no checker was moved, although there is a legal play. Position: %(position)s"
    ),
}

RULES: dict[Fault, str] = {
    Fault.NO_CHECKER: "row 10",
    Fault.BAR_FIRST: "row 22",
    Fault.BLOCKED: "row 9",
    Fault.NOT_HOME: "row 27",
    Fault.HIGHER_POINT: "row 29",
    Fault.NOT_ROLLED: "row 10",
    Fault.NO_HIT: "row 17",
    Fault.MORE_DICE: "row 18",
    Fault.HIGHER_DIE: "row 19",
    Fault.MUST_MOVE: "row 21",
}

AMBIGUOUS = gettext_noop(
    "%(roll)s: %(play)s can be played in more than one way, with different results; write out each stop. Position: "
    "%(position)s"
)


class RefusedPlay(IllegalPlay):
    """An IllegalPlay with the rule that the play breaks.

    `code` is the Fault, `template` and `params` are the parts of the translatable sentence, `rule` is its source.
    """

    def __init__(self, fault: Fault, params: dict[str, object], position: Position) -> None:
        self.code = fault
        self.template = TEMPLATES[fault]
        self.params = {**params, "position": position_id(position)}
        self.rule = RULES[fault]
        super().__init__(self.template % self.params)
        self.position_id = position_id(position)


class UnclearPlay(AmbiguousPlay):
    """An AmbiguousPlay with the parts of its translatable sentence."""

    def __init__(self, params: dict[str, object], position: Position) -> None:
        self.code = "ambiguous_play"
        self.template = AMBIGUOUS
        self.params = {**params, "position": position_id(position)}
        self.rule = "row 17"
        super().__init__(self.template % self.params)
        self.position_id = position_id(position)


def dice_of(roll: Roll) -> tuple[int, ...]:
    """Return the dice to be played: four for a double. Source: S2 (dbf), "Flyt af brikker", 5."""
    first, second = roll
    return (first,) * 4 if first == second else (first, second)


def step_fault(position: Position, point: int, die: int, profile: RuleProfile) -> Fault | None:
    """Return the rule that one checker leaving `point` by one die breaks, or None if the step is legal.

    Source: S2 (dbf), "Flyt af brikker" 1-4, "At slå en brik", "Udtagning af brikker"; S4 (de-leaflet) bears off
    freely with a larger die.
    """
    mine = position.mine
    if not count(mine, point):
        return Fault.NO_CHECKER
    if point != BAR and count(mine, BAR):
        return Fault.BAR_FIRST
    end = point - die
    if end > OFF:
        return Fault.BLOCKED if position.opposing(end) >= 2 else None
    if mine & ~HOME:
        return Fault.NOT_HOME
    if end < OFF and not _may_overshoot(mine, point, profile):
        return Fault.HIGHER_POINT
    return None


def after_die(position: Position, die: int, profile: RuleProfile) -> set[Position]:
    """Return every position that one legal step by this die leads to."""
    return {
        position.moved(point, max(point - die, OFF))
        for point in range(1, BAR + 1)
        if step_fault(position, point, die, profile) is None
    }


def legal_plays(position: Position, roll: Roll, profile: RuleProfile) -> frozenset[Position]:
    """Return the distinct positions after each legal play, seen by the player who rolled; empty if they must pass.

    Both dice are played if any play allows it, even where a game could also end with one; otherwise the higher die
    if the profile says so. Source: S2 (dbf), "Flyt af brikker" 6; S0 (dk-leaflet), "Trækkene".
    Raises ValueError for dice outside 1 to 6.
    """
    low, high = sorted(roll)
    if low < 1 or high > 6:
        raise ValueError("A die shows 1 to 6.")
    freely = profile.bearoff_overshoot is Overshoot.FREE
    if low == high:
        played, found = in_order(position, (low,) * 4, freely=freely)
        return _positions(found) if played else frozenset()
    by_high, found = in_order(position, (high, low), freely=freely)
    added = detours(position, low, high) if by_high == 2 else None
    if added is not None:
        return _positions(found + added)
    by_low, others = in_order(position, (low, high), freely=freely)
    if not (by_high or by_low):
        return frozenset()
    if by_high == by_low and (by_high == 2 or not profile.higher_die):
        return _positions(found + others)
    return _positions(found if by_high >= by_low else others)


def _positions(sides: list[tuple[int, int]]) -> frozenset[Position]:
    return frozenset(map(tuple.__new__, repeat(Position), sides))


def must_pass(position: Position, roll: Roll, profile: RuleProfile) -> bool:
    """Whether the roll allows no step at all. A checker on the bar enters on 25 minus the die, or nothing moves."""
    if position.mine >= ONE[BAR]:
        return count(position.theirs, roll[0]) > 1 and count(position.theirs, roll[1]) > 1
    freely = profile.bearoff_overshoot is Overshoot.FREE
    return not any(starts(position, die, freely=freely) for die in roll)


def judge_play(position: Position, roll: Roll, play: Play, profile: RuleProfile) -> Position:
    """Return the position after the play, still seen by the player who rolled; the empty play is a dance.

    A hop by several dice (`22/13`) is read without a hit on its way where the rules allow that: a hit is written as a
    stop. A checker that both dice bear off may be written with the stop of the other order (`7/1 1/off` for `7/4 4/off`
    with 63), as GNU Backgammon does. Raises RefusedPlay (an IllegalPlay) naming the broken rule, and UnclearPlay (an
    AmbiguousPlay) if different results fit; ValueError for dice outside 1 to 6.
    """
    if not 0 < min(roll) <= max(roll) <= 6:
        raise ValueError("A die shows 1 to 6.")
    if not play:
        if must_pass(position, roll, profile):
            return position
        raise _refused(Fault.MUST_MOVE, position, roll, play)
    made = made_as_written(*position, roll, play, profile.bearoff_overshoot)
    if made is not None:
        mine, theirs, left = made
        after = Position(mine, theirs)
        if not left or after in legal_plays(position, roll, profile):
            return after
    readings = tuple(_readings(position, roll, play, profile))
    if not readings:
        fault = _first_fault(position, roll, play, profile)
        joined = _borne_off_by_both(position, play) if fault.code == Fault.HIGHER_POINT else None
        readings = tuple(_readings(position, roll, joined, profile)) if joined else ()
        if not readings:
            raise fault
    if any(reading.dice < len(dice_of(roll)) for reading in readings):
        allowed = legal_plays(position, roll, profile)
        legal = tuple(reading for reading in readings if reading.result in allowed)
        if not legal:
            same_number = readings[0].dice == dice_playable(position, roll, profile)
            raise _refused(Fault.HIGHER_DIE if same_number else Fault.MORE_DICE, position, roll, play)
        readings = legal
    marked = {hop.end for hop in play if hop.hit}
    readings = tuple(reading for reading in readings if marked <= reading.hits)
    if not readings:
        raise _refused(Fault.NO_HIT, position, roll, play)
    return _quietest(readings, position, roll, play)


def _borne_off_by_both(position: Position, play: Play) -> Play | None:
    """Return the play without its stop if it bears off one checker with two hops and hits nothing at the stop."""
    if len(play) != 2 or play[0].end != play[1].start or play[1].end != OFF or position.opposing(play[0].end):
        return None
    return (Hop(play[0].start, OFF),)


def dice_playable(position: Position, roll: Roll, profile: RuleProfile) -> int:
    """Return how many of the dice (four for a double) the longest legal play uses."""
    dice = dice_of(roll)
    return max(_depth(position, dice, profile), _depth(position, dice[::-1], profile))


def _depth(position: Position, dice: tuple[int, ...], profile: RuleProfile) -> int:
    reached = {position}
    for played, die in enumerate(dice):
        reached = {result for before in reached for result in after_die(before, die, profile)}
        if not reached:
            return played
    return len(dice)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to play what was written: the result, the number of dice it uses and the points where it hits."""

    result: Position
    dice: int
    hits: frozenset[int]


def _may_overshoot(mine: int, point: int, profile: RuleProfile) -> bool:
    """Whether a larger die may bear off from this point once all checkers are home."""
    return profile.bearoff_overshoot is Overshoot.FREE or mine < ONE[point + 1]


def _readings(position: Position, roll: Roll, play: Play, profile: RuleProfile) -> Iterator[_Reading]:
    """Yield every order of steps that makes the hops, each step legal by itself."""
    dice = dice_of(roll)
    hops = tuple(sorted((hop.start, hop.end) for hop in play))
    waiting = [(position, hops, dice, frozenset[int]())]
    seen = set(waiting)
    while waiting:
        here, hops, left, hits = waiting.pop()
        if not hops:
            yield _Reading(here, len(dice) - len(left), hits)
            continue
        for (start, goal), die in {(hop, die) for hop in hops for die in left}:
            end = max(start - die, OFF)
            if end < goal or step_fault(here, start, die, profile) is not None:
                continue
            rest = list(hops)
            rest.remove((start, goal))
            if end > goal:
                rest.append((end, goal))
            dice_left = list(left)
            dice_left.remove(die)
            hit = hits | {end} if here.is_hit(end) else hits
            following = (here.moved(start, end), tuple(sorted(rest)), tuple(dice_left), hit)
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def _quietest(readings: Sequence[_Reading], position: Position, roll: Roll, play: Play) -> Position:
    """Return the result of the readings with the fewest hits at points where no written hop ends."""
    ends = {hop.end for hop in play}
    fewest = min(len(reading.hits - ends) for reading in readings)
    results = {reading.result for reading in readings if len(reading.hits - ends) == fewest}
    if len(results) > 1:
        raise UnclearPlay(_shown(roll, play), position)
    return results.pop()


def _first_fault(position: Position, roll: Roll, play: Play, profile: RuleProfile) -> RefusedPlay:
    """Return what is wrong with the first hop, in the order written, that cannot be made."""
    here, left = position, list(dice_of(roll))
    for hop in play:
        ways = [dice for dice in _ways(left) if _walk(hop, dice)]
        if not ways:
            return _refused(Fault.NOT_ROLLED, position, roll, play)
        faults = []
        for dice in ways:
            after, fault, point = _walked(here, hop, dice, profile)
            if fault is None:
                here = after
                for die in dice:
                    left.remove(die)
                break
            faults.append((fault, point))
        else:
            fault, point = faults[0]
            return _refused(fault, position, roll, play, point)
    return _refused(Fault.NOT_ROLLED, position, roll, play)


def _ways(left: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the dice sequences that one checker could use, short ones first."""
    return [way for length in range(1, len(left) + 1) for way in sorted(set(permutations(left, length)))]


def _walk(hop: Hop, dice: tuple[int, ...]) -> bool:
    """Whether the dice, with none to spare, take a checker from the hop's start to its end."""
    point = hop.start
    for die in dice:
        if point == hop.end:
            return False
        point = max(point - die, OFF)
    return point == hop.end


def _walked(
    position: Position, hop: Hop, dice: tuple[int, ...], profile: RuleProfile
) -> tuple[Position, Fault | None, int]:
    """Return the position after the hop, or the first fault on its way and the point it concerns."""
    point = hop.start
    for die in dice:
        end = max(point - die, OFF)
        fault = step_fault(position, point, die, profile)
        if fault is not None:
            return position, fault, end if fault is Fault.BLOCKED else point
        position, point = position.moved(point, end), end
    return position, None, point


def _shown(roll: Roll, play: Play) -> dict[str, object]:
    return {"roll": f"{roll[0]}{roll[1]}", "play": format_play(play)}


def _refused(fault: Fault, position: Position, roll: Roll, play: Play, point: int | None = None) -> RefusedPlay:
    return RefusedPlay(fault, {**_shown(roll, play), "point": point}, position)
