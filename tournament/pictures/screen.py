"""The pictures of a draw on a screen that nobody scrolls: parts that are read from the back of the hall.

A name is a fortieth as high as the screen or higher. The page shows one part at a time and goes round.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tournament.pictures.bracket import PROJECTED, window_bracket
from tournament.pictures.draw import Picture, bracket_matches, draw_pictures, part_of_bracket
from tournament.snapshot import EventSnapshot, FixtureSnapshot, FixtureState

ROUNDS = 4
SLOTS = 8
"""Rounds beside each other, and matches below each other, of a bracket."""
ROWS = 16
"""Lines of a table below each other."""
COLUMNS = 12
"""Matches beside each other in a line of a crosstable."""


@dataclass(frozen=True, slots=True)
class Part:
    """What fills the screen at one time: pictures that take ``share`` quarters of it each."""

    share: int
    pictures: tuple[Picture, ...]


def screen_parts(snapshot: EventSnapshot) -> tuple[Part, ...]:
    """The parts of the stage that is shown in the order of its pictures; none before its draw.

    Of a bracket they begin with the first round that is still played, or earlier where there is room, and leave out
    those in which nobody sits yet. Small brackets and groups share a part.
    """
    pieces = [piece for picture in draw_pictures(snapshot) for piece in _pieces(snapshot, picture)]
    parts: list[Part] = []
    for share, alike in groupby(pieces, key=_share):
        group = tuple(alike)
        size = 4 // share
        cuts = [group[start : start + size] for start in range(0, len(group), size)]
        # What is alone has the screen to itself.
        parts.extend(Part(share if len(cut) > 1 else 4, cut) for cut in cuts)
    return tuple(parts)


def _share(picture: Picture) -> int:
    """How many quarters of the screen it takes."""
    if picture.svg:
        edge = picture.fixtures[0].round
        slots = sum(fixture.round == edge for fixture in picture.fixtures)
        if slots > SLOTS // 4:
            return 4
        return 1 if len({fixture.round for fixture in picture.fixtures}) <= ROUNDS // 2 else 2
    rows = len(picture.crosstable)
    if picture.rounds or rows > ROWS // 2 or rows < len(picture.crosstable[0].cells):
        return 4
    return 1 if rows <= ROWS // 4 else 2


def _pieces(snapshot: EventSnapshot, picture: Picture) -> Sequence[Picture]:
    if picture.svg:
        return _windows(snapshot, picture)
    if picture.crosstable:
        return _blocks(picture)
    pages = range(0, len(picture.rounds), ROWS)
    return [replace(picture, rounds=picture.rounds[start : start + ROWS]) for start in pages]


def _blocks(picture: Picture) -> list[Picture]:
    """Blocks of rows by blocks of columns, as equal as can be: with every row its name and its sums."""
    return [
        replace(picture, crosstable=picture.crosstable[top:bottom], columns=picture.columns[left:right], first=left)
        for top, bottom in pairwise(_cuts(len(picture.crosstable), ROWS))
        for left, right in pairwise(_cuts(len(picture.columns), COLUMNS))
    ]


def _cuts(count: int, most: int) -> list[int]:
    """Where so many are cut into as few equal blocks of at most ``most`` as can be; the ends are cuts too."""
    blocks = -(-count // most)
    return [number * count // blocks for number in range(blocks + 1)]


def _windows(snapshot: EventSnapshot, picture: Picture) -> list[Picture]:
    first = _first_round(picture.fixtures)
    shown = [fixture for fixture in picture.fixtures if fixture.round >= first]
    windows = window_bracket(bracket_matches(snapshot, shown), rounds=ROUNDS, slots=SLOTS)
    parts = [{match.key for match in window} for window in windows]
    seated = {fixture.key for fixture in shown if fixture.entry_ids}
    parts = [part for part in parts if part & seated] or parts[:1]
    return [_window(snapshot, picture, keys, number) for number, keys in enumerate(parts, start=1)]


def _window(snapshot: EventSnapshot, picture: Picture, keys: Set[str], number: int) -> Picture:
    return part_of_bracket(snapshot, picture, keys, part=number, title=picture.title, measures=PROJECTED)


def _first_round(fixtures: Sequence[FixtureSnapshot]) -> int:
    """The first round that is still played; an earlier one where it is seen at the same time as the last."""
    rounds = sorted({fixture.round for fixture in fixtures})
    decided = (FixtureState.DONE, FixtureState.BYE)
    playing = [fixture.round for fixture in fixtures if fixture.state not in decided]
    return min([*playing, rounds[max(len(rounds) - ROUNDS, 0)]])
