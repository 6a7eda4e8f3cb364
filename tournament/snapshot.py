"""The one read model of an event, built in a fixed number of queries; pages, API, exports and pictures read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from matches.models import Conclusion, Match, Scoresheet, SheetState
from matches.services import claim_of, prefetched_reports, prefetched_sheet, score_of
from rules.score import MatchScore, Side
from rules.sheet import GameResult, Terms
from tournament.calls import prefetched_call
from tournament.chain import club_of, country_of, entrant_of, load_people
from tournament.formats import FORMATS, parse_options
from tournament.formats.drawing import draw_hash
from tournament.formats.knockout import MAIN
from tournament.formats.options import Options
from tournament.formats.plan import Bye, Entrant, LoserOf, WinnerOf, parse_feed
from tournament.formats.weeks import week_of
from tournament.models import Call, Entry, Event, Fixture, Stage, Standing
from tournament.outcomes import advanced_by_ruling, prefetch_decided
from tournament.states import MatchFacts, MatchState, state_of

STILL_IN = ("places_open", "lives_left")
"""The reasons of places that are still open."""


class FixtureState(StrEnum):
    WAITING = "waiting"
    READY = "ready"
    LIVE = "live"
    DONE = "done"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class MemberView:
    """Somebody of a team; on a board beyond those of the event he is a reserve."""

    board: int
    player_id: int
    name: str
    club: str
    country: str


@dataclass(frozen=True, slots=True)
class EntryView:
    """``members`` are those of a team in the order of their boards; nobody for a player or a pair."""

    id: int
    number: int
    seed: int | None
    player_id: int
    partner_id: int | None
    reentry: int
    name: str
    family: str
    presence: tuple[int, ...]
    club: str
    country: str
    waiting: bool
    checked_in: bool
    left_kind: str
    left_reason: str
    left_main_only: bool
    bye_taken: int
    home_evening: int | None = None
    members: tuple[MemberView, ...] = ()

    @property
    def is_out(self) -> bool:
        """Whether the entry misses rounds, or has left, and has not come back."""
        return len(self.presence) % 2 == 0 or self.has_left

    @property
    def has_left(self) -> bool:
        """Whether the entry has withdrawn, did not come, or was disqualified."""
        return bool(self.left_kind)


@dataclass(frozen=True, slots=True)
class SheetView:
    """A score sheet under its ``terms``; ``scores[0]`` is the score before game 1, ``scores[g]`` before game g + 1.

    ``score`` is where the match stands, an award included; ``played_score`` leaves out the points that were awarded.
    """

    number: int
    terms: Terms
    games: tuple[GameResult, ...]
    scores: tuple[MatchScore, ...]
    score: MatchScore
    played_score: MatchScore
    is_final_only: bool
    conclusion: Conclusion
    awarded_to: Side | None
    by: str
    at: datetime
    played_at: datetime


@dataclass(frozen=True, slots=True)
class SeatView:
    """A side of a fixture: its entry, or the feed it waits for ("winner:M1-1", "bye").

    ``points`` as won in play, and before the first game as a ruling gave them.
    """

    entry: EntryView | None
    feed: str
    points: int | None
    is_winner: bool

    @property
    def is_bye(self) -> bool:
        return self.entry is None and self.feed == "bye"

    @property
    def label(self) -> str:
        """The player's name, or in words who will sit here."""
        return self.entry.name if self.entry is not None else self.feed_in_words

    @property
    def feed_in_words(self) -> str:
        """Where the side comes from: the winner or the loser of a match, or nowhere."""
        match parse_feed(self.feed):
            case WinnerOf(key):
                return _("Winner of %(key)s") % {"key": key}
            case LoserOf(key):
                return _("Loser of %(key)s") % {"key": key}
            case Bye():
                return _("Bye")
        return ""


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report that nobody has confirmed: ``side`` A or B, or empty for a scorer's."""

    side: str
    is_disputed: bool
    sheet: SheetView


