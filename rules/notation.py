"""Plays in writing: `24/18 13/11`, `bar/21*/15`, `8/4*(2)`, `25/22 4/0`."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from rules.errors import NotationError, gettext_noop
from rules.position import BAR, OFF

MOST_HOPS: Final = 4
"""The most steps in a play: a double gives four."""


class Hop(NamedTuple):
    """The move of one checker from start to end in the mover's own numbering, by one die or several (`22/13` with 63).

    `hit` says that the text marks a hit at the end; an unmarked hop may still hit, as some writers do not mark hits.
    """

    start: int
    end: int
    hit: bool = False


Play = tuple[Hop, ...]
"""One whole turn as a player wrote it, in the order written; empty for a dance."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a program writes plays."""

    bar: str
    off: str
    stars: bool
    counts: bool


STUDIO = Style(bar="bar", off="off", stars=True, counts=True)
GALAXY = Style(bar="25", off="0", stars=False, counts=False)

_MOVE = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\(([2-4])\))?", re.IGNORECASE | re.ASCII)
_NAMED_POINTS = {"bar": BAR, "off": OFF}


def _point(text: str) -> int:
    named = _NAMED_POINTS.get(text.lower())
    return int(text) if named is None else named


def parse_play(text: str) -> Play:
    """Read the hops that a text names, in the same order; `(2)` is written out, and so is each stop of `24/20/16`.

    Both `bar` and 25, `off` and 0 are understood. Does not check that the play is legal, only that every hop goes
    forward on the board. Raises NotationError for anything else.
    """
    play: Play = ()
    for token in text.split():
        play += _hops(token)
        if len(play) > MOST_HOPS:
            raise NotationError(gettext_noop("A play has at most four steps."))
    return play


@lru_cache(maxsize=1 << 12)
def _hops(token: str) -> Play:
    """Read the hops of one word of a play."""
    found = _MOVE.fullmatch(token)
    if found is None:
        raise NotationError(gettext_noop("“%(text)s” is not a step.") % {"text": token[:40]})
    start = _point(found[1])
    chain: list[Hop] = []
    for stop in found[2].split("/")[1:]:
        end = _point(stop.rstrip("*"))
        if not OFF <= end < start <= BAR:
            raise NotationError(gettext_noop("“%(text)s” does not move forward.") % {"text": token[:40]})
        chain.append(Hop(start, end, stop.endswith("*")))
        start = end
    again = [Hop(hop.start, hop.end) for hop in chain]
    return (*chain, *again * (int(found[3] or 1) - 1))


def format_play(play: Sequence[Hop], style: Style = STUDIO) -> str:
    """Write a play in the given style; a dance is the empty text.

    `parse_play` reads it back to the same hops, grouped where the style counts (`13/11(2)`).
    """

    def hop_text(start: int, end: int, star: bool) -> str:
        first = style.bar if start == BAR else str(start)
        last = style.off if end == OFF else str(end)
        return f"{first}/{last}{'*' if star else ''}"

    if not style.counts:
        return " ".join(hop_text(hop.start, hop.end, style.stars and hop.hit) for hop in play)
    starred = {(hop.start, hop.end) for hop in play if hop.hit and style.stars}
    counted = Counter((hop.start, hop.end) for hop in play)
    return " ".join(
        hop_text(*ends, ends in starred) + (f"({number})" if number > 1 else "") for ends, number in counted.items()
    )
