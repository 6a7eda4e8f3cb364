"""How long a page waits for its turn to write, and how many may wait: readers go on meanwhile.

A process answers a few requests at a time. While somebody holds the lock of the database, those who wait for it may not
be all of these: one thread is always left to the readers, and whoever comes too late is told at once to come again.
Workers and commands wait as long as the settings say.
"""

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponseBase

from config.outages import answer
from config.parts import THREADS
from config.sqlite.waiting import PAGE_SECONDS, in_page
from players.outages import busy

LONG_SECONDS = 0.25
"""A request that takes longer than this probably waits for the lock."""

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")


def patient(application: WSGIApplication) -> WSGIApplication:
    """Answer requests of which none waits long for the lock of the database."""

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        token = in_page.set(True)
        try:
            return application(environ, start_response)
        finally:
            in_page.reset(token)

    return answered


def limit_waiting(connection: Any, **_sent: object) -> None:
    """Have PostgreSQL refuse a lock to a page that has waited for it."""
    if connection.vendor == "postgresql" and in_page.get():
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(PAGE_SECONDS * 1000)}")


connection_created.connect(limit_waiting, dispatch_uid="patience")


class Gate:
    """Lets in so many at a time. While all of them take long, nobody else waits."""

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._since: list[float] = []
        self._left = threading.Condition()

    def enter(self) -> float | None:
        """Return the moment of coming in, to be given back to :meth:`leave`; None if it is no use to wait."""
        with self._left:
            while len(self._since) >= self._most:
                wait = max(self._since) + LONG_SECONDS - self._clock()
                if wait <= 0:
                    return None
                self._left.wait(wait)
            since = self._clock()
            self._since.append(since)
            return since

    def leave(self, since: float) -> None:
        with self._left:
            self._since.remove(since)
            self._left.notify()


GATE = Gate(THREADS - 1)


class WriterMiddleware:
    """Middleware that keeps a thread of each process free for readers, whoever holds the lock of the database.

    It stands behind the check of the form's token: a form is given back to be sent again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return self.get_response(request)
        finally:
            since = getattr(request, "_let_in", None)
            if since is not None:
                GATE.leave(since)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        if request.method in SAFE or not in_page.get():
            return None
        since = GATE.enter()
        if since is None:
            return answer(request, busy())
        request._let_in = since  # type: ignore[attr-defined]
        return None
