"""A request is taken in whole before anything is done about it: a slow one holds no lock, and few pages."""

import threading
from collections.abc import Callable, Iterable
from io import BytesIO
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from config.outages import answer
from config.parts import THREADS
from players.errors import Outage
from tournament.api.problems import TooLarge, exception_handler

LARGEST = 32_000_000
"""Bytes; more than any address takes."""

AT_ONCE_SECONDS = 0.3
"""A request that is not there by then is slow."""

SECONDS, BYTES_A_SECOND = 5.0, 20_000
"""How long a slow request may take, and what it has to bring in more time than that."""

PLACES = THREADS // 2
"""How many slow requests a process waits for at once: the other threads go on serving."""


class Arrival:
    """A body on its way, read by a thread of its own, which ends with the connection at the latest."""

    def __init__(self, stream: InputStream, length: int) -> None:
        self._stream, self._length = stream, length
        self._body = b""
        self._is_here = threading.Event()
        threading.Thread(target=self._read, daemon=True, name="body").start()

    def _read(self) -> None:
        try:
            pieces, missing = [], self._length
            while missing > 0 and (piece := self._stream.read(missing)):
                pieces.append(piece)
                missing -= len(piece)
            self._body = b"".join(pieces)
        except OSError:
            self._body = b""  # the client has gone
        self._is_here.set()

    def within(self, seconds: float) -> bytes | None:
        """Return the body as far as its client has sent it, or None if it is still on its way."""
        return self._body if self._is_here.wait(seconds) else None


def whole(application: WSGIApplication, *, places: int = PLACES) -> WSGIApplication:
    """Hand each request on with its whole body at hand; answer 503 if that takes too long, 413 if it is too long."""
    slow = threading.BoundedSemaphore(places)

    def taken_in(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = _length(environ)
        if not length:
            return application(environ, start_response)
        if length > LARGEST:
            return _refused(environ, start_response, _too_long)
        arrival = Arrival(environ["wsgi.input"], length)
        body = arrival.within(AT_ONCE_SECONDS)
        if body is None and slow.acquire(blocking=False):
            try:
                body = arrival.within(SECONDS + length / BYTES_A_SECOND)
            finally:
                slow.release()
        if body is None:
            return _refused(environ, start_response, _too_slow)
        environ["wsgi.input"] = BytesIO(body)
        return application(environ, start_response)

    return taken_in


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


def _too_slow(request: HttpRequest) -> HttpResponse:
    return answer(request, Outage("body_late", _("The request did not arrive in time. Send it again.")))


def _too_long(request: HttpRequest) -> HttpResponse:
    problem = exception_handler(TooLarge(_("The body is too long.")), {})
    if problem is not None and request.path.startswith("/api/"):
        return problem
    return HttpResponse(_("The body is too long."), status=TooLarge.status_code, content_type="text/plain")
