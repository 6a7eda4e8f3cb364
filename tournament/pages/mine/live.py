"""The page of an entry follows its event and the hall: whole, or to a page that asks again its live part or a 304."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from tournament.changes.topics import followed, read_topics, tournament_topic
from tournament.changes.versions import read_versions
from tournament.hall.timing import pauses_of
from tournament.models import Entry
from tournament.pages.answers import Reader, etag_for, knows, secret_of, under

PAGE = "tournament/match/mine.html"
LIVE = "tournament/match/_mine.html"


def follow_mine(request: HttpRequest, entry: Entry, render: Callable[[str], HttpResponse]) -> HttpResponse:
    """Answer with the page of the entry or, with ``?fragment``, with its live part under an ETag.

    It shows what the player does in other events and where the players of the hall are, so it depends on all of them,
    on the day, and on the break that is on.
    """
    if "fragment" not in request.GET:
        page = render(PAGE)
        add_never_cache_headers(page)
        return page
    # Read before anything else: a change in the meantime is shown, and asked for once more.
    versions = read_versions(entry.event.tournament_id)
    now = timezone.now()
    pauses = [one.ends_at for one in pauses_of(entry.event.tournament) if one.starts_at <= now < one.ends_at]
    shown = entry.pk, versions.of_hall, timezone.localdate(), pauses
    etag = etag_for(shown, Reader.of(request, ()), request.user.pk, secret_of(request))
    if knows(request, etag):
        return under(etag, HttpResponseNotModified())
    return under(etag, render(LIVE))


def topics_of(entry: Entry) -> dict[str, str]:
    """Return what the frame of the page needs to follow the whole tournament; read it before what the page shows."""
    return followed(read_topics([tournament_topic(entry.event.tournament_id)]))


def asked_to_reload() -> HttpResponse:
    """Return an answer to a page that asks for its live part, upon which it loads itself again as a whole."""
    answer = HttpResponse(headers={"HX-Refresh": "true"})
    add_never_cache_headers(answer)
    return answer
