"""The Position ID and the Match ID of GNU Backgammon."""

import base64
import binascii
from typing import Final

from rules.errors import gettext_noop
from rules.ids.situation import (
    MAX_CUBE_LOG,
    MAX_NUMBER,
    IdError,
    Offer,
    Progress,
    Situation,
    cube_of,
    descending,
    offered,
    score_of,
)
from rules.position import BAR, CHECKERS, OFF, ONE, Position, count
from rules.score import Level, Side

POSITION_ID_LENGTH: Final = 14
MATCH_ID_LENGTH: Final = 12
_POSITION_BYTES: Final = 10
_MATCH_BYTES: Final = 9
_MATCH_BITS: Final = 67
_CENTRED: Final = 3
_FIELDS: Final = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
"""Widths of cube, owner, on roll, Crawford, progress, acting, doubled, resigned, dice, length, scores, no Jacoby."""
_PLAYERS: Final = (Side.A, Side.B)
_PROGRESS: Final = (Progress.NOT_STARTED, Progress.PLAYING, Progress.OVER, Progress.RESIGNED, Progress.DROPPED)


def position_id(position: Position) -> str:
    """Write the GNU Backgammon Position ID: fourteen base64 characters of an 80-bit key.

    The key holds the player *not* on roll first, then the player on roll: for each, for points 1 to 24 and the bar,
    as many one bits as checkers and then a zero. Bits fill each byte from the least significant.
    """
    key, shift = 0, 0
    for side in (position.theirs, position.mine):
        for point in range(1, BAR + 1):
            checkers = count(side, point)
            key |= ((1 << checkers) - 1) << shift
            shift += checkers + 1
    return base64.b64encode(key.to_bytes(_POSITION_BYTES, "little")).decode().rstrip("=")


def parse_position_id(text: str) -> Position:
    """Read the position of a Position ID; checkers that it does not place are borne off.

    Raises NotationError for a text that is not an ID, or whose key no position has.
    """
    data = _decoded(text, POSITION_ID_LENGTH)
    if data is None:
        raise IdError(gettext_noop("A Position ID is 14 characters long: letters, digits, + and /."))
    key = int.from_bytes(data, "little")
    sides = []
    for _ in range(2):
        side, placed = 0, 0
        for point in range(1, BAR + 1):
            while key & 1:
                side, placed, key = side + ONE[point], placed + 1, key >> 1
                if placed > CHECKERS:
                    raise IdError(gettext_noop("The Position ID gives a side more than fifteen checkers."))
            key >>= 1
        sides.append(side + (CHECKERS - placed) * ONE[OFF])
    position = Position(mine=sides[1], theirs=sides[0])
    if any(position.checkers(point) and position.opposing(point) for point in range(1, BAR)):
        raise IdError(gettext_noop("The Position ID puts checkers of both sides on the same point."))
    if position_id(position) != text:
        raise IdError(gettext_noop("The Position ID has extra data after the last checker."))
    return position


def match_id(situation: Situation) -> str:
    """Write the GNU Backgammon Match ID of everything but the checkers: twelve base64 characters of a 67-bit key.

    It has no room for beavers and the limit of the cube: an offered beaver or raccoon is written as a double.
    Raises ValueError for numbers that do not fit in 15 bits.
    """
    score, cube = situation.score, situation.cube
    if max(score.length, score.a, score.b) > MAX_NUMBER or cube.value.bit_length() - 1 > MAX_CUBE_LOG:
        raise ValueError("A Match ID holds lengths and scores to 32767 and cubes to 32768.")
    dice = situation.dice or (0, 0)
    values = (
        cube.value.bit_length() - 1,
        _CENTRED if cube.owner is None else _PLAYERS.index(cube.owner),
        _PLAYERS.index(situation.on_roll),
        int(score.is_crawford),
        _PROGRESS.index(situation.progress),
        _PLAYERS.index(situation.acting),
        int(situation.offer is not Offer.NONE),
        situation.resigned or 0,
        *dice,
        score.length,
        score.a,
        score.b,
        int(not situation.jacoby),
    )
    key, shift = 0, 0
    for value, width in zip(values, _FIELDS, strict=True):
        key |= value << shift
        shift += width
    return base64.b64encode(key.to_bytes(_MATCH_BYTES, "little")).decode()


def parse_match_id(text: str, position: Position) -> Situation:
    """Read the situation of a Match ID, with the position given by the Position ID beside it.

    The last bit says "no Jacoby"; IDs from before it was introduced have a zero, which means nothing in a match. Dice
    are read in any order. Raises NotationError for a text that is not an ID, or whose key no game has.
    """
    data = _decoded(text, MATCH_ID_LENGTH)
    if data is None:
        raise IdError(gettext_noop("A Match ID is 12 characters long: letters, digits, + and /."))
    key = int.from_bytes(data, "little")
    if key >> _MATCH_BITS:
        raise IdError(gettext_noop("The Match ID has extra data after its last field."))
    values = []
    for width in _FIELDS:
        values.append(key & (1 << width) - 1)
        key >>= width
    log, owner, on_roll, crawford, progress, acting, doubled, resigned, first, second, length, a, b, plain = values
    if owner == 2:
        raise IdError(gettext_noop("The Match ID gives the cube an invalid owner."))
    if progress >= len(_PROGRESS):
        raise IdError(gettext_noop("The Match ID gives the game an invalid state."))
    if max(first, second) > 6 or (first == 0) != (second == 0):
        raise IdError(gettext_noop("The Match ID gives invalid dice."))
    return offered(
        Situation(
            position=position,
            on_roll=_PLAYERS[on_roll],
            acting=_PLAYERS[acting],
            dice=descending(first, second),
            cube=cube_of(log, None if owner == _CENTRED else _PLAYERS[owner]),
            offer=Offer.DOUBLE if doubled else Offer.NONE,
            resigned=Level(resigned) if resigned else None,
            score=score_of(length, a, b, crawford=bool(crawford)),
            jacoby=not length and not plain,
            progress=_PROGRESS[progress],
        )
    )


def _decoded(text: str, length: int) -> bytes | None:
    if len(text) != length:
        return None
    try:
        return base64.b64decode(text.encode("ascii") + b"=" * (-length % 4), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
