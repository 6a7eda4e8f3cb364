"""What a game is waiting for, and the only events allowed then."""

from enum import StrEnum
from typing import Final

from rules.actions import (
    ActionFault,
    Beavered,
    Doubled,
    Dropped,
    EarlyRollJudged,
    Event,
    Raccooned,
    RedoDemanded,
    Resigned,
    Rolled,
    Took,
)


class Stage(StrEnum):
    """What the game is waiting for."""

    OPENING = "opening"
    TURN = "turn"
    ROLLED = "rolled"
    DOUBLED = "doubled"
    ILLEGAL = "illegal"
    EARLY = "early"
    OVER = "over"


ANSWERS: Final[dict[Stage, tuple[type[Event], ...]]] = {
    Stage.DOUBLED: (Took, Dropped, Doubled, Beavered, Raccooned),
    Stage.ILLEGAL: (Rolled, Doubled, RedoDemanded, Resigned),
    Stage.EARLY: (EarlyRollJudged,),
    Stage.OVER: (),
}
"""The only events allowed while a side must answer, or once the game is over."""

UNANSWERED: Final = {
    Stage.DOUBLED: ActionFault.DOUBLE_UNANSWERED,
    Stage.ILLEGAL: ActionFault.ILLEGAL_PLAY_UNANSWERED,
    Stage.EARLY: ActionFault.EARLY_ROLL_UNANSWERED,
    Stage.OVER: ActionFault.GAME_OVER,
}


class Offer(StrEnum):
    """The kind of double that stands; every kind but the first is itself an answer to a double."""

    DOUBLE = "double"
    REDOUBLE = "redouble"
    BEAVER = "beaver"
    RACCOON = "raccoon"
