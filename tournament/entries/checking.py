"""Everybody checked in at once, and back."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User
from tournament.changes.entries import EntriesBefore
from tournament.changes.record import begin_step, record_change, require_running
from tournament.models import Entry, Event


@transaction.atomic
def check_in_all(event: Event, *, only: Collection[int] | None = None, by: User | None, at: datetime) -> list[Entry]:
    """Check in every entry of the field that has not checked in, and return those entries; before the draw.

    ``only`` are the ids of entries to which this is limited. Raises Conflict after the draw, when nobody but the
    waiting list can still check in.
    """
    event, at = begin_step(event, at)
    require_running(event)
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict("event_drawn", _("The draw has been made, so nobody in it needs to check in any more."))
    missing = event.entries.filter(checked_in_at__isnull=True, left_at__isnull=True, waiting=False)
    chosen = missing if only is None else missing.filter(pk__in=only)
    return _set(event, chosen, checked_in_at=at, verb="check_in_all", by=by, at=at)


@transaction.atomic
def undo_check_in_all(event: Event, *, only: Collection[int], by: User | None, at: datetime) -> list[Entry]:
    """Undo the check-in of these entries, and return those that had checked in."""
    event, at = begin_step(event, at)
    require_running(event)
    chosen = event.entries.filter(checked_in_at__isnull=False, pk__in=only)
    return _set(event, chosen, checked_in_at=None, verb="undo_check_in_all", by=by, at=at)


def _set(
    event: Event,
    chosen: QuerySet[Entry],
    *,
    checked_in_at: datetime | None,
    verb: str,
    by: User | None,
    at: datetime,
) -> list[Entry]:
    """Give all chosen entries this moment of check-in, with one row of the log that names them."""
    before = EntriesBefore(event)
    entries = list(chosen.select_related("player", "partner").order_by("number"))
    for entry in entries:
        entry.checked_in_at = checked_in_at
    Entry.objects.bulk_update(entries, ["checked_in_at"])
    if entries:
        details = {"entries": [entry.pk for entry in entries], "names": [entry.name for entry in entries]}
        record_change(event, verb=verb, by=by, at=at, **details, was=before.was())
    return entries
