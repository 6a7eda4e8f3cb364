"""What there is to do in a hall now: one read model of all events of a tournament, in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from matches.models import SIDES, Match, Scoresheet, SheetState
from matches.services import claim_of, prefetch_open_sheets, prefetched_sheet, score_of
from tournament.formats.plan import LoserOf, WinnerOf, parse_feed
from tournament.models import Break, Call, CallEnding, Fixture, LogEntry, Table, Tournament
from tournament.pace import Pace, Pause, Timed, after_playing, learn_pace, pause_met, playing_time

LOG_LINES = 8
PACE_FROM = 200
"""So many of the last matches the hall's pace is learnt from."""


class Doing(StrEnum):
    """What is to be done about a match, most urgent first."""

    DISPUTED = "disputed"
    REPORTED = "reported"
    READY = "ready"
    BUSY = "busy"
    CALLED = "called"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: free, or with the match that is called to it."""

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
    """An open match. ``length`` is that of the match, ``base`` the number of its current sheet, 0 for none.

    ``since`` is when both players were known. ``rest`` are the points, in match lengths, of the longest way from this
    match to the end of its event, itself among them. ``ends_at`` is when it is expected to end.
    """

    id: int
    key: str
    round: int
    length: int
    event: str
    event_slug: str
    event_id: int
    a: str
    b: str
    persons_a: frozenset[int]
    persons_b: frozenset[int]
    since: datetime
    base: int
    doing: Doing
    rest: int = 0
    score: tuple[int, int] | None = None
    table: int | None = None
    called_at: datetime | None = None
    started_at: datetime | None = None
    called_by: str = ""
    busy: str = ""
    pause: str = ""
    ends_at: datetime | None = None
    minutes: int = 0
    is_late: bool = False

    @property
    def names(self) -> str:
        return f"{self.a} – {self.b}"

    @property
    def persons(self) -> frozenset[int]:
        return self.persons_a | self.persons_b

    @property
    def found_by(self) -> str:
        """What a search finds the match by."""
        return "|".join([self.a, self.b, self.key, f"#{self.table}" if self.table else "", self.event])


@dataclass(frozen=True, slots=True)
class Desk:
    """``ready`` are the matches that can be called now, whoever waits longest and holds the event up most first.

    ``busy`` wait for somebody who plays elsewhere. ``playing`` are in the order of their expected ends.
    """

    at: datetime
    pace: Pace
    disputed: tuple[DeskMatch, ...]
    reported: tuple[DeskMatch, ...]
    ready: tuple[DeskMatch, ...]
    busy: tuple[DeskMatch, ...]
    called: tuple[DeskMatch, ...]
    playing: tuple[DeskMatch, ...]
    tables: tuple[TableView, ...]
    pauses: tuple[Pause, ...]
    pause: Pause | None
    """The one that is on now."""

    log: tuple[LogEntry, ...] = field(compare=False, default=())

    @property
    def free(self) -> tuple[TableView, ...]:
        return tuple(table for table in self.tables if table.is_free)

    @property
    def at_tables(self) -> tuple[DeskMatch, ...]:
        """Who is called, then who plays."""
        return (*self.called, *self.playing)

    @property
    def places(self) -> int:
        """How many free tables a match is called to without somebody choosing one."""
        return sum(not table.streamed for table in self.free)

    @property
    def late(self) -> tuple[DeskMatch, ...]:
        return tuple(match for match in self.playing if match.is_late)

    @property
    def matches(self) -> tuple[DeskMatch, ...]:
        return (*self.disputed, *self.reported, *self.ready, *self.busy, *self.called, *self.playing)


def take_desk(tournament: Tournament, *, at: datetime) -> Desk:
    """The desk as it is now, in nine queries at most whatever its size."""
    calls = _open_calls(tournament)
    pauses = pauses_of(tournament)
    pace = pace_of(tournament)
    rows = _open_rows(tournament)
    rests, scores = _rests(rows), _live_scores(rows)
    matches = [_match(row, calls.get(row["match_id"]), rests, scores) for row in rows if row["match_id"]]
    seated = {person: match for match in matches if match.doing in AT_A_TABLE for person in match.persons}
    matches = [_timed(_with_busy(match, seated), pace, pauses, at) for match in matches]
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
        tables=_tables(tournament, matches),
        pauses=pauses,
        pause=on[0] if on else None,
        log=tuple(log[:LOG_LINES]),
    )


AT_A_TABLE = (Doing.CALLED, Doing.PLAYING)


def pauses_of(tournament: Tournament) -> tuple[Pause, ...]:
    """The breaks of the tournament, the first one first."""
    found = Break.objects.filter(tournament=tournament).order_by("starts_at")
    return tuple(Pause(row.name, row.starts_at, row.ends_at) for row in found)


def pace_of(tournament: Tournament) -> Pace:
    """How fast the hall plays, from the matches that were last played to their end at its tables."""
    ended = Call.objects.filter(
        table__tournament=tournament,
        ending=CallEnding.DONE,
        match__sheets__state=SheetState.CONFIRMED,
        match__sheets__conclusion="played",
    )
    last = ended.order_by("-left_at").values_list("match__length", "called_at", "started_at", "left_at")[:PACE_FROM]
    return learn_pace(
        Timed(length, int((left - (started or called)).total_seconds()))
        for length, called, started, left in last
        if left is not None
    )


def _open_calls(tournament: Tournament) -> dict[int, Call]:
    calls = Call.objects.filter(table__tournament=tournament, left_at__isnull=True).select_related("table", "by")
    return {call.match_id: call for call in calls}


SEAT_COLUMNS = ("player__name", "partner__name", "reentry")


def _open_rows(tournament: Tournament) -> list[dict]:
    """The columns of every fixture that has a match without a confirmed result, and of the pairings still to come."""
    current = Scoresheet.objects.filter(match=OuterRef("match"), state__in=Scoresheet.CURRENT)
    # Reported and disputed go before what is live; in the order of the alphabet disputed comes first.
    reports = Scoresheet.objects.filter(match=OuterRef("match"), state__in=Scoresheet.REPORTS).order_by("state")
    fixtures = (
        Fixture.objects.filter(stage__event__in=tournament.events.filter(finished_at__isnull=True))
        .annotate(
            sheet_state=Coalesce(Subquery(reports.values("state")[:1]), Subquery(current.values("state")[:1])),
            sheet_number=Subquery(current.values("number")[:1]),
        )
        .filter(Q(sheet_state__isnull=True) | ~Q(sheet_state=SheetState.CONFIRMED))
    )
    columns = (
        *("key", "round", "length", "stage_id", "entry_a_id", "entry_b_id", "feed_a", "feed_b", "match_id"),
        *("sheet_state", "sheet_number"),
        *(f"entry_{side}__{column}" for side in "ab" for column in SEAT_COLUMNS),
        *(f"match__{column}" for column in ("length", "created_at", *(f"{side}_id" for side in SIDES))),
    )
    return list(
        fixtures.order_by("stage__event_id", "stage_id", "round", "number").values(
            *columns,
            event_id=F("stage__event_id"),
            event_name=F("stage__event__name"),
            event_slug=F("stage__event__slug"),
        )
    )


def _rests(rows: Sequence[Mapping]) -> dict[int, int]:
    """The points of the longest way from each open match to the end of its stage, by match."""
    followers: dict[tuple[int, str], list[Mapping]] = defaultdict(list)
    of_entry: dict[int, int] = defaultdict(int)
    for row in rows:
        for feed in (row["feed_a"], row["feed_b"]):
            match parse_feed(feed):
                case WinnerOf(key) | LoserOf(key):
                    followers[row["stage_id"], key].append(row)
        if row["match_id"]:
            of_entry[row["entry_a_id"]] += row["length"]
            of_entry[row["entry_b_id"]] += row["length"]
    known: dict[tuple[int, str], int] = {}

    def rest(row: Mapping) -> int:
        place = (row["stage_id"], row["key"])
        if place not in known:
            known[place] = row["length"] + max((rest(later) for later in followers[place]), default=0)
        return known[place]

    return {
        row["match_id"]: max(rest(row), of_entry[row["entry_a_id"]], of_entry[row["entry_b_id"]])
        for row in rows
        if row["match_id"]
    }


def _live_scores(rows: Iterable[Mapping]) -> dict[int, tuple[int, int]]:
    """The scores of the matches that are entered game by game."""
    live = [row["match_id"] for row in rows if row["sheet_state"] == SheetState.LIVE]
    scores = {}
    for found in Match.objects.filter(pk__in=live).prefetch_related(prefetch_open_sheets()) if live else ():
        sheet = prefetched_sheet(found)
        if sheet is not None:
            claim = claim_of(sheet)
            score = score_of(found.terms, claim.games, claim.final, claim.awarded_to)
            scores[found.pk] = (score.a, score.b)
    return scores


def _match(row: Mapping, call: Call | None, rests: Mapping[int, int], scores: Mapping) -> DeskMatch:
    persons = [row[f"match__{side}_id"] for side in SIDES]
    return DeskMatch(
        id=row["match_id"],
        key=row["key"],
        round=row["round"],
        length=row["match__length"],
        event=row["event_name"],
        event_slug=row["event_slug"],
        event_id=row["event_id"],
        a=_name(row, "a"),
        b=_name(row, "b"),
        persons_a=frozenset({persons[0], persons[2]} - {None}),
        persons_b=frozenset({persons[1], persons[3]} - {None}),
        since=row["match__created_at"],
        base=row["sheet_number"] or 0,
        doing=_doing(row["sheet_state"], call),
        rest=rests[row["match_id"]],
        score=scores.get(row["match_id"]),
        table=call.table.number if call else None,
        called_at=call.called_at if call else None,
        started_at=call.started_at if call else None,
        called_by=str(call.by or "") if call else "",
    )


def _name(row: Mapping, side: str) -> str:
    """As :attr:`tournament.models.Entry.name` has it."""
    name, partner, reentry = (row[f"entry_{side}__{column}"] for column in SEAT_COLUMNS)
    if partner is not None:
        return f"{name} & {partner}"
    return f"{name} ({reentry + 1})" if reentry else name


def _doing(sheet_state: str | None, call: Call | None) -> Doing:
    if sheet_state in (Doing.DISPUTED, Doing.REPORTED):
        return Doing(sheet_state)
    if sheet_state is not None or (call is not None and call.started_at is not None):
        return Doing.PLAYING
    return Doing.READY if call is None else Doing.CALLED


def _with_busy(match: DeskMatch, seated: Mapping[int, DeskMatch]) -> DeskMatch:
    """A match that waits for somebody who plays elsewhere says who, and where."""
    if match.doing is not Doing.READY:
        return match
    for name, persons in ((match.a, match.persons_a), (match.b, match.persons_b)):
        for person in sorted(persons & seated.keys()):
            return replace(match, doing=Doing.BUSY, busy=_where(name, seated[person]))
    return match


def _where(name: str, other: DeskMatch) -> str:
    words = {"player": name, "key": other.key, "event": other.event, "table": other.table}
    if other.table is None:
        return _("%(player)s plays %(key)s of %(event)s.") % words
    return _("%(player)s plays %(key)s of %(event)s at table %(table)s.") % words


def _timed(match: DeskMatch, pace: Pace, pauses: Sequence[Pause], at: datetime) -> DeskMatch:
    """When a match that is called is expected to end, and whether it takes too long; for others, what they run into."""
    lasting = pace.lasts(match.length)
    if match.called_at is None:
        met = pause_met(at, lasting, pauses)
        return replace(match, pause=met.name if met and match.doing is Doing.READY else "")
    start = match.started_at or match.called_at
    played = playing_time(start, at, pauses)
    return replace(
        match,
        ends_at=after_playing(start, lasting, pauses),
        minutes=int(played.total_seconds()) // 60,
        is_late=match.doing is Doing.PLAYING and pace.is_late(match.length, played),
    )


def _tables(tournament: Tournament, matches: Iterable[DeskMatch]) -> tuple[TableView, ...]:
    taken = {match.table: match for match in matches if match.table is not None}
    tables = Table.objects.filter(tournament=tournament).order_by("number")
    return tuple(
        TableView(
            number=table["number"],
            event_id=table["event_id"],
            event=table["event__name"] or "",
            streamed=table["streamed"],
            out_of_order=table["out_of_order"],
            match=taken.get(table["number"]),
        )
        for table in tables.values("number", "event_id", "event__name", "streamed", "out_of_order")
    )
