"""The desk: the current work in a hall, across all events of a tournament, read in a fixed number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from matches.models import SIDES, SheetState
from tournament.draw.calls import calls_in
from tournament.hall.busy import find_wait
from tournament.hall.open_matches import (
    NAME_COLUMNS,
    NOTHING_ENTERED,
    Entered,
    Reported,
    coming_rows,
    open_rows,
    read_entered,
    ways_to_the_end,
)
from tournament.hall.queues import Queue, read_queues
from tournament.hall.timing import pace_of, pauses_of
from tournament.models import Call, LogEntry, Table, Tournament
from tournament.models.draw import place_of
from tournament.rehearsal.pace import Pace, Pause, after_playing, pause_met, playing_time
from tournament.snapshot import Wait

LOG_LINES = 8


class Doing(StrEnum):
    """What needs doing about a match, most urgent first."""

    DISPUTED = "disputed"
    REPORTED = "reported"
    READY = "ready"
    BUSY = "busy"
    CALLED = "called"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A table, either free or with the match called to it."""

    number: int
    event_id: int | None
    event: str
    streamed: bool
    out_of_order: bool
    match: DeskMatch | None = None

    @property
    def is_free(self) -> bool:
        return self.match is None and not self.out_of_order


@dataclass(frozen=True, slots=True)
class DeskMatch:
    """An open match. ``length`` is the match length, ``base`` the number of its current sheet, 0 for none.

    In a match of teams it is one board: ``board`` is its number, else 0, ``a`` and ``b`` sit there, ``teams`` are
    theirs. ``since`` is when both players were known. ``rest`` are the points, in match lengths, of the longest way
    from this match to the end of its event, itself included. ``ends_at`` is when it may end. ``reports`` wait for the
    desk; ``dispute`` says why. A ready match is called automatically if it ``has_table`` or the hall has none; else
    ``other_tables`` are the free ones, reserved or streamed, that the desk may choose for it.
    """

    id: int
    key: str
    round: int
    length: int
    event: str
    event_slug: str
    event_id: int
    board: int
    a: str
    b: str
    teams: tuple[str, ...]
    persons_a: frozenset[int]
    persons_b: frozenset[int]
    since: datetime
    base: int
    doing: Doing
    rest: int = 0
    score: tuple[int, int] | None = None
    reports: tuple[Reported, ...] = ()
    dispute: str = ""
    table: int | None = None
    called_at: datetime | None = None
    started_at: datetime | None = None
    called_by: str = ""
    waits_for: Wait | None = None
    has_table: bool = True
    other_tables: tuple[DeskTable, ...] = ()
    pause: str = ""
    ends_at: datetime | None = None
    minutes: int = 0
    is_late: bool = False

    @property
    def names(self) -> str:
        return f"{self.a} – {self.b}"

    @property
    def busy(self) -> str:
        """For whom a ready match waits, as a sentence; empty if its players are free."""
        return self.waits_for.sentence if self.waits_for is not None else ""

    @property
    def persons(self) -> frozenset[int]:
        return self.persons_a | self.persons_b

    @property
    def place(self) -> str:
        """Its place in the draw: M1-1, or M1-1 board 2."""
        return place_of(self.key, self.board)

    @property
    def other_numbers(self) -> list[int]:
        return [table.number for table in self.other_tables]

    @property
    def is_at_a_table(self) -> bool:
        """Whether its players are busy with it: called, playing, or still at the table after their report."""
        return self.called_at is not None or self.doing in (Doing.CALLED, Doing.PLAYING)


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
    log: tuple[LogEntry, ...] = field(compare=False, default=())

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

    def of_event(self, event_id: int) -> Desk:
        """Return the desk with only this event's matches; tables, breaks and log are those of the hall."""

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
        )


def take_desk(tournament: Tournament, *, at: datetime) -> Desk:
    """Read the desk as it is now, in at most thirteen queries whatever its size."""
    calls = open_calls(tournament)
    pauses = pauses_of(tournament)
    pace = pace_of(tournament)
    rows = open_rows(tournament)
    rests, entered = ways_to_the_end(rows, coming_rows(tournament)), read_entered(rows)
    matches = [
        desk_match(row, calls.get(played), entered.get(played, NOTHING_ENTERED), rest=rests[played])
        for row in rows
        for played in (row["played_id"],)
    ]
    seated = {person: match for match in matches if match.is_at_a_table for person in match.persons}
    tables = _tables(tournament, matches)
    open_to = {event: _open_to(tables, event) for event in {match.event_id for match in matches}}
    matches = [_timed(_with_busy(match, seated, open_to), pace, pauses, at) for match in matches]
    doing: dict[Doing, list[DeskMatch]] = defaultdict(list)
    for match in matches:
        doing[match.doing].append(match)
    for waiting in (Doing.READY, Doing.BUSY):
        doing[waiting].sort(key=lambda found: (found.since - pace.lasts(found.rest), found.round, found.id))
    for running in (Doing.CALLED, Doing.PLAYING):
        doing[running].sort(key=lambda found: (found.ends_at or at, found.id))
    on = [pause for pause in pauses if pause.starts_at <= at < pause.ends_at]
    log = LogEntry.objects.filter(tournament=tournament).select_related("actor", "event").order_by("-id")
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
        queues=read_queues(tournament),
        log=tuple(log[:LOG_LINES]),
    )


