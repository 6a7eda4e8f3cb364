"""Check-in by a private link, which must be valid under the lock of the event."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Conflict
from tournament.entries.attendance import check_in
from tournament.entries.links import Link, require_open
from tournament.entries.services import lock_entry
from tournament.models import Entry


def takes_check_ins(*, is_asked: bool, has_begun: bool, starts_at: datetime | None, at: datetime) -> bool:
    """Whether players check in themselves before the draw.

    They do where the draw asks for it, where somebody has been checked in, and on the day on which the event starts.
    """
    is_today = starts_at is not None and timezone.localdate(starts_at) == timezone.localdate(at)
    return is_asked or has_begun or is_today


@transaction.atomic
def check_in_by_link(entry: Entry, *, at: datetime) -> Entry:
    """Check the entry in; ``entry`` is as it was when its link was read.

    Raises LinkEnded for a link that is valid no more, Conflict if the event takes no check-ins or is drawn, and as
    :func:`tournament.entries.attendance.check_in` does.
    """
    event, current, at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), current)
    is_drawn = event.stages.filter(number=1, drawn_at__isnull=False).exists()
    here = event.entries.filter(waiting=False, left_at__isnull=True, checked_in_at__isnull=False)
    takes = takes_check_ins(is_asked=event.check_in, has_begun=here.exists(), starts_at=event.starts_at, at=at)
    if not takes or (is_drawn and not current.waiting):
        raise Conflict("check_in_closed", _("Check-in is closed. Ask the director."))
    return check_in(current, by=None, at=at)
