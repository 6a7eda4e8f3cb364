"""The tables of a hall and its breaks for the day."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from players.services import clean_name
from tournament.changes.record import changes_between, lock_hall, record_hall_change, refuse_odd_times
from tournament.models import Break, Call, Event, Table, Tournament

MAX_TABLE = 999
MAX_BREAKS = 50


@transaction.atomic
def add_tables(tournament: Tournament, *, first: int, last: int, by: User | None, at: datetime) -> list[Table]:
    """Add the tables with these numbers and return the new ones; existing tables stay unchanged.

    Raises Refusal for numbers that no hall has.
    """
    if not 1 <= first <= last <= MAX_TABLE:
        sentence = _("Table numbers go from 1 to %(limit)s, and the first must not be above the last.")
        raise Refusal("table_numbers_out_of_range", sentence % {"limit": MAX_TABLE})
    hall = lock_hall(tournament.pk)
    known = set(hall.tables.values_list("number", flat=True))
    new = [Table(tournament=hall, number=number) for number in range(first, last + 1) if number not in known]
    Table.objects.bulk_create(new)
    if new:
        record_hall_change(hall, verb="add_tables", by=by, at=at, tables=[table.number for table in new])
    return new


@transaction.atomic
def update_table(
    tournament: Tournament,
    *,
    number: int,
    event: Event | None,
    streamed: bool,
    out_of_order: bool,
    by: User | None,
    at: datetime,
) -> Table:
    """Set whether the table is reserved for an event, streamed, or out of order.

    Raises Conflict if there is no such table, or if it would be out of order while players sit there; Refusal for an
    event of another tournament.
    """
    hall = lock_hall(tournament.pk)
    table = hall.tables.filter(number=number).first()
    if table is None:
        raise Conflict("table_unknown", _("There is no table %(number)s in this hall.") % {"number": number})
    if event is not None and event.tournament_id != hall.pk:
        raise Refusal("event_of_another_tournament", _("This event belongs to another tournament."))
    if out_of_order and Call.objects.filter(table=table, left_at__isnull=True).exists():
        sentence = _("A match has been called to table %(number)s: move it first.")
        raise Conflict("table_taken", sentence % {"number": number})
    reserved = [str(found) if found else "" for found in (table.event, event)]
    before = {"event": table.event_id, "streamed": table.streamed, "out_of_order": table.out_of_order}
    after = {"event": event.pk if event else None, "streamed": streamed, "out_of_order": out_of_order}
    if before != after:
        table.event, table.streamed, table.out_of_order = event, streamed, out_of_order
        table.save()
        changes = changes_between(before, after)
        record_hall_change(hall, verb="update_table", by=by, at=at, table=number, changes=changes, reserved=reserved)
    return table


@transaction.atomic
def add_break(
    tournament: Tournament, *, name: str, starts_at: datetime, ends_at: datetime, by: User | None, at: datetime
) -> Break:
    """Add a break to the hall's day. Raises Refusal if it ends before it starts or overlaps another."""
    hall = lock_hall(tournament.pk)
    refuse_odd_times(starts_at, ends_at)
    if starts_at >= ends_at:
        raise Refusal("break_ends_before_it_starts", _("A break must end after it starts."))
    other = hall.breaks.filter(starts_at__lt=ends_at, ends_at__gt=starts_at).first()
    if other is not None:
        raise Refusal("breaks_overlap", _("This break overlaps another: %(name)s.") % {"name": other.name})
    if hall.breaks.count() >= MAX_BREAKS:
        raise Refusal("breaks_too_many", _("A tournament has at most %(limit)s breaks.") % {"limit": MAX_BREAKS})
    added = Break.objects.create(tournament=hall, name=clean_name(name), starts_at=starts_at, ends_at=ends_at)
    record_hall_change(hall, verb="add_break", by=by, at=at, **_details(added))
    return added


@transaction.atomic
def remove_break(tournament: Tournament, *, break_id: int, by: User | None, at: datetime) -> None:
    """Remove the break, keeping it in the log; removing one already gone changes nothing."""
    hall = lock_hall(tournament.pk)
    found = hall.breaks.filter(pk=break_id).first()
    if found is not None:
        found.delete()
        record_hall_change(hall, verb="remove_break", by=by, at=at, **_details(found))


def _details(found: Break) -> dict[str, Any]:
    return {"name": found.name, "starts_at": found.starts_at.isoformat(), "ends_at": found.ends_at.isoformat()}
