"""Entries: entered singly or as a list, seeded and removed; after the draw where the format allows it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Player, User
from tournament.changes.entries import EntriesBefore, as_kept, fields_from
from tournament.changes.record import begin_step, changes_between, record_change, require_running
from tournament.draw.advance import advance
from tournament.draw.public_value import require_entries_open
from tournament.entries.admission import (
    Admission,
    admit_waiting,
    free_places,
    give_bye_back,
    has_bought_in,
    next_round,
    require_bye,
    require_open_buy_ins,
    require_open_entries,
    require_taken_in,
)
from tournament.entries.enrolment import MAX_ENTRIES, Enrolment
from tournament.entries.lists import EntryLine
from tournament.formats import FORMATS
from tournament.models import Entry, Event, Member
from tournament.models.event import MAX_FAMILY

Watch = Callable[[Sequence[EntryLine]], Iterator[EntryLine]]


@transaction.atomic
def add_entries(
    event: Event,
    *,
    lines: Sequence[EntryLine],
    by: User | None,
    at: datetime,
    watch: Watch = iter,
    agreed: str | None = None,
) -> list[Entry]:
    """Enter all lines in order, or none of them.

    A line that names a known player (by id, or by a name that only one player has, if club and country do not
    contradict it) enters that player; otherwise a new player is created. In doubles a line names two, as ``Anna & Bo``,
    and for teams a team and its members in the order of the boards, as ``Team name: Anna, Bo, Carl``. Entries beyond
    the event's limit wait. After the draw, where the format leaves entries open, they join from the next round; in a
    knockout each takes a bye that is left, one that moves nobody else if there is one. ``watch`` goes through the
    lines. Raises Refusal naming the line that cannot be entered, because of a player or a seed that is there twice
    or a name that several players have; Conflict if no bye is left, or for a buy-in that may not be made; and,
    unless ``agreed`` is None or the answer to that question, Unconfirmed if a match that is ready would wait again.
    """
    event, at = begin_step(event, at)
    stage = require_open_entries(event)
    if stage.drawn_at is not None:
        require_running(event)
    if not lines:
        raise Refusal("entries_empty", _("The list contains no players."))
    entered = event.entries.count()
    if entered + len(lines) > MAX_ENTRIES:
        raise Refusal("entries_too_many", _("An event takes at most %(limit)s entries.") % {"limit": MAX_ENTRIES})
    enrolment = Enrolment(event, stage, lines, at)
    admission, free = Admission(stage, at=at, agreed=agreed), free_places(event)
    entered_now = [enrolment.enter(line) for line in watch(lines)]
    for number, (entry, _members) in enumerate(entered_now):
        entry.waiting = free is not None and number >= free
        if not entry.waiting:
            admission.admit(entry)
    entries = Entry.objects.bulk_create([entry for entry, _members in entered_now])
    Member.objects.bulk_create(member for _entry, members in entered_now for member in members)
    if stage.drawn_at is not None:
        chain = advance(event, stage, by=by, at=at)
        require_taken_in(chain.at(stage).plan, entries)
    names = {
        "names": [entry.name for entry in entries],
        "waiting": [entry.name for entry in entries if entry.waiting],
        "late": [entry.name for entry in entries if entry.bye_taken],
    }
    details = {key: value for key, value in names.items() if value}
    kept = [kept_entry(entry, members) for entry, members in entered_now]
    record_change(event, verb="add_entries", by=by, at=at, **details, kept=kept)
    return entries


@transaction.atomic
def remove_entry(entry: Entry, *, by: User | None, at: datetime) -> None:
    """Remove the entry as if never made: before the draw, from the waiting list, from a bye that it took, or a buy-in.

    Before the draw the first entry that waits moves up into the place, if the event has a limit. Raises Conflict for an
    entry that has been drawn, for a buy-in once buy-ins are closed, and for a late entry as
    :func:`tournament.entries.admission.give_bye_back` does.
    """
    event, gone, at = lock_entry(entry, at)
    if has_bought_in(event, gone):
        require_open_buy_ins(event.stages.get(number=1))
    elif not gone.waiting and not gone.bye_taken:
        _require_undrawn(event)
    if gone.bye_taken:
        require_running(event)
    _remove(event, [gone], by=by, at=at)


@transaction.atomic
def remove_entries(event: Event, *, ids: Collection[int], by: User | None, at: datetime) -> list[str]:
    """Remove all these entries as :func:`remove_entry` does, or none of them, and return their names; before the draw.

    Raises Refusal if none is named, and Conflict after the draw, if one is gone already, or has paid.
    """
    event, at = begin_step(event, at)
    _require_undrawn(event)
    entries = list(event.entries.filter(pk__in=ids).select_related("player", "partner").order_by("number"))
    if not ids:
        raise Refusal("nobody_chosen", _("Choose the entries to remove first."))
    if len(entries) < len(set(ids)):
        raise Conflict("entry_gone", _("One of these entries has already been removed. Nobody has been removed now."))
    return _remove(event, entries, by=by, at=at)


def _remove(event: Event, gone: Sequence[Entry], *, by: User | None, at: datetime) -> list[str]:
    """Remove the entries of the locked event with one row of the log, and let those who wait move up."""
    require_entries_open(event)
    _require_unpaid(gone)
    names = [entry.name for entry in gone]
    money = [_money_of(entry) for entry in gone]
    kept = [kept_entry(entry, entry.members.all()) | held for entry, held in zip(gone, money, strict=True)]
    for entry in gone:
        if entry.bye_taken:
            give_bye_back(event, event.stages.get(number=1), entry, by=by, at=at)
        entry.delete()
    before = EntriesBefore(event)
    moved = [entry.name for entry in admit_waiting(event)]
    held = {name: [one for of_entry in money for one in of_entry[name]] for name in ("side_pools", "lots")}
    details = {"names": names, "moved_up": moved, "kept": kept, **held}
    record_change(event, verb="remove_entry", by=by, at=at, **details, was=before.was())
    return names


def _money_of(entry: Entry) -> dict[str, list[int]]:
    """Return what the log keeps of the side pools and lots that an entry is in."""
    pools = entry.side_pools.filter(left_at__isnull=True).values_list("pool_id", flat=True)
    return {"side_pools": list(pools), "lots": list(entry.lots.values_list("number", flat=True))}


def _require_unpaid(entries: Sequence[Entry]) -> None:
    for entry in entries:
        if entry.payments.aggregate(paid=Sum("amount"))["paid"]:
            raise Conflict("entry_has_paid", _("%(name)s has paid: reverse the payment first.") % {"name": entry.name})


def kept_entry(entry: Entry, members: Iterable[Member]) -> dict[str, object]:
    """Return the entry as the log keeps it: enough to enter it again, with its members after the first."""
    return {**as_kept(entry), "members": [[member.player_id, member.board] for member in members]}


@transaction.atomic
def restore_entry(event: Event, *, kept: Mapping[str, Any], by: User | None, at: datetime) -> Entry:
    """Restore an entry that was removed, with its number, seed and members: before the draw, on the waiting list, or in
    the bye that it had taken.

    It waits if its place has been taken since, and has left if it had left before. Raises Conflict after the draw, if
    the bye can no longer be taken, and if one of its players, its team, number or seed has been entered since.
    """
    event, at = begin_step(event, at)
    stage = event.stages.get(number=1)
    fields = {name: value for name, value in fields_from(kept).items() if name not in ("id", "drawn_as")}
    has_left = fields.get("left_at") is not None
    fields["waiting"] = not has_left and (bool(fields.get("waiting")) or free_places(event) == 0)
    fields["bye_taken"] = 0 if fields["waiting"] or stage.drawn_at is None else fields.get("bye_taken", 0)
    if fields["bye_taken"]:
        require_bye(require_open_entries(event), fields["bye_taken"])
    elif has_bought_in(event, Entry(event=event, **fields)):
        require_open_buy_ins(stage)
    elif not kept.get("waiting"):
        _require_undrawn(event)
    members = [(_person_now(player), board) for player, board in kept.get("members", [])]
    for name in ("player_id", "partner_id"):
        fields[name] = _person_now(fields[name]) if fields[name] else None
    people = {fields["player_id"], fields["partner_id"], *(player for player, _board in members)} - {None}
    taken = Q(number=fields["number"]) | Q(player=fields["player_id"], reentry=fields["reentry"])
    if fields["seed"] is not None:
        taken |= Q(seed=fields["seed"])
    if not FORMATS[stage.format].allows_reentry:
        taken |= Q(player__in=people) | Q(partner__in=people) | Q(members__player__in=people)
        taken |= Q(team=fields["team"]) if fields.get("team") else Q()
    if event.entries.filter(taken).exists():
        raise Conflict("entry_taken", _("Another entry has since taken this place."))
    entry = Entry.objects.create(event=event, **fields)
    Member.objects.bulk_create(Member(entry=entry, player_id=player, board=board) for player, board in members)
    waiting = {"waiting": [entry.name]} if entry.waiting else {}
    if entry.bye_taken:
        waiting = {"late": [entry.name]}
        advance(event, stage, by=by, at=at)
    elif has_bought_in(event, entry):
        require_taken_in(advance(event, stage, by=by, at=at).at(stage).plan, [entry])
    restored = kept_entry(entry, entry.members.all())
    record_change(
        event, verb="add_entries", by=by, at=at, names=[entry.name], **waiting, kept=[restored], restored=True
    )
    return entry


def _person_now(player_id: int) -> int:
    """Return the player, or the one into whom they have since been merged."""
    merged = Player.objects.filter(pk=player_id).values_list("merged_into_id", flat=True).first()
    return merged or player_id


@transaction.atomic
def seed_entry(entry: Entry, *, seed: int | None, by: User | None, at: datetime) -> Entry:
    """Give the entry this seed, or none. Raises Refusal if another entry has it."""
    event, current, at = lock_entry(entry, at)
    _require_undrawn(event)
    if seed is not None and not 1 <= seed <= MAX_ENTRIES:
        raise Refusal("seed_out_of_range", _("A seed must be a number from 1 to %(limit)s.") % {"limit": MAX_ENTRIES})
    if seed is not None and event.entries.filter(seed=seed).exclude(pk=entry.pk).exists():
        raise Refusal("seed_taken", _("Seed %(seed)s is already taken.") % {"seed": seed})
    changes = changes_between({"seed": current.seed}, {"seed": seed})
    current.seed = seed
    current.save(update_fields=["seed"])
    record_change(
        event, verb="seed_entry", by=by, at=at, entry=current.pk, names=[current.name], seed=seed, changes=changes
    )
    return current


@transaction.atomic
def keep_apart(entry: Entry, *, family: str, by: User | None, at: datetime) -> Entry:
    """Put the entry into this family, whose entries do not meet in round 1; empty for none."""
    event, current, at = lock_entry(entry, at)
    _require_undrawn(event)
    family = " ".join(family.split())
    if len(family) > MAX_FAMILY:
        raise Refusal(
            "family_too_long", _("The name of a family can have at most %(limit)s characters.") % {"limit": MAX_FAMILY}
        )
    changes = changes_between({"family": current.family}, {"family": family})
    current.family = family
    current.save(update_fields=["family"])
    record_change(
        event, verb="keep_apart", by=by, at=at, entry=current.pk, names=[current.name], family=family, changes=changes
    )
    return current


@transaction.atomic
def set_home_evening(entry: Entry, *, weekday: int | None, by: User | None, at: datetime) -> Entry:
    """Set the weekday of the entry's home matches, 0 for Monday, if rounds have dates; None for any day."""
    event, current, at = lock_entry(entry, at)
    require_running(event)
    if weekday is not None and not 0 <= weekday <= 6:
        raise Refusal("weekday_unknown", _("A home evening must be a weekday from 0 (Monday) to 6 (Sunday)."))
    before = EntriesBefore(event)
    current.home_evening = weekday
    current.save(update_fields=["home_evening"])
    details = {"entry": current.pk, "names": [current.name], "weekday": weekday}
    record_change(event, verb="set_home_evening", by=by, at=at, **details, was=before.was())
    return current


