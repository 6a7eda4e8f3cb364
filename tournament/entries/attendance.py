"""Attendance: the door, check-in, the waiting list, and players who leave and return."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from matches.claims import Claim, claim_of
from matches.models import MAX_REASON, Conclusion, Match, SheetSource, SheetState
from matches.services import change_state, current_sheet, lock_sheets, prefetched_sheet
from players.errors import Conflict, Refusal
from players.models import User
from rules.score import Side
from tournament.changes.entries import FIELDS, EntriesBefore
from tournament.changes.record import begin_step, changes_between, record_change, require_running
from tournament.draw.advance import advance, enter_for_absence
from tournament.draw.calls import close_calls
from tournament.draw.outcomes import load_fixtures, match_has_begun
from tournament.draw.public_value import require_entries_open
from tournament.entries.admission import (
    SAVED,
    Admission,
    admit_waiting,
    free_places,
    give_bye_back,
    next_round,
    require_open_entries,
    require_taken_in,
)
from tournament.entries.services import lock_entry
from tournament.formats import FORMATS
from tournament.formats.knockout import MAIN
from tournament.formats.plan import LoserOfRound, feed_of
from tournament.models import CallEnding, Departure, Entry, Event, Fixture, Stage

MOST_ENTRIES = 1024
MOST_LATE_MINUTES = 120
LEFT = [*(name for name in FIELDS if name.startswith("left_")), "presence", "waiting"]
"""The fields of an entry that change when it leaves an event or comes back."""


@transaction.atomic
def set_door(
    event: Event, *, max_entries: int | None, check_in: bool, late_minutes: int | None, by: User | None, at: datetime
) -> Event:
    """Set the entry limit, the check-in rule and the lateness penalty.

    Each ``late_minutes`` cost one penalty point; None is no penalty. Before the draw, waiting entries move up into new
    places; no entry goes back to the waiting list. Raises Refusal for numbers out of range.
    """
    event, at = begin_step(event, at)
    require_entries_open(event)
    require_running(event)
    before = EntriesBefore(event)
    if max_entries is not None and not 2 <= max_entries <= MOST_ENTRIES:
        raise Refusal("max_entries_out_of_range", _("An event takes 2 to %(limit)s entries.") % {"limit": MOST_ENTRIES})
    if late_minutes is not None and not 1 <= late_minutes <= MOST_LATE_MINUTES:
        raise Refusal(
            "late_minutes_out_of_range",
            _("The interval for one penalty point must be from 1 to %(limit)s minutes.") % {"limit": MOST_LATE_MINUTES},
        )
    terms = {"max_entries": max_entries, "check_in": check_in, "late_minutes": late_minutes}
    changes = changes_between({name: getattr(event, name) for name in terms}, terms)
    event.max_entries, event.check_in, event.late_minutes = max_entries, check_in, late_minutes
    event.save(update_fields=["max_entries", "check_in", "late_minutes"])
    moved = [entry.name for entry in admit_waiting(event)]
    details = {"moved_up": moved, "changes": changes, "was": before.was()}
    record_change(event, verb="set_door", by=by, at=at, **terms, **details)
    return event


@transaction.atomic
def check_in(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """Check the entry in; an entry already checked in stays unchanged. Raises Conflict if the entry has left."""
    event, current, at = lock_entry(entry, at)
    require_running(event)
    before = EntriesBefore(event)
    _require_not_left(current)
    if current.checked_in_at is None:
        current.checked_in_at = at
        current.save(update_fields=["checked_in_at"])
        _record(before, current, verb="check_in", by=by, at=at)
    return current


@transaction.atomic
def undo_check_in(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """Undo the entry's check-in."""
    event, current, at = lock_entry(entry, at)
    require_running(event)
    before = EntriesBefore(event)
    if current.checked_in_at is not None:
        current.checked_in_at = None
        current.save(update_fields=["checked_in_at"])
        _record(before, current, verb="undo_check_in", by=by, at=at)
    return current


