"""A position drawn as SVG: plain markup without scripts or styles, which a style sheet can colour by class."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Final

from rules.position import BAR, OFF, Position, count

POINT: Final = 48
CHECKER: Final = 44
HALF: Final = 6 * POINT
RIM: Final = 10
NUMBERS: Final = 24
TRAY: Final = 56
INNER: Final = 492
WIDTH: Final = 4 * RIM + 2 * HALF + POINT + TRAY
HEIGHT: Final = INNER + 2 * NUMBERS
MIDDLE: Final = HEIGHT // 2
TALLEST: Final = 5
"""The most checkers drawn on a point; if there are more, the outermost carries their number."""
SLAB: Final = 11
DIE: Final = 42
CUBE: Final = 40

_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_FILLS: Final = {
    "rim": "#274a40",
    "felt": "#efe8d8",
    "tray": "#d5cbb4",
    "point odd": "#b4694a",
    "point even": "#d3c19b",
    "number": "#e5ede9",
    "mine": "#fffdf6",
    "theirs": "#23282a",
    "die": "#fffdf6",
    "pip": "#1d2420",
    "cube": "#fffdf6",
}


class Holder(StrEnum):
    """Where the cube is, seen by the player on roll."""

    MIDDLE = "middle"
    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for checkers: the centre of the first one and the step to the next.

    The name starts with `mine` or `theirs` for the bar and the tray; a point is shared by both sides.
    """

    name: str
    x: float
    y: float
    step: float
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Board:
    """The layout of a board: the player on roll sits below and bears off to the right, or to the left if `mirrored`."""

    mirrored: bool = False

    def x(self, left: float, width: float = 0) -> float:
        """Return the left edge of something `width` wide that is at `left` on a board that is not mirrored."""
        return WIDTH - left - width if self.mirrored else left

    def spot(self, point: int, side: str = "mine") -> Spot:
        """Return the place of a point in the mover's numbering, or of a side's own BAR or OFF."""
        below = side == "mine" if point in {OFF, BAR} else point <= 12
        top = MIDDLE if below else NUMBERS
        if point == OFF:
            left, width = float(3 * RIM + 2 * HALF + POINT), float(TRAY)
            edge = HEIGHT - NUMBERS - SLAB / 2 - 2 if below else NUMBERS + SLAB / 2 + 2
            y, step = edge, float(-SLAB if below else SLAB)
        elif point == BAR:
            left, width = float(RIM + HALF), float(POINT)
            y, step = MIDDLE + (CHECKER if below else -CHECKER), float(CHECKER if below else -CHECKER)
        else:
            column = 12 - point if below else point - 13
            left, width = RIM + column * POINT + (POINT if column >= 6 else 0), float(POINT)
            edge = HEIGHT - NUMBERS - CHECKER / 2 if below else NUMBERS + CHECKER / 2
            y, step = edge, float(-CHECKER if below else CHECKER)
        left = self.x(left, width)
        name = f"{side}-{point}" if point in {OFF, BAR} else str(point)
        return Spot(name, left + width / 2, y, step, left, top, width, INNER / 2)


