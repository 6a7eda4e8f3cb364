"""New private links, which end the ones before."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User
from tournament.changes.entries import EntriesBefore
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.chain import load_people
from tournament.models import Entry, Event


@transaction.atomic
def renew_links(event: Event, *, entries: Collection[int] | None = None, by: User | None, at: datetime) -> list[Entry]:
    """Give these entries new private links, or all entries of the event; the old links end.

    Raises Conflict if the event has ended, or if one of the entries is not there any more.
    """
    event, at = begin_step(event, at)
    require_running(event)
    before = EntriesBefore(event)
    found = load_people(event.entries.order_by("number"))
    renewed = [entry for entry in found if entries is None or entry.pk in entries]
    if entries is not None and len(renewed) < len(set(entries)):
        raise Conflict("entry_gone", _("This entry has already been removed."))
    if not renewed:
        return []
    for entry in renewed:
        entry.link_epoch += 1
    Entry.objects.bulk_update(renewed, ["link_epoch"])
    details = {"entries": [entry.pk for entry in renewed], "names": [entry.name for entry in renewed]}
    record_change(event, verb="renew_links", by=by, at=at, **details, was=before.was())
    return renewed
