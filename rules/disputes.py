"""The consequences when something goes wrong at the board, found by playing it out with the rules of the game."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.actions import (
    Doubled,
    EarlyRollJudged,
    Event,
    IllegalAction,
    InvalidRoll,
    Played,
    PlayedIllegally,
    Rolled,
    RolledEarly,
)
from rules.answers import Stage
from rules.citations import Citation, cite, cite_section
from rules.errors import gettext_noop
from rules.game import GameState
from rules.notation import Play, parse_play
from rules.plays import Roll
from rules.position import START, Position
from rules.profiles import DBF, RuleProfile
from rules.score import MatchScore, Side


class Dispute(StrEnum):
    """A question that players bring to the director."""

    ILLEGAL_PLAY = "illegal_play"
    INVALID_ROLL = "invalid_roll"
    EARLY_ROLL = "early_roll"
    LATE_DOUBLE = "late_double"
    DOUBLE_TAKEN_BACK = "double_taken_back"
    CUBE_TOUCHED = "cube_touched"


class Outcome(StrEnum):
    """What follows from a dispute."""

    ACCEPT_OR_REDO = "accept_or_redo"
    REDO = "redo"
    UNSTATED = "unstated"
    ROLL_AGAIN = "roll_again"
    ROLL_AGAIN_NO_DOUBLE = "roll_again_no_double"
    OPPONENT_CHOOSES = "opponent_chooses"
    OPPONENT_CHOOSES_NO_DOUBLE = "opponent_chooses_no_double"
    TOO_LATE = "too_late"
    ANY_TIME = "any_time"
    STANDS = "stands"
    DOUBLED = "doubled"


TEMPLATES: Final[dict[Dispute | Outcome, str]] = {
    Dispute.ILLEGAL_PLAY: gettext_noop("An illegal play was made"),
    Dispute.INVALID_ROLL: gettext_noop("A die is cocked, or not on the player's right-hand side of the board"),
    Dispute.EARLY_ROLL: gettext_noop("A player rolled before the opponent had picked up the dice"),
    Dispute.LATE_DOUBLE: gettext_noop("A player doubled after rolling"),
    Dispute.DOUBLE_TAKEN_BACK: gettext_noop("A player wants to take back a double"),
    Dispute.CUBE_TOUCHED: gettext_noop("A player touched the cube and clearly meant to double"),
    Outcome.ACCEPT_OR_REDO: gettext_noop(
        "The opponent may accept the play, by rolling or doubling, or have the whole roll played again."
    ),
    Outcome.REDO: gettext_noop("The play cannot stand: the whole roll must be played again."),
    Outcome.UNSTATED: gettext_noop("These rules do not cover this case: the director decides."),
    Outcome.ROLL_AGAIN: gettext_noop("The roll does not count: both dice must be rolled again."),
    Outcome.ROLL_AGAIN_NO_DOUBLE: gettext_noop(
        "The roll does not count: both dice must be rolled again, and the player may no longer double this turn."
    ),
    Outcome.OPPONENT_CHOOSES: gettext_noop(
        "The opponent, whose turn was cut short, decides whether the roll stands or is thrown again after their play."
    ),
    Outcome.OPPONENT_CHOOSES_NO_DOUBLE: gettext_noop(
        "The opponent, whose turn was cut short, decides whether the roll stands or is thrown again after their "
        "play. Either way, the player who rolled too early may not double before that roll."
    ),
    Outcome.TOO_LATE: gettext_noop("It is too late: a double must be offered before the roll."),
    Outcome.ANY_TIME: gettext_noop("These rules allow a double at any time, so it must be answered."),
    Outcome.STANDS: gettext_noop("A double cannot be taken back: the opponent takes or drops it."),
    Outcome.DOUBLED: gettext_noop("That is a double, and cannot be taken back: the opponent takes or drops it."),
}

RULES: Final[dict[Dispute | Outcome, str]] = {
    Dispute.ILLEGAL_PLAY: "row 59",
    Dispute.INVALID_ROLL: "row 57",
    Dispute.EARLY_ROLL: "row 60",
    Dispute.DOUBLE_TAKEN_BACK: "row 49",
    Dispute.CUBE_TOUCHED: "row 65",
    Outcome.TOO_LATE: "row 38",
    Outcome.ANY_TIME: "row 39",
}
"""The row in the table of rules, by dispute, or by outcome where the texts contradict each other."""

PARAMETERS: Final = {Dispute.ILLEGAL_PLAY: "illegal_move", Dispute.LATE_DOUBLE: "double_timing"}
"""The profile parameter that an outcome depends on."""

SECTIONS: Final = {
    Dispute.INVALID_ROLL: '"Ugyldige slag & ulovlige ryk"',
    Dispute.EARLY_ROLL: '"Ugyldige slag & ulovlige ryk"',
    Dispute.DOUBLE_TAKEN_BACK: '"Dobleterningen - fortsat"',
    Dispute.CUBE_TOUCHED: '"Dobleterningen - fortsat"',
}
"""The section of S2 (dbf), the only text that covers the other disputes."""

_A, _B = Side.A, Side.B
_ROLL: Final = (3, 1)
_LEGAL: Final = Played(_A, parse_play("8/5 6/5"))
_ILLEGAL: Final = START.moved(8, 4).moved(6, 5)


@dataclass(frozen=True, slots=True)
class Settled:
    """A dispute, what follows under a profile, and where that is stated."""

    dispute: Dispute
    outcome: Outcome
    rule: str
    citation: Citation

    @property
    def stated(self) -> bool:
        """Whether the profile's own text covers the dispute; if not, the outcome is taken from other texts."""
        return self.citation.stated


