"""A list entered and drawn in one step, for a field that is complete."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User
from tournament.changes.record import lock_event
from tournament.draw.make import make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.models import Entry, Event


@transaction.atomic
def enter_and_draw(event: Event, *, lines: Sequence[EntryLine], by: User | None, at: datetime) -> list[Entry]:
    """Enter all lines and make the first draw; neither is done without the other.

    Raises Conflict if the draw has been made, and otherwise as :func:`tournament.entries.services.add_entries` and
    :func:`tournament.draw.make.make_draw` do.
    """
    event = lock_event(event)
    if event.stages.filter(number=1, drawn_at__isnull=False).exists():
        raise Conflict("event_drawn", _("The draw has been made already: enter the list without it."))
    entries = add_entries(event, lines=lines, by=by, at=at)
    make_draw(event, by=by, at=at)
    return entries
