"""Pages that follow the whole hall: all events of a tournament, calls, tables, breaks and the current minute."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import cache
from time import time

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.changes.topics import followed, read_topics, tournament_topic
from tournament.changes.versions import Versions, read_versions
from tournament.models import Tournament
from tournament.pages.answers import Reader, answer, live_part_of


def hall_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    template: str,
    at: datetime,
    context: Callable[[Versions], Mapping[str, object]],
    allowed: Collection[object] = (),
    is_kept: bool = True,
    status: int = 200,
) -> HttpResponse:
    """Answer with the whole page, or with ``?fragment`` only what changes with the hall, with an ETag for it.

    ``template`` is ``<room>/<page>``; its live part, the template ``<room>/_<page>``. ``context`` is called with
    the versions of now, and only if the page has changed since, by an event, by the hall or by the minute that it is
    ``at``. ``allowed`` is what the
    user may do, as far as the page depends on it. A page that depends on more than all these is not ``is_kept``.
    """
    versions = read_versions(tournament.pk)
    minute = int(at.timestamp()) // 60
    shown = (tournament.pk, versions.of_hall, minute)
    reader = Reader.of(request, allowed)

    @cache
    def values() -> Mapping[str, object]:
        whole = {} if "fragment" in request.GET else followed(read_topics([tournament_topic(tournament.pk)]))
        return {"tournament": tournament, **whole, **context(versions)}

    if status != 200:
        page = {**values(), "live_part": live_part_of(template)}
        return render(request, f"tournament/{template}.html", page, status=status)
    state = shown if is_kept else None
    return answer(
        request,
        template,
        values,
        reader=reader,
        shown=shown,
        state=state,
        versions={},
        is_current=lambda: int(time() // 60) == minute and read_versions(tournament.pk) == versions,
    )
