"""Up to when time has certainly passed: the clock of one worker alone deletes nothing for its age, and ends nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.apps import apps
from django.db import connection

from tournament.models.kept_answer import KeptAnswer
from tournament.models.log import LogEntry
from tournament.models.page_request import PageRequest
from tournament.models.sign_in import SignInEvent
from tournament.origin import Way

LATELY = 1000
"""Among so many of the last rows of the log those of requests are looked for."""

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def witnessed(at: datetime) -> datetime:
    """Return the moment to which the ages of what is deleted are measured, for a worker whose clock says ``at``.

    It is never later than the last thing that a request has left in the database. Workers write none of these rows: so
    a worker whose clock is ahead, by however much, deletes nothing before its time, and one whose clock is behind
    deletes later. While nobody asks for anything, what is old stays, until the next visit.
    """
    return min(at, max(_left_by_requests(), default=LONG_AGO))


def reached(at: datetime) -> datetime:
    """Return the moment that has come for a worker whose clock says ``at``, and for the database as well.

    So no worker's clock that is ahead makes anything due on PostgreSQL. SQLite has the clock of its machine, and with
    it that of the worker.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT CURRENT_TIMESTAMP")
        told = cursor.fetchone()[0]
    return min(at, told if isinstance(told, datetime) else datetime.fromisoformat(told).replace(tzinfo=UTC))


def _left_by_requests() -> Iterator[datetime]:
    """Yield the moment of the last row of each kind; the last by number, so that a later row mends a wrong moment."""
    rows = LogEntry.objects.order_by("-pk")
    last = rows.values_list("pk", flat=True).first() or 0
    lately = rows.filter(pk__gt=last - LATELY, way__in=(Way.PAGE, Way.API))
    yield from lately.values_list("at", flat=True)[:1]
    yield from KeptAnswer.objects.order_by("-pk").values_list("made_at", flat=True)[:1]
    yield from PageRequest.objects.order_by("-pk").values_list("asked_at", flat=True)[:1]
    yield from SignInEvent.objects.order_by("-pk").values_list("at", flat=True)[:1]
    sessions = apps.get_model("usersessions", "UserSession").objects  # which the models are loaded without
    yield from sessions.order_by("-last_seen_at").values_list("last_seen_at", flat=True)[:1]
