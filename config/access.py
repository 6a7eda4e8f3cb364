"""What is noted of each request: its id in the log, its line in the access log, its place in the metrics."""

import logging
import re
import time
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.addresses import is_among
from config.leaving import is_leaving, say_so
from config.metrics.instruments import request_answered
from config.metrics.page import PATH as METRICS
from config.metrics.page import answer as answer_metrics
from config.private_paths import without_secrets
from config.trace import belonging_to, new_request_id

VIEW, USER = "sixprime.view", "sixprime.user"
"""In the environment of a request: which view answers it, and for which user."""

PEER = "sixprime.peer"
"""In the environment of a request: the address that its connection comes from, which may be a proxy's."""

QUIET = ("/healthz", 200)
"""What a proxy asks every second, and hears every second, is not in the access log."""

GIVEN = re.compile(r"[\w.-]{1,64}", re.ASCII)

logger = logging.getLogger(__name__)


def observed(application: WSGIApplication, *, metrics: WSGIApplication = answer_metrics) -> WSGIApplication:
    """Give each request an id, which is also sent back, and note how it was answered; have ``/metrics`` answered.

    It stands before whatever changes ``REMOTE_ADDR``: a proxy's word counts only if the proxy itself says it.
    """

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_id, began, status = request_id_of(environ), time.perf_counter(), "500"
        environ[PEER] = environ.get("REMOTE_ADDR", "")

        def start(line: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            nonlocal status
            status = line[:3]
            return start_response(line, [*headers, ("X-Request-ID", request_id)], *rest)

        with belonging_to(request_id):
            if environ.get("PATH_INFO") == METRICS:
                return metrics(environ, start)
            if environ.get("PATH_INFO") == "/healthz" and is_leaving():
                return say_so(start)
            try:
                return application(environ, start)
            finally:
                seconds = time.perf_counter() - began
                request_answered(environ.get(VIEW, "none"), status, seconds)
                if settings.ACCESS_LOG and (environ.get("PATH_INFO"), int(status)) != QUIET:
                    _log(environ, status, seconds)

    return answered


def request_id_of(environ: WSGIEnvironment) -> str:
    """Return the id that a trusted proxy has given to the request, or a new one."""
    given = environ.get("HTTP_X_REQUEST_ID", "")
    believed = settings.HTTPS and is_among(environ.get("REMOTE_ADDR", ""), settings.TRUSTED_PROXIES)
    return str(given) if believed and GIVEN.fullmatch(given) else new_request_id()


def _log(environ: WSGIEnvironment, status: str, seconds: float) -> None:
    path = environ.get("PATH_INFO", "").encode("latin-1", "replace").decode("utf-8", "replace")
    fields = {"method": environ.get("REQUEST_METHOD", ""), "path": without_secrets(path), "status": int(status)}
    user = {"user": environ[USER]} if USER in environ else {}
    logger.info("request", extra={**fields, "ms": round(seconds * 1000, 1), **user})


class AccessMiddleware:
    """Tells :func:`observed` which view answers a request, and for which user as far as that was asked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(str(settings.STATIC_URL)):
            request.META[VIEW] = "static"
        response = self.get_response(request)
        user = getattr(request, "_cached_user", None) or request.__dict__.get("user")
        if not hasattr(user, "_wrapped") and getattr(user, "pk", None):  # nobody is looked up for the log alone
            request.META[USER] = user.pk  # type: ignore[union-attr] # it has one
        return response

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: object, kwargs: object) -> None:
        found = request.resolver_match
        named = found.view_name if found is not None else ""
        request.META[VIEW] = named or getattr(view, "__name__", "none")
