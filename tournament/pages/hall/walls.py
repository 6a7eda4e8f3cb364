"""What hangs on the walls of a hall: the page of its calls, and what a stream shows of one table."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.changes.versions import Versions
from tournament.hall.announcements import current
from tournament.hall.desk import take_desk
from tournament.models import Event, Tournament
from tournament.pages.following import find_tournament
from tournament.pages.hall.following import hall_page
from tournament.pages.site import site_for_codes
from tournament.pictures.overlay import Overlay, overlay_of_match, overlay_of_table
from tournament.pictures.paper import draw_code
from tournament.pictures.prizes import prizes_of_events
from tournament.pictures.wall import clocks_of, hall_blocks, read_starts
from tournament.snapshot import take_snapshots

MOST_TABLES = 32767
"""No table has a higher number: the column has no room for one."""


@require_safe
def screen(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the calls, names and clocks of the hall filling a screen that nobody touches."""
    tournament = find_tournament(tournament_slug)
    now = timezone.now()

    def context(versions: Versions) -> Mapping[str, object]:
        return {**_hall(tournament, versions, now), **follow_code(request, tournament)}

    return hall_page(request, tournament, template="hall/hall_screen", at=now, context=context)


def _hall(tournament: Tournament, versions: Versions, at: datetime) -> dict[str, object]:
    desk = take_desk(tournament, at=at, versions=versions)
    events = take_snapshots(Event.objects.filter(pk__in=versions.running()).order_by("pk"))
    return {
        "desk": desk,
        "blocks": hall_blocks(desk, events),
        "clocks": clocks_of(desk, read_starts(tournament)),
        "announcements": current(tournament, None, at),
        "prizes": prizes_of_events(events),
    }


def follow_code(request: HttpRequest, tournament: Tournament) -> dict[str, str]:
    """Return a QR code of the tournament's page, and its address; nothing if phones could not open it."""
    site = site_for_codes(request, tournament)
    if not site:
        return {}
    try:
        address = f"{site}{tournament.get_absolute_url()}"
        return {"code": draw_code(address), "code_address": address.partition("://")[2]}
    except ValueError:
        return {}


@require_safe
def table_overlay(request: HttpRequest, tournament_slug: str, number: int) -> HttpResponse:
    """Show the match at the table over a stream, and the next one once it is called there."""
    tournament = find_tournament(tournament_slug)
    if number > MOST_TABLES or not tournament.tables.filter(number=number).exists():
        raise Http404
    now = timezone.now()
    return _overlay_page(request, tournament, partial(overlay_of_table, tournament, number, at=now), now)


@require_safe
def match_overlay(request: HttpRequest, tournament_slug: str, match_id: int) -> HttpResponse:
    """Show the match over a stream."""
    tournament = find_tournament(tournament_slug)
    find = partial(overlay_of_match, match_id, tournament)
    if find() is None:
        raise Http404
    return _overlay_page(request, tournament, find, timezone.now())


def _overlay_page(
    request: HttpRequest, tournament: Tournament, find: Callable[[], Overlay | None], at: datetime
) -> HttpResponse:
    return hall_page(request, tournament, template="hall/overlay", at=at, context=lambda _seen: {"overlay": find()})
