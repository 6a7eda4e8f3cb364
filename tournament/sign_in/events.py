"""The log of the door: what happened at it, from where, for 90 days."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from players.models import User
from tournament.models import Happening, SignInEvent
from tournament.origin import current_origin

DAYS_KEPT = 90
OF_ADMINISTRATORS = frozenset(
    {
        Happening.MADE,
        Happening.LINK_MADE,
        Happening.ENABLED,
        Happening.DISABLED,
        Happening.OWNER_ON,
        Happening.OWNER_OFF,
    }
)
"""What nobody else does, and so not the user either, even if it is no longer known which administrator did it."""


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


def own_events(user: User, *, most: int) -> list[SignInEvent]:
    """Return what happened to the user, for the user to see: without the addresses and browsers of administrators."""
    rows = list(events_of(user)[:most])
    for row in rows:
        if row.by_id is not None or row.what in OF_ADMINISTRATORS:
            row.address, row.agent = None, ""
    return rows
