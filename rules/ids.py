"""Positions as short texts that other programs read."""

import base64
import binascii
from typing import Final

from rules.errors import NotationError, gettext_noop
from rules.position import BAR, CHECKERS, OFF, ONE, Position, count

POSITION_ID_LENGTH: Final = 14
_KEY_BYTES: Final = 10


def position_id(position: Position) -> str:
    """The GNU Backgammon Position ID: fourteen base64 characters of an 80-bit key.

    The key holds the player *not* on roll first, then the player on roll; of each, for points 1 to 24 and the bar,
    as many one bits as checkers and a zero. Bits fill each byte from the least significant.
    """
    key, shift = 0, 0
    for side in (position.theirs, position.mine):
        for point in range(1, BAR + 1):
            checkers = count(side, point)
            key |= ((1 << checkers) - 1) << shift
            shift += checkers + 1
    return base64.b64encode(key.to_bytes(_KEY_BYTES, "little")).decode().rstrip("=")


def parse_position_id(text: str) -> Position:
    """The position with this Position ID; checkers that it does not place are borne off.

    Raises NotationError for a text that is no id, or whose key no position has.
    """
    try:
        data = base64.b64decode(f"{text}==".encode("ascii"), validate=True) if len(text) == POSITION_ID_LENGTH else b""
    except (UnicodeEncodeError, binascii.Error):
        data = b""
    if len(data) != _KEY_BYTES:
        raise NotationError(gettext_noop("A Position ID is 14 letters, digits, + and /."))
    key = int.from_bytes(data, "little")
    sides = []
    for _ in range(2):
        side, placed = 0, 0
        for point in range(1, BAR + 1):
            while key & 1:
                side, placed, key = side + ONE[point], placed + 1, key >> 1
                if placed > CHECKERS:
                    raise NotationError(gettext_noop("The Position ID gives a side more than fifteen checkers."))
            key >>= 1
        sides.append(side + (CHECKERS - placed) * ONE[OFF])
    position = Position(mine=sides[1], theirs=sides[0])
    if any(position.checkers(point) and position.opposing(point) for point in range(1, BAR)):
        raise NotationError(gettext_noop("The Position ID puts checkers of both sides on one point."))
    if position_id(position) != text:
        raise NotationError(gettext_noop("The Position ID goes on after the last checker."))
    return position
