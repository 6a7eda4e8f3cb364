"""Addresses and programs of clients, which the log keeps for a while only."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db.models import Q, QuerySet

from tournament.models import LogEntry, PageRequest, SignInEvent
from tournament.origin import Way

AT_ONCE = 1000
"""How many rows are changed by one statement, so that nobody waits long for the lock."""


def forget_addresses(*, at: datetime) -> int:
    """Empty the addresses and agents older than ``KEEP_ADDRESSES_DAYS``, and return in how many rows.

    The rows stay, and all that they tell; only those of sessions that have ended go. Commands and tasks keep their
    names, which are nobody's. Run again, it changes nothing.
    """
    before = at - timedelta(days=settings.KEEP_ADDRESSES_DAYS)
    told = Q(address__isnull=False) | ~Q(agent="")
    rows = LogEntry.objects.filter(told, at__lt=before, way__in=(Way.PAGE, Way.API, ""))
    asked = PageRequest.objects.filter(asked_at__lt=before).exclude(asked_from="")
    door = SignInEvent.objects.filter(told, at__lt=before)
    changed = 0
    for kept in (rows, door):
        changed += sum(kept.filter(pk__in=some).update(address=None, agent="") for some in _parts(kept))
    changed += sum(session.purge() for session in UserSession.objects.filter(last_seen_at__lt=before).order_by("pk"))
    return changed + sum(asked.filter(pk__in=some).update(asked_from="") for some in _parts(asked))


def _parts(rows: QuerySet) -> Iterator[list[int]]:
    """Yield the ids of the rows, a part at a time; those of a part have been changed when the next is read."""
    after = 0
    while some := list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        yield some
        after = some[-1]
