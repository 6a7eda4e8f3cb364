"""The pictures of a draw on a screen that nobody scrolls: parts that can be read from the back of the hall.

A name is at least a twentieth of the height of the screen. The page shows one part at a time, in turn. A screen that is
higher than wide has no room for a drawing, and shows the matches of the rounds in play instead; so does any screen
while a draw is so large that nobody would wait for all its parts.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tournament.pictures.bracket import PROJECTED, window_bracket
from tournament.pictures.draw import Picture, bracket_matches, draw_pictures, part_of_bracket, round_name
from tournament.pictures.wall import LINES, MATCHES, Block, blocks_of
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureSnapshot, FixtureState, StandingSnapshot

ROUNDS = 3
SLOTS = 4
"""The rounds side by side, and the matches in one column, of a bracket."""
ROWS = 12
"""The rows of a table."""
MOST_PARTS = 12
"""A draw in more parts than this is not drawn on a wall: three minutes pass until one comes again."""
MOST_MATCHES = 9 * 2 * MATCHES
"""The most matches that are listed, two blocks beside each other on each of nine pages."""
MOST_BLOCKS = 2 * MOST_PARTS
"""Blocks of matches and standings together, as far as the leaders of the standings are there."""
LEADING_BLOCKS = 4
COLUMNS = 12
"""The matches in one row of a crosstable."""

NOW = (FixtureState.LIVE, FixtureState.READY)


@dataclass(frozen=True, slots=True)
class RoundOnWall:
    """Matches of one round, called ``title``, that stand below each other on a wall."""

    title: str
    fixtures: tuple[FixtureSnapshot, ...]
    more: int = 0
    """How many matches that can be played stand nowhere on the wall; only below the last ones."""


@dataclass(frozen=True, slots=True)
class Part:
    """The pictures shown together on the screen; each takes ``share`` quarters of it."""

    share: int
    pictures: tuple[Picture, ...]


def screen_parts(snapshot: EventSnapshot) -> tuple[Part, ...]:
    """Return the parts of the stage that is shown, in the order of its pictures; none before the draw.

    The parts of a bracket begin with the first round that is still being played, or earlier if there is room, and omit
    those in which every seat is still empty. Small brackets and groups share a part. If even those in which something
    is played are too many, there is no part, and the wall lists the matches.
    """
    pieces = [piece for picture in draw_pictures(snapshot) for piece in _pieces(snapshot, picture)]
    parts: list[Part] = []
    for share, alike in groupby(pieces, key=_share):
        group = tuple(alike)
        size = 4 // share
        cuts = [group[start : start + size] for start in range(0, len(group), size)]
        # A single picture has the whole screen.
        parts.extend(Part(share if len(cut) > 1 else 4, cut) for cut in cuts)
    is_asked_for = any(piece.rounds for piece in pieces)
    return tuple(parts) if len(parts) <= MOST_PARTS or is_asked_for else ()


def _share(picture: Picture) -> int:
    """Return how many quarters of the screen the picture takes."""
    if picture.svg:
        edge = picture.fixtures[0].round
        slots = sum(fixture.round == edge for fixture in picture.fixtures)
        if slots > SLOTS // 4:
            return 4
        return 1 if len({fixture.round for fixture in picture.fixtures}) <= ROUNDS // 2 else 2
    rows = len(picture.crosstable)
    if picture.rounds or rows < len(picture.crosstable[0].cells):
        return 4
    return 1 if rows <= ROWS // 3 else 4


def _pieces(snapshot: EventSnapshot, picture: Picture) -> Sequence[Picture]:
    if picture.svg:
        return _windows(snapshot, picture)
    if picture.crosstable:
        return _blocks(picture)
    pages = range(0, len(picture.rounds), ROWS)
    return [replace(picture, rounds=picture.rounds[start : start + ROWS]) for start in pages]


def _blocks(picture: Picture) -> list[Picture]:
    """Cut the crosstable into blocks of rows and columns, as equal as possible; every row keeps its name and totals."""
    return [
        replace(picture, crosstable=picture.crosstable[top:bottom], columns=picture.columns[left:right], first=left)
        for top, bottom in pairwise(_cuts(len(picture.crosstable), ROWS))
        for left, right in pairwise(_cuts(len(picture.columns), COLUMNS))
    ]


def _cuts(count: int, most: int) -> list[int]:
    """Return where to cut ``count`` items into the fewest equal blocks of at most ``most``, including both ends."""
    blocks = -(-count // most)
    return [number * count // blocks for number in range(blocks + 1)]


def _windows(snapshot: EventSnapshot, picture: Picture) -> list[Picture]:
    first = _first_round(picture.fixtures)
    shown = [fixture for fixture in picture.fixtures if fixture.round >= first]
    windows = window_bracket(bracket_matches(snapshot, shown), rounds=ROUNDS, slots=SLOTS)
    parts = [{match.key for match in window} for window in windows]
    seated = {fixture.key for fixture in shown if fixture.entry_ids}
    parts = [part for part in parts if part & seated] or parts[:1]
    if len(parts) > MOST_PARTS:
        played = {fixture.key for fixture in shown if fixture.state in NOW}
        parts = [part for part in parts if part & played] or parts
    return [_window(snapshot, picture, keys, number) for number, keys in enumerate(parts, start=1)]


def _window(snapshot: EventSnapshot, picture: Picture, keys: Set[str], number: int) -> Picture:
    return part_of_bracket(snapshot, picture, keys, part=number, title=picture.title, measures=PROJECTED)


def _first_round(fixtures: Sequence[FixtureSnapshot]) -> int:
    """Return the first round still being played, or an earlier one that fits on the screen together with the last."""
    rounds = sorted({fixture.round for fixture in fixtures})
    decided = (FixtureState.DONE, FixtureState.BYE)
    playing = [fixture.round for fixture in fixtures if fixture.state not in decided]
    return min([*playing, rounds[max(len(rounds) - ROUNDS, 0)]])


def rounds_on_wall(snapshot: EventSnapshot) -> list[RoundOnWall]:
    """Return the matches that are played or can be, by round; once none is, those of the last round.

    If they are too many for a wall, those in play and those called come first.
    """
    stage = snapshot.stage
    shown = stage.in_state(*NOW)
    if not shown:
        decided = stage.in_state(FixtureState.DONE)
        shown = tuple(fixture for fixture in decided if fixture.round == decided[-1].round)
    soonest = sorted(shown, key=lambda fixture: (fixture.state != FixtureState.LIVE, fixture.call is None))
    left_out = {fixture.key for fixture in soonest[MOST_MATCHES:]}
    shown = tuple(fixture for fixture in shown if fixture.key not in left_out)
    by_round: dict[str, list[FixtureSnapshot]] = {}
    for fixture in shown:
        by_round.setdefault(round_name(stage, fixture), []).append(fixture)
    blocks = [
        RoundOnWall(title, cut.rows)  # type: ignore[arg-type]
        for title, fixtures in by_round.items()
        for cut in blocks_of("matches", fixtures, MATCHES)
    ]
    return [*blocks[:-1], replace(blocks[-1], more=len(left_out))] if blocks else []


def standings_on_wall(lines: Sequence[StandingSnapshot], *, beside: int = 0) -> list[Block]:
    """Cut the lines of the standings into blocks: all, or the first if ``beside`` other blocks stand on the wall."""
    room = max(MOST_BLOCKS - beside, LEADING_BLOCKS)
    return blocks_of("standings", lines[: room * LINES], LINES)


def rungs_on_wall(rungs: Sequence[EntrySnapshot]) -> list[Block]:
    """Cut the rungs of a ladder into blocks of their numbers with who stands there."""
    return blocks_of("standings", list(enumerate(rungs, start=1)), LINES)
