"""A player's day as a calendar file, behind the private link."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.changes.versions import read_versions
from tournament.hall.surroundings import surroundings_of
from tournament.mine.calendar import appointments_of, write_calendar
from tournament.pages.match.mine import entry_of, until_it_ends
from tournament.snapshot import take_snapshot


@require_safe
@never_cache
@until_it_ends
def my_day(request: HttpRequest, token: str) -> HttpResponse:
    """Answer with the calendar; a program that subscribes to it reads it again and again."""
    entry = entry_of(token)
    tournament = entry.event.tournament
    around = surroundings_of(tournament, read_versions(tournament.pk))
    minutes = around.pace.lasts(1).total_seconds() / 60
    day = appointments_of(
        take_snapshot(entry.event_id), entry.pk, pauses=around.pauses, minutes_a_point=minutes, place=tournament.place
    )
    text = write_calendar(f"{entry.event.name}: {entry.name}", day, at=timezone.now())
    answer = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="day.ics"'
    return answer