@transaction.atomic
def withdraw_entry(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """Leave the entry out of the pairings from the next round until it returns; it still finishes matches in play.

    Raises Conflict where the format does not pair round by round, or if the entry is out already.
    """
    return _change_presence(entry, present=False, by=by, at=at)


@transaction.atomic
def return_entry(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """Pair the entry again from the next round on. Raises Conflict if it is not out."""
    return _change_presence(entry, present=True, by=by, at=at)


def _change_presence(entry: Entry, *, present: bool, by: User | None, at: datetime) -> Entry:
    event, current, at = lock_entry(entry, at)
    require_running(event)
    require_entries_open(event)
    stage = event.stages.get(number=1)
    if not FORMATS[stage.format].pairs_by_round:
        raise Conflict(
            "entry_in_fixed_draw",
            _("In this format every match is already drawn: enter walkovers for a player who leaves."),
        )
    marks = list(current.presence)
    if (len(marks) % 2 == 1) == present:
        raise Conflict(
            "entry_present" if present else "entry_out",
            (_("%(name)s is already in the event.") if present else _("%(name)s is already out of the event."))
            % {"name": current.name},
        )
    coming = next_round(stage)
    # Out and in again before the same round is as if nothing had happened, and the same the other way round.
    marks = marks[:-1] if marks and marks[-1] >= coming and len(marks) > 1 else [*marks, coming]
    changes = changes_between({"presence": current.presence}, {"presence": marks})
    current.presence = marks
    current.save(update_fields=["presence"])
    if stage.drawn_at is not None:
        advance(event, stage, by=by, at=at)
    verb = "return_entry" if present else "withdraw_entry"
    record_change(event, verb=verb, by=by, at=at, entry=current.pk, names=[current.name], round=coming, changes=changes)
    return current


def _require_undrawn(event: Event) -> None:
    require_entries_open(event)
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict(
            "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
        )


def lock_entry(entry: Entry, at: datetime) -> tuple[Event, Entry, datetime]:
    """Return the event and the moment as :func:`tournament.changes.record.begin_step` gives them, and between them the
    entry as it is now. Raises Conflict if it is gone."""
    event, at = begin_step(entry.event, at)
    current = event.entries.filter(pk=entry.pk).select_related("player", "partner").first()
    if current is None:
        raise Conflict("entry_gone", _("This entry has already been removed."))
    return event, current, at