def settle(dispute: Dispute, profile: RuleProfile) -> Settled:
    """Return what follows from the dispute in a money game under the profile."""
    rolled = _game(START, _ROLL, profile)
    turn = rolled.apply(_LEGAL)
    match dispute:
        case Dispute.ILLEGAL_PLAY:
            outcome = after_illegal_play(START, _ROLL, _ILLEGAL, profile)
        case Dispute.INVALID_ROLL:
            again = _allows(turn.apply(InvalidRoll(_B)), [Doubled(_B, 2)])
            outcome = Outcome.ROLL_AGAIN if again else Outcome.ROLL_AGAIN_NO_DOUBLE
        case Dispute.EARLY_ROLL:
            judged: list[list[Event]] = [
                [RolledEarly(_B, _ROLL), EarlyRollJudged(_A, stands), _LEGAL] for stands in (True, False)
            ]
            doubles = any(_allows(rolled, [*events, Doubled(_B, 2)]) for events in judged)
            outcome = Outcome.OPPONENT_CHOOSES if doubles else Outcome.OPPONENT_CHOOSES_NO_DOUBLE
        case Dispute.LATE_DOUBLE:
            late = _allows(turn, [Rolled(_B, _ROLL), Doubled(_B, 2)])
            outcome = Outcome.ANY_TIME if late else Outcome.TOO_LATE
        case Dispute.DOUBLE_TAKEN_BACK:
            outcome = Outcome.STANDS
        case Dispute.CUBE_TOUCHED:
            outcome = Outcome.DOUBLED
    section = SECTIONS.get(dispute)
    citation = cite_section(DBF, section, profile) if section else cite(PARAMETERS[dispute], profile)
    return Settled(dispute, outcome, RULES.get(dispute) or RULES[outcome], citation)


def after_illegal_play(position: Position, roll: Roll, made: Position, profile: RuleProfile) -> Outcome:
    """Return what follows if the roll was played to the position `made`, which the rules do not allow.

    Both positions are seen by the player who rolled. Raises IllegalAction if the play was legal after all, and
    ValueError if a side of `made` does not have fifteen checkers. Source: S2 (dbf), "Ugyldige slag & ulovlige ryk".
    """
    try:
        disputed = _game(position, roll, profile).apply(PlayedIllegally(_A, made))
    except IllegalAction as refusal:
        if refusal.code == "illegal_play_unstated":
            return Outcome.UNSTATED
        raise
    return Outcome.ACCEPT_OR_REDO if _allows(disputed, [Rolled(_B, _ROLL)]) else Outcome.REDO


def as_made(position: Position, play: Play) -> Position | None:
    """Return the board after the moves exactly as written, whatever the rules say; None if they cannot be made.

    A lone checker that a hop passes over stays where it is.
    """
    for hop in play:
        if not position.checkers(hop.start) or position.opposing(hop.end) > 1:
            return None
        position = position.moved(hop.start, hop.end)
    return position


def _game(position: Position, roll: Roll, profile: RuleProfile) -> GameState:
    """Return a money game in which side A has rolled and nobody has doubled."""
    begun = GameState.begin(MatchScore(0), profile)
    return begun._replace(position=position, on_roll=_A, stage=Stage.ROLLED, roll=roll)


def _allows(state: GameState, events: Iterable[Event]) -> bool:
    try:
        for event in events:
            state = state.apply(event)
    except IllegalAction:
        return False
    return True
