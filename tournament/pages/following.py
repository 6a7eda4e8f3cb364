"""Pages that follow an event: served whole, or, to a page that asks again, as the live part alone or a 304."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Set
from threading import Lock
from zlib import crc32

from django.core.cache import cache
from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language

from players.models import User
from tournament.models import Event, LogEntry, Tournament
from tournament.pages.zone import show_times_of
from tournament.past.moments import snapshot_of
from tournament.roles.permissions import may, require
from tournament.snapshot import EventSnapshot

KEPT_SECONDS = 60

MOST_FOLLOWED = 50
"""How many events a page can follow at once, the latest ones; see :mod:`config.live`."""

BEING_MADE: defaultdict[str, Lock] = defaultdict(Lock)
"""While a process makes a live part for everybody, other requests for the same part wait."""


def find_event(tournament_slug: str, event_slug: str) -> Event:
    """Find the event; the page shows times in the zone of its tournament. Raises Http404."""
    event = get_object_or_404(
        Event.objects.select_related("tournament"), tournament__slug=tournament_slug, slug=event_slug
    )
    show_times_of(event.tournament)
    return event


def find_tournament(tournament_slug: str) -> Tournament:
    """Find the tournament; the page shows times in its zone. Raises Http404."""
    tournament = get_object_or_404(Tournament, slug=tournament_slug)
    show_times_of(tournament)
    return tournament


def tournament_for(request: HttpRequest, tournament_slug: str, action: str) -> tuple[Tournament, User]:
    """Find the tournament and the user, who must be allowed ``action`` in it. Raises Http404 and Forbidden."""
    tournament = find_tournament(tournament_slug)
    return tournament, require(request.user, tournament, action)


def kept_tournament_for(request: HttpRequest, tournament_slug: str, action: str) -> tuple[Tournament, User]:
    """Do as :func:`tournament_for` does, but also find a deleted tournament for a user who may restore it."""
    tournament = get_object_or_404(Tournament.everything, slug=tournament_slug)
    if tournament.deleted_at is not None and not may(request.user, tournament, "restore_tournament"):
        raise Http404
    show_times_of(tournament)
    return tournament, require(request.user, tournament, action)


def page_of(
    request: HttpRequest,
    event: Event,
    *,
    allowed: Set[str],
    template: str,
    context: Callable[[EventSnapshot], Mapping[str, object]],
    snapshot: EventSnapshot | None = None,
    shows_the_hall: bool = False,
) -> HttpResponse:
    """Render the whole page, or with ``?fragment`` only what changes with the event, with an ETag for what it shows.

    ``template`` is ``<room>/<page>``; its live part is the template ``<room>/_<page>``. ``context`` is called with what
    :func:`event_shown` returns, or with the ``snapshot`` given, and only if the page has changed; its ``follow`` is the
    page's address where that is not that of the request. ``allowed`` are the actions of the user. Times are those of
    the tournament's zone. A page that ``shows_the_hall`` says what the players of the event do in the others, and
    follows those too.
    """
    show_times_of(event.tournament)
    # Made before anything else is read: a change in the meantime is shown, and asked for once more.
    others = _running_beside(event) if shows_the_hall and "at" not in request.GET else {}
    etag = quote_etag(_state_of(request, event, allowed, others)) if "fragment" in request.GET else ""
    if etag and knows(request, etag):
        return under(etag, HttpResponseNotModified())

    def values() -> dict[str, object]:
        current = snapshot or event_shown(request, event)
        return {
            **context(current),
            "today": timezone.localdate(),
            "event": current,
            "stage": current.stage,
            "may": allowed if current.at is None else frozenset(),  # the past is read only
            "asked_stage": request.GET.get("stage", "")[:2],
            "live_events": ",".join(map(str, [event.pk, *others])) if others else "",
        }

    live_part = live_part_of(template)
    if not etag:
        return render(request, f"tournament/{template}.html", {**values(), "live_part": live_part})
    if allowed or snapshot is not None or request.META["QUERY_STRING"] != "fragment":
        return under(etag, render(request, live_part, values()))
    # Every phone in the hall asks for the same page after each result, so it is rendered once.
    key = f"live-part:{request.path}:{get_language()}"
    with BEING_MADE[key]:
        kept = cache.get(key)
        if kept is None or kept[0] != etag:
            kept = (etag, render(request, live_part, values()).content)
            cache.set(key, kept, KEPT_SECONDS)
    return under(etag, HttpResponse(kept[1]))


def _running_beside(event: Event) -> dict[int, int]:
    """Return the versions of the tournament's other running events, by event, as many as a page can follow."""
    others = Event.objects.filter(tournament=event.tournament_id, finished_at=None).exclude(pk=event.pk)
    return dict(others.order_by("-pk").values_list("pk", "version")[: MOST_FOLLOWED - 1])


def _state_of(request: HttpRequest, event: Event, allowed: Set[str], others: Mapping[int, int]) -> str:
    """Return, in a few characters, everything that the live part of an event's page depends on.

    ``others`` are the versions of the events that it shows besides its own.
    """
    standings = event.stages.aggregate(newest=Max("standings_version"))["newest"]
    # What happens in the hall to other events shows only where these are followed too.
    log = LogEntry.objects.filter(tournament=event.tournament_id)
    newest = log.aggregate(own=Max("id", filter=Q(event=event)), common=Max("id", filter=Q(event=None)))
    asked = crc32("|".join([*sorted(allowed), request.GET.get("stage", ""), request.GET.get("at", "")]).encode())
    versions = f"{event.pk}-{event.version}-{standings}-{newest['own']}-{newest['common']}"
    if others:
        versions += f"-{event.tournament.hall_version}-{sum(others.values())}"
    return f"{versions}-{get_language()}-{timezone.localdate()}-{asked:x}"


def knows(request: HttpRequest, etag: str) -> bool:
    """Whether the browser already has the version with this ETag."""
    # A proxy that compresses turns the ETag into a weak one.
    return etag in {tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))}


def live_part_of(template: str) -> str:
    """Return the name of the template for the part of the page that changes."""
    room, page = template.split("/")
    return f"tournament/{room}/_{page}.html"


def under(etag: str, response: HttpResponse) -> HttpResponse:
    """Return the response with the ETag; a browser keeps the page, and checks it each time before showing it."""
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def event_shown(request: HttpRequest, event: Event) -> EventSnapshot:
    """Return the event with the stage that ``?stage=2`` asks for, or the last one drawn. Raises Http404.

    ``?at=`` with a time, or the number of a row of its log, shows it as it stood then. Raises Refusal for any other
    text.
    """
    snapshot = snapshot_of(request, event)
    asked = request.GET.get("stage", "")
    if not asked:
        return snapshot
    if not (asked.isascii() and asked.isdecimal() and 1 <= int(asked[:3]) <= len(snapshot.stages)):
        raise Http404
    return snapshot.at_stage(int(asked))


def event_for(request: HttpRequest, tournament_slug: str, event_slug: str, action: str) -> tuple[Event, User]:
    """Find the event and the user, who must be allowed ``action`` in it. Raises Http404 and Forbidden."""
    event = find_event(tournament_slug, event_slug)
    return event, require(request.user, event, action)
