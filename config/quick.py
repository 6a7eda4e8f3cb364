"""Pages and live parts that everybody gets alike, answered before Django's stack of middleware.

What a process has sent in the last seconds it sends again, byte for byte, if it is still current: if nothing at all was
written since that was last known (:meth:`config.sqlite.base.DatabaseWrapper.stamp`), or else if one query says so.
When a result is entered, every open page asks for the same live part at the same moment; such a page says what it has
heard (``Live: 3=17.16.4``), and if that is what was sent, or older, not even the database is asked. A reader with a
session or a message goes the whole way.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.handlers.wsgi import get_str_from_wsgi
from django.db import DatabaseError, connection
from django.http import HttpRequest, parse_cookie
from django.http.response import HttpResponseBase

from config.access import VIEW
from config.compression import takes_gzip
from config.connections import BY_MEMORY
from tournament.pages.answers import SharedResponse, knows
from tournament.pages.kept import Memory
from tournament.pages.language import language_asked

SECONDS = 5.0
"""How long it is sent again: it may also depend on the time of day."""
MOST_BYTES = 8 * 1024 * 1024
"""The most that a process keeps: hundreds of pages, packed, each for a language and a host."""
MOST_HEARD = 6000
"""No page writes more of what it has heard."""

OF_CONTENT = ("Content-Length", "Content-Encoding")
"""Headers that an answer without content does not have."""

HEARD = re.compile(r"(?:[a-z0-9]{1,16}=[0-9.]{1,100})(?:,[a-z0-9]{1,16}=[0-9.]{1,100}){0,49}", re.ASCII)

Versions = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer as it was sent, with the versions that it shows, and whether it would be the answer now."""

    at: float
    versions: Versions
    is_current: Callable[[], bool]
    status: str
    headers: tuple[tuple[str, str], ...]
    content: bytes
    etag: str
    view: str = "none"
    stamps: set[tuple[int, ...]] = field(default_factory=set)
    """At which connections have found this current."""

    @property
    def headers_of_304(self) -> list[tuple[str, str]]:
        return [header for header in self.headers if header[0] not in OF_CONTENT]

    def shows(self, heard: Versions) -> bool:
        return bool(heard) and all(
            topic in self.versions and self.versions[topic] >= versions for topic, versions in heard.items()
        )

    def is_older(self, heard: Versions) -> bool:
        """Whether it is known without a query that something has changed since."""
        return any(topic in self.versions and self.versions[topic] < heard[topic] for topic in heard)

    def is_still_current(self) -> bool:
        stamp = database_stamp()  # before the query: what is written meanwhile makes the stamp old
        if stamp in self.stamps:
            return True
        if not self.is_current():
            return False
        if stamp is not None:
            self.stamps.add(stamp)
        return True


def database_stamp() -> tuple[int, ...] | None:
    """Return a value that comes again only if nothing was written in between; None if the database has none."""
    stamp = getattr(connection, "stamp", None)
    return stamp() if stamp else None


class Parts:
    """What was sent last, by all that an answer to a reader without a session depends on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sent: Memory[Sent] = Memory(MOST_BYTES)

    def __len__(self) -> int:
        return len(self._sent)

    def find(self, environ: WSGIEnvironment, heard: Versions) -> Sent | None:
        found = self._sent.find(_asked(environ), None)
        if found is None or self._clock() - found.at > SECONDS:
            return None
        try:
            if found.shows(heard):
                return found
            return None if found.is_older(heard) or not found.is_still_current() else found
        except DatabaseError:
            return None  # the whole way, on which a connection that has died is made anew

    def keep(self, environ: WSGIEnvironment, response: SharedResponse) -> None:
        asked, headers = _asked(environ), tuple(response.items())
        sent = Sent(
            self._clock(),
            response.versions,
            response.is_current,
            f"{response.status_code} {response.reason_phrase}",
            headers,
            response.content,
            response["ETag"],
            environ.get(VIEW, "none"),
        )
        texts = sum(map(len, asked)) + sum(len(name) + len(value) for name, value in headers)
        self._sent.keep(asked, None, sent, len(sent.content) + texts)

    def clear(self) -> None:
        self._sent.clear()


PARTS = Parts()


class KeepMiddleware:
    """Middleware that keeps what everybody gets alike, as it is sent, and answers a browser that has it with a 304."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, SharedResponse) or response.status_code != 200:
            return response
        if request.method == "GET" and not response.cookies and not _is_known(request.META, request.COOKIES):
            PARTS.keep(request.META, response)
        if knows(request, response["ETag"].removeprefix("W/")):
            response.status_code, response.content = 304, b""
            for name in OF_CONTENT:
                del response[name]
        return response


def quick(application: WSGIApplication, parts: Parts = PARTS) -> WSGIApplication:
    """Answer with what was sent a moment ago, where it is still current or shows all that the page has heard of."""

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_asked = environ.get("REQUEST_METHOD") == "GET" and not _is_known(environ, _cookies(environ))
        sent = parts.find(environ, heard_of(environ)) if is_asked else None
        if sent is None:
            return application(environ, start_response)
        environ[BY_MEMORY], environ[VIEW] = True, sent.view
        if sent.etag.removeprefix("W/") in environ.get("HTTP_IF_NONE_MATCH", ""):
            start_response("304 Not Modified", sent.headers_of_304)
            return []
        start_response(sent.status, list(sent.headers))
        return [sent.content]

    return answered


def heard_of(environ: WSGIEnvironment) -> Versions:
    """Return the versions that the page has heard of; nothing if it does not say, or nothing that can be read."""
    told = environ.get("HTTP_LIVE", "")
    return _versions_in(told) if len(told) <= MOST_HEARD else {}


@lru_cache(maxsize=256)
def _versions_in(told: str) -> Versions:
    if not HEARD.fullmatch(told):
        return {}
    pairs = (one.partition("=") for one in told.split(","))
    return {topic: tuple(int(part or 0) for part in versions.split(".")) for topic, _sign, versions in pairs}


def _cookies(environ: WSGIEnvironment) -> dict[str, str]:
    """Return the cookies as the pages read them: another reading would take one reader for another."""
    return parse_cookie(get_str_from_wsgi(environ, "HTTP_COOKIE", "")) if "HTTP_COOKIE" in environ else {}


def _is_known(environ: WSGIEnvironment, cookies: Mapping[str, str]) -> bool:
    """Whether the answer may depend on who asks: on an account, or on a message that waits for them."""
    return settings.SESSION_COOKIE_NAME in cookies or "messages" in cookies or "HTTP_AUTHORIZATION" in environ


def _asked(environ: WSGIEnvironment) -> tuple[str, ...]:
    asked = environ.get
    told, _value = settings.SECURE_PROXY_SSL_HEADER or ("", "")
    return (
        asked("PATH_INFO", ""),
        asked("QUERY_STRING", ""),
        asked("HTTP_HOST", ""),
        asked("wsgi.url_scheme", ""),
        asked(told, ""),
        language_asked(_cookies(environ), asked("HTTP_ACCEPT_LANGUAGE", "")),
        "gzip" if takes_gzip(asked("HTTP_ACCEPT_ENCODING", "")) else "",
    )
