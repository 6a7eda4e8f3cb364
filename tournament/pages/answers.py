"""How a page that follows something is answered: the whole of it or its live part, from memory where it is there."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language

from tournament.pages.health import read_troubles
from tournament.pages.kept import LIVE, Part, fill, kept, render_frame, render_live

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
    """Return the ETag of an answer that depends on these."""
    return quote_etag(_tag(*parts))


def knows(request: HttpRequest, etag: str) -> bool:
    """Whether the browser already has the version with this ETag."""
    # A proxy that compresses turns the ETag into a weak one.
    return etag in {tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))}


def secret_of(request: HttpRequest) -> tuple[str, str]:
    """Return what the token of the reader follows from, for the ETag of an answer with forms."""
    return request.META.get("CSRF_COOKIE", ""), request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")


def under(etag: str, response: HttpResponse) -> HttpResponse:
    """Return the response with the ETag; a browser keeps the page, and checks it each time before showing it."""
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


class SharedResponse(HttpResponse):
    """An answer that is the same for everybody who gets one with this ``tag``.

    ``versions`` are those that it shows of the topics that its page follows; ``is_current`` asks the database whether
    it would still be the answer. It is whole even if the browser has it already: :mod:`config.quick` keeps it for the
    next reader, and answers this one with a 304.
    """

    def __init__(
        self, content: bytes, tag: str, versions: Mapping[str, tuple[int, ...]], is_current: Callable[[], bool]
    ) -> None:
        super().__init__(content)
        self.tag, self.versions, self.is_current = tag, versions, is_current


def answer(
    request: HttpRequest,
    template: str,
    values: Callable[[], Mapping[str, object]],
    *,
    reader: Reader,
    shown: Hashable,
    state: Hashable | None,
    versions: Mapping[str, tuple[int, ...]],
    is_current: Callable[[], bool],
) -> HttpResponse:
    """Answer with the page or, with ``?fragment``, with its live part; or with a 304 if the browser has it already.

    ``values`` is called only if a part has to be made. ``shown`` is the state of all that the live part shows,
    ``state`` that of all that stands around it; None if the page must not be kept. ``versions`` are those of the topics
    that the page follows, and ``is_current`` whether anything has changed since.
    """
    live = live_part_of(template)
    is_fragment = "fragment" in request.GET
    query = request.META["QUERY_STRING"]
    if state is None or request.method not in ("GET", "HEAD") or not PLAIN_QUERY.fullmatch(query):
        if not is_fragment:
            return render(request, f"tournament/{template}.html", {**values(), "live_part": live})
        # Without what everybody sees alike, the versions say whether the browser has it, before anything is read.
        tag = _tag(template, request.path, query, shown, reader, request.user.pk)
        return _unless_known(request, tag, lambda: render(request, live, values()))
    asked = tuple(request.GET.get(name) for name in ("stage", "event", "page"))
    part = kept(("live", template, request.path, asked, reader), shown, lambda: render_live(live, values()))
    if is_fragment:
        if part.is_for_everybody:
            return _shared(part.text, part.tag, versions, is_current)
        tag = _tag(part.tag, request.user.pk, secret_of(request), shown if part.has_key else "")
        return _unless_known(request, tag, lambda: HttpResponse(fill(part.text, request)))

    def make_frame() -> bytes:
        return render_frame(request, f"tournament/{template}.html", values())

    if len(get_messages(request)):
        frame = Part.of(make_frame())
    else:
        frame = kept(("frame", template, *_seen_around(request), reader), state, make_frame)
        # A page with its reader's name or a token is sent whole each time: no memory of a browser answers for it.
        if frame.is_for_everybody and part.is_for_everybody and not request.user.is_authenticated:
            tag = _tag(frame.tag, part.tag)
            return _shared(_whole(frame, part), tag, versions, is_current)
    return HttpResponse(fill(_whole(frame, part), request))


def _whole(frame: Part, part: Part) -> bytes:
    return frame.text.replace(LIVE.encode(), part.text)


def _tag(*parts: object) -> str:
    """Return a tag for an answer that depends on these."""
    return blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def _shared(
    text: bytes, tag: str, versions: Mapping[str, tuple[int, ...]], is_current: Callable[[], bool]
) -> HttpResponse:
    return under(quote_etag(tag), SharedResponse(text, tag, versions, is_current))


def _unless_known(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer with what is made, or with a 304 if the browser has the answer with this tag."""
    etag = quote_etag(tag)
    return under(etag, HttpResponseNotModified() if knows(request, etag) else make())


def live_part_of(template: str) -> str:
    """Return the name of the template for the part of the page that changes."""
    room, page = template.split("/")
    return f"tournament/{room}/_{page}.html"


def _seen_around(request: HttpRequest) -> tuple[object, ...]:
    """Return what a page shows of the request and its reader around the live part."""
    user, host = request.user, [request.META.get(name, "") for name in ("HTTP_HOST", "SERVER_NAME", "SERVER_PORT")]
    troubles = read_troubles() if user.is_authenticated else []
    return request.get_full_path(), user.pk, user.get_username(), request.scheme, *host, *troubles
