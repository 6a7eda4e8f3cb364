"""The plan of the day: when each event of a tournament starts and is expected to finish, and the breaks."""

from datetime import datetime

from django.db.models import Count, F, Q, QuerySet

from matches.models import SheetState
from tournament.forecast.event import HALF, NINE_TENTHS, forecasts
from tournament.hall.timing import pace_of, pauses_of
from tournament.models import Break, Event, Tournament


def plan_of_the_day(tournament: Tournament, *, at: datetime) -> dict[str, object]:
    """Return the ``pace`` of the hall, its ``breaks``, and ``lines``: each event with its expected finish.

    It takes at most six queries, whatever the size of the tournament.
    """
    pauses = pauses_of(tournament)
    events = list(_counted_events(tournament))
    known = forecasts(events, at=at)
    lines = []
    for event in events:
        forecast = known.get(event.pk)
        ends = [forecast.over_at(share, pauses) if forecast else None for share in (HALF, NINE_TENTHS)]
        as_of = forecast.at if forecast else None
        lines.append({"event": event, "half": ends[0], "nine_tenths": ends[1], "as_of": as_of})
    breaks = Break.objects.filter(tournament=tournament).order_by("starts_at")
    return {"pace": pace_of(tournament), "lines": lines, "breaks": breaks}


def _counted_events(tournament: Tournament) -> QuerySet[Event]:
    """Return the events in order of their starts, with the number of ``matches`` and how many are ``decided``.

    Byes are not counted; each board of two teams is.
    """
    fixtures = "stages__fixtures"
    byes = Q(**{f"{fixtures}__feed_a": "bye"}) | Q(**{f"{fixtures}__feed_b": "bye"})
    won = {
        path: Q(**{f"{path}__match__sheets__state": SheetState.CONFIRMED}) for path in (fixtures, f"{fixtures}__boards")
    }
    counted = tournament.events.select_related("tournament").annotate(
        matches=Count(fixtures, filter=~byes, distinct=True) * F("boards"),
        decided=sum(Count(path, filter=decided, distinct=True) for path, decided in won.items()),
    )
    return counted.order_by("starts_at", "pk")
