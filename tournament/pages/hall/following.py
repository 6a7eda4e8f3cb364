"""A page that follows the whole hall: every event of a tournament, its calls, tables and breaks, and the minute."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language

from players.models import User
from tournament.models import Tournament
from tournament.roles.permissions import require

MOST_FOLLOWED = 50
"""So many events a page can follow at once, see :mod:`config.live`; of more, the latest."""


def find_tournament(tournament_slug: str) -> Tournament:
    return get_object_or_404(Tournament, slug=tournament_slug)


def hall_for(request: HttpRequest, tournament_slug: str, action: str) -> tuple[Tournament, User]:
    """The tournament of that address, and who asks. Raises Http404, and Forbidden for whoever may not do this there."""
    tournament = find_tournament(tournament_slug)
    return tournament, require(request.user, tournament, action)


def hall_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    template: str,
    at: datetime,
    context: Callable[[], Mapping[str, object]],
    status: int = 200,
) -> HttpResponse:
    """The whole page, or with ``?fragment`` only what changes with the hall, under an ETag of what it shows.

    ``template`` is ``tournament/<page>.html``; its live part is ``tournament/_<page>.html``. ``context`` is called
    only if the page has changed since, by an event, by the hall or by the minute that it is ``at``.
    """
    events = list(tournament.events.order_by("id").values_list("pk", "version", "finished_at"))
    if "fragment" not in request.GET or status != 200:
        followed = [pk for pk, _version, finished_at in reversed(events) if finished_at is None][:MOST_FOLLOWED]
        values = {"tournament": tournament, "live_events": ",".join(map(str, followed)), **context()}
        page = {**values, "live_part": f"tournament/_{template}.html"}
        return render(request, f"tournament/{template}.html", page, status=status)
    versions = ".".join(str(version) for _pk, version, _finished_at in events)
    minute = int(at.timestamp()) // 60
    user = request.user.pk or 0
    etag = quote_etag(f"{tournament.pk}-{tournament.hall_version}-{versions}-{minute}-{get_language()}-{user}")
    if etag in {tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))}:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = render(request, f"tournament/_{template}.html", {"tournament": tournament, **context()})
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response
