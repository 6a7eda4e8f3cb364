"""What matters to an entry now, in one sentence: the match to play, the answer to give, or what it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.score import Side
from tournament.entries.present import takes_check_ins
from tournament.formats.plan import LoserOf, LoserOfRound, WinnerOf, parse_feed
from tournament.mine.disputes import sentence_of_dispute
from tournament.mine.ends import end_of
from tournament.mine.places import entry_in, has_rounds_to_come, names_in
from tournament.rehearsal.pace import Pause
from tournament.snapshot import (
    BoardSeatSnapshot,
    BoardSnapshot,
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    ReportSnapshot,
    SeatSnapshot,
    StageSnapshot,
    Wait,
)
from tournament.snapshot.states import MatchState

OPEN = (FixtureState.READY, FixtureState.LIVE)


class Kind(StrEnum):
    """What a sentence asks of the player, by which the page gives it its colour and its buttons."""

    CONFIRM = "confirm"
    DISPUTED = "disputed"
    AWAITS = "awaits"
    PLAYING = "playing"
    CALLED = "called"
    READY = "ready"
    BUSY = "busy"
    BREAK = "break"
    WAITING = "waiting"
    CHECK_IN = "check-in"
    OVER = "over"


URGENT = (Kind.CONFIRM, Kind.PLAYING, Kind.CALLED, Kind.DISPUTED, Kind.AWAITS, Kind.READY, Kind.BUSY)
"""What an open match can ask, in the order in which several are told."""


@dataclass(frozen=True, slots=True)
class Now:
    """What matters now, said in ``sentence``, with a ``detail`` that explains it.

    ``match`` is the match that it is about, or the board of a team's match ``fixture``. ``report`` is the claim that
    waits for the player's answer. ``tables`` are where to play. ``may_begin`` says that the players need not be called.
    """

    kind: Kind
    sentence: str
    detail: str = ""
    fixture: FixtureSnapshot | None = None
    match: FixtureSnapshot | BoardSnapshot | None = None
    report: ReportSnapshot | None = None
    tables: tuple[int, ...] = ()
    may_begin: bool = False

    @property
    def is_play(self) -> bool:
        """Whether the player is expected at a table."""
        return self.kind in (Kind.PLAYING, Kind.CALLED)

    @property
    def may_keep_score(self) -> bool:
        """Whether the match is played, or its players may begin by themselves."""
        return self.is_play or (self.kind is Kind.READY and self.may_begin)

    @property
    def names(self) -> tuple[str, ...]:
        """The two who play the match that the sentence is about."""
        return (self.match.a.label, self.match.b.label) if self.match is not None else ()


def now_of(
    snapshot: EventSnapshot, entry_id: int, *, pauses: Sequence[Pause] = (), has_tables: bool = False, at: datetime
) -> Now:
    """Return what matters now to the entry, which may be in the draw, on the waiting list or gone.

    ``snapshot`` knows who is busy elsewhere (:func:`tournament.hall.waiting.with_waits`); ``pauses`` are the breaks of
    the hall, and ``has_tables`` says whether matches are called to numbered tables there.
    """
    entry = entry_in(snapshot, entry_id)
    own = [_of_match(fixture, entry_id, has_tables=has_tables) for fixture in _open_fixtures(snapshot, entry_id)]
    now = min(own, key=_urgency) if own else _without_a_match(snapshot, entry, at)
    if now.kind in (Kind.READY, Kind.WAITING) and snapshot.finished_at is None:
        return _in_a_break(now, pauses, at)
    return now


def _open_fixtures(snapshot: EventSnapshot, entry_id: int) -> Iterable[FixtureSnapshot]:
    if snapshot.finished_at is not None:
        return ()
    fixtures = (fixture for stage in snapshot.stages for fixture in stage.fixtures)
    return [one for one in fixtures if entry_id in one.entry_ids and one.state in OPEN]


def _urgency(now: Now) -> tuple[int, int, int]:
    fixture = now.fixture
    return URGENT.index(now.kind), fixture.round if fixture else 0, fixture.number if fixture else 0


def _of_match(fixture: FixtureSnapshot, entry_id: int, *, has_tables: bool) -> Now:
    """Return what an open match asks of the entry: of a team's boards the one that asks most."""
    side = Side.A if fixture.a.entry is not None and fixture.a.entry.id == entry_id else Side.B
    if not fixture.boards:
        return _of_one(fixture, fixture, side, has_tables=has_tables)
    boards = [_of_one(fixture, board, side, has_tables=has_tables) for board in fixture.boards if board.state in OPEN]
    first = min(boards, key=_urgency) if boards else _of_one(fixture, fixture.boards[-1], side, has_tables=has_tables)
    if not first.is_play and first.kind is not Kind.READY:
        return first
    other = fixture.b if side is Side.A else fixture.a
    tables = tuple(sorted({table for board in boards for table in board.tables}))
    words = {"name": other.label, "tables": ", ".join(map(str, tables))}
    sentence = _("Play %(name)s at tables %(tables)s") if tables else _("Play %(name)s")
    count = ngettext("%(count)s board", "%(count)s boards", len(fixture.boards)) % {"count": len(fixture.boards)}
    return replace(first, sentence=sentence % words, detail=count, tables=tables)


