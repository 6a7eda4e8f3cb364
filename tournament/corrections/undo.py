"""Undoing a step with a new log row that names the undone row. Each verb has its function here."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from matches.claims import Claim, claim_of
from matches.models import Match, Ruling, Scoresheet
from matches.services import AGAIN, current_sheet, is_correction
from players.errors import Conflict
from players.models import Player, User
from players.services import find_merge
from tournament.changes.record import begin_step
from tournament.corrections.undo_money import UNDO_MONEY, is_undoable
from tournament.draw.challenges import withdraw_challenge
from tournament.draw.hand import end_changes
from tournament.draw.make import cancel_draw
from tournament.entries.attendance import check_in, leave_event, move_up, put_to_wait, undo_check_in, undo_leaving
from tournament.entries.checking import check_in_all, undo_check_in_all
from tournament.entries.identity import keep_restored, lock_merge, replace_player, undo_merge
from tournament.entries.lists import EntryLine
from tournament.entries.seeding import RowRefusal, seeding_before, set_seeding
from tournament.entries.services import (
    keep_apart,
    remove_entry,
    restore_entry,
    return_entry,
    seed_entry,
    withdraw_entry,
)
from tournament.events.services import finish_event, reopen_event
from tournament.events.stages import remove_stage
from tournament.hall.announcements import withdraw_announcement
from tournament.log.words import verb_name
from tournament.models import Announcement, Challenge, Entry, Event, LogEntry
from tournament.models.team import event_of
from tournament.money.closing import NOT_ASKED, Consent, moving_money
from tournament.results.deadlines import restore_deadline
from tournament.results.enter import enter_result, void_result
from tournament.results.rulings import take_ruling_back
from tournament.results.walkovers import void_walkover
from tournament.roles.permissions import require

MOST_STEPS = 20
"""Only this many of an event's latest steps can be undone."""

DEADLINE_VERBS = ("move_deadline", "extend_deadline")

Undo = Callable[[Event, LogEntry, User | None, datetime], object]


