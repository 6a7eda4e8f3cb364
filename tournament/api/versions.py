"""Versions of what can be read: every answer to a GET has an ETag, and a write may name the one that it has seen."""

from collections.abc import Iterator, Mapping
from copy import copy
from hashlib import blake2b

from django.http import HttpRequest, HttpResponseNotModified, QueryDict
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import set_response_etag
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import Refusal
from tournament.models import Appointment, Entry, Invitation, Lot, PageRequest, Payment, PlayOff, SidePool

OF_304 = ("Cache-Control", "Content-Location", "ETag", "Expires", "Vary")


PLACES = {
    "entry_id": (Entry.objects, "event", "event"),
    "pool_id": (SidePool.objects, "event", "event"),
    "lot_id": (Lot.objects, "event", "event"),
    "payment_id": (Payment.objects, "event", "event"),
    "play_off_id": (PlayOff.objects, "stage__event", "event"),
    "request_id": (PageRequest.objects, "entry__event", "page-requests"),
    "appointment_id": (Appointment.objects, "tournament", "roles"),
    "invitation_id": (Invitation.objects, "tournament", "invitations"),
}
"""Where something can be read that has no address of its own to read it: its column, and the name of the address."""


class VersionChanged(Refusal):
    """A write to a version that is not the present one, whose ETag is ``etag``."""

    status = 412

    def __init__(self, code: str, message: str, *, etag: str = "") -> None:
        super().__init__(code, message)
        self.etag = etag


def under_etag(request: Request, response: HttpResponseBase) -> HttpResponseBase:
    """Return the answer under an ETag, its own or one of its content; or a 304 if the client has it already."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
        return response
    if "no-store" in response.headers.get("Cache-Control", ""):
        return response
    if isinstance(response, SimpleTemplateResponse):
        response.render()
    if "ETag" not in response.headers:
        set_response_etag(response)
    if not _names(request.headers.get("If-None-Match", ""), response.headers["ETag"]):
        return response
    known = HttpResponseNotModified()
    for name in OF_304:
        if name in response.headers:
            known.headers[name] = response.headers[name]
    known.cookies = response.cookies
    return known


def regardless_of(response: Response, *names: str) -> Response:
    """Put the answer under an ETag of its content without these fields, such as the moment at which it was made."""
    content = {name: value for name, value in response.data.items() if name not in names}
    response["ETag"] = quote_etag(blake2b(JSONRenderer().render(content), digest_size=16).hexdigest())
    return response


def require_version(request: Request, match: str) -> None:
    """Raise VersionChanged if what the request writes to is not, or no longer, what ``If-Match`` names.

    That is what can be read at the same address or, where nothing can, at the nearest one above it, or at that of the
    event or the list to which the thing belongs.
    """
    seen = _read(request, match)
    if seen is None or seen.status_code not in (200, 304):
        sentence = _("What this address writes to cannot be read, so it has no version: leave If-Match out.")
        raise VersionChanged("no_version", sentence)
    if seen.status_code == 200:
        sentence = _("This has changed since the version that If-Match names. Read it again.")
        raise VersionChanged("version_changed", sentence, etag=seen.headers.get("ETag", ""))


def _read(request: Request, match: str) -> HttpResponseBase | None:
    """Answer a GET for what the request writes to, which is a 304 if it has a version that ``match`` names."""
    path = request.path
    while path.count("/") > 3:  # below /api/v1/
        seen = _answer(request, path, match)
        if seen is not None and seen.status_code != 404:
            return seen
        if seen is not None:
            break  # there is nothing, and what is above it is another thing
        path = path.rstrip("/").rpartition("/")[0] + "/"
    return next((_answer(request, place, match) for place in _places(request)), None)


def _answer(request: Request, path: str, match: str) -> HttpResponseBase | None:
    """Answer a GET for the path; None if nothing can be read there."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    if not hasattr(getattr(found.func, "cls", None), "get"):
        return None
    asked = _as_get(request._request, path, match)
    response: HttpResponseBase = found.func(asked, *found.args, **found.kwargs)
    return response


def _places(request: Request) -> Iterator[str]:
    """Yield the address of what the thing is in."""
    for name, pk in (request.parser_context or {}).get("kwargs", {}).items():
        if name in PLACES:
            things, column, address = PLACES[name]
            for place in things.filter(pk=pk).values_list(column, flat=True):
                yield reverse(f"api:{address}", args=[place])


def _as_get(request: HttpRequest, path: str, match: str) -> HttpRequest:
    """Return a GET for the path by the same client, who has what ``match`` names."""
    asked = copy(request)
    left_out = ("HTTP_IF_MATCH", "CONTENT_LENGTH", "CONTENT_TYPE", "HTTP_ACCEPT", "HTTP_IDEMPOTENCY_KEY")
    kept: Mapping[str, object] = {name: value for name, value in request.META.items() if name not in left_out}
    asked.META = {**kept, "REQUEST_METHOD": "GET", "QUERY_STRING": "", "HTTP_IF_NONE_MATCH": match}
    asked.method, asked.path, asked.path_info = "GET", path, path
    asked.GET = QueryDict()
    asked.__dict__.pop("headers", None)  # made of META once
    asked.uncounted = True  # type: ignore[attr-defined]
    return asked


def _names(tags: str, etag: str) -> bool:
    """Whether the header names the tag. A proxy that compresses makes a weak one of it, which is as good here."""
    named = {tag.removeprefix("W/") for tag in parse_etags(tags)}
    return "*" in named or etag.removeprefix("W/") in named