def _of_one(fixture: FixtureSnapshot, match: FixtureSnapshot | BoardSnapshot, side: Side, *, has_tables: bool) -> Now:
    other = match.b.label if side is Side.A else match.a.label
    mine = next((report for report in match.reports if report.side == side), None)
    theirs = next((one for one in match.reports if one.side != side and one.sheet.score.over), None)
    base = Now(Kind.READY, "", fixture=fixture, match=match, tables=_tables(match))
    if match.status is MatchState.DISPUTED:
        sentence = sentence_of_dispute(match, side, other)
        return replace(base, kind=Kind.DISPUTED, sentence=sentence, detail=_("The director will settle it."))
    if theirs is not None:
        return replace(base, kind=Kind.CONFIRM, sentence=_is_that_right(theirs, match, side, other), report=theirs)
    if mine is not None and mine.sheet.score.over:
        sentence = _("Your result awaits %(name)s's yes") % {"name": other}
        detail = _("It counts once your opponent or the director confirms it.")
        return replace(base, kind=Kind.AWAITS, sentence=sentence, detail=detail)
    if match.call is not None or match.status is MatchState.PLAYING:
        return _of_call(base, match, other)
    if match.waits_for is not None:
        busy = replace(base, kind=Kind.BUSY)
        own = next((one for one in (match.waits_for, *match.waits_for.others) if _is_own(one, match, side)), None)
        if own is not None:
            return replace(busy, sentence=_where_you_are(own, match, side), detail=f"{_next_match(match, other)}.")
        sentence = _("You wait for %(name)s") % {"name": match.waits_for.name}
        return replace(busy, sentence=sentence, detail=match.waits_for.sentence)
    sentence, detail = _next_match(match, other), _how_it_begins(fixture, has_tables)
    return replace(base, sentence=sentence, detail=detail, may_begin=fixture.deadline is not None or not has_tables)


def _is_own(wait: Wait, match: FixtureSnapshot | BoardSnapshot, side: Side) -> bool:
    """Whether the player who is busy is of the entry itself."""
    seat = match.a if side is Side.A else match.b
    if isinstance(seat, BoardSeatSnapshot):
        return wait.player_id == seat.player_id
    return seat.entry is not None and wait.player_id in (seat.entry.player_id, seat.entry.partner_id)


def _where_you_are(wait: Wait, match: FixtureSnapshot | BoardSnapshot, side: Side) -> str:
    """Return where the player plays now; of a pair or team, which of them does."""
    seat = match.a if side is Side.A else match.b
    if isinstance(seat, BoardSeatSnapshot) or (seat.entry is not None and seat.entry.partner_id is not None):
        return wait.sentence.removesuffix(".")
    words = {"event": wait.event, "table": wait.table}
    if wait.is_only_called:
        if wait.table is None:
            return _("You have been called in %(event)s") % words
        return _("You have been called to table %(table)s in %(event)s") % words
    if wait.table is None:
        return _("You play in %(event)s now") % words
    return _("You play in %(event)s at table %(table)s now") % words


def _of_call(base: Now, match: FixtureSnapshot | BoardSnapshot, other: str) -> Now:
    """Return where the match that has been called, or has begun, is played, and since when."""
    call = match.call
    words = {"name": other, "length": match.length, "table": call.table if call else None}
    if words["table"] is None:
        sentence = ngettext("Play %(name)s, %(length)s point", "Play %(name)s, %(length)s points", match.length) % words
    else:
        sentence = (
            ngettext(
                "Play %(name)s at table %(table)s, %(length)s point",
                "Play %(name)s at table %(table)s, %(length)s points",
                match.length,
            )
            % words
        )
    has_begun = match.status is MatchState.PLAYING
    detail = ""
    if call is not None and call.started_at is not None:
        detail = _("Since %(time)s.") % {"time": _clock(call.started_at)}
    elif call is not None and not has_begun:
        detail = _("Called at %(time)s.") % {"time": _clock(call.called_at)}
    return replace(base, kind=Kind.PLAYING if has_begun else Kind.CALLED, sentence=sentence, detail=detail)


def _is_that_right(report: ReportSnapshot, match: FixtureSnapshot | BoardSnapshot, side: Side, other: str) -> str:
    score = report.sheet.score
    winner = Side.A if score.a > score.b else Side.B
    points = (score.a, score.b) if winner is Side.A else (score.b, score.a)
    reporter = other if report.side else _("The scorer")
    words = {"name": reporter, "winner": other, "score": f"{points[0]}–{points[1]}"}
    if winner is side:
        return _("%(name)s reports that you won %(score)s: is that right?") % words
    if report.side:
        return _("%(name)s reports winning %(score)s: is that right?") % words
    return _("%(name)s reports that %(winner)s won %(score)s: is that right?") % words


