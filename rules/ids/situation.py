"""What an ID holds: the position, and as much of dice, cube, score and rules as its format has room for."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules import cube
from rules.cube import CENTRED, Cube, CubeFault, double_fault
from rules.errors import NotationError, gettext_noop
from rules.position import BAR, Position
from rules.profiles import WBGF
from rules.score import Level, MatchScore, Side

MAX_NUMBER: Final = (1 << 15) - 1
"""The longest match and the highest score that fit in a Match ID; the other formats are read no further."""
MAX_CUBE_LOG: Final = 15
DEFAULT_CUBE_LIMIT: Final = 1024
MONEY: Final = MatchScore(0)

IMPOSSIBLE_SCORE = gettext_noop("The ID gives a score of %(a)s–%(b)s in a match to %(length)s, which is impossible.")
NO_CRAWFORD = gettext_noop(
    "The ID marks the Crawford game at %(a)s–%(b)s to %(length)s, where neither side needs just one point."
)
TOO_LARGE = gettext_noop("The ID gives a length or a score above %(most)s.")
OWNED_ONE = gettext_noop("The ID gives the cube an owner, although nobody has doubled yet.")
BOTH_SIDES = gettext_noop("The ID puts checkers of both sides on point %(point)s.")
TOO_MANY = gettext_noop("The ID gives a side more than fifteen checkers.")


class IdError(NotationError):
    """A NotationError with the parts of its translatable sentence: `template` and `params`."""

    def __init__(self, template: str, params: Mapping[str, object] | None = None) -> None:
        self.template = template
        self.params = dict(params or {})
        super().__init__(template % self.params)


class Offer(StrEnum):
    """A turn of the cube that is waiting for an answer."""

    NONE = "none"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


class Progress(StrEnum):
    """How far the game has come; an ID that does not say means a game in progress."""

    NOT_STARTED = "not_started"
    PLAYING = "playing"
    OVER = "over"
    RESIGNED = "resigned"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A moment of a game.

    `position` is seen by `on_roll`, the side that rolls, has rolled, or has doubled; `acting` is the side that decides
    now, which is the other one while a double or a resignation at level `resigned` waits. `dice` has the larger first;
    `cube` is before the offer. Side A is player 0 of GNU Backgammon, the top player of eXtreme Gammon and White in an
    OGID.

    An ID tells the Crawford game from the games after it, but not whether the Crawford rule is off: the score of an ID
    always has it on. `jacoby` and `beavers` belong to money play, and are False in a match. `cube_limit` is the highest
    cube.
    """

    position: Position
    on_roll: Side = Side.A
    acting: Side = Side.A
    dice: tuple[int, int] | None = None
    cube: Cube = CENTRED
    offer: Offer = Offer.NONE
    resigned: Level | None = None
    score: MatchScore = MONEY
    jacoby: bool = False
    beavers: bool = False
    progress: Progress = Progress.PLAYING
    cube_limit: int = DEFAULT_CUBE_LIMIT

    def side(self, side: Side) -> int:
        """Return the checkers of a side as a packed int in its own numbering: see `rules.position.Position`."""
        return self.position.mine if side is self.on_roll else self.position.theirs


def answering(on_roll: Side, offer: Offer) -> Side:
    """Return the side that must decide: `on_roll`, or the other side if `on_roll` doubled or offered a raccoon."""
    return on_roll.other if offer in {Offer.DOUBLE, Offer.RACCOON} else on_roll


def offered(situation: Situation, *, beavers_told: bool = False) -> Situation:
    """Return the situation unchanged if its offer is one that the rules allow.

    Formats that do not tell beavers from doubles (`beavers_told` False) write a raccoon as a double of the cube that
    the beaverer owns, so in money play they may give it to the side that answers. Raises IdError for a double that the
    rules forbid at this score and cube, and for a beaver or raccoon in a match. Invariants I6, I7, I11.
    """
    fault = None
    if situation.score.length and situation.offer in {Offer.BEAVER, Offer.RACCOON}:
        fault = CubeFault.BEAVER_IN_MATCH
    elif situation.offer is Offer.DOUBLE and (situation.score.length or beavers_told):
        held = situation.cube
        fault = double_fault(held, situation.on_roll, held.value * 2, situation.score, WBGF)
    if fault is not None:
        raise IdError(cube.TEMPLATES[fault])
    return situation


def score_of(length: int, a: int, b: int, *, crawford: bool) -> MatchScore:
    """Return the score that an ID writes as these numbers; `crawford` is its mark of the Crawford game.

    A match to one point has no Crawford game; programs set the mark there or not, and it is ignored.
    Raises IdError for a score that no match has, for one that does not fit in a Match ID, and for the mark where no
    side needs one point.
    """
    if max(length, a, b) > MAX_NUMBER:
        raise IdError(TOO_LARGE, {"most": MAX_NUMBER})
    numbers = {"a": a, "b": b, "length": length}
    away_one = length >= 2 and max(a, b) == length - 1
    try:
        score = MatchScore(length, a, b, crawford_done=length >= 2 and max(a, b) >= length - 1 and not crawford)
    except ValueError as error:
        raise IdError(IMPOSSIBLE_SCORE, numbers) from error
    if crawford and length >= 2 and not away_one:
        raise IdError(NO_CRAWFORD, numbers)
    return score


def cube_of(log: int, owner: Side | None) -> Cube:
    """Return the cube at 2 to the power of log. Raises IdError if a cube at 1 has an owner."""
    if log == 0 and owner is not None:
        raise IdError(OWNED_ONE)
    return Cube(1 << log, owner)


def placed(mine: Mapping[int, int], theirs: Mapping[int, int]) -> Position:
    """Return the position with these checkers, {own point: count}; those left out are borne off.

    Raises IdError for more than fifteen checkers of a side or a point held by both.
    """
    for point in range(1, BAR):
        if mine.get(point) and theirs.get(BAR - point):
            raise IdError(BOTH_SIDES, {"point": point})
    try:
        return Position.of(mine, theirs)
    except ValueError as error:
        raise IdError(TOO_MANY) from error


def descending(first: int, second: int) -> tuple[int, int] | None:
    """Return the dice with the larger first; None for the two zeros of dice not thrown yet."""
    return (max(first, second), min(first, second)) if first and second else None
