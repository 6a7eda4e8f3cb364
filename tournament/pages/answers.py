"""How a page that follows something is answered: the whole of it or its live part, from memory where it is there."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language

from tournament.pages.kept import LIVE, fill, kept, render_frame, render_live

PLAIN_QUERY = re.compile(r"(fragment)?&?((stage|event|page)=[\w-]{1,80})?", re.ASCII)
"""The queries of the pages that are kept; anybody can think of others."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What readers must have in common for a live part to look the same to them: ``allowed`` is what they may do."""

    language: str
    zone: str
    allowed: tuple[object, ...]

    @classmethod
    def of(cls, request: HttpRequest, allowed: Iterable[object]) -> "Reader":
        """Return what the live part depends on; ``allowed`` are the actions, or what says as much, in any order."""
        return cls(get_language(), timezone.get_current_timezone_name(), tuple(sorted(map(str, allowed))))


def etag_for(*parts: object) -> str:
    """Return the ETag of a live part that depends on these."""
    return quote_etag(blake2b(repr(parts).encode(), digest_size=12).hexdigest())


def knows(request: HttpRequest, etag: str) -> bool:
    """Whether the browser already has the version with this ETag."""
    # A proxy that compresses turns the ETag into a weak one.
    return etag in {tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))}


def under(etag: str, response: HttpResponse) -> HttpResponse:
    """Return the response with the ETag; a browser keeps the page, and checks it each time before showing it."""
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def answer(
    request: HttpRequest,
    template: str,
    values: Callable[[], Mapping[str, object]],
    *,
    reader: Reader,
    shown: Hashable,
    state: Hashable | None,
    etag: str,
) -> HttpResponse:
    """Answer with the page or, where there is an ``etag``, with its live part.

    ``values`` is called only if a part has to be made. ``shown`` is the state of all that the live part shows,
    ``state`` that of all that stands around it; None if the page must not be kept.
    """
    live = live_part_of(template)
    if (
        state is None
        or request.method not in ("GET", "HEAD")
        or not PLAIN_QUERY.fullmatch(request.META["QUERY_STRING"])
    ):
        if not etag:
            return render(request, f"tournament/{template}.html", {**values(), "live_part": live})
        return under(etag, render(request, live, values()))
    asked = tuple(request.GET.get(name) for name in ("stage", "event", "page"))
    part = kept(("live", template, request.path, asked, reader), shown, lambda: render_live(live, values()))
    if etag:
        return under(etag, HttpResponse(fill(part, request)))

    def make_frame() -> bytes:
        return render_frame(request, f"tournament/{template}.html", values())

    if len(get_messages(request)):
        frame = make_frame()
    else:
        frame = kept(("frame", template, *_seen_around(request), reader), state, make_frame)
    return HttpResponse(fill(frame.replace(LIVE.encode(), part), request))


def live_part_of(template: str) -> str:
    """Return the name of the template for the part of the page that changes."""
    room, page = template.split("/")
    return f"tournament/{room}/_{page}.html"


def _seen_around(request: HttpRequest) -> tuple[object, ...]:
    """Return what a page shows of the request and its reader around the live part."""
    user, host = request.user, [request.META.get(name, "") for name in ("HTTP_HOST", "SERVER_NAME", "SERVER_PORT")]
    return request.get_full_path(), user.pk, user.get_username(), request.scheme, *host