@dataclass(frozen=True, slots=True)
class CallView:
    """Where a match is called to, and since when it is being played, if it is."""

    table: int
    called_at: datetime
    started_at: datetime | None


@dataclass(frozen=True, slots=True)
class Clock:
    """``minutes`` for each point of a match, and ``delay`` seconds before each play."""

    minutes: int
    delay: int

    def time_for(self, length: int) -> int:
        """The minutes that each side has for a match of this length."""
        return self.minutes * length


@dataclass(frozen=True, slots=True)
class BoardSeatView:
    """A side of a board; ``points`` as those of a :class:`SeatView`."""

    player_id: int
    label: str
    points: int | None
    is_winner: bool


@dataclass(frozen=True, slots=True)
class BoardView:
    """One match of two teams that meet."""

    number: int
    length: int
    a: BoardSeatView
    b: BoardSeatView
    state: FixtureState
    match_id: int
    score: MatchScore
    sheet: SheetView | None
    call: CallView | None

    @property
    def is_crawford(self) -> bool:
        """True if the game being played, or next to be played, is the Crawford game."""
        return self.score.is_crawford


@dataclass(frozen=True, slots=True)
class FixtureView:
    """A published pairing. ``state`` is where it stands in the draw, ``status`` what its result is worth.

    Two teams meet on ``boards``, and their points are the boards won; ``match_id``, ``score``, ``sheet`` and
    ``reports`` are those of players or pairs. ``score`` is that of the current sheet, else of the newest report.
    ``advanced`` goes on by ruling, whatever the score says.
    """

    key: str
    bracket: str
    round: int
    number: int
    length: int
    a: SeatView
    b: SeatView
    state: FixtureState
    match_id: int | None
    score: MatchScore | None
    sheet: SheetView | None
    call: CallView | None
    why: str
    status: MatchState
    boards: tuple[BoardView, ...] = ()
    reports: tuple[ReportView, ...] = ()
    advanced: EntryView | None = None

    deadline: date | None = None
    """The last day of its round, where rounds have dates."""
    plays_on: date | None = None
    """The home evening of side A in its round, if there is one."""

    def is_overdue(self, today: date) -> bool:
        """Whether its deadline has passed without an end of the match."""
        open_still = self.state not in (FixtureState.DONE, FixtureState.BYE)
        return open_still and self.deadline is not None and self.deadline < today

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody whom a reader might look for here: who meets, and of teams who sits at the boards."""
        sitting = (seat.label for board in self.boards for seat in (board.a, board.b))
        return (self.a.label, self.b.label, *sitting)

    @property
    def has_sheet(self) -> bool:
        """Whether a result was entered or reported."""
        return self.sheet is not None or bool(self.reports)

    @property
    def entry_ids(self) -> frozenset[int]:
        return frozenset(seat.entry.id for seat in (self.a, self.b) if seat.entry)

    @property
    def is_crawford(self) -> bool:
        """True if the game being played, or next to be played, is the Crawford game."""
        return self.score is not None and self.score.is_crawford


@dataclass(frozen=True, slots=True)
class StandingView:
    section: str
    place: int
    place_to: int
    entry: EntryView
    played: int
    wins: int
    losses: int
    points_for: int
    points_against: int
    tiebreaks: tuple[tuple[str, int | str | None], ...]
    decided_by: str
    note: str
    why: str
    is_still_in: bool
    """Whether better places than the worst of these are still to be played for."""


@dataclass(frozen=True)
class StageView:
    """``seed`` is shown only after the draw; before it ``seed_hash`` (SHA-256) commits to it, and ``draw_hash`` to the
    seed and the entry list; for a later stage that list is not known before the draw.

    ``notes`` say what the draw could not avoid. ``standings`` are those of the whole field, ``sections`` those of a
    consolation or a group, by bracket.
    """

    id: int
    number: int
    format: str
    options: Options
    qualifiers: int | None
    carry: str
    drawn_at: datetime | None
    seed: str
    seed_hash: str
    draw_hash: str
    notes: tuple[str, ...]
    fixtures: tuple[FixtureView, ...]
    standings: tuple[StandingView, ...]
    sections: dict[str, tuple[StandingView, ...]]
    standings_version: int
    standings_matches: int

    @cached_property
    def last_rounds(self) -> Mapping[str, int]:
        """The last round of each bracket."""
        return {fixture.bracket: fixture.round for fixture in sorted(self.fixtures, key=lambda f: f.round)}

    @property
    def rounds(self) -> tuple[tuple[int, tuple[FixtureView, ...]], ...]:
        """The fixtures by round, in order."""
        numbers = sorted({fixture.round for fixture in self.fixtures})
        return tuple((number, tuple(f for f in self.fixtures if f.round == number)) for number in numbers)

    @property
    def ranks_in_groups(self) -> bool:
        """Whether everybody plays in a group or a bracket of its own, so that nobody has won the whole of it."""
        return bool(self.sections) and all(bracket[0] in "GJ" for bracket in self.sections)

    @property
    def done(self) -> int:
        return sum(fixture.state is FixtureState.DONE for fixture in self.fixtures)

    @property
    def matches(self) -> int:
        """Matches that this stage takes in all, byes left out."""
        return sum(fixture.state is not FixtureState.BYE for fixture in self.fixtures)

    def in_state(self, *states: FixtureState) -> tuple[FixtureView, ...]:
        return tuple(fixture for fixture in self.fixtures if fixture.state in states)


@dataclass(frozen=True, slots=True)
class EventSnapshot:
    id: int
    name: str
    slug: str
    tournament_id: int
    tournament_name: str
    tournament_slug: str
    profile: str
    crawford: bool
    tiebreaks: tuple[str, ...]
    version: int
    hall_version: int
    starts_at: datetime | None
    clock: Clock | None
    finished_at: datetime | None
    doubles: bool
    has_money: bool
    boards: int
    max_entries: int | None
    check_in: bool
    late_minutes: int | None
    entries: tuple[EntryView, ...]
    """Those who are drawn, or are to be."""
    waiting: tuple[EntryView, ...]
    """The waiting list, in its order."""
    gone: tuple[EntryView, ...]
    """Those who left before the draw."""
    stages: tuple[StageView, ...]
    stage: StageView
    """The stage that is shown: the one asked for, else the last that is drawn, else the first."""
    at: datetime | None = None
    """The moment that is shown; None for now."""

    @property
    def has_teams(self) -> bool:
        return self.boards > 1

    @property
    def is_drawn(self) -> bool:
        return self.stages[0].drawn_at is not None

    @property
    def takes_entries(self) -> bool:
        """Whether somebody may be entered now: before the draw, or after it where the format leaves entries open, or
        where a bye is left to take."""
        if not self.is_drawn:
            return True
        later = any(stage.drawn_at is not None for stage in self.stages[1:])
        is_open = FORMATS[self.stages[0].format].open_entries or self.byes_left > 0
        return is_open and not later and self.finished_at is None

    @property
    def byes_left(self) -> int:
        """How many byes of round 1 a late entry may take: nothing was entered for the next match of who has it."""
        stage = self.stages[0]
        if not FORMATS[stage.format].takes_late:
            return 0
        main = {(fixture.round, fixture.number): fixture for fixture in stage.fixtures if fixture.bracket == MAIN}
        return sum(
            round == 1
            and fixture.state is FixtureState.BYE
            and following.state in (FixtureState.WAITING, FixtureState.READY)
            for (round, number), fixture in main.items()
            if (following := main.get((2, (number + 1) // 2))) is not None
        )

    @property
    def checked_in(self) -> int:
        """How many of the entries have checked in and are still there."""
        return sum(entry.checked_in and not entry.has_left for entry in self.entries)

    @property
    def missing(self) -> int:
        """How many of the entries have neither checked in nor left."""
        return sum(not entry.checked_in and not entry.has_left for entry in self.entries)

    @property
    def pairs_by_round(self) -> bool:
        """Whether entries may leave and come back between rounds."""
        return FORMATS[self.stages[0].format].pairs_by_round and self.finished_at is None

    @property
    def has_weeks(self) -> bool:
        """Whether the rounds of a stage have dates."""
        return any(week_of(stage.options, 1) for stage in self.stages)

    @property
    def next_stage(self) -> StageView | None:
        """The first stage that is not drawn yet."""
        return next((stage for stage in self.stages if stage.drawn_at is None), None)

    @property
    def standings_version(self) -> int:
        """The version of the event that the newest standings include."""
        return max(stage.standings_version for stage in self.stages)

    @property
    def standings_are_current(self) -> bool:
        return self.is_drawn and all(
            stage.standings_version == self.version for stage in self.stages if stage.drawn_at is not None
        )

    def fixture_of(self, match_id: int) -> FixtureView | None:
        fixtures = (fixture for stage in self.stages for fixture in stage.fixtures)
        return next((fixture for fixture in fixtures if match_id in _match_ids(fixture)), None)

    def at_stage(self, number: int) -> EventSnapshot:
        """The same event, showing this stage; as it was where there is none of that number."""
        return next((replace(self, stage=stage) for stage in self.stages if stage.number == number), self)


def _match_ids(fixture: FixtureView) -> tuple[int | None, ...]:
    return (fixture.match_id, *(board.match_id for board in fixture.boards))


def benches(
    event: EventSnapshot, fixture: FixtureView, board: BoardView
) -> list[tuple[str, EntryView, list[MemberView]]]:
    """The sides of the board that have somebody to choose from, with the team and those who may sit there."""
    elsewhere = {seat.player_id for other in fixture.boards if other != board for seat in (other.a, other.b)}
    found = []
    for side, entry in (("A", fixture.a.entry), ("B", fixture.b.entry)):
        members = entry.members if entry is not None else ()
        able = [member for member in members if member.board == board.number or member.board > event.boards]
        free = [member for member in able if member.player_id not in elsewhere]
        if entry is not None and len(free) > 1:
            found.append((side, entry, free))
    return found


def take_snapshot(event_id: int) -> EventSnapshot:
    """The event as it is now, in eleven queries whatever its size. Raises Event.DoesNotExist."""
    for snapshot in take_snapshots(Event.objects.filter(pk=event_id)):
        return snapshot
    raise Event.DoesNotExist


def take_snapshots(events: QuerySet[Event]) -> list[EventSnapshot]:
    """The events as they are now, in eleven queries however many they are."""
    fixtures = Fixture.objects.select_related("match").prefetch_related(*prefetch_decided())
    entries = load_people(Entry.objects.all())
    stages = Stage.objects.prefetch_related(Prefetch("fixtures", queryset=fixtures), "standings")
    found = events.select_related("tournament", "money").prefetch_related(
        Prefetch("entries", queryset=entries), Prefetch("stages", queryset=stages)
    )
    return [view_event(event) for event in found]


def view_event(event: Event) -> EventSnapshot:
    """The event as it was loaded: entries and stages, fixtures with what decides them, and standings."""
    entries = {entry.pk: _entry_view(entry) for entry in event.entries.all()}
    field = [entrant_of(entry) for entry in event.entries.all() if entry.is_drawn_in(1)]
    ended = event.finished_at is not None
    fixtures = [fixture for stage in event.stages.all() for fixture in stage.fixtures.all()]
    last = last_begun(fixtures)
    stages = tuple(_stage_view(stage, entries, field, last, ended) for stage in event.stages.all())
    drawn = [stage for stage in stages if stage.drawn_at is not None]
    return EventSnapshot(
        id=event.pk,
        name=event.name,
        slug=event.slug,
        tournament_id=event.tournament_id,
        tournament_name=event.tournament.name,
        tournament_slug=event.tournament.slug,
        profile=event.profile,
        crawford=event.crawford,
        tiebreaks=tuple(event.tiebreaks),
        version=event.version,
        hall_version=event.tournament.hall_version,
        starts_at=event.starts_at,
        clock=clock_of(event),
        finished_at=event.finished_at,
        doubles=event.doubles,
        has_money=hasattr(event, "money"),
        boards=event.boards,
        max_entries=event.max_entries,
        check_in=event.check_in,
        late_minutes=event.late_minutes,
        entries=tuple(entries[entry.pk] for entry in event.entries.all() if entry.is_drawn_in(1)),
        waiting=tuple(entry for entry in entries.values() if entry.waiting),
        gone=tuple(entries[entry.pk] for entry in event.entries.all() if not (entry.is_drawn_in(1) or entry.waiting)),
        stages=stages,
        stage=[stages[0], *drawn][-1],
    )


def clock_of(event: Event) -> Clock | None:
    if event.clock_minutes is None or event.clock_delay is None:
        return None
    return Clock(event.clock_minutes, event.clock_delay)


def view_sheet(terms: Terms, sheet: Scoresheet) -> SheetView:
    """The sheet with its scores. Reads ``sheet.lines`` and ``sheet.claimed_by`` as prefetched."""
    claim = claim_of(sheet)
    return SheetView(
        number=sheet.number,
        terms=terms,
        games=claim.games,
        scores=terms.scores(claim.games),
        score=score_of(terms, claim.games, claim.final, claim.awarded_to),
        played_score=score_of(terms, claim.games, claim.final, None),
        is_final_only=claim.final is not None,
        conclusion=claim.conclusion,
        awarded_to=claim.awarded_to,
        by=str(sheet.claimed_by or ""),
        at=sheet.at,
        played_at=sheet.played_at,
    )


def _entry_view(entry: Entry) -> EntryView:
    return EntryView(
        id=entry.pk,
        number=entry.number,
        seed=entry.seed,
        player_id=entry.player_id,
        partner_id=entry.partner_id,
        reentry=entry.reentry,
        name=entry.name,
        family=entry.family,
        presence=tuple(entry.presence),
        club=club_of(entry),
        country=country_of(entry),
        home_evening=entry.home_evening,
        waiting=entry.waiting,
        checked_in=entry.checked_in_at is not None,
        left_kind=entry.left_kind,
        left_reason=entry.left_reason,
        left_main_only=bool(entry.left_bracket),
        bye_taken=entry.bye_taken,
        members=members_of(entry),
    )


def members_of(entry: Entry) -> tuple[MemberView, ...]:
    """Those in a team in the order of the boards; nobody of a player or a pair."""
    people = entry.people if entry.team else ()
    return tuple(
        MemberView(board, player.pk, player.name, player.club.name if player.club else "", player.country)
        for board, player in enumerate(people, start=1)
    )


def _draw_hash(stage: Stage, field: Sequence[Entrant]) -> str:
    if stage.drawn_at is not None or stage.number > 1:
        return stage.draw_hash
    return draw_hash(stage.seed, field)


def _stage_view(
    stage: Stage,
    entries: dict[int, EntryView],
    field: Sequence[Entrant],
    last: Mapping[int, datetime],
    ended: bool,
) -> StageView:
    options = parse_options(stage.format, stage.options)
    sections: dict[str, list[StandingView]] = {"": []}
    for standing in stage.standings.all():
        sections.setdefault(standing.section, []).append(_standing_view(standing, entries))
    return StageView(
        id=stage.pk,
        number=stage.number,
        format=stage.format,
        options=options,
        qualifiers=stage.qualifiers,
        carry=stage.carry,
        drawn_at=stage.drawn_at,
        seed=stage.seed if stage.drawn_at else "",
        seed_hash=stage.seed_hash,
        draw_hash=_draw_hash(stage, field),
        notes=tuple(map(_sentence, stage.notes)),
        fixtures=tuple(
            _fixture_view(fixture, entries, options, last, ended)
            for fixture in sorted(stage.fixtures.all(), key=_place)
        ),
        standings=tuple(sections.pop("")),
        sections={bracket: tuple(sections[bracket]) for bracket in sorted(sections, key=_group_order)},
        standings_version=stage.standings_version,
        standings_matches=stage.standings_matches,
    )


def _group_order(bracket: str) -> tuple[int, str]:
    """Group AA comes after group Z."""
    return len(bracket), bracket


def _place(fixture: Fixture) -> tuple[tuple[int, str], int, int]:
    return _group_order(fixture.bracket), fixture.round, fixture.number


def _fixture_view(
    fixture: Fixture,
    entries: dict[int, EntryView],
    options: Options,
    last: Mapping[int, datetime],
    ended: bool,
) -> FixtureView:
    match = fixture.match
    boards = tuple(_board_view(number, played) for number, played in fixture.matches.items() if number)
    reports = tuple(
        ReportView(report.side, report.state == SheetState.DISPUTED, view_sheet(match.terms, report))
        for report in prefetched_reports(match)
        if match is not None
    )
    sheet, score = _sheet_and_score(match) if match is not None else (None, None)
    points, winner = _boards_won(boards) if boards else _points_shown(sheet, score)
    if sheet is None and reports:
        score = reports[-1].sheet.score
        points, winner = (score.a, score.b), None
    call = prefetched_call(match)
    state = _state_of(fixture, boards, sheet, call)
    if reports and state is FixtureState.READY:
        state = FixtureState.LIVE
    week = week_of(options, fixture.round)
    home = entries.get(fixture.entry_a_id or 0)
    return FixtureView(
        key=fixture.key,
        bracket=fixture.bracket,
        round=fixture.round,
        number=fixture.number,
        length=match.length if match else fixture.length,
        a=SeatView(
            entry=entries.get(fixture.entry_a_id or 0),
            feed=fixture.feed_a,
            points=points[0],
            is_winner=winner is Side.A,
        ),
        b=SeatView(
            entry=entries.get(fixture.entry_b_id or 0),
            feed=fixture.feed_b,
            points=points[1],
            is_winner=winner is Side.B,
        ),
        state=state,
        match_id=fixture.match_id,
        score=score,
        sheet=sheet,
        call=_call_view(call),
        why=_sentence(fixture.why),
        status=state_of(_facts(fixture, state, sheet, reports, last, ended)),
        reports=reports,
        advanced=entries.get(advanced_by_ruling(match) or 0),
        deadline=week.last if week else None,
        plays_on=week.evening(home.home_evening) if week and home and state is not FixtureState.BYE else None,
        boards=boards,
    )


def last_begun(fixtures: Iterable[Fixture]) -> dict[int, datetime]:
    """When each entry was last seen to play: the time of its newest sheet, report or start at a table."""
    last: dict[int, datetime] = {}
    for fixture in fixtures:
        call = prefetched_call(fixture.match)
        times = [sheet.played_at for match in fixture.matches.values() for sheet in match.open_sheets]
        times += [call.started_at] if call is not None and call.started_at is not None else []
        for entry in (fixture.entry_a_id, fixture.entry_b_id):
            if entry is not None and times:
                last[entry] = max([*times, last.get(entry, times[0])])
    return last


def _facts(
    fixture: Fixture,
    state: FixtureState,
    sheet: SheetView | None,
    reports: Sequence[ReportView],
    last: Mapping[int, datetime],
    ended: bool,
) -> MatchFacts:
    call = prefetched_call(fixture.match)
    decided = sheet if sheet is not None and sheet.score.over else None
    times = [last[entry] for entry in (fixture.entry_a_id, fixture.entry_b_id) if entry is not None and entry in last]
    return MatchFacts(
        is_bye="bye" in (fixture.feed_a, fixture.feed_b),
        has_match=bool(fixture.matches),
        called=call is not None,
        started=call is not None and call.started_at is not None,
        has_live_sheet=sheet is not None or (fixture.match_id is None and state is FixtureState.LIVE),
        has_reports=bool(reports),
        reported_over=any(report.sheet.score.over for report in reports),
        disputed=any(report.is_disputed for report in reports),
        conclusion=decided.conclusion.value if decided else "played" if state is FixtureState.DONE else "",
        corrected=decided is not None and decided.at > decided.played_at,
        next_begun=decided is not None and any(time > decided.played_at for time in times),
        event_ended=ended,
    )


def _board_view(number: int, match: Match) -> BoardView:
    """Reads ``match.side_a`` and ``match.side_b`` as loaded."""
    sheet, score = _sheet_and_score(match)
    points, winner = _points_shown(sheet, score)
    call = prefetched_call(match)
    return BoardView(
        number=number,
        length=match.length,
        a=BoardSeatView(match.side_a_id, match.side_a.name, points[0], winner is Side.A),
        b=BoardSeatView(match.side_b_id, match.side_b.name, points[1], winner is Side.B),
        state=_state_of_match(sheet, call),
        match_id=match.pk,
        score=score,
        sheet=sheet,
        call=_call_view(call),
    )


def _call_view(call: Call | None) -> CallView | None:
    return CallView(call.table.number, call.called_at, call.started_at) if call else None


def _sheet_and_score(match: Match) -> tuple[SheetView | None, MatchScore]:
    row = prefetched_sheet(match)
    sheet = view_sheet(match.terms, row) if row is not None else None
    return sheet, sheet.score if sheet is not None else match.terms.opening


Shown = tuple[tuple[int, int] | tuple[None, None], Side | None]
"""The points of both sides, if there are any to show, and who has won."""


def _points_shown(sheet: SheetView | None, score: MatchScore | None) -> Shown:
    """What was won in play; before the first game only what a ruling gave."""
    if sheet is not None:
        played = sheet.played_score
        points = (played.a, played.b) if sheet.conclusion is not Conclusion.WALKOVER else (None, None)
        return points, sheet.score.winner
    return ((score.a, score.b) if score is not None and score.a + score.b else (None, None)), None


def _boards_won(boards: tuple[BoardView, ...]) -> Shown:
    """The boards that each team has won; who has won more of them, once all are decided."""
    if all(board.state is FixtureState.READY for board in boards):
        return (None, None), None
    a, b = sum(board.a.is_winner for board in boards), sum(board.b.is_winner for board in boards)
    if a + b < len(boards):
        return (a, b), None
    return (a, b), Side.A if a > b else Side.B


def _sentence(reason: dict) -> str:
    """A stored reason in the reader's language; nothing for none."""
    return _(reason["template"]) % reason["params"] if reason else ""


