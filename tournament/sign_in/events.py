"""The log of the door: what happened at it, from where, for 90 days."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from players.models import User
from tournament.models import Happening, SignInEvent
from tournament.origin import current_origin

DAYS_KEPT = 90


def record_event(what: Happening, user: User | None, *, at: datetime, by: User | None = None) -> None:
    """Store what happened, with the address and the browser of the request now running."""
    origin = current_origin()
    SignInEvent.objects.create(
        at=at, user=user, by=by if by != user else None, what=what, address=origin.address, agent=origin.agent
    )


def forget_old(*, at: datetime, days: int = DAYS_KEPT) -> int:
    """Delete what happened more than so many days ago; return how many rows went."""
    return SignInEvent.objects.filter(at__lt=at - timedelta(days=days)).delete()[0]


def events_of(user: User | None = None) -> QuerySet[SignInEvent]:
    """Return what happened, the latest first: to the user, or to all."""
    rows = SignInEvent.objects.select_related("user", "by").order_by("-id")
    return rows if user is None else rows.filter(user=user)
