"""What players do in a game, and the rules against doing it at the wrong moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.errors import gettext_noop
from rules.notation import Play
from rules.position import Position
from rules.score import Level, Side

Dice = tuple[int, int]


@dataclass(frozen=True, slots=True)
class OpeningThrow:
    """Each side's throw for the start: one die, or two where the rules say so. The side with the higher one begins."""

    a: tuple[int, ...]
    b: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """The side threw these dice; for the first roll of a game, the dice that it starts with."""

    side: Side
    dice: Dice


@dataclass(frozen=True, slots=True)
class InvalidRoll:
    """The side threw its dice, but they do not count: not flat, or not in the half to its right."""

    side: Side


@dataclass(frozen=True, slots=True)
class RolledEarly:
    """The side threw these dice before the opponent had picked up theirs."""

    side: Side
    dice: Dice


@dataclass(frozen=True, slots=True)
class EarlyRollJudged:
    """The side whose turn was cut short says whether the opponent's early roll stands."""

    side: Side
    stands: bool


@dataclass(frozen=True, slots=True)
class Played:
    """The side moved its checkers; an empty play is a dance."""

    side: Side
    play: Play


@dataclass(frozen=True, slots=True)
class PlayedIllegally:
    """The side left the board in this position, seen from its own side, although its roll does not allow it."""

    side: Side
    position: Position


@dataclass(frozen=True, slots=True)
class RedoDemanded:
    """The side does not accept the opponent's illegal play: the opponent must play the whole roll again."""

    side: Side


@dataclass(frozen=True, slots=True)
class Doubled:
    """The side offered to double the cube to this value; as an answer to a double, this is an immediate redouble."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class Beavered:
    """The side accepted a double and doubled again at once, keeping the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Raccooned:
    """The side answered a beaver by doubling again; the cube stays with the beaverer."""

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


Event = (
    OpeningThrow
    | Rolled
    | InvalidRoll
    | RolledEarly
    | EarlyRollJudged
    | Played
    | PlayedIllegally
    | RedoDemanded
    | Doubled
    | Beavered
    | Raccooned
    | Took
    | Dropped
    | Resigned
)


class ActionFault(StrEnum):
    """The rule that an event breaks by coming at the wrong moment."""

    GAME_OVER = "game_over"
    WRONG_TURN = "wrong_turn"
    NO_SUCH_DICE = "no_such_dice"
    OPENING_DICE = "opening_dice"
    OPENING_DOUBLE = "opening_double"
    OPENING_ROLL_FIRST = "opening_roll_first"
    OPENING_DECIDED = "opening_decided"
    ALREADY_ROLLED = "already_rolled"
    NOT_ROLLED_YET = "not_rolled_yet"
    DOUBLE_AFTER_ROLL = "double_after_roll"
    DOUBLE_CHANCE_GONE = "double_chance_gone"
    DOUBLE_UNANSWERED = "double_unanswered"
    NO_DOUBLE = "no_double"
    NO_BEAVER = "no_beaver"
    RESIGNATION_LEVEL = "resignation_level"
    RESIGNATION_UNKNOWN = "resignation_unknown"
    PLAY_IS_LEGAL = "play_is_legal"
    ILLEGAL_PLAY_UNSTATED = "illegal_play_unstated"
    ILLEGAL_PLAY_UNANSWERED = "illegal_play_unanswered"
    ILLEGAL_PLAY_NOT_ACCEPTABLE = "illegal_play_not_acceptable"
    NO_ILLEGAL_PLAY = "no_illegal_play"
    EARLY_ROLL_UNANSWERED = "early_roll_unanswered"
    NO_EARLY_ROLL = "no_early_roll"


