"""The desk: the current work in a hall, across all events of a tournament, read in a fixed number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from tournament.changes.versions import Versions, read_versions
from tournament.hall.busy import find_wait
from tournament.hall.director_calls import OpenDirectorCall, open_director_calls
from tournament.hall.queues import Queue
from tournament.hall.running import called_in, read_calls, read_running
from tournament.hall.surroundings import surroundings_of
from tournament.hall.values import (
    DeskMatch,
    DeskTable,
    Doing,
    at_its_time,
    running_into,
    seated_at,
    waiting,
    without_table,
)
from tournament.models import Tournament
from tournament.rehearsal.pace import Pace, Pause, after_playing, pause_met, playing_time
from tournament.roles.permissions import Reach


@dataclass(frozen=True, slots=True)
class EventOnDesk:
    """An event by which the desk can be filtered, and how many of its matches are open."""

    id: int
    name: str
    slug: str
    matches: int


@dataclass(frozen=True, slots=True)
class Desk:
    """The desk. ``ready`` are the matches that can be called now, the longest waiting and most urgent first.

    ``busy`` wait for a player who plays elsewhere. ``playing`` are in the order of their expected ends. ``queues`` are
    the jackpots that wait for more entrants.
    """

    at: datetime
    pace: Pace
    disputed: tuple[DeskMatch, ...]
    reported: tuple[DeskMatch, ...]
    ready: tuple[DeskMatch, ...]
    busy: tuple[DeskMatch, ...]
    called: tuple[DeskMatch, ...]
    playing: tuple[DeskMatch, ...]
    tables: tuple[DeskTable, ...]
    pauses: tuple[Pause, ...]
    pause: Pause | None
    """The break now in progress."""

    queues: tuple[Queue, ...] = ()
    director_calls: tuple[OpenDirectorCall, ...] = ()
    """The matches whose players have called the director, the first to call first."""

    @property
    def free(self) -> tuple[DeskTable, ...]:
        return tuple(table for table in self.tables if table.is_free)

    @property
    def at_tables(self) -> tuple[DeskMatch, ...]:
        """The called matches, followed by those in play."""
        return (*self.called, *self.playing)

    @property
    def places(self) -> int:
        """The number of free tables to which matches are called automatically."""
        return sum(not table.streamed for table in self.free)

    @property
    def calls_itself(self) -> bool:
        """Whether a ready match can be called automatically."""
        return any(match.has_table for match in self.ready)

    @property
    def late(self) -> tuple[DeskMatch, ...]:
        return tuple(match for match in self.playing if match.is_late)

    @property
    def matches(self) -> tuple[DeskMatch, ...]:
        return (*self.disputed, *self.reported, *self.ready, *self.busy, *self.called, *self.playing)

    @property
    def events(self) -> tuple[EventOnDesk, ...]:
        """The events with anything on the desk, in the order in which they were made."""
        open_matches = Counter((match.event_id, match.event, match.event_slug) for match in self.matches)
        waiting = {(queue.event_id, queue.event, queue.event_slug) for queue in self.queues}
        return tuple(EventOnDesk(*event, open_matches[event]) for event in sorted({*open_matches, *waiting}))

    def without_claims(self, settles: Reach) -> Desk:
        """Return the desk of a reader who settles disputes in these events; elsewhere no claim in dispute is told."""
        disputed = (m if m.event_id in settles else replace(m, reports=(), dispute="") for m in self.disputed)
        return replace(self, disputed=tuple(disputed))

    def of_event(self, event_id: int) -> Desk:
        """Return the desk with only this event's matches; tables and breaks are those of the hall."""

        def own(matches: Iterable[DeskMatch]) -> tuple[DeskMatch, ...]:
            return tuple(match for match in matches if match.event_id == event_id)

        return replace(
            self,
            disputed=own(self.disputed),
            reported=own(self.reported),
            ready=own(self.ready),
            busy=own(self.busy),
            called=own(self.called),
            playing=own(self.playing),
            queues=tuple(queue for queue in self.queues if queue.event_id == event_id),
            director_calls=tuple(call for call in self.director_calls if call.event_id == event_id),
        )


