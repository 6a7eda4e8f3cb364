"""Pages that follow the whole hall: all events of a tournament, calls, tables, breaks and the current minute."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils.http import quote_etag
from django.utils.translation import get_language

from tournament.models import Tournament
from tournament.pages.following import MOST_FOLLOWED, knows, live_part_of, under


def hall_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    template: str,
    at: datetime,
    context: Callable[[], Mapping[str, object]],
    status: int = 200,
) -> HttpResponse:
    """Answer with the whole page, or with ``?fragment`` only what changes with the hall, with an ETag for it.

    ``template`` is ``<room>/<page>``; its live part, the template ``<room>/_<page>``. ``context`` is called only if
    the page has changed since, by an event, by the hall or by the minute that it is ``at``.
    """
    events = list(tournament.events.order_by("id").values_list("pk", "version", "finished_at"))
    if "fragment" not in request.GET or status != 200:
        followed = [pk for pk, _version, finished_at in reversed(events) if finished_at is None][:MOST_FOLLOWED]
        values = {"tournament": tournament, "live_events": ",".join(map(str, followed)), **context()}
        page = {**values, "live_part": live_part_of(template)}
        return render(request, f"tournament/{template}.html", page, status=status)
    versions = ".".join(str(version) for _pk, version, _finished_at in events)
    minute = int(at.timestamp()) // 60
    user = request.user.pk or 0
    etag = quote_etag(f"{tournament.pk}-{tournament.hall_version}-{versions}-{minute}-{get_language()}-{user}")
    if knows(request, etag):
        return under(etag, HttpResponseNotModified())
    return under(etag, render(request, live_part_of(template), {"tournament": tournament, **context()}))
