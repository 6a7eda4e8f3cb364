"""A page that follows an event: whole for a visitor, its live part alone for a page that asks again; else 304."""

from collections.abc import Mapping, Set
from zlib import crc32

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language

from players.models import User
from tournament.models import Event, Tournament
from tournament.past import find_moment, snapshot_at
from tournament.permissions import may, require
from tournament.snapshot import EventSnapshot, take_snapshot


def find_event(tournament_slug: str, event_slug: str) -> Event:
    return get_object_or_404(
        Event.objects.select_related("tournament"), tournament__slug=tournament_slug, slug=event_slug
    )


def find_tournament(tournament_slug: str) -> Tournament:
    return get_object_or_404(Tournament, slug=tournament_slug)


def tournament_for(request: HttpRequest, tournament_slug: str, action: str) -> tuple[Tournament, User]:
    """The tournament of that address, and who asks. Raises Http404, and Forbidden for whoever may not do this there."""
    tournament = find_tournament(tournament_slug)
    return tournament, require(request.user, tournament, action)


def kept_tournament_for(request: HttpRequest, tournament_slug: str, action: str) -> tuple[Tournament, User]:
    """As :func:`tournament_for`, but finds a deleted tournament as well for who may restore it."""
    tournament = get_object_or_404(Tournament.everything, slug=tournament_slug)
    if tournament.deleted_at is not None and not may(request.user, tournament, "restore_tournament"):
        raise Http404
    return tournament, require(request.user, tournament, action)


def page_of(
    request: HttpRequest, snapshot: EventSnapshot, *, allowed: Set[str], template: str, context: Mapping[str, object]
) -> HttpResponse:
    """The whole page, or with ``?fragment`` only what changes with the event, under an ETag of what it shows.

    ``template`` is ``tournament/<page>.html``; its live part is ``tournament/_<page>.html``. ``context["follow"]`` is
    the page's address where it is not that of the request. ``allowed`` are the actions of whoever asks.
    """
    asked = request.GET.get("stage", "")
    if snapshot.at is not None:
        allowed = frozenset()  # the past is read only
    today = timezone.localdate()
    values = {
        **context,
        "today": today,
        "event": snapshot,
        "stage": snapshot.stage,
        "may": allowed,
        "asked_stage": asked[:2],
    }
    if "fragment" not in request.GET:
        return render(request, f"tournament/{template}.html", {**values, "live_part": f"tournament/_{template}.html"})
    powers = crc32(" ".join(sorted(allowed)).encode())
    etag = quote_etag(
        f"{snapshot.id}-{snapshot.version}-{snapshot.standings_version}-{snapshot.hall_version}"
        f"-{get_language()}-{powers:x}-{snapshot.stage.number}-{today}"
        f"-{snapshot.at or ''}"
    )
    # A proxy that compresses makes the ETag a weak one.
    if etag in {tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))}:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = render(request, f"tournament/_{template}.html", values)
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def event_shown(request: HttpRequest, event: Event) -> EventSnapshot:
    """The event, showing the stage that ``?stage=2`` asks for, or the last that is drawn. Raises Http404.

    ``?at=`` with a time, or the number of a row of its log, shows it as it stood then. Raises Refusal for no moment.
    """
    moment = request.GET.get("at", "")
    snapshot = snapshot_at(event.pk, find_moment(event, moment)) if moment else take_snapshot(event.pk)
    asked = request.GET.get("stage", "")
    if not asked:
        return snapshot
    if not (asked.isascii() and asked.isdecimal() and 1 <= int(asked[:3]) <= len(snapshot.stages)):
        raise Http404
    return snapshot.at_stage(int(asked))


def event_for(request: HttpRequest, tournament_slug: str, event_slug: str, action: str) -> tuple[Event, User]:
    """The event of that address, and who asks. Raises Http404, and Forbidden for whoever may not do this there."""
    event = find_event(tournament_slug, event_slug)
    return event, require(request.user, event, action)
