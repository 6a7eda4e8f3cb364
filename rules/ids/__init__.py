"""Positions and situations as short texts that other programs read.

Every format has one reader and one writer for the common value `Situation`; a writer drops what its format has no
room for, and documents it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.errors import gettext_noop
from rules.ids.gnu import (
    MATCH_ID_LENGTH,
    POSITION_ID_LENGTH,
    match_id,
    parse_match_id,
    parse_position_id,
    position_id,
)
from rules.ids.ogid import ogid, parse_ogid
from rules.ids.situation import IdError, Offer, Progress, Situation
from rules.ids.typed import parse_typed, parse_typed_position, typed, typed_position
from rules.ids.xgid import parse_xgid, xgid

__all__ = [
    "FORMATS",
    "IdError",
    "IdFormat",
    "Offer",
    "Progress",
    "Situation",
    "gnu_id",
    "match_id",
    "ogid",
    "parse_gnu_id",
    "parse_id",
    "parse_match_id",
    "parse_ogid",
    "parse_position_id",
    "parse_typed",
    "parse_typed_position",
    "parse_xgid",
    "position_id",
    "typed",
    "typed_position",
    "xgid",
]

MAX_ID_LENGTH: Final = 120


def gnu_id(situation: Situation) -> str:
    """Write the Position ID and the Match ID with a colon between them, as GNU Backgammon expects."""
    return f"{position_id(situation.position)}:{match_id(situation)}"


def parse_gnu_id(text: str) -> Situation:
    """Read `Position ID:Match ID`, or a Position ID alone, which means that side A is on roll in money play.

    Raises NotationError.
    """
    checkers, colon, rest = text.partition(":")
    position = parse_position_id(checkers)
    return parse_match_id(rest, position) if colon else Situation(position=position)


@dataclass(frozen=True, slots=True)
class IdFormat:
    """A kind of ID: its name, its writer and its reader."""

    name: str
    write: Callable[[Situation], str]
    read: Callable[[str], Situation]


FORMATS: Final[dict[str, IdFormat]] = {
    "gnu": IdFormat("GNU Backgammon ID", gnu_id, parse_gnu_id),
    "xgid": IdFormat("XGID", xgid, parse_xgid),
    "ogid": IdFormat("OGID", ogid, parse_ogid),
}


def parse_id(text: str) -> Situation:
    """Read an ID in whichever of the formats it is written, ignoring white space around it.

    A Match ID alone holds no checkers and is refused. Raises NotationError.
    """
    text = text.strip()
    if not text or len(text) > MAX_ID_LENGTH:
        raise IdError(gettext_noop("This is not an ID. Use a Position ID, Position ID:Match ID, XGID or OGID."))
    colons = text.count(":")
    if text.startswith("XGID=") or (colons >= 8 and "-" in text):
        return parse_xgid(text)
    if text.startswith("OGID=") or colons >= 2:
        return parse_ogid(text)
    checkers = text.partition(":")[0]
    if len(checkers) == POSITION_ID_LENGTH:
        return parse_gnu_id(text)
    if len(checkers) == MATCH_ID_LENGTH:
        raise IdError(
            gettext_noop("A Match ID does not include the checkers: put the Position ID and a colon before it.")
        )
    raise IdError(gettext_noop("This is not an ID. Use a Position ID, Position ID:Match ID, XGID or OGID."))
