"""Few requests are answered at once, and more are taken in: one that arrives slowly keeps nobody from being answered.

Each that is answered has one of as many database connections, which go from thread to thread. Threads that answer
would have their own, but to hand a request over to another thread takes longer than an answer from memory.
"""

import threading
from collections import deque
from collections.abc import Iterable
from queue import SimpleQueue
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpResponse


class Few:
    """Lets so many requests be answered at once, in the order in which they come, and nobody else have a connection."""

    def __init__(self, most: int) -> None:
        self._mutex = threading.Lock()
        self._free = [_connection() for _each in range(most)]
        self._waiting: deque[SimpleQueue[Any]] = deque()

    def __call__(self, application: WSGIApplication) -> WSGIApplication:
        def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            given = self._take()
            connections[DEFAULT_DB_ALIAS] = given
            try:
                response = application(environ, start_response)
                if not isinstance(response, HttpResponse):
                    return response  # a file, which needs no database: who receives it slowly keeps nobody waiting
                content = [response.content]
                response.close()  # now, for Django then looks after the connection
                return content
            finally:
                del connections[DEFAULT_DB_ALIAS]
                self._leave(given)

        return answered

    def _take(self) -> Any:
        with self._mutex:
            if self._free:
                return self._free.pop()
            turn: SimpleQueue[Any] = SimpleQueue()
            self._waiting.append(turn)
        return turn.get()

    def _leave(self, given: Any) -> None:
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().put(given)
            else:
                self._free.append(given)


def _connection() -> Any:
    """Return a connection that is opened when it is first used, and may be used by one thread after the other."""
    made = connections.create_connection(DEFAULT_DB_ALIAS)
    made.inc_thread_sharing()
    return made