TEMPLATES: dict[ActionFault, str] = {
    ActionFault.GAME_OVER: gettext_noop("The game is already over."),
    ActionFault.WRONG_TURN: gettext_noop("It is the opponent's turn."),
    ActionFault.NO_SUCH_DICE: gettext_noop("A roll is two dice, and each die shows 1 to 6."),
    ActionFault.OPENING_DICE: gettext_noop("Wrong number of dice for the opening roll: %(count)s per side."),
    ActionFault.OPENING_DOUBLE: gettext_noop("The opening roll is one die from each side, so it is never a double."),
    ActionFault.OPENING_ROLL_FIRST: gettext_noop("A game begins with the opening roll."),
    ActionFault.OPENING_DECIDED: gettext_noop("It has already been decided who starts."),
    ActionFault.ALREADY_ROLLED: gettext_noop("The roll has to be played before anything else."),
    ActionFault.NOT_ROLLED_YET: gettext_noop("The dice must be rolled before a play can be made."),
    ActionFault.DOUBLE_AFTER_ROLL: gettext_noop("A double is offered before the roll, not after it."),
    ActionFault.DOUBLE_CHANCE_GONE: gettext_noop(
        "The dice have been thrown, whether or not the roll was valid, so it is too late to double this turn."
    ),
    ActionFault.DOUBLE_UNANSWERED: gettext_noop("A double has to be taken or dropped before anything else."),
    ActionFault.NO_DOUBLE: gettext_noop("There is no double to answer."),
    ActionFault.NO_BEAVER: gettext_noop("There is no beaver to answer with a raccoon."),
    ActionFault.RESIGNATION_LEVEL: gettext_noop("Under these rules a resigned game is always lost as a backgammon."),
    ActionFault.RESIGNATION_UNKNOWN: gettext_noop("Under these rules no game can be lost at this level."),
    ActionFault.PLAY_IS_LEGAL: gettext_noop("The roll can be played that way: the play is legal."),
    ActionFault.ILLEGAL_PLAY_UNSTATED: gettext_noop("These rules do not say what happens after an illegal play."),
    ActionFault.ILLEGAL_PLAY_UNANSWERED: gettext_noop(
        "The play was illegal: the opponent must either demand a legal play, or accept the illegal one by rolling or "
        "doubling."
    ),
    ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE: gettext_noop(
        "This illegal play cannot be accepted; the whole roll must be played again."
    ),
    ActionFault.NO_ILLEGAL_PLAY: gettext_noop("There is no illegal play to replay."),
    ActionFault.EARLY_ROLL_UNANSWERED: gettext_noop(
        "A roll came too early: the player whose turn it still is must first say whether the roll stands."
    ),
    ActionFault.NO_EARLY_ROLL: gettext_noop(
        "A roll is too early only while the opponent's dice are still on the board."
    ),
}

RULES: dict[ActionFault, str] = {
    ActionFault.GAME_OVER: "I8",
    ActionFault.WRONG_TURN: "turn",
    ActionFault.NO_SUCH_DICE: "row 3",
    ActionFault.OPENING_DICE: "row 3",
    ActionFault.OPENING_DOUBLE: "row 4",
    ActionFault.OPENING_ROLL_FIRST: "row 4",
    ActionFault.OPENING_DECIDED: "row 3",
    ActionFault.ALREADY_ROLLED: "turn",
    ActionFault.NOT_ROLLED_YET: "turn",
    ActionFault.DOUBLE_AFTER_ROLL: "row 38",
    ActionFault.DOUBLE_CHANCE_GONE: "row 57",
    ActionFault.DOUBLE_UNANSWERED: "row 42",
    ActionFault.NO_DOUBLE: "row 42",
    ActionFault.NO_BEAVER: "I11",
    ActionFault.RESIGNATION_LEVEL: "row 50",
    ActionFault.RESIGNATION_UNKNOWN: "I3",
    ActionFault.PLAY_IS_LEGAL: "row 59",
    ActionFault.ILLEGAL_PLAY_UNSTATED: "row 59",
    ActionFault.ILLEGAL_PLAY_UNANSWERED: "row 59",
    ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE: "row 59",
    ActionFault.NO_ILLEGAL_PLAY: "row 59",
    ActionFault.EARLY_ROLL_UNANSWERED: "row 60",
    ActionFault.NO_EARLY_ROLL: "row 60",
}


class IllegalAction(ValueError):  # noqa: N818
    """The rules do not allow the event now: its `code`, the parts of a translatable sentence, and the rule."""

    def __init__(self, code: str, template: str, params: Mapping[str, object], rule: str) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params = params
        self.rule = rule


def not_now(fault: ActionFault, **params: object) -> IllegalAction:
    """Return the error for an event that comes at the wrong moment."""
    return IllegalAction(fault, TEMPLATES[fault], params, RULES[fault])
