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
from config.sqlite.waiting import PAGE_SECONDS, Writer, in_page, waiting, writer
from players.outages import busy

LONG_SECONDS = 0.25
"""A request that has waited longer than this for the database waits for somebody who holds its lock."""

LOOK_SECONDS = 0.05
"""How long somebody who has to wait here sleeps between two looks at those inside."""

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
    """Have PostgreSQL refuse a lock to a page that has waited for it, and each statement say that it is waited for."""
    if not in_page.get():
        return
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(PAGE_SECONDS * 1000)}")
    if _say_so not in connection.execute_wrappers:
        connection.execute_wrappers.append(_say_so)


def _say_so(execute: Callable[..., Any], *statement: Any) -> Any:
    with waiting():
        return execute(*statement)


connection_created.connect(limit_waiting, dispatch_uid="patience")


class Gate:
    """Lets in so many writers at a time. Nobody else waits here while all of them wait for the database.

    While some of them do, the next one waits only for a moment, and never longer than a page waits for the database:
    it waits in the last thread, which is the readers'.
    """

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._inside: list[Writer] = []
        self._left = threading.Condition()

    def enter(self, one: Writer) -> bool:
        """Wait for a place; return whether there was one, false if it is no use to wait, or no longer."""
        began = self._clock()
        with self._left:
            while len(self._inside) >= self._most:
                stuck = [self._is_stuck(other) for other in self._inside]
                if all(stuck) or self._clock() - began >= (LONG_SECONDS if any(stuck) else PAGE_SECONDS):
                    return False
                self._left.wait(LOOK_SECONDS)
            self._inside.append(one)
            return True

    def leave(self, one: Writer) -> None:
        with self._left:
            self._inside.remove(one)
            self._left.notify()

    def _is_stuck(self, one: Writer) -> bool:
        since = one.since
        return since is not None and self._clock() - since > LONG_SECONDS


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
            one = getattr(request, "_let_in", None)
            if one is not None:
                writer.set(None)
                GATE.leave(one)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        if request.method in SAFE or not in_page.get():
            return None
        one = Writer()
        if not GATE.enter(one):
            return answer(request, busy())
        request._let_in = one  # type: ignore[attr-defined]
        writer.set(one)
        return None
