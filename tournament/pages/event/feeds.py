"""What other programs fetch of a tournament or an event: its feed, its calendar, and the picture for shared links."""

from collections.abc import Callable, Hashable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from tournament.changes.versions import read_versions
from tournament.exports import atom, ics
from tournament.hall.site import site_for_others
from tournament.models import Event, Tournament
from tournament.pages.answers import etag_for, knows, under
from tournament.pages.following import find_event, find_tournament
from tournament.pictures.share import SharePicture, draw_share
from tournament.pictures.shared import share_of_event, share_of_tournament
from tournament.snapshot import take_snapshot

PICTURE_SECONDS = 24 * 60 * 60
"""How long a picture is kept; it is drawn anew for each version of what it shows."""


@require_safe
def tournament_feed(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Answer with the newest steps of the tournament as an Atom feed."""
    found = find_tournament(tournament_slug)
    return _feed(request, found, found)


@require_safe
def event_feed(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Answer with the newest steps of the event as an Atom feed."""
    event = find_event(tournament_slug, event_slug)
    return _feed(request, event.tournament, event)


def _feed(request: HttpRequest, tournament: Tournament, subject: Tournament | Event) -> HttpResponse:
    site = site_for_others(request, tournament)
    etag = etag_for("feed", request.path, site, read_versions(tournament.pk).of_hall, get_language())
    if knows(request, etag):
        return under(etag, HttpResponseNotModified())
    return under(etag, HttpResponse(atom.write_feed(subject, site=site), content_type=atom.MEDIA_TYPE))


@require_safe
def calendar(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Answer with the days of the tournament and the starts of its events as a calendar."""
    found = find_tournament(tournament_slug)
    events = found.events.select_related("tournament").order_by("starts_at", "pk")
    written = ics.write_calendar(found, events, site=site_for_others(request, found), at=timezone.now())
    return HttpResponse(written, content_type=ics.MEDIA_TYPE)


@require_safe
def tournament_picture(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Answer with the picture of the tournament, 1200 x 630, in the language that the address names."""
    found = find_tournament(tournament_slug)
    events = found.events.order_by("pk")
    state = read_versions(found.pk).of_hall
    return _picture(request, (found.pk, state), lambda: share_of_tournament(found, list(events)))


@require_safe
def event_picture(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Answer with the picture of the event, 1200 x 630, in the language that the address names."""
    event = find_event(tournament_slug, event_slug)
    state = read_versions(event.tournament_id).of_event(event.pk)
    return _picture(request, (event.pk, state), lambda: share_of_event(take_snapshot(event.pk)))


def _picture(request: HttpRequest, state: Hashable, make: Callable[[], SharePicture]) -> HttpResponse:
    """Answer with the picture, drawn once for each state and language."""
    asked = request.GET.get("lang", "")
    with override(asked if asked in dict(settings.LANGUAGES) else get_language()):
        etag = etag_for("picture", request.path, state, get_language())
        answer = HttpResponseNotModified() if knows(request, etag) else _drawn(etag, make)
    answer["ETag"] = etag
    patch_cache_control(answer, public=True, max_age=300)
    return answer


def _drawn(etag: str, make: Callable[[], SharePicture]) -> HttpResponse:
    key = f"share-{etag.strip(chr(34))}"
    drawn = cache.get(key)
    if drawn is None:
        drawn = draw_share(make())
        cache.set(key, drawn, PICTURE_SECONDS)
    return HttpResponse(drawn, content_type="image/png")