def _next_match(match: FixtureSnapshot | BoardSnapshot, other: str) -> str:
    words = {"name": other, "length": match.length}
    return ngettext("Next: %(name)s, %(length)s point", "Next: %(name)s, %(length)s points", match.length) % words


def _how_it_begins(fixture: FixtureSnapshot, has_tables: bool) -> str:
    if fixture.deadline is not None:
        return _("Play it by %(day)s.") % {"day": date_format(fixture.deadline, "DATE_FORMAT")}
    return _("You will be called to a table.") if has_tables else _("You can begin.")


def _without_a_match(snapshot: EventSnapshot, entry: EntrySnapshot, at: datetime) -> Now:
    """Return what an entry without an open match waits for, or how the event ended for it."""
    if snapshot.finished_at is not None or entry.has_left:
        return Now(Kind.OVER, *end_of(snapshot, entry))
    if entry.waiting:
        return Now(Kind.WAITING, _("You are on the waiting list"), _("You move up when a place becomes free."))
    if not snapshot.is_drawn:
        return _before_the_draw(snapshot, entry, at)
    for stage in snapshot.stages:
        for fixture in stage.fixtures:
            if entry.id in fixture.entry_ids and fixture.state is FixtureState.WAITING:
                return _waits_for_opponent(stage, fixture, entry.id)
    if entry.is_out:
        return Now(Kind.WAITING, _("You sit out until you return"), _("Tell the director when you are back."))
    if snapshot.stage.is_ladder:
        return Now(Kind.WAITING, _("You have no open challenge"), "")
    last = max((fixture.round for fixture in snapshot.stage.fixtures), default=0)
    for fixture in snapshot.stage.fixtures:
        is_own = entry.id in fixture.entry_ids and fixture.state is FixtureState.BYE
        if is_own and fixture.round == last and snapshot.pairs_by_round:
            return Now(Kind.WAITING, _("You are free in round %(round)s") % {"round": last}, fixture.why)
    is_still_in = any(line.entry.id == entry.id and line.is_still_in for line in snapshot.stage.standings)
    if is_still_in or has_rounds_to_come(snapshot, snapshot.stage):
        return Now(Kind.WAITING, _("You wait for the next round"), _("Your next match will appear here."))
    return Now(Kind.OVER, *end_of(snapshot, entry))


def _before_the_draw(snapshot: EventSnapshot, entry: EntrySnapshot, at: datetime) -> Now:
    detail = ""
    if snapshot.starts_at is not None:
        starts = timezone.localtime(snapshot.starts_at)
        words = {"day": date_format(starts, "DATE_FORMAT"), "time": _clock(snapshot.starts_at)}
        detail = _("The event starts on %(day)s at %(time)s.") % words
    if entry.checked_in:
        detail = f"{_('You are checked in.')} {detail}".strip()
    elif not snapshot.entries_closed and takes_check_ins(
        is_asked=snapshot.check_in, has_begun=snapshot.checked_in > 0, starts_at=snapshot.starts_at, at=at
    ):
        return Now(Kind.CHECK_IN, _("Check in before the draw"), detail)
    return Now(Kind.WAITING, _("The draw is not made yet"), detail)


def _waits_for_opponent(stage: StageSnapshot, fixture: FixtureSnapshot, entry_id: int) -> Now:
    other = fixture.b if fixture.a.entry is not None and fixture.a.entry.id == entry_id else fixture.a
    words = {"length": fixture.length}
    detail = ngettext("Next match: %(length)s point.", "Next match: %(length)s points.", fixture.length) % words
    return Now(Kind.WAITING, _who_comes(stage, other), detail, fixture=fixture)


def _who_comes(stage: StageSnapshot, seat: SeatSnapshot) -> str:
    """Return for whom the other side waits, by the names of those who play for that seat where they are known."""
    match parse_feed(seat.feed):
        case WinnerOf(key):
            return _("You wait for the winner of %(match)s") % {"match": names_in(stage, key)}
        case LoserOf(key):
            return _("You wait for the loser of %(match)s") % {"match": names_in(stage, key)}
        case LoserOfRound(round):
            return _("You wait for the losers of round %(round)s") % {"round": round}
    return _("You wait for an opponent")


def _in_a_break(now: Now, pauses: Sequence[Pause], at: datetime) -> Now:
    pause = next((one for one in pauses if one.starts_at <= at < one.ends_at), None)
    if pause is None:
        return now
    sentence = _("Break until %(time)s") % {"time": _clock(pause.ends_at)}
    return replace(now, kind=Kind.BREAK, sentence=sentence, detail=f"{now.sentence}. {now.detail}".strip())


def _tables(match: FixtureSnapshot | BoardSnapshot) -> tuple[int, ...]:
    return (match.call.table,) if match.call is not None and match.call.table is not None else ()


def _clock(moment: datetime) -> str:
    return time_format(timezone.localtime(moment))
