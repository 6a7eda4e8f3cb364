"""What a game waits for, and the only events that may come then."""

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
    """What the game waits for."""

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
"""The only events that may come where somebody has to answer, or nobody can any more."""

UNANSWERED: Final = {
    Stage.DOUBLED: ActionFault.DOUBLE_UNANSWERED,
    Stage.ILLEGAL: ActionFault.ILLEGAL_PLAY_UNANSWERED,
    Stage.EARLY: ActionFault.EARLY_ROLL_UNANSWERED,
    Stage.OVER: ActionFault.GAME_OVER,
}


class Offer(StrEnum):
    """What kind of double stands; all but the first are themselves an answer to one."""

    DOUBLE = "double"
    REDOUBLE = "redouble"
    BEAVER = "beaver"
    RACCOON = "raccoon"
