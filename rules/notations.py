"""Plays in the notation that a rule text uses: read in any of them, written in that of the profile."""

import re
from collections.abc import Sequence
from typing import Final

from rules.notation import Hop, Play, format_play, parse_play
from rules.notation_sw import Colour, format_sw, parse_sw
from rules.profiles import Notation, RuleProfile
from rules.score import Side

_NAMES_A_ROW: Final = re.compile(r"(?<!\w)[SW]\s*\d", re.IGNORECASE | re.ASCII)


_PLAYS_A_ROW: Final = re.compile(r"(?<!\d)[1-6]{2}: *[SW]\s*\d{1,2}-", re.IGNORECASE | re.ASCII)


def names_rows(record: str) -> bool:
    """Whether the plays of a record in text name points by row."""
    return _PLAYS_A_ROW.search(record) is not None


def colour_of(side: Side) -> Colour:
    """Return the colour of the side's checkers where the rows of the board have names: side A is white."""
    return Colour.WHITE if side is Side.A else Colour.BLACK


def read_play(text: str, side: Side) -> Play:
    """Read the play of this side, whether it names points by number or by row (`S1-S5-S10`).

    Does not check that the play is legal. Raises NotationError for anything else.
    """
    return parse_sw(text, colour_of(side)) if _NAMES_A_ROW.search(text) else parse_play(text)


def write_play(play: Sequence[Hop], profile: RuleProfile, side: Side) -> str:
    """Write the play of this side as the profile's text names points; a dance is the empty text."""
    return format_sw(play, colour_of(side)) if profile.notation is Notation.DK_SW else format_play(play)
