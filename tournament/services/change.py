"""What every change of an event has in common: the lock before it, the version and the log row after it."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from matches.tasks import rate
from players.errors import Conflict
from players.models import User
from players.ratings import RATINGS
from tournament.live import publish_hall, publish_version
from tournament.models import Event, LogEntry, Tournament
from tournament.tasks import recompute_standings

RATED_VERBS = ("finish_event", "correct_result", "void_result", "ruling")
"""What the ranking lists are computed anew for; results of a running event reach them when it ends."""


def lock_event(event: Event) -> Event:
    """The event as it is now, locked until the end of the transaction: whoever comes second sees what the first did."""
    return Event.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=event.pk)


def lock_hall(tournament_id: int) -> Tournament:
    """The tournament as it is now, its hall locked until the end of the transaction.

    Whoever locks an event too does that first, so that two never wait for each other.
    """
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def require_running(event: Event) -> None:
    """Raises Conflict if the event has been ended."""
    if event.finished_at is not None:
        raise Conflict("event_finished", _("This event has ended. Reopen it to change anything."))


def record_change(event: Event, *, verb: str, by: User | None, at: datetime, **detail: object) -> None:
    """The locked event has a new version and a log row; on commit its standings are asked for and open pages hear."""
    event.version += 1
    event.save(update_fields=["version"])
    LogEntry.objects.create(tournament_id=event.tournament_id, event=event, actor=by, verb=verb, detail=detail, at=at)
    transaction.on_commit(partial(recompute_standings.delay, event.pk), robust=True)
    if verb in RATED_VERBS:
        for system in RATINGS:
            transaction.on_commit(partial(rate.delay, system), robust=True)
    transaction.on_commit(partial(publish_version, event.pk, event.version), robust=True)


def record_hall_change(
    hall: Tournament, *, verb: str, by: User | None, at: datetime, event: Event | None = None, **detail: object
) -> None:
    """The locked hall has a new version and a log row; on commit open pages hear. No standings depend on the hall."""
    hall.hall_version += 1
    hall.save(update_fields=["hall_version"])
    LogEntry.objects.create(tournament=hall, event=event, actor=by, verb=verb, detail=detail, at=at)
    transaction.on_commit(partial(publish_hall, hall.pk), robust=True)
