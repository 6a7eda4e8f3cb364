"""The open matches and the tables of a hall as the desk shows them, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from matches.models import SIDES, SheetState
from players.remembered import remembered
from tournament.hall.open_matches import NAME_COLUMNS, Entered, Reported
from tournament.models.draw import place_of
from tournament.snapshot import Wait

MOST_MATCHES = 2000
"""How many matches are kept as they were last: one that has not changed is the same value as before."""


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
    def is_only_called(self) -> bool:
        """Whether nothing says that its players have begun."""
        return self.doing is Doing.CALLED

    @property
    def other_numbers(self) -> list[int]:
        return [table.number for table in self.other_tables]

    @property
    def is_at_a_table(self) -> bool:
        """Whether its players are busy with it: called, playing, or still at the table after their report."""
        return self.called_at is not None or self.doing in (Doing.CALLED, Doing.PLAYING)


def desk_match(row: Mapping, entered: Entered, *, rest: int = 0) -> DeskMatch:
    """Return the match as its row and what was entered for it say; its call, and what depends on others, are added."""
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
        doing=_doing(row["sheet_state"], entered),
        rest=rest,
        score=entered.score,
        reports=entered.reports,
        dispute=entered.dispute,
    )


def _name(row: Mapping, side: str) -> str:
    """Return the name of the entry as :attr:`tournament.models.Entry.name` builds it."""
    team, name, partner, reentry = (row[f"entry_{side}__{column}"] for column in NAME_COLUMNS)
    name = team or name
    if partner is not None:
        return f"{name} & {partner}"
    return f"{name} ({reentry + 1})" if reentry else name


def _doing(sheet_state: str | None, entered: Entered) -> Doing:
    """Return what needs doing; a match of which only the first games are reported is still in play."""
    if sheet_state == SheetState.DISPUTED:
        return Doing.DISPUTED
    if sheet_state == SheetState.REPORTED and any(report.is_over for report in entered.reports):
        return Doing.REPORTED
    return Doing.READY if sheet_state is None else Doing.PLAYING


@dataclass(frozen=True, slots=True)
class OpenCall:
    """The open call of a match: its table, None if its players were called by name, and by whom it was called."""

    match: int
    table: int | None
    called_at: datetime
    started_at: datetime | None
    by: str


@remembered(MOST_MATCHES)
def with_call(match: DeskMatch, call: OpenCall) -> DeskMatch:
    """Return the match as it is with its call."""
    doing = match.doing
    if doing is Doing.READY:
        doing = Doing.CALLED if call.started_at is None else Doing.PLAYING
    return replace(
        match,
        doing=doing,
        table=call.table,
        called_at=call.called_at,
        started_at=call.started_at,
        called_by=call.by,
    )


@remembered(MOST_MATCHES)
def waiting(match: DeskMatch, wait: Wait) -> DeskMatch:
    """Return the ready match as it waits for somebody."""
    return replace(match, doing=Doing.BUSY, waits_for=wait)


@remembered(MOST_MATCHES)
def without_table(match: DeskMatch, others: tuple[DeskTable, ...]) -> DeskMatch:
    """Return the ready match for which only these ``others`` are free."""
    return replace(match, has_table=False, other_tables=others)


@remembered(MOST_MATCHES)
def running_into(match: DeskMatch, pause: str) -> DeskMatch:
    """Return the ready match that would run into the break of this name."""
    return replace(match, pause=pause)


@remembered(MOST_MATCHES)
def seated_at(match: DeskMatch, table: DeskTable) -> DeskTable:
    """Return the table with the match that is called to it."""
    return replace(table, match=match)


@remembered(MOST_MATCHES)
def at_its_time(match: DeskMatch, ends_at: datetime, minutes: int, is_late: bool) -> DeskMatch:
    """Return the called match with its expected end, the minutes it has been played, and whether it is late."""
    return replace(match, ends_at=ends_at, minutes=minutes, is_late=is_late)
