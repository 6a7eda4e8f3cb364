"""Pages that follow a topic: a tournament, all tournaments, or the ranking lists (:mod:`tournament.changes.topics`)."""

from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tournament.changes.topics import followed, read_topics
from tournament.pages.answers import Reader, answer


def topic_page(
    request: HttpRequest,
    *,
    template: str,
    follows: Collection[str],
    context: Callable[[], Mapping[str, object]],
    depends: Collection[str] = (),
    about: Hashable = (),
    allowed: Collection[object] = (),
    is_kept: bool = True,
) -> HttpResponse:
    """Answer with the whole page, or with ``?fragment`` only what changes with its topics, with an ETag for it.

    ``template`` is ``<room>/<page>``; its live part, the template ``<room>/_<page>``, is rendered without the request.
    ``context`` is called only if the page has changed: by a topic that it ``follows`` or merely ``depends`` on, or by
    what it is ``about``. ``allowed`` is what the user may do, as far as the page depends on it. A page that may look
    different to two users who may do the same is not ``is_kept``.
    """
    # Read before anything else: a change in the meantime is shown, and asked for once more.
    versions = read_topics({*follows, *depends})
    shown = (about, tuple(sorted(versions.items())), timezone.localdate())
    reader = Reader.of(request, allowed)
    followed_versions = {topic: versions[topic] for topic in follows if topic in versions}

    @cache
    def values() -> dict[str, object]:
        return {**context(), **followed(followed_versions)}

    state = shown if is_kept else None
    return answer(
        request,
        template,
        values,
        reader=reader,
        shown=shown,
        state=state,
        versions=followed_versions,
        # What it is about may not follow from a topic: the name of a player.
        is_current=lambda: not about and read_topics({*follows, *depends}) == versions,
    )
