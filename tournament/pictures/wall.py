"""The walls of a hall, cut into blocks that can be read from its door: calls, matches, names, clocks and prizes.

A name is at least a twentieth of the height of the screen. A screen that is wider than high shows two blocks side by
side, another one block at a time; the page turns by itself (``static/js/wall.js``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.utils.translation import gettext as _

from players.services import name_key
from players.statements import Statement
from tournament.hall.desk import Desk
from tournament.hall.values import DeskMatch, Doing
from tournament.models import Event, Tournament
from tournament.pictures.draw import ROUND_BY_ROUND
from tournament.rehearsal.pace import Pause

LINES = 12
"""The names in one block, below each other."""
MATCHES = LINES // 2
"""The matches in one block: each has two names."""
NEXT = 2 * MATCHES
"""How many matches are announced as next."""
CLOCKS = 3
"""How many clocks stand below each other."""
SOON = timedelta(hours=12)
"""What begins later than this has no clock on a wall."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of one ``kind`` that stand below each other on a wall."""

    kind: str
    rows: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class NameOnWall:
    """A player of an open match: the table, or None with what the player does instead in ``doing``."""

    name: str
    table: int | None
    doing: Doing


@dataclass(frozen=True, slots=True)
class WallClock:
    """What comes next, called ``label``, and when; ``is_about`` if that is only expected."""

    label: str
    at: datetime
    is_about: bool = False


def blocks_of(kind: str, rows: Sequence[object], size: int) -> list[Block]:
    """Cut the rows into the fewest blocks of at most ``size``, as equal as possible; no rows are no block."""
    count = -(-len(rows) // size)
    cuts = [number * len(rows) // max(count, 1) for number in range(count + 1)]
    return [Block(kind, tuple(rows[start:end])) for start, end in pairwise(cuts)]


def hall_blocks(desk: Desk) -> list[Block]:
    """Return the matches called and in play, by table, those up next, and everybody's name from A to Z."""
    disputed = [match for match in desk.disputed if match.is_at_a_table]
    reported = [match for match in desk.reported if match.is_at_a_table]
    return [
        *blocks_of("called", by_table(desk.called), MATCHES),
        *blocks_of("playing", by_table([*desk.playing, *reported, *disputed]), MATCHES),
        *blocks_of("next", desk.ready[:NEXT], MATCHES),
        *blocks_of("names", names_of(desk), LINES),
    ]


def by_table(matches: Iterable[DeskMatch]) -> list[DeskMatch]:
    return sorted(matches, key=lambda match: (match.table is None, match.table or 0, match.id))


def names_of(desk: Desk) -> list[NameOnWall]:
    """Return the players of all open matches, each once, at the table where they sit: from A to Z, or to Å or Ö, as the
    reader's language ends.
    """
    found: dict[tuple[frozenset[int], str], NameOnWall] = {}
    # The last one that is set stays: a table is more than a call without one, and that is more than waiting.
    for match in sorted(desk.matches, key=lambda match: (match.is_at_a_table, match.table is not None)):
        for persons, name in ((match.persons_a, match.a), (match.persons_b, match.b)):
            found[persons, name] = NameOnWall(name, match.table, match.doing)
    return sorted(found.values(), key=lambda line: (name_key(line.name), line.name))


def read_starts(tournament: Tournament) -> list[tuple[str, datetime]]:
    """Read the names of the events that have not ended, with the times when they begin, as far as these are known."""
    return [(name, at) for name, at in _STARTS.rows(tournament.pk)]


_STARTS = Statement(
    lambda tournament: Event.objects.filter(
        tournament=tournament, finished_at=None, starts_at__isnull=False
    ).values_list("name", "starts_at")
)


def clocks_of(desk: Desk, starts: Iterable[tuple[str, datetime | None]]) -> list[WallClock]:
    """Return what comes next, the soonest first: the end or the start of a break, rounds, and the ``starts`` of events.

    A round in pairs made round by round is expected to begin when the last match of the round before is; it has no
    clock while a match of that round is not called yet.
    """
    found = [*breaks_of(desk.pauses, desk.at), *_of_rounds(desk)]
    found += [
        WallClock(_("%(event)s begins") % {"event": event}, at)
        for event, at in starts
        if at is not None and at > desk.at
    ]
    soon = [clock for clock in found if clock.at - desk.at < SOON]
    return sorted(soon, key=lambda clock: clock.at)[:CLOCKS]


def breaks_of(pauses: Iterable[Pause], at: datetime) -> list[WallClock]:
    """Return the breaks that are not over: when the one in progress ends, and when each of the others begins."""
    clocks = []
    for pause in pauses:
        if pause.starts_at <= at < pause.ends_at:
            clocks.append(WallClock(_("%(break)s until") % {"break": pause.name}, pause.ends_at))
        elif at < pause.starts_at:
            clocks.append(WallClock(pause.name, pause.starts_at))
    return clocks


def _of_rounds(desk: Desk) -> list[WallClock]:
    rounds: dict[tuple[int, str, int], list[DeskMatch]] = {}
    for match in desk.matches:
        if match.key.startswith(ROUND_BY_ROUND):
            rounds.setdefault((match.event_id, match.event, match.round), []).append(match)
    clocks = []
    for (_event_id, event, number), matches in rounds.items():
        ends = [match.ends_at for match in matches if match.ends_at is not None]
        if len(ends) == len(matches):
            label = _("%(event)s, round %(round)s") % {"event": event, "round": number + 1}
            clocks.append(WallClock(label, max(desk.at, *ends), is_about=True))
    return clocks
