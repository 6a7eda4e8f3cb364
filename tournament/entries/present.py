"""Check-in by a private link, which must be valid under the lock of the event."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict
from tournament.entries.attendance import check_in
from tournament.entries.links import Link, require_open
from tournament.entries.services import lock_entry
from tournament.models import Entry


@transaction.atomic
def check_in_by_link(entry: Entry, *, at: datetime) -> Entry:
    """Check the entry in; ``entry`` is as it was when its link was read.

    Raises LinkEnded for a link that is valid no more, Conflict if the event takes no check-ins or is drawn, and as
    :func:`tournament.entries.attendance.check_in` does.
    """
    event, current, at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), current)
    is_drawn = event.stages.filter(number=1, drawn_at__isnull=False).exists()
    if not event.check_in or (is_drawn and not current.waiting):
        raise Conflict("check_in_closed", _("Check-in is closed. Ask the director."))
    return check_in(current, by=None, at=at)