@transaction.atomic
def move_up(entry: Entry, *, by: User | None, at: datetime, agreed: str | None = None) -> Entry:
    """Give a waiting entry a place in the draw or, once it has been made, in the next round or instead of a bye.

    Raises Conflict if the entry does not wait, if the event is full or closed to late entries, or if no bye is left;
    and Unconfirmed as :func:`tournament.entries.services.add_entries` does.
    """
    event, current, at = lock_entry(entry, at)
    require_running(event)
    before = EntriesBefore(event)
    if not current.waiting:
        raise Conflict("not_waiting", _("%(name)s is not on the waiting list.") % {"name": current.name})
    if free_places(event) == 0:
        raise Conflict(
            "event_full",
            _("The event takes %(count)s entries, and all places are taken.") % {"count": event.max_entries},
        )
    stage = require_open_entries(event)
    Admission(stage, at=at, agreed=agreed).admit(current)
    current.save(update_fields=SAVED)
    if stage.drawn_at is not None:
        chain = advance(event, stage, by=by, at=at)
        require_taken_in(chain.at(stage).plan, [current])
    late = [current.name] if current.bye_taken else []
    _record(before, current, verb="move_up", by=by, at=at, late=late)
    return current


@transaction.atomic
def put_to_wait(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """Move the entry to the waiting list: before the draw, or from a bye that it took. Nobody moves up in its place.

    Raises Conflict for an entry that has been drawn, and for a late entry as
    :func:`tournament.entries.admission.give_bye_back` does.
    """
    event, current, at = lock_entry(entry, at)
    require_entries_open(event)
    require_running(event)
    before = EntriesBefore(event)
    _require_not_left(current)
    if current.bye_taken:
        give_bye_back(event, event.stages.get(number=1), current, by=by, at=at)
        _record(before, current, verb="put_to_wait", by=by, at=at)
        return current
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict(
            "event_drawn",
            _(
                "The draw has been made: a player in the draw can leave the event, but can "
                "no longer go on the waiting list."
            ),
        )
    if not current.waiting:
        current.waiting = True
        current.save(update_fields=["waiting"])
        _record(before, current, verb="put_to_wait", by=by, at=at)
    return current


@transaction.atomic
def leave_event(
    entry: Entry,
    *,
    kind: str,
    reason: str = "",
    plays_on: bool = False,
    only_main: bool = False,
    by: User | None,
    at: datetime,
) -> Entry:
    """Withdraw the entry from further draws and give its remaining opponents their walkovers at once.

    Before the draw its place becomes free, and the first waiting entry moves up. A match that has begun is forfeited to
    the opponent, and what was played stands; with ``plays_on`` it is finished first. With ``only_main`` the entry
    leaves only the main bracket and plays in the consolation that it falls to. A no-show has not begun a match; only an
    entry that withdraws plays on or falls anywhere. Raises Refusal for a disqualification without a reason, and
    Conflict if the entry has left already.
    """
    event, current, at = lock_entry(entry, at)
    require_entries_open(event)
    require_running(event)
    before = EntriesBefore(event)
    _require_not_left(current)
    if kind not in Departure.values:
        raise Refusal("departure_unknown", _("A player can leave only as withdrawn, no-show or disqualified."))
    reason = " ".join(reason.split())[:MAX_REASON]
    if kind == Departure.DISQUALIFIED and not reason:
        raise Refusal("reason_missing", _("Give a reason for the disqualification."))
    if (only_main or plays_on) and kind != Departure.WITHDRAWN:
        raise Refusal(
            "departure_is_whole", _("Only a player who withdraws may still finish a match or play in the consolation.")
        )
    stages = list(event.stages.order_by("number"))
    drawn = [stage for stage in stages if stage.drawn_at is not None]
    meetings = _open_meetings(drawn, current)
    if only_main and not any(fixture.bracket == MAIN for fixture, _match in meetings):
        raise Conflict("not_in_main", _("%(name)s has no match left in the main bracket.") % {"name": current.name})
    begun = [(fixture, match) for fixture, match in meetings if match_has_begun(match)]
    if kind == Departure.NO_SHOW and begun:
        raise Conflict(
            "no_show_has_begun",
            _("%(name)s has begun %(key)s, so this is not a no-show. Withdraw or disqualify the player instead.")
            % {"name": current.name, "key": begun[0][0].key},
        )
    current.left_at, current.left_kind, current.left_reason = at, kind, reason
    current.left_bracket = MAIN if only_main else ""
    current.left_stage = drawn[-1].number + 1 if drawn else 1
    current.waiting = False
    if len(drawn) == 1 and FORMATS[drawn[0].format].pairs_by_round and len(current.presence) % 2 == 1:
        current.presence = [*current.presence, next_round(drawn[0])]
    current.save(update_fields=LEFT)
    for fixture, match in begun:
        if not plays_on and current.is_absent_from(fixture.bracket):
            _forfeit(event, fixture, match, current, by=by, at=at)
    for stage in drawn[:1]:
        advance(event, stage, by=by, at=at)
    moved = [waiting.name for waiting in admit_waiting(event)]
    details = {"kind": kind, "reason": reason, "plays_on": plays_on, "only_main": only_main, "moved_up": moved}
    _record(before, current, verb="leave_event", by=by, at=at, **details)
    return current


@transaction.atomic
def undo_leaving(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """Undo the departure: open matches can be played, and walkovers and forfeits for leaving are voided.

    Where rounds are paired one by one, the walkovers of a round stay once a later round has begun, and the entry is
    paired again from the next one. Raises Conflict if the entry has not left, if the field was drawn without it, or if
    a match has begun that an opponent reached by such a walkover.
    """
    event, current, at = lock_entry(entry, at)
    require_entries_open(event)
    require_running(event)
    before = EntriesBefore(event)
    if current.left_at is None:
        raise Conflict("entry_present", _("%(name)s is already in the event.") % {"name": current.name})
    stages = list(event.stages.order_by("number"))
    drawn = [stage for stage in stages if stage.drawn_at is not None]
    if drawn and current.left_stage is not None and current.left_stage <= drawn[-1].number:
        raise Conflict(
            "drawn_without",
            _(
                "Stage %(number)s was drawn without %(name)s. Enter the player as a late entry, if that is still "
                "possible."
            )
            % {"number": current.left_stage, "name": current.name},
        )
    free = free_places(event)
    left = {"kind": current.left_kind, "reason": current.left_reason, "only_main": current.left_bracket == MAIN}
    current.left_at, current.left_stage = None, None
    current.left_kind = current.left_reason = current.left_bracket = ""
    current.waiting = not drawn and free == 0
    for stage in drawn[:1]:
        if FORMATS[stage.format].pairs_by_round and len(current.presence) % 2 == 0:
            coming, marks = next_round(stage), list(current.presence)
            current.presence = marks[:-1] if len(drawn) > 1 or marks[-1] >= coming else [*marks, coming]
    current.save(update_fields=LEFT)
    for fixture, match in _absences(event, current, drawn):
        _take_back(event, fixture, match, current, by=by, at=at)
    for stage in drawn[:1]:
        advance(event, stage, by=by, at=at)
    details = {"waiting": current.waiting, "left": left}
    _record(before, current, verb="undo_leaving", by=by, at=at, **details)
    return current


@transaction.atomic
def leave_out_absent(event: Event, *, by: User | None, at: datetime) -> list[Entry]:
    """Make every entry not checked in a no-show, before the draw; waiting entries move up."""
    event, at = begin_step(event, at)
    require_entries_open(event)
    require_running(event)
    before = EntriesBefore(event)
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict("event_drawn", _("The draw has been made: mark each absent player as a no-show."))
    missing = list(
        event.entries.filter(checked_in_at__isnull=True, left_at__isnull=True, waiting=False).select_related(
            "player", "partner"
        )
    )
    for entry in missing:
        entry.left_at, entry.left_kind, entry.left_stage = at, Departure.NO_SHOW, 1
    Entry.objects.bulk_update(missing, LEFT)
    moved = [entry.name for entry in admit_waiting(event)]
    if missing:
        details = {"entries": [entry.pk for entry in missing], "names": [entry.name for entry in missing]}
        record_change(event, verb="leave_out_absent", by=by, at=at, **details, moved_up=moved, was=before.was())
    return missing


def _record(before: EntriesBefore, entry: Entry, *, verb: str, by: User | None, at: datetime, **detail: object) -> None:
    details = {"entry": entry.pk, "names": [entry.name], **detail}
    record_change(before.event, verb=verb, by=by, at=at, **details, was=before.was())


def _require_not_left(entry: Entry) -> None:
    if entry.left_at is not None:
        raise Conflict("entry_out", _("%(name)s is already out of the event.") % {"name": entry.name})


SEATS = ("entry_a__player", "entry_a__partner", "entry_b__player", "entry_b__partner")


Meeting = tuple[Fixture, Match]
"""A match and the fixture that it decides, alone or with other boards."""


def _meetings_of(event: Event, entry: Entry) -> list[Meeting]:
    fixtures = Fixture.objects.filter(Q(entry_a=entry) | Q(entry_b=entry), stage__event=event)
    found = fixtures.select_related("match", "stage", *SEATS).prefetch_related("boards__match")
    ordered = found.order_by("stage__number", "round", "number")
    return [(fixture, match) for fixture in ordered for match in fixture.matches.values()]


def _open_meetings(stages: Iterable[Stage], entry: Entry) -> list[Meeting]:
    """Return the entry's undecided matches."""
    return [
        (fixture, match)
        for stage in stages
        for fixture in load_fixtures(stage)
        if entry.pk in (fixture.entry_a_id, fixture.entry_b_id)
        for match in fixture.matches.values()
        if (sheet := prefetched_sheet(match)) is None or sheet.state != SheetState.CONFIRMED
    ]


def ways_to_leave(entry: Entry) -> frozenset[str]:
    """Return the ways in which the entry can leave besides at once: ``after`` its match, ``main`` alone, ``no-show``.

    Only an entry that has begun a match can finish it, and only one that has not is a no-show. Alone from the main
    bracket leaves whoever has a match there from which the loser goes on.
    """
    meetings = _open_meetings(list(entry.event.stages.filter(drawn_at__isnull=False)), entry)
    ways = {"after"} if any(match_has_begun(match) for _fixture, match in meetings) else {"no-show"}
    main = [fixture for fixture, _match in meetings if fixture.bracket == MAIN]
    falls = Q(feed_a__in=[f"loser:{fixture.key}" for fixture in main])
    falls |= Q(feed_b__in=[f"loser:{fixture.key}" for fixture in main])
    rounds = [feed_of(LoserOfRound(fixture.round)) for fixture in main]
    falls |= Q(feed_a__in=rounds) | Q(feed_b__in=rounds)
    if Fixture.objects.filter(falls, stage__in=[fixture.stage_id for fixture in main]).exists():
        ways.add("main")
    return frozenset(ways)


def _absences(event: Event, entry: Entry, drawn: Sequence[Stage]) -> list[Meeting]:
    """Return the matches that the entry lost by leaving and that can still be played."""
    coming = {stage.pk: next_round(stage) for stage in drawn if FORMATS[stage.format].pairs_by_round}
    found = []
    for fixture, match in _meetings_of(event, entry):
        sheet = current_sheet(match)
        past = coming.get(fixture.stage_id, 0) > fixture.round + 1
        lost = Side.B if fixture.entry_a_id == entry.pk else Side.A
        # Nobody has won a match to which neither came.
        if sheet is not None and sheet.source == SheetSource.ABSENCE and sheet.awarded_to in (lost, "") and not past:
            found.append((fixture, match))
    return found


def _forfeit(event: Event, fixture: Fixture, match: Match, entry: Entry, *, by: User | None, at: datetime) -> None:
    """Award the match that had begun to the opponent, keeping the games played on the sheet."""
    sheets = lock_sheets(match)
    close_calls([match], ending=CallEnding.DONE, at=at)
    claim = Claim(
        key="",
        games=claim_of(sheets.current).games if sheets.current else (),
        conclusion=Conclusion.FORFEIT,
        awarded_to=Side.B if fixture.entry_a_id == entry.pk else Side.A,
        confirmed=True,
        reason=f"{entry.name}: {entry.get_left_kind_display()}",
    )
    enter_for_absence(event, fixture, sheets, claim, absent=[entry], by=by, at=at)


def _take_back(event: Event, fixture: Fixture, match: Match, entry: Entry, *, by: User | None, at: datetime) -> None:
    """Void the walkover; a forfeited match that had begun resumes as it stood."""
    sheets = lock_sheets(match)
    if sheets.current is None:
        return
    if games := claim_of(sheets.current).games:
        again = Claim(key="", games=games, confirmed=True)
        enter_for_absence(event, fixture, sheets, again, absent=[entry], by=by, at=at)
    else:
        change_state(sheets.current, SheetState.VOID, by=by, at=at)
