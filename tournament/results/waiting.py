"""Reports that become the result because nobody objects in time: found again and again, so that no restart loses one.

A task with a countdown would be lost with its worker, and Redis would hand it out twice; the time is never stored, so
that the director can change or lift the limit while reports wait.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from matches.models import SIDES, Match, Scoresheet, SheetState
from matches.side_sheets import is_over
from players.errors import Conflict
from tournament.models import Event
from tournament.models.team import event_of
from tournament.results.reports import confirm_by_time


def reports_due(at: datetime) -> Iterator[tuple[int, int]]:
    """Return match and number of each report that has long said undisputed that its match is over, in running events.

    Whether it stands undisputed is asked under the lock.
    """
    for event in Event.objects.filter(confirm_minutes__isnull=False, finished_at=None):
        since = at - timedelta(minutes=event.confirm_minutes or 0)
        path = "match__board__fixture__stage__event" if event.has_teams else "match__fixture__stage__event"
        open_ones = Scoresheet.objects.filter(state=SheetState.REPORTED, at__lte=since, **{path: event})
        for sheet in open_ones.select_related("match").prefetch_related("lines", "changes").order_by("pk"):
            if sheet.unopposed_since <= since and is_over(sheet.match, sheet):
                yield sheet.match_id, sheet.number


def confirm_due(match_id: int, number: int, *, clock: Callable[[], datetime]) -> bool:
    """Confirm the report if it is still due; return whether it was. A match that has left its draw is left alone."""
    match = Match.objects.select_related(*SIDES).filter(pk=match_id).first()
    if match is None or event_of(match) is None:
        return False
    try:
        return confirm_by_time(match, number=number, at=clock())
    except Conflict:
        return False  # a later match has begun, or the event was deleted: the director decides