def _undo_result(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    """Re-enter the previous sheet to make it current; if there is none, the match has no result."""
    match, number = _match(row), row.detail["sheet"]
    current = current_sheet(match)
    if current is None or current.number != number:
        raise _depends()
    before = match.sheets.filter(number=row.detail["base"]).prefetch_related("lines").first()
    if before is None:
        void_result(match, base=number, reason=_why(row), may_repair=True, by=by, at=at)
        return
    if row.detail["absent"]:
        raise _depends()
    again = replace(_again(before, row), base=number)
    enter_result(match, claim=again, may_repair=True, by=by, at=at)


def _undo_confirmation(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    match, number = _match(row), row.detail["sheet"]
    current = current_sheet(match)
    if current is None or current.number != number:
        raise _depends()
    void_result(match, base=number, reason=_why(row), may_repair=True, by=by, at=at)


def _undo_void(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    match = _match(row)
    sheet = match.sheets.filter(number=row.detail["sheet"]).prefetch_related("lines").first()
    if sheet is None or match.sheets.filter(number__gt=sheet.number).exists():
        raise _depends()
    claim = _again(sheet, row)
    enter_result(match, claim=claim, may_repair=True, by=by, at=at, played_at=sheet.played_at)


def _undo_walkover(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    void_walkover(_match(row), boards=row.detail["boards"], reason=_why(row), by=by, at=at)


def _undo_ruling(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    ruling = Ruling.objects.select_related("sheet").filter(pk=row.detail.get("ruling")).first()
    if ruling is None:
        raise _depends()
    take_ruling_back(ruling, reason=_why(row), by=by, at=at)


def _undo_entries(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    ids = [kept["id"] for kept in row.detail.get("kept", [])]
    entries = list(event.entries.filter(pk__in=ids))
    if not ids or len(entries) < len(ids):
        raise _depends()
    for entry in entries:
        remove_entry(entry, by=by, at=at)


def _undo_removal(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    for kept in row.detail.get("kept", []):
        entry = restore_entry(event, kept=kept, by=by, at=at)
        keep_restored(entry, kept)


def _undo_seed(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    seed_entry(_entry(event, row, "seed"), seed=row.detail["changes"]["seed"][0], by=by, at=at)


def _undo_family(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    keep_apart(_entry(event, row, "family"), family=row.detail["changes"]["family"][0], by=by, at=at)


def _undo_presence(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    entry = _entry(event, row, "presence")
    change = return_entry if row.verb == "withdraw_entry" else withdraw_entry
    changed = change(entry, by=by, at=at)
    if changed.presence != row.detail["changes"]["presence"][0]:
        raise _depends()


def _undo_check_in(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    undo_check_in(_entry_of(event, row), by=by, at=at)


def _undo_undo_check_in(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    check_in(_entry_of(event, row), by=by, at=at)


def _undo_check_in_all(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    undo_check_in_all(event, only=row.detail["entries"], by=by, at=at)


def _undo_undo_check_in_all(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    check_in_all(event, only=row.detail["entries"], by=by, at=at)


def _undo_seeding(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    try:
        set_seeding(event, rows=seeding_before(row.detail["rows"]), by=by, at=at)
    except RowRefusal as refusal:
        raise _depends() from refusal


def _undo_move_up(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    put_to_wait(_entry_of(event, row), by=by, at=at)


def _undo_put_to_wait(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    move_up(_entry_of(event, row), by=by, at=at)


def _undo_leave(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    entry = _entry_of(event, row)
    if entry.left_at is None or entry.left_at > row.at:
        raise _depends()
    undo_leaving(entry, by=by, at=at)


def _undo_return(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    if "left" not in row.detail:
        raise _depends()
    leave_event(_entry_of(event, row), **row.detail["left"], by=by, at=at)


def _undo_leaving_out(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    gone = list(event.entries.filter(pk__in=row.detail.get("entries", []), left_at__lte=row.at))
    if not gone or len(gone) < len(row.detail["entries"]):
        raise _depends()
    for entry in gone:
        undo_leaving(entry, by=by, at=at)


def _undo_replacement(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    entry = _entry_of(event, row)
    before, now = row.detail.get("people"), row.detail.get("now")
    if before is None or [entry.player_id, entry.partner_id] != now:
        raise _depends()
    names = [Player.objects.get(pk=player).name for player in before if player is not None]
    whom = before[0] if len(names) == 1 else None
    replace_player(entry, line=EntryLine(name=" & ".join(names), player_id=whom), by=by, at=at)
    if list(event.entries.values_list("player_id", "partner_id").get(pk=entry.pk)) != before:
        raise _depends()


def _undo_merge(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    gone = Player.objects.filter(pk__in=row.detail.get("ids", [])[1:]).first()
    if gone is None or find_merge(gone).pk != row.detail.get("merge"):
        raise _depends()
    undo_merge(gone, by=by, at=at)


def _undo_draw_change(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    stage = event.stages.filter(number=row.detail["stage"]).first()
    numbers = row.detail["numbers"]
    if stage is None or stage.hand_changes.filter(number__in=numbers, ended_at=None).count() < len(numbers):
        raise _depends()
    end_changes(stage, numbers=numbers, by=by, at=at)


def _undo_challenge(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    made = Challenge.objects.filter(stage__event=event, stage__number=row.detail["stage"], number=row.detail["number"])
    withdraw_challenge(made.select_related("stage__event__tournament").get(), by=by, at=at)


def _undo_deadline(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    kept, match = row.detail["kept"], _match(row)
    later = event.log.filter(verb__in=DEADLINE_VERBS, pk__gt=row.pk, detail__kept__fixture=kept["fixture"])
    if later.exclude(pk__in=undone_among(event.log.all()[:MOST_STEPS])).exists():
        raise _depends()
    play_by = date.fromisoformat(kept["play_by"]) if kept["play_by"] else None
    restore_deadline(match, play_by=play_by, extended_by=kept["extended_by"], by=by, at=at)


def _undo_announcement(event: Event, row: LogEntry, by: User | None, at: datetime) -> None:
    made = Announcement.objects.select_related("event").get(event=event, pk=row.detail["announcement"])
    withdraw_announcement(made, by=by, at=at)


UNDO: dict[str, Undo] = {
    "enter_result": _undo_result,
    "correct_result": _undo_result,
    "confirm_result": _undo_confirmation,
    "confirm_by_time": _undo_confirmation,
    "void_result": _undo_void,
    "walk_over": _undo_walkover,
    "ruling": _undo_ruling,
    "add_entries": _undo_entries,
    "remove_entry": _undo_removal,
    "seed_entry": _undo_seed,
    "keep_apart": _undo_family,
    "withdraw_entry": _undo_presence,
    "return_entry": _undo_presence,
    "check_in": _undo_check_in,
    "undo_check_in": _undo_undo_check_in,
    "check_in_all": _undo_check_in_all,
    "undo_check_in_all": _undo_undo_check_in_all,
    "set_seeding": _undo_seeding,
    "move_up": _undo_move_up,
    "put_to_wait": _undo_put_to_wait,
    "leave_event": _undo_leave,
    "undo_leaving": _undo_return,
    "leave_out_absent": _undo_leaving_out,
    "replace_player": _undo_replacement,
    "merge_players": _undo_merge,
    "challenge": _undo_challenge,
    **dict.fromkeys(DEADLINE_VERBS, _undo_deadline),
    "announce": _undo_announcement,
    "make_draw": lambda event, row, by, at: cancel_draw(event, by=by, at=at),
    "change_draw": _undo_draw_change,
    "add_stage": lambda event, row, by, at: remove_stage(event, number=row.detail["stage"], by=by, at=at),
    "finish_event": lambda event, row, by, at: reopen_event(event, by=by, at=at),
    "reopen_event": lambda event, row, by, at: finish_event(event, confirmed=True, by=by, at=at),
}
"""The function that undoes a log row, by verb; those about money are in :mod:`tournament.corrections.undo_money`."""


@transaction.atomic
def undo_step(row: LogEntry, *, consent: Consent = NOT_ASKED, by: User | None, at: datetime) -> LogEntry:
    """Undo the row's step, and return the log row that did so: its detail names the undone row.

    Raises Forbidden if ``by`` may not undo any more, and Conflict if the step cannot be undone, has been undone
    already, or something later depends on it. A step of
    money needs ``consent`` once play has begun, as :func:`tournament.money.closing.moving_money` asks for it.
    """
    if row.event is None or not (row.verb in UNDO or is_undoable(row)):
        raise Conflict("undo_unknown", _("This step cannot be undone."))
    if row.verb == "merge_players" and "merge" in row.detail:
        lock_merge(row.detail["merge"])
    event, at = begin_step(row.event, at)
    if by is not None:
        require(by, event, "undo")
    rows = list(event.log.all()[:MOST_STEPS])
    if row not in rows:
        raise Conflict("undo_too_late", _("Only the last %(count)s steps can be undone.") % {"count": MOST_STEPS})
    if row.pk in undone_among(rows):
        raise Conflict("undone_already", _("This step has already been undone."))
    told: dict[str, object] = {}
    if row.verb in UNDO_MONEY:
        with moving_money(event, consent, undoes=row.pk) as told:
            if not UNDO_MONEY[row.verb](event, row, by, at):
                raise _depends()
    else:
        UNDO[row.verb](event, row, by, at)
    made = event.log.filter(pk__gt=rows[0].pk)
    last = made.first()
    if last is None:
        raise _depends()
    last.detail |= {"undoes": row.pk, **told}
    last.save(update_fields=["detail"])
    return last


def undone_among(rows: Collection[LogEntry]) -> frozenset[int]:
    """Return the ids of the steps undone by these rows."""
    return frozenset(row.detail["undoes"] for row in rows if "undoes" in row.detail)


def undoable(rows: Collection[LogEntry]) -> frozenset[int]:
    """Return the ids of an event's newest rows that may be tried for undoing.

    What followed from somebody's leaving is undone with it, not by itself; a merge from before merges were kept cannot
    be undone.
    """
    done = undone_among(rows)
    newest = list(rows)[:MOST_STEPS]
    return frozenset(
        row.pk
        for row in newest
        if (row.verb in UNDO or is_undoable(row))
        and row.pk not in done
        and not row.detail.get("absent")
        and (row.verb != "merge_players" or "merge" in row.detail)
    )


def _match(row: LogEntry) -> Match:
    match = Match.objects.filter(pk=row.detail.get("match")).first()
    if match is None or event_of(match) is None:
        raise _depends()
    return match


def _entry_of(event: Event, row: LogEntry) -> Entry:
    """Return the entry that the row concerns. Raises Conflict if it is no longer entered."""
    entry = event.entries.filter(pk=row.detail.get("entry")).first()
    if entry is None:
        raise _depends()
    return entry


def _entry(event: Event, row: LogEntry, field: str) -> Entry:
    """Return the entry changed by the row. Raises Conflict if the field has since been given another value."""
    entry: Any = event.entries.filter(pk=row.detail.get("entry")).first()
    change = row.detail.get("changes", {}).get(field)
    if entry is None or change is None or getattr(entry, field) != change[1]:
        raise _depends()
    return entry


def _again(sheet: Scoresheet, row: LogEntry) -> Claim:
    """Return the sheet's contents as a new claim for undoing the row."""
    key = f"undo-{row.pk}" if is_correction(sheet) else f"{AGAIN}{row.pk}"
    return replace(claim_of(sheet), key=key, base=0, confirmed=True, reason=_why(row))


def _why(row: LogEntry) -> str:
    return _("Undone: %(step)s") % {"step": verb_name(row.verb)}


def _depends() -> Conflict:
    return Conflict("undo_depends", _("A later change depends on this one. Undo the later change first."))