def draw_board(
    position: Position,
    *,
    title: str,
    description: str,
    name: str = "board",
    before: Position | None = None,
    dice: tuple[int, ...] | None = None,
    cube: tuple[int, Holder] | None = None,
    mirrored: bool = False,
    spots: bool = False,
    mover: str = "mine",
) -> str:
    """Draw the position as one `<svg>`, the side `mine` below, in light checkers.

    `mover` is the side (`mine`, `theirs`) whose turn it is: the numbers on the rim are its own, the dice lie to its
    right. `title` and `description` are the alternative text; `name` begins the ids in it and must differ between the
    boards of a page. With `before`, the position before a play, the checkers that arrived and the places that the mover
    left are marked. `cube` is its value (1 is drawn as 64) and holder. With `spots` every place for checkers has a
    clear rectangle with `data-spot` (`1`..`24`, `mine-25`, `theirs-25`, `mine-0`, `theirs-0`), and `data-x`, `data-y`,
    `data-step` for the centres of its checkers.
    """
    board = Board(mirrored)
    head = (
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-labelledby="{escape(name)}-title {escape(name)}-words">'
    )
    checkers = "".join(_checkers(board, position, before, mover))
    parts = [
        head,
        f'<title id="{escape(name)}-title">{escape(title)}</title>',
        f'<desc id="{escape(name)}-words">{escape(description)}</desc>',
        *_ground(board, mover),
        *([f'<g class="spots">{"".join(_spots(board))}</g>'] if spots else []),
        f'<g class="checkers" font-size="19" font-weight="700" text-anchor="middle">{checkers}</g>',
    ]
    if dice:
        parts.append(_dice(board, dice, mover))
    if cube:
        parts.append(_cube(board, *cube))
    parts.append("</svg>")
    return "".join(parts)


def draw_die(value: int) -> str:
    """Draw one die as an `<svg>` that is hidden from screen readers: the caller must also give the number in words."""
    return f'<svg class="die-face" viewBox="-22 -22 44 44" aria-hidden="true">{_die(0, 0, value)}</svg>'


def _ground(board: Board, mover: str) -> Iterator[str]:
    yield _rect("rim", 0, 0, WIDTH, HEIGHT, radius=10)
    for left in (RIM, RIM + HALF + POINT):
        yield _rect("felt", board.x(left, HALF), NUMBERS, HALF, INNER)
    tray = board.spot(OFF)
    for top in (NUMBERS, MIDDLE + 1):
        yield _rect("tray", tray.left, top, TRAY, INNER / 2 - 1, radius=3)
    numbers = []
    for point in range(1, BAR):
        spot = board.spot(point)
        base = HEIGHT - NUMBERS if spot.step < 0 else NUMBERS
        tip = base + (210 if spot.step > 0 else -210)
        kind = "point odd" if point % 2 else "point even"
        yield (
            f'<path class="{kind}" fill="{_FILLS[kind]}" '
            f'd="M{spot.left + 2:g} {base}L{spot.x:g} {tip}L{spot.left + POINT - 2:g} {base}z"/>'
        )
        y = HEIGHT - 7 if spot.step < 0 else 17
        numbers.append(f'<text x="{spot.x:g}" y="{y}">{point if mover == "mine" else BAR - point}</text>')
    yield (
        f'<g class="numbers" fill="{_FILLS["number"]}" font-size="15" font-weight="600" text-anchor="middle" '
        f'aria-hidden="true">{"".join(numbers)}</g>'
    )


def _checkers(board: Board, position: Position, before: Position | None, mover: str) -> Iterator[str]:
    for side in ("mine", "theirs"):
        own = position.mine if side == "mine" else position.theirs
        old = own if before is None else before.mine if side == "mine" else before.theirs
        for point in range(BAR + 1):
            number, had = count(own, point), count(old, point)
            place = BAR - point if side == "theirs" and point not in {OFF, BAR} else point
            spot = board.spot(place, side)
            if point == OFF:
                yield from (_slab(spot, index, side, new=index >= had) for index in range(number))
                continue
            for index in range(min(number, TALLEST)):
                yield _checker(spot, index, side, new=index >= min(had, TALLEST - 1) and number > had)
            if number > TALLEST:
                yield _label(spot, TALLEST - 1, side, number)
            if side == mover:
                yield from (_ghost(spot, index) for index in range(number, min(had, TALLEST)))


def _checker(spot: Spot, index: int, side: str, *, new: bool) -> str:
    y = spot.y + index * spot.step
    kind = f"checker {side} new" if new else f"checker {side}"
    stroke = "#0fa784" if new else "#23282a" if side == "mine" else "#8d8a7e"
    return (
        f'<circle class="{kind}" cx="{spot.x:g}" cy="{y:g}" r="{CHECKER / 2 - 1.5:g}" fill="{_FILLS[side]}" '
        f'stroke="{stroke}" stroke-width="{4 if new else 2}"/>'
    )


