"""Pages that follow an event: served whole, or, to a page that asks again, as the live part alone or a 304."""

from collections.abc import Callable, Mapping, Set
from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from players.models import User
from players.statements import Statement
from tournament.changes.topics import MAX_TOPICS, followed
from tournament.changes.versions import Versions, read_versions
from tournament.hall.announcements import current as announced
from tournament.models import Event, Tournament
from tournament.pages.answers import Reader, answer
from tournament.pages.zone import show_times_of
from tournament.past.moments import snapshot_of
from tournament.roles.permissions import may, require
from tournament.snapshot import EventSnapshot


def find_event(tournament_slug: str, event_slug: str) -> Event:
    """Find the event; the page shows times in the zone of its tournament. Raises Http404."""
    for event in _EVENT.find(Event, tournament_slug, event_slug):
        show_times_of(event.tournament)
        return event
    raise Http404


def find_tournament(tournament_slug: str) -> Tournament:
    """Find the tournament; the page shows times in its zone. Raises Http404."""
    for tournament in _TOURNAMENT.find(Tournament, tournament_slug):
        show_times_of(tournament)
        return tournament
    raise Http404


_EVENT = Statement(
    lambda tournament, event: Event.objects.select_related("tournament").filter(tournament__slug=tournament, slug=event)
)
_TOURNAMENT = Statement(lambda slug: Tournament.objects.filter(slug=slug))


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
    versions: Versions | None = None,
    shows_the_hall: bool = False,
    is_personal: bool = False,
) -> HttpResponse:
    """Render the whole page, or with ``?fragment`` only what changes with the event, with an ETag for what it shows.

    ``template`` is ``<room>/<page>``; its live part is the template ``<room>/_<page>``. ``context`` is called with what
    :func:`event_shown` returns, or with the ``snapshot`` given, and only if the page has changed; its ``follow`` is the
    page's address where that is not that of the request. ``allowed`` are the actions of the user. Times are those of
    the tournament's zone. A page that ``shows_the_hall`` says what the players of the event do in the others, and
    follows those too. One that ``is_personal`` may look different to two users with the same actions. ``versions`` are
    those that were read before the ``snapshot``.
    """
    show_times_of(event.tournament)
    # Read before anything else: a change in the meantime is shown, and asked for once more.
    versions = versions or read_versions(event.tournament_id)
    follows = shows_the_hall and "at" not in request.GET
    others = [pk for pk in versions.running() if pk != event.pk][: MAX_TOPICS - 1] if follows else []
    shown = (versions.of_hall if shows_the_hall else versions.of_event(event.pk), timezone.localdate())
    reader = Reader.of(request, allowed)
    topics = {} if "at" in request.GET else versions.topics([event.pk, *others])

    @cache
    def values() -> dict[str, object]:
        current = snapshot or event_shown(request, event)
        return {
            **context(current),
            "today": timezone.localdate(),
            "event": current,
            "announcements": announced(event.tournament, event, timezone.now()) if current.at is None else (),
            "stage": current.stage,
            "may": allowed if current.at is None else frozenset(),  # the past is read only
            "asked_stage": request.GET.get("stage", "")[:2],
            **(followed(topics) if topics else {}),
        }

    is_kept = snapshot is None and not (is_personal and allowed)
    state = (shown, versions.of_hall) if is_kept else None
    return answer(
        request,
        template,
        values,
        reader=reader,
        shown=shown,
        state=state,
        versions=topics,
        is_current=lambda: read_versions(event.tournament_id) == versions,
    )


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
