"""A request is taken in whole before anything is done about it: slow ones hold no lock, and keep no reader waiting."""

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from io import BytesIO
from ipaddress import IPv6Address, ip_network
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from config.access import PEER
from config.late import Arrival, Watch
from config.outages import answer
from config.proxies import read_address
from players.errors import Outage
from tournament.api.problems import TooLarge, exception_handler

LARGEST = 32_000_000
"""Bytes; more than any address takes."""

SMALL, LARGE_ONES = 1_000_000, 4
"""Bytes up to which a body is a small one, and how many large ones there are at once: they lie in memory."""

PIECE = 50_000
"""Bytes that are read at once, before it is noted that they are here."""

PATIENCE_SECONDS = 0.3
"""How long a request waits for a place among those that are taken in."""

WAITING = 8
"""How many wait for a place at once: each needs a thread."""


class Places:
    """A number of places, of which nobody has more than a third."""

    def __init__(self, places: int) -> None:
        self._free, self._each = places, math.ceil(places / 3)
        self._taken: Counter[str] = Counter()
        self._waiting = 0
        self._left = threading.Condition()

    def take(self, whose: str) -> bool:
        """Take a place, and wait a moment for it if need be. Returns whether there was one."""
        with self._left:
            if self._waiting >= WAITING and not self._is_free(whose):
                return False
            self._waiting += 1
            try:
                if not self._left.wait_for(lambda: self._is_free(whose), PATIENCE_SECONDS):
                    return False
            finally:
                self._waiting -= 1
            self._free -= 1
            self._taken[whose] += 1
            return True

    def leave(self, whose: str) -> None:
        with self._left:
            self._free += 1
            self._taken[whose] -= 1
            if not self._taken[whose]:
                del self._taken[whose]
            self._left.notify_all()

    def _is_free(self, whose: str) -> bool:
        return self._free > 0 and self._taken[whose] < self._each


def whole(application: WSGIApplication, *, places: int) -> WSGIApplication:
    """Hand each request on with its whole body at hand, also one that comes in chunks, without its length.

    One that is too long is refused. One that is late or ends early is not handed on, for half a form may say something
    else than the whole; and where slow senders have every place, or all that are for one sender, the answer is 503 too.
    """
    small, large = Places(places), Places(LARGE_ONES)
    watch = Watch()

    def taken_in(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        in_chunks = "HTTP_TRANSFER_ENCODING" in environ
        length = LARGEST + 1 if in_chunks else _length(environ)
        if not length:
            return application(environ, start_response)
        if length > LARGEST and not in_chunks:
            return _refused(environ, start_response, _too_long)
        room, whose = small if length <= SMALL else large, sender_of(environ.get("REMOTE_ADDR", ""))
        if not room.take(whose):
            return _refused(environ, start_response, _too_many)
        with ExitStack() as held:
            held.callback(room.leave, whose)
            arrival = Arrival(environ.get(PEER, ""))
            with watch.over(arrival):
                body = _read(environ["wsgi.input"], length, arrival)
            if arrival.taken > LARGEST:
                return _refused(environ, start_response, _too_long)
            if arrival.taken < length and (not in_chunks or arrival.is_cut):
                return _refused(environ, start_response, _too_late)
            if in_chunks:
                environ["CONTENT_LENGTH"] = str(arrival.taken)
            environ["wsgi.input"] = body
            if arrival.taken <= SMALL:  # a large one has its place until it is answered
                held.close()
            return application(environ, start_response)

    return taken_in


def sender_of(address: str) -> str:
    """Return by what the places of a client are counted: with IPv6 the network of its home, which is one client's."""
    found = read_address(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def _read(stream: InputStream, length: int, arrival: Arrival) -> BytesIO:
    body = BytesIO()
    while arrival.taken < length and (piece := stream.read(min(PIECE, length - arrival.taken))):
        arrival.taken += body.write(piece)
    body.seek(0)
    return body


def _length(environ: WSGIEnvironment) -> int:
    given = str(environ.get("CONTENT_LENGTH") or "")
    return int(given) if given.isascii() and given.isdecimal() else 0


def _refused(
    environ: WSGIEnvironment, start_response: StartResponse, refuse: Callable[[HttpRequest], HttpResponse]
) -> Iterable[bytes]:
    request = WSGIRequest({**environ, "wsgi.input": BytesIO(), "CONTENT_LENGTH": "0"})
    with translation.override(translation.get_language_from_request(request)):
        response = refuse(request)
    start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
    return [response.content]


def _too_many(request: HttpRequest) -> HttpResponse:
    return answer(request, Outage("body_late", _("Other requests arrive slowly. Send this one again in a moment.")))


def _too_late(request: HttpRequest) -> HttpResponse:
    return answer(request, Outage("body_late", _("The request did not arrive in time. Send it again.")))


def _too_long(request: HttpRequest) -> HttpResponse:
    problem = exception_handler(TooLarge(_("The body is too long.")), {})
    if problem is not None and request.path.startswith("/api/"):
        return problem
    return HttpResponse(_("The body is too long."), status=TooLarge.status_code, content_type="text/plain")
