"""A request is taken in whole before anything is done about it: slow ones hold no lock, and keep no reader waiting."""

import threading
from collections.abc import Callable, Iterable
from io import BytesIO
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

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

PATIENCE_SECONDS = 0.3
"""How long a request waits for a place among those that are taken in."""

PLACES = THREADS // 2
"""How many requests a process takes in at once: its other threads go on serving whatever slow senders do."""


def whole(application: WSGIApplication, *, places: int = PLACES) -> WSGIApplication:
    """Hand each request on with its whole body at hand, also one that comes in chunks, without its length.

    One that is too long is refused; where slow senders have every place, the answer is 503.
    """
    taking = threading.BoundedSemaphore(places)

    def taken_in(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        in_chunks = "HTTP_TRANSFER_ENCODING" in environ
        length = LARGEST + 1 if in_chunks else _length(environ)
        if not length:
            return application(environ, start_response)
        if length > LARGEST and not in_chunks:
            return _refused(environ, start_response, _too_long)
        if not taking.acquire(timeout=PATIENCE_SECONDS):
            return _refused(environ, start_response, _too_many)
        try:
            body = environ["wsgi.input"].read(length)
        finally:
            taking.release()
        if len(body) > LARGEST:
            return _refused(environ, start_response, _too_long)
        if in_chunks:
            environ["CONTENT_LENGTH"] = str(len(body))
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


def _too_many(request: HttpRequest) -> HttpResponse:
    return answer(request, Outage("body_late", _("Other requests arrive slowly. Send this one again in a moment.")))


def _too_long(request: HttpRequest) -> HttpResponse:
    problem = exception_handler(TooLarge(_("The body is too long.")), {})
    if problem is not None and request.path.startswith("/api/"):
        return problem
    return HttpResponse(_("The body is too long."), status=TooLarge.status_code, content_type="text/plain")
