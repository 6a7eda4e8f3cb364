"""Plays in the notation of the Danish leaflet: two rows, S1-S12 and W1-W12, which give every point one name.

White moves from S1 to S12 and on from W12 to W1, black the other way round. Source: S0 (dk-leaflet), "Regler".
The leaflet has no signs for a checker that was hit, is borne off or hits; here they are `slået`, `ud` and `*`
(`bar`, which the leaflet keeps for a lone checker, and `off` are read as well).
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from rules.errors import NotationError, gettext_noop
from rules.notation import MOST_HOPS, Hop, Play
from rules.position import BAR, OFF


class Colour(StrEnum):
    """The colour of the mover's checkers, which decides where the home board is: white W6-W1, black S6-S1."""

    WHITE = "white"
    BLACK = "black"


HIT_CHECKER: Final = "slået"
BORNE_OFF: Final = "ud"

_HOME_ROW: Final = {Colour.WHITE: "W", Colour.BLACK: "S"}
_NAMED: Final = {HIT_CHECKER: BAR, "bar": BAR, BORNE_OFF: OFF, "off": OFF}
_ROW: Final = re.compile(r"\b([SW])\s+(?=\d)", re.IGNORECASE | re.ASCII)
_POINT: Final = re.compile(r"([SW])(\d{1,2})", re.IGNORECASE | re.ASCII)
_COUNT: Final = re.compile(r"(.+?)\(([2-4])\)", re.ASCII)


def parse_point_sw(text: str, colour: Colour) -> int:
    """Return the mover's own number (1-24) of the point `S1`-`S12` or `W1`-`W12`.

    Raises NotationError for anything else.
    """
    found = _POINT.fullmatch(_ROW.sub(r"\1", text.strip()))
    number = int(found[2]) if found is not None else 0
    if found is None or not 1 <= number <= 12:
        raise NotationError(gettext_noop("“%(text)s” is not a point on the board.") % {"text": text[:40]})
    return number if found[1].upper() == _HOME_ROW[colour] else BAR - number


def format_point_sw(point: int, colour: Colour) -> str:
    """Return the name of the mover's own point 1-24; `parse_point_sw` reads it back.

    Raises ValueError for other numbers.
    """
    if not OFF < point < BAR:
        raise ValueError(f"{point} is not a point on the board")
    if point <= 12:
        return f"{_HOME_ROW[colour]}{point}"
    return f"{'S' if colour is Colour.WHITE else 'W'}{BAR - point}"


def parse_sw(text: str, colour: Colour) -> Play:
    """Read the hops of a text such as `S1-S5-S10` or `S12-W9 S12-W8` in the same order, in the mover's own numbering.

    `S 1` is read as `S1`, and `(2)` is written out. Does not check that the play is legal, only that every hop goes
    forward. Raises NotationError for anything else.
    """
    play: list[Hop] = []
    for token in _ROW.sub(r"\1", text).split():
        counted = _COUNT.fullmatch(token)
        stops, number = (counted[1], int(counted[2])) if counted is not None else (token, 1)
        names = stops.split("-")
        if len(names) < 2:
            raise NotationError(gettext_noop("“%(text)s” is not a step.") % {"text": token[:40]})
        start, *ends = [_stop(name, colour) for name in names]
        if start[1]:
            raise NotationError(gettext_noop("“%(text)s” is not a step.") % {"text": token[:40]})
        chain: list[Hop] = []
        for end in ends:
            if end[0] >= start[0]:
                raise NotationError(gettext_noop("“%(text)s” does not move forward.") % {"text": token[:40]})
            chain.append(Hop(start[0], end[0], end[1]))
            start = end
        play += chain
        play += [Hop(hop.start, hop.end) for hop in chain] * (number - 1)
        if len(play) > MOST_HOPS:
            raise NotationError(gettext_noop("A play has at most four steps."))
    return tuple(play)


def format_sw(play: Sequence[Hop], colour: Colour) -> str:
    """Write a play hop by hop; a dance is the empty text. `parse_sw` reads it back to the same hops."""

    def name(point: int) -> str:
        named = {BAR: HIT_CHECKER, OFF: BORNE_OFF}
        return named[point] if point in named else format_point_sw(point, colour)

    return " ".join(f"{name(hop.start)}-{name(hop.end)}{'*' if hop.hit else ''}" for hop in play)


def _stop(name: str, colour: Colour) -> tuple[int, bool]:
    """Return the point, and whether a hit is marked there."""
    point = name.rstrip("*")
    hit = name == point + "*"
    if name not in (point, point + "*"):
        raise NotationError(gettext_noop("“%(text)s” is not a step.") % {"text": name[:40]})
    named = _NAMED.get(point.lower())
    return (parse_point_sw(point, colour) if named is None else named), hit
