"""The walls of a hall, cut into blocks that can be read from its door: calls, matches, names, clocks and prizes.

A name is at least a twentieth of the height of the screen. A screen that is wider than high shows two blocks side by
side, another one block at a time; the page turns by itself (``static/js/wall.js``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from players.statements import Statement
from tournament.hall.desk import Desk
from tournament.hall.values import DeskMatch
from tournament.models import Event, Fixture, Tournament
from tournament.pictures.draw import ROUND_BY_ROUND
from tournament.pictures.names import names_of
from tournament.rehearsal.pace import Pause
from tournament.snapshot import EventSnapshot

LINES = 12
"""The names in one block, below each other."""
MATCHES = LINES // 2
"""The matches in one block: each has two names."""
MATCHES_OF_HALL = MATCHES - 1
"""The same where event, length and time of a match have a line below its names."""
NEXT = 2 * MATCHES_OF_HALL
"""How many matches are announced as next."""
CLOCKS = 3
"""How many clocks stand below each other."""
MINUTE = timedelta(minutes=1)
"""For so long a page may be shown: what is expected before that is over has no time."""
SOON = timedelta(hours=12)
"""What begins later than this has no clock on a wall."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of one ``kind`` that stand below each other on a wall."""

    kind: str
    rows: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class WallClock:
    """What comes next, called ``label``, and when; ``is_about`` if that is only expected.

    What ``is_soon`` was expected before now: it has no time.
    """

    label: str
    at: datetime
    is_about: bool = False
    is_soon: bool = False


def blocks_of(kind: str, rows: Sequence[object], size: int) -> list[Block]:
    """Cut the rows into the fewest blocks of at most ``size``, as equal as possible; no rows are no block."""
    count = -(-len(rows) // size)
    cuts = [number * len(rows) // max(count, 1) for number in range(count + 1)]
    return [Block(kind, tuple(rows[start:end])) for start, end in pairwise(cuts)]


def hall_blocks(desk: Desk, events: Iterable[EventSnapshot] = ()) -> list[Block]:
    """Return the matches called and in play, by table, those up next, and everybody's name from A to Z.

    ``events`` are those running, for the names of players who wait for a match.
    """
    disputed = [match for match in desk.disputed if match.is_at_a_table]
    reported = [match for match in desk.reported if match.is_at_a_table]
    return [
        *blocks_of("called", by_table(desk.called), MATCHES_OF_HALL),
        *blocks_of("playing", by_table([*desk.playing, *reported, *disputed]), MATCHES_OF_HALL),
        *blocks_of("next", desk.ready[:NEXT], MATCHES_OF_HALL),
        *blocks_of("names", names_of(desk, events), LINES),
    ]


def by_table(matches: Iterable[DeskMatch]) -> list[DeskMatch]:
    return sorted(matches, key=lambda match: (match.table is None, match.table or 0, match.id))


def read_starts(tournament: Tournament) -> list[tuple[str, datetime]]:
    """Read the names of the events in which nobody has played yet, with the times when they begin, where known."""
    return [(name, at) for name, at in _STARTS.rows(tournament.pk)]


def _events_to_start(tournament: Tournament) -> QuerySet:
    played = Fixture.objects.filter(stage__event=OuterRef("pk"))
    has_begun = Q(match__sheets__isnull=False) | Q(match__calls__started_at__isnull=False)
    boards_have_begun = Q(boards__match__sheets__isnull=False) | Q(boards__match__calls__started_at__isnull=False)
    events = Event.objects.filter(tournament=tournament, finished_at=None, starts_at__isnull=False)
    begun = Exists(played.filter(has_begun)) | Exists(played.filter(boards_have_begun))
    return events.exclude(begun).values_list("name", "starts_at")


_STARTS = Statement(_events_to_start)


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
            is_soon = max(ends) < desk.at + MINUTE
            clocks.append(WallClock(label, max(desk.at, *ends), is_about=True, is_soon=is_soon))
    return clocks
