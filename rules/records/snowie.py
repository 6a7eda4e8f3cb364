"""Snowie's line of forty fields for a position, as `.mat` records write it after an illegal play.

Length, Jacoby, two unknown, a flag for the side on roll, the names of the player on roll and of the other, Crawford,
their scores, the cube and its owner (1 the player on roll, -1 the other, 0 nobody), the bar of the player on roll,
points 1 to 24 as that player counts them (the opponent's checkers below 0), the opponent's bar, the next roll or zeros.

Programs disagree on which side the flag means, so the names decide whose line it is.
"""

from dataclasses import dataclass
from typing import Final

from rules.position import BAR, CHECKERS, Position

FIELDS: Final = 40
_NAMES: Final = (5, 6)


@dataclass(frozen=True, slots=True)
class Placed:
    """What a Snowie line says, the player on roll first; `owner` is 1 for that player, -1 for the other, 0 for none."""

    length: int
    flag: int
    names: tuple[str, str]
    score: tuple[int, int]
    position: Position
    cube: int = 1
    owner: int = 0
    crawford: bool = False
    dice: tuple[int, int] = (0, 0)


def parse_placed(text: str) -> Placed:
    """Read the line. Raises ValueError for anything else, and for checkers that no board can have."""
    fields = text.strip().removesuffix(";").split(";")
    if len(fields) != FIELDS:
        raise ValueError(f"Expected {FIELDS} fields, not {len(fields)}.")
    numbers = [0 if place in _NAMES else _number(field) for place, field in enumerate(fields)]
    bar, *points, opposing_bar = numbers[12:38]
    if bar < 0 or max(abs(count) for count in numbers[12:38]) > CHECKERS:
        raise ValueError("No side can have that many checkers on a point.")
    mine = {point: count for point, count in enumerate([*points, bar], 1) if count > 0}
    theirs = {BAR - point: -count for point, count in enumerate(points, 1) if count < 0}
    return Placed(
        length=numbers[0],
        flag=numbers[4],
        names=(fields[5].strip(), fields[6].strip()),
        score=(numbers[8], numbers[9]),
        position=Position.of(mine, {**theirs, BAR: abs(opposing_bar)}),
        cube=numbers[10],
        owner=numbers[11],
        crawford=bool(numbers[7]),
        dice=(numbers[38], numbers[39]),
    )


def format_placed(placed: Placed) -> str:
    """Write the line, with a semicolon at its end; `parse_placed` reads it back."""
    position = placed.position
    points = [position.checkers(point) - position.opposing(point) for point in range(1, BAR)]
    match = [placed.length, 0, 0, 0, placed.flag, *placed.names, int(placed.crawford), *placed.score]
    board = [position.checkers(BAR), *points, -position.swapped().checkers(BAR)]
    return "".join(f"{field};" for field in [*match, placed.cube, placed.owner, *board, *placed.dice])


def _number(text: str) -> int:
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise ValueError("The fields other than the names are numbers.")
    return int(text)