def open_calls(tournament: Tournament) -> dict[int, Call]:
    """Return the open calls in the hall by match."""
    calls = calls_in(tournament).filter(left_at__isnull=True).select_related("table", "by")
    return {call.match_id: call for call in calls}


def desk_match(row: Mapping, call: Call | None, entered: Entered, *, rest: int = 0) -> DeskMatch:
    """Return the match as its row, its open call and what was entered for it say; what depends on others is added."""
    persons = [row[f"match_{side}_id"] for side in SIDES]
    names = [_name(row, side) for side in "ab"]
    return DeskMatch(
        id=row["played_id"],
        key=row["key"],
        round=row["round"],
        length=row["match_length"],
        event=row["event_name"],
        event_slug=row["event_slug"],
        event_id=row["event_id"],
        board=row["board"] or 0,
        a=row["boards__match__side_a__name"] if row["board"] else names[0],
        b=row["boards__match__side_b__name"] if row["board"] else names[1],
        teams=tuple(names) if row["board"] else (),
        persons_a=frozenset({persons[0], persons[2]} - {None}),
        persons_b=frozenset({persons[1], persons[3]} - {None}),
        since=row["match_created_at"],
        base=row["sheet_number"] or 0,
        doing=_doing(row["sheet_state"], call, entered),
        rest=rest,
        score=entered.score,
        reports=entered.reports,
        dispute=entered.dispute,
        table=call.table_number if call else None,
        called_at=call.called_at if call else None,
        started_at=call.started_at if call else None,
        called_by=str(call.by or "") if call else "",
    )


def _name(row: Mapping, side: str) -> str:
    """Return the name of the entry as :attr:`tournament.models.Entry.name` builds it."""
    team, name, partner, reentry = (row[f"entry_{side}__{column}"] for column in NAME_COLUMNS)
    name = team or name
    if partner is not None:
        return f"{name} & {partner}"
    return f"{name} ({reentry + 1})" if reentry else name


def _doing(sheet_state: str | None, call: Call | None, entered: Entered) -> Doing:
    """Return what needs doing; a match of which only the first games are reported is still in play."""
    if sheet_state == SheetState.DISPUTED:
        return Doing.DISPUTED
    if sheet_state == SheetState.REPORTED and any(report.is_over for report in entered.reports):
        return Doing.REPORTED
    if sheet_state is not None or (call is not None and call.started_at is not None):
        return Doing.PLAYING
    return Doing.READY if call is None else Doing.CALLED


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
        return replace(match, doing=Doing.BUSY, waits_for=wait)
    has_table, others = open_to[match.event_id]
    return match if has_table else replace(match, has_table=False, other_tables=others)


def _timed(match: DeskMatch, pace: Pace, pauses: Sequence[Pause], at: datetime) -> DeskMatch:
    """Add a called match's expected end and whether it is late; for a ready one, the break it would run into."""
    lasting = pace.lasts(match.length)
    if match.called_at is None:
        met = pause_met(at, lasting, pauses)
        return replace(match, pause=met.name) if met and match.doing is Doing.READY else match
    start = match.started_at or match.called_at
    played = playing_time(start, at, pauses)
    return replace(
        match,
        ends_at=after_playing(start, lasting, pauses),
        minutes=int(played.total_seconds()) // 60,
        is_late=match.doing is Doing.PLAYING and pace.is_late(match.length, played),
    )


def _tables(tournament: Tournament, matches: Iterable[DeskMatch]) -> tuple[DeskTable, ...]:
    taken = {match.table: match for match in matches if match.table is not None}
    tables = Table.objects.filter(tournament=tournament).order_by("number")
    return tuple(
        DeskTable(
            number=table["number"],
            event_id=table["event_id"],
            event=table["event__name"] or "",
            streamed=table["streamed"],
            out_of_order=table["out_of_order"],
            match=taken.get(table["number"]),
        )
        for table in tables.values("number", "event_id", "event__name", "streamed", "out_of_order")
    )
