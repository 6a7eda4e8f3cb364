"""One game as a fold over what the players do: opening, turns, cube, resignation."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from rules import cube
from rules.cube import CENTRED, Cube, double_fault
from rules.errors import gettext_noop
from rules.notation import Play
from rules.outcome import won_level
from rules.plays import Roll, judge_play
from rules.position import START, Position
from rules.profiles import Resignation, RuleProfile
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult


@dataclass(frozen=True, slots=True)
class Rolled:
    """The side threw these dice; for the first roll of a game, the dice of the opening."""

    side: Side
    dice: Roll


@dataclass(frozen=True, slots=True)
class Played:
    """The side moved its checkers; the empty play is a dance."""

    side: Side
    play: Play


@dataclass(frozen=True, slots=True)
class Doubled:
    """The side offered to double the cube to this value."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class Beavered:
    """The side accepted a double and doubled again at once, keeping the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Took:
    side: Side


@dataclass(frozen=True, slots=True)
class Dropped:
    side: Side


@dataclass(frozen=True, slots=True)
class Resigned:
    """The side gave up at this level, and the opponent accepted."""

    side: Side
    level: Level


Event = Rolled | Played | Doubled | Beavered | Took | Dropped | Resigned


class Stage(StrEnum):
    """What the game waits for."""

    OPENING = "opening"
    TURN = "turn"
    ROLLED = "rolled"
    DOUBLED = "doubled"
    OVER = "over"


class ActionFault(StrEnum):
    """The rule that an event breaks by coming when it does."""

    GAME_OVER = "game_over"
    WRONG_TURN = "wrong_turn"
    OPENING_DOUBLE = "opening_double"
    OPENING_ROLL_FIRST = "opening_roll_first"
    ALREADY_ROLLED = "already_rolled"
    NOT_ROLLED_YET = "not_rolled_yet"
    DOUBLE_AFTER_ROLL = "double_after_roll"
    DOUBLE_UNANSWERED = "double_unanswered"
    NO_DOUBLE = "no_double"
    RESIGNATION_LEVEL = "resignation_level"


TEMPLATES: dict[ActionFault, str] = {
    ActionFault.GAME_OVER: gettext_noop("The game is already over."),
    ActionFault.WRONG_TURN: gettext_noop("It is the opponent's turn."),
    ActionFault.OPENING_DOUBLE: gettext_noop("The first roll is one die of each side, so it is never a double."),
    ActionFault.OPENING_ROLL_FIRST: gettext_noop("A game begins with the opening roll."),
    ActionFault.ALREADY_ROLLED: gettext_noop("The roll has to be played before anything else."),
    ActionFault.NOT_ROLLED_YET: gettext_noop("A play comes after a roll."),
    ActionFault.DOUBLE_AFTER_ROLL: gettext_noop("A double is offered before the roll, not after it."),
    ActionFault.DOUBLE_UNANSWERED: gettext_noop("A double has to be taken or dropped before anything else."),
    ActionFault.NO_DOUBLE: gettext_noop("There is no double to answer."),
    ActionFault.RESIGNATION_LEVEL: gettext_noop("Under these rules a resigned game is always lost as a backgammon."),
}

RULES: dict[ActionFault, str] = {
    ActionFault.GAME_OVER: "I8",
    ActionFault.WRONG_TURN: "turn",
    ActionFault.OPENING_DOUBLE: "row 4",
    ActionFault.OPENING_ROLL_FIRST: "row 4",
    ActionFault.ALREADY_ROLLED: "turn",
    ActionFault.NOT_ROLLED_YET: "turn",
    ActionFault.DOUBLE_AFTER_ROLL: "row 38",
    ActionFault.DOUBLE_UNANSWERED: "row 42",
    ActionFault.NO_DOUBLE: "row 42",
    ActionFault.RESIGNATION_LEVEL: "row 50",
}


class IllegalAction(ValueError):  # noqa: N818
    """The rules do not allow the event now: `code`, the parts of its translatable sentence, and the rule."""

    def __init__(self, code: str, template: str, params: Mapping[str, object], rule: str) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params = params
        self.rule = rule


@dataclass(frozen=True, slots=True)
class GameState:
    """A game begun at `score`, after the events so far.

    `position` is seen by `on_roll`, whose turn it is; before the opening roll nobody is. While a double stands
    `offered_by` has made it and the other side answers. `result` is there when `stage` is OVER.
    """

    profile: RuleProfile
    score: MatchScore
    position: Position = START
    on_roll: Side | None = None
    cube: Cube = CENTRED
    stage: Stage = Stage.OPENING
    roll: Roll | None = None
    offered_by: Side | None = None
    result: GameResult | None = None

    @classmethod
    def begin(cls, score: MatchScore, profile: RuleProfile) -> Self:
        """A game that waits for its opening roll. Raises ValueError if the match is over."""
        if score.over:
            raise ValueError("The match is over: no game follows.")
        return cls(profile=profile, score=score)

    def apply(self, event: Event) -> "GameState":
        """The state after the event.

        Raises IllegalAction for an event that may not come now, and RefusedPlay or UnclearPlay for a play.
        """
        if self.stage is Stage.OVER:
            raise _not_now(ActionFault.GAME_OVER)
        if self.stage is Stage.DOUBLED and not isinstance(event, Took | Dropped | Beavered):
            raise _not_now(ActionFault.DOUBLE_UNANSWERED)
        match event:
            case Rolled():
                return self._rolled(event)
            case Played():
                return self._played(event)
            case Doubled():
                return self._doubled(event)
            case Beavered():
                return self._beavered(event)
            case Took():
                return self._took(event)
            case Dropped():
                return self._dropped(event)
            case Resigned():
                return self._resigned(event)

    def _rolled(self, event: Rolled) -> "GameState":
        if self.stage is Stage.OPENING:
            if event.dice[0] == event.dice[1] and not self.profile.first_roll_may_be_double:
                raise _not_now(ActionFault.OPENING_DOUBLE)
            return replace(self, on_roll=event.side, stage=Stage.ROLLED, roll=event.dice)
        if event.side is not self.on_roll:
            raise _not_now(ActionFault.WRONG_TURN)
        if self.stage is Stage.ROLLED:
            raise _not_now(ActionFault.ALREADY_ROLLED)
        return replace(self, stage=Stage.ROLLED, roll=event.dice)

    def _played(self, event: Played) -> "GameState":
        if self.on_roll is not None and event.side is not self.on_roll:
            raise _not_now(ActionFault.WRONG_TURN)
        if self.roll is None:
            raise _not_now(ActionFault.NOT_ROLLED_YET)
        after = judge_play(self.position, self.roll, event.play, self.profile)
        level = won_level(after, self.profile)
        if level is not None:
            return self._over(event.side, self.cube.value, level, Ending.BEAROFF, position=after)
        return replace(self, position=after.swapped(), on_roll=event.side.other, stage=Stage.TURN, roll=None)

    def _doubled(self, event: Doubled) -> "GameState":
        if self.stage is Stage.OPENING:
            raise _not_now(ActionFault.OPENING_ROLL_FIRST)
        if event.side is not self.on_roll:
            raise _not_now(ActionFault.WRONG_TURN)
        if self.stage is Stage.ROLLED:
            raise _not_now(ActionFault.DOUBLE_AFTER_ROLL)
        self._check_double(event.side, event.value)
        return replace(self, stage=Stage.DOUBLED, offered_by=event.side)

    def _beavered(self, event: Beavered) -> "GameState":
        self._check_answer(event.side)
        if self.score.length:
            raise _bad_cube(cube.CubeFault.BEAVER_IN_MATCH)
        if self.offered_by is not self.on_roll:
            raise _not_now(ActionFault.DOUBLE_UNANSWERED)
        taken = replace(self, cube=self.cube.taken(event.side))
        taken._check_double(event.side, taken.cube.value * 2)
        return replace(taken, offered_by=event.side)

    def _took(self, event: Took) -> "GameState":
        self._check_answer(event.side)
        beavered = event.side is self.on_roll
        owner = event.side.other if beavered else event.side
        return replace(self, cube=self.cube.taken(owner), stage=Stage.TURN, offered_by=None)

    def _dropped(self, event: Dropped) -> "GameState":
        self._check_answer(event.side)
        return self._over(event.side.other, self.cube.value, Level.SINGLE, Ending.DROP)

    def _resigned(self, event: Resigned) -> "GameState":
        if self.stage is Stage.OPENING:
            raise _not_now(ActionFault.OPENING_ROLL_FIRST)
        if self.profile.resignation is Resignation.ALWAYS_BACKGAMMON and event.level is not Level.BACKGAMMON:
            raise _not_now(ActionFault.RESIGNATION_LEVEL)
        return self._over(event.side.other, self.cube.value, event.level, Ending.RESIGNED)

    def _check_answer(self, side: Side) -> None:
        if self.stage is not Stage.DOUBLED:
            raise _not_now(ActionFault.NO_DOUBLE)
        if side is self.offered_by:
            raise _not_now(ActionFault.WRONG_TURN)

    def _check_double(self, side: Side, value: int) -> None:
        fault = double_fault(self.cube, side, value, self.score, self.profile)
        if fault is not None:
            raise _bad_cube(fault, cube=self.cube.value, right=self.cube.value * 2, value=value)

    def _over(
        self, winner: Side, value: int, level: Level, ending: Ending, position: Position | None = None
    ) -> "GameState":
        """The finished game; `position` is the winner's view of a bear-off, else the board stays as it was."""
        return replace(
            self,
            position=position or self.position,
            stage=Stage.OVER,
            roll=None,
            offered_by=None,
            result=GameResult(winner=winner, cube=value, level=level, ending=ending),
        )


def _not_now(fault: ActionFault) -> IllegalAction:
    return IllegalAction(fault, TEMPLATES[fault], {}, RULES[fault])


def _bad_cube(fault: cube.CubeFault, **params: object) -> IllegalAction:
    return IllegalAction(fault, cube.TEMPLATES[fault], params, cube.RULES[fault])
