"""One side's checkers as people type them: `24:2 13:5 8:3 6:5`, `bar:1 6:2`."""

import re
from collections.abc import Mapping
from typing import Final

from rules.errors import gettext_noop
from rules.ids.situation import IdError, placed
from rules.position import BAR, CHECKERS, OFF, Position, count

_PART = re.compile(r"(bar|off|\d{1,2})[:=x](\d{1,2})", re.IGNORECASE | re.ASCII)
_NAMES: Final = {"bar": BAR, "off": OFF}
_MOST_PARTS: Final = BAR + 1


def typed(side: int) -> str:
    """Write the checkers of a packed side in its own numbering, from the bar down, leaving out those borne off."""
    held = [(point, count(side, point)) for point in range(BAR, OFF, -1)]
    return " ".join(f"{'bar' if point == BAR else point}:{number}" for point, number in held if number)


def parse_typed(text: str) -> dict[int, int]:
    """Read a side's checkers as {own point: count}; commas count as spaces, `bar` is 25 and `off` is 0.

    Raises NotationError for anything else, a point named twice, and more than fifteen checkers.
    """
    points: dict[int, int] = {}
    for part in text.replace(",", " ").split()[: _MOST_PARTS + 1]:
        found = _PART.fullmatch(part)
        if found is None:
            raise IdError(
                gettext_noop("“%(text)s” should be a point and the number of checkers on it, such as 24:2."),
                {"text": part[:20]},
            )
        name, number = found[1].lower(), int(found[2])
        point = _NAMES.get(name, -1) if name in _NAMES else int(name)
        if not OFF <= point <= BAR:
            raise IdError(gettext_noop("There is no point %(point)s: use 1 to 24, or bar."), {"point": found[1]})
        if point in points:
            raise IdError(gettext_noop("Point %(point)s is given twice."), {"point": found[1]})
        points[point] = number
    if sum(points.values()) > CHECKERS:
        raise IdError(
            gettext_noop("A side must have fifteen checkers, not %(number)s."), {"number": sum(points.values())}
        )
    off = points.pop(OFF, None)
    if off is not None and off + sum(points.values()) != CHECKERS:
        raise IdError(
            gettext_noop("A side must have fifteen checkers, not %(number)s."), {"number": off + sum(points.values())}
        )
    return points


def parse_typed_position(mine: str, theirs: str) -> Position:
    """Read the position of both sides as typed, each in its own numbering.

    Raises NotationError as `parse_typed` does, and for a point held by both sides.
    """
    return placed(parse_typed(mine), parse_typed(theirs))


def typed_position(position: Position) -> Mapping[str, str]:
    """Write both sides so that `parse_typed_position` reads them back."""
    return {"mine": typed(position.mine), "theirs": typed(position.theirs)}
