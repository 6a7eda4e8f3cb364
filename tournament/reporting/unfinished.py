"""Events that declare a list and do not count for it yet, because they have not ended."""

from datetime import datetime

from players.lists.models import OfficialList
from tournament.models import Event, EventReport, ReportState


def not_ended(official_list: OfficialList, until: datetime) -> list[Event]:
    """Return the events drawn by the moment that declare the list and have not ended, in one query.

    None of their matches counts: their reports arrive when they end. Those that are open again after their report was
    accepted count meanwhile, so they are not among them.
    """
    accepted = EventReport.objects.filter(official_list=official_list, state=ReportState.ACCEPTED).values("event")
    events = Event.objects.filter(finished_at=None, stages__number=1, stages__drawn_at__lte=until)
    found = events.exclude(rated_for=[]).exclude(pk__in=accepted).select_related("tournament").order_by("pk")
    return [event for event in found if official_list.slug in event.rated_for]