def _label(spot: Spot, index: int, side: str, number: int) -> str:
    fill = _FILLS["theirs" if side == "mine" else "mine"]
    y = spot.y + index * spot.step + 7
    return f'<text class="count {side}" x="{spot.x:g}" y="{y:g}" fill="{fill}">{number}</text>'


def _ghost(spot: Spot, index: int) -> str:
    y = spot.y + index * spot.step
    return (
        f'<circle class="ghost" cx="{spot.x:g}" cy="{y:g}" r="{CHECKER / 2 - 3:g}" fill="none" stroke="#23282a" '
        f'stroke-width="2" stroke-dasharray="5 5"/>'
    )


def _slab(spot: Spot, index: int, side: str, *, new: bool) -> str:
    y = spot.y + index * spot.step - SLAB / 2 + 1
    kind = f"checker slab {side} new" if new else f"checker slab {side}"
    return (
        f'<rect class="{kind}" x="{spot.left + 5:g}" y="{y:g}" width="{TRAY - 10}" height="{SLAB - 2}" rx="3" '
        f'fill="{_FILLS[side]}" stroke="{"#0fa784" if new else "#23282a"}" stroke-width="1"/>'
    )


def _dice(board: Board, dice: tuple[int, ...], mover: str) -> str:
    centre = board.x(RIM + HALF / 2 + (HALF + POINT if mover == "mine" else 0))
    gap = DIE + 12
    first = centre - gap * (len(dice) - 1) / 2
    return f'<g class="dice">{"".join(_die(first + gap * i, MIDDLE, die) for i, die in enumerate(dice))}</g>'


def _die(x: float, y: float, value: int) -> str:
    half = DIE / 2
    pips = "".join(
        f'<circle class="pip" cx="{x + 11 * across:g}" cy="{y + 11 * down:g}" r="4" fill="{_FILLS["pip"]}"/>'
        for across, down in _PIPS[value]
    )
    face = (
        f'<rect class="die" x="{x - half:g}" y="{y - half:g}" width="{DIE}" height="{DIE}" rx="8" '
        f'fill="{_FILLS["die"]}" stroke="#23282a" stroke-width="1.5"/>'
    )
    return face + pips


def _cube(board: Board, value: int, holder: Holder) -> str:
    spot = board.spot(OFF)
    y = MIDDLE + {Holder.MIDDLE: 0, Holder.MINE: 52, Holder.THEIRS: -52}[holder]
    shown = str(64 if value == 1 else value)
    size = {1: 22, 2: 20, 3: 15}.get(len(shown), 11)
    return (
        f'<g class="cube"><rect x="{spot.x - CUBE / 2:g}" y="{y - CUBE / 2:g}" width="{CUBE}" height="{CUBE}" rx="6" '
        f'fill="{_FILLS["cube"]}" stroke="#23282a" stroke-width="1.5"/><text x="{spot.x:g}" y="{y + size * 0.36:g}" '
        f'font-size="{size}" font-weight="700" text-anchor="middle" fill="{_FILLS["pip"]}">{shown}</text></g>'
    )


def _spots(board: Board) -> Iterator[str]:
    places = [board.spot(point) for point in range(1, BAR)]
    places += [board.spot(point, side) for point in (OFF, BAR) for side in ("mine", "theirs")]
    for spot in places:
        yield (
            f'<rect class="spot" data-spot="{spot.name}" data-x="{spot.x:g}" data-y="{spot.y:g}" '
            f'data-step="{spot.step:g}" x="{spot.left:g}" y="{spot.top:g}" width="{spot.width:g}" '
            f'height="{spot.height:g}" fill="none" pointer-events="all"/>'
        )


def _rect(kind: str, x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    rounded = f' rx="{radius:g}"' if radius else ""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect class="{kind}" {place}{rounded} fill="{_FILLS[kind]}"/>'