def _state_of(
    fixture: Fixture, boards: tuple[BoardView, ...], sheet: SheetView | None, call: Call | None
) -> FixtureState:
    if "bye" in (fixture.feed_a, fixture.feed_b):
        return FixtureState.BYE
    states = {board.state for board in boards}
    if len(states) > 1:
        return FixtureState.LIVE
    if states:
        return states.pop()
    return FixtureState.WAITING if fixture.match_id is None else _state_of_match(sheet, call)


def _state_of_match(sheet: SheetView | None, call: Call | None) -> FixtureState:
    if sheet is None:
        return FixtureState.LIVE if call is not None and call.started_at is not None else FixtureState.READY
    return FixtureState.DONE if sheet.score.over else FixtureState.LIVE


def _standing_view(standing: Standing, entries: dict[int, EntryView]) -> StandingView:
    return StandingView(
        section=standing.section,
        place=standing.place,
        place_to=standing.place_to,
        entry=entries[standing.entry_id],
        played=standing.played,
        wins=standing.wins,
        losses=standing.losses,
        points_for=standing.points_for,
        points_against=standing.points_against,
        tiebreaks=tuple((slug, value) for slug, value in standing.tiebreaks),
        decided_by=standing.decided_by,
        note=_sentence(standing.note),
        why=_sentence(standing.why),
        is_still_in=standing.place != standing.place_to and standing.why.get("code") in STILL_IN,
    )