def take_desk(tournament: Tournament, *, at: datetime, versions: Versions | None = None) -> Desk:
    """Read the desk as it is now, in at most fourteen queries whatever its size, and fewer if no event has changed.

    ``versions`` are those of now, if they have just been read.
    """
    versions = versions or read_versions(tournament.pk)
    events = read_running(tournament, versions)
    around = surroundings_of(tournament, versions)
    pauses, pace = around.pauses, around.pace
    matches = called_in(events, read_calls(tournament))
    seated = {person: match for match in matches if match.is_at_a_table for person in match.persons}
    tables = _tables(around.tables, matches)
    open_to = {event: _open_to(tables, event) for event in {match.event_id for match in matches}}
    matches = [_timed(_with_busy(match, seated, open_to), pace, pauses, at) for match in matches]
    doing: dict[Doing, list[DeskMatch]] = defaultdict(list)
    for match in matches:
        doing[match.doing].append(match)
    for kind in (Doing.READY, Doing.BUSY):
        doing[kind].sort(key=lambda found: (found.since - pace.lasts(found.rest), found.round, found.id))
    for kind in (Doing.CALLED, Doing.PLAYING):
        doing[kind].sort(key=lambda found: (found.ends_at or at, found.id))
    on = [pause for pause in pauses if pause.starts_at <= at < pause.ends_at]
    return Desk(
        at=at,
        pace=pace,
        disputed=tuple(doing[Doing.DISPUTED]),
        reported=tuple(doing[Doing.REPORTED]),
        ready=tuple(doing[Doing.READY]),
        busy=tuple(doing[Doing.BUSY]),
        called=tuple(doing[Doing.CALLED]),
        playing=tuple(doing[Doing.PLAYING]),
        tables=tables,
        pauses=pauses,
        pause=on[0] if on else None,
        queues=tuple(queue for event in events for queue in event.queues),
        director_calls=open_director_calls(tournament),
    )


def _open_to(tables: Sequence[DeskTable], event_id: int) -> tuple[bool, tuple[DeskTable, ...]]:
    """Return whether the event's matches are called automatically, and the other free tables that may be chosen.

    In a hall without tables, players are called by name at any time.
    """
    own, others = not tables, []
    for table in tables:
        if table.is_free and not table.streamed and table.event_id in (event_id, None):
            own = True
        elif table.is_free:
            others.append(table)
    return own, tuple(others)


def _with_busy(
    match: DeskMatch,
    seated: Mapping[int, DeskMatch],
    open_to: Mapping[int, tuple[bool, tuple[DeskTable, ...]]],
) -> DeskMatch:
    """Add to a ready match whom it waits for, and where they play; or, if it has no table, which ones may be chosen."""
    if match.doing is not Doing.READY:
        return match
    if wait := find_wait(match.a, match.persons_a, match.b, match.persons_b, seated):
        return waiting(match, wait)
    has_table, others = open_to[match.event_id]
    return match if has_table else without_table(match, others)


def _timed(match: DeskMatch, pace: Pace, pauses: Sequence[Pause], at: datetime) -> DeskMatch:
    """Add a called match's expected end and whether it is late; for a ready one, the break it would run into."""
    if match.called_at is None:
        if not pauses or match.doing is not Doing.READY:
            return match
        met = pause_met(at, pace.lasts(match.length), pauses)
        return running_into(match, met.name) if met else match
    lasting, start = pace.lasts(match.length), match.started_at or match.called_at
    played = playing_time(start, at, pauses)
    is_late = match.doing is Doing.PLAYING and pace.is_late(match.length, played)
    return at_its_time(match, after_playing(start, lasting, pauses), int(played.total_seconds()) // 60, is_late)


def _tables(tables: Iterable[DeskTable], matches: Iterable[DeskMatch]) -> tuple[DeskTable, ...]:
    taken = {match.table: match for match in matches if match.table is not None}
    return tuple(seated_at(taken[table.number], table) if table.number in taken else table for table in tables)
