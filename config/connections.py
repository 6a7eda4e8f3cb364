"""Connections stay open, and are spread over the processes all the same.

The system gives a new connection to one of the processes by chance, and a browser keeps it for its next requests. So
one process may come to serve more readers than another. A process that has had more than its share of the last
requests, or all of whose threads are busy while another process has free ones, answers some requests with
``Connection: close``: the browser comes back with a new connection, and chance decides again. What is answered from
memory (:mod:`config.quick`) takes less than a new connection would, and closes none because threads are busy.
"""

import mmap
import random
import struct
import time
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

BY_MEMORY = "sixprime.by_memory"
"""In the environment of a request that was answered from memory."""

WINDOW_SECONDS = 2.0
MORE_THAN_CHANCE = 1.25
"""How much more than the average a process may serve before it gives connections away."""
LEAST_REQUESTS = 20
"""In a window; fewer say nothing about the share of a process."""

SLOT = struct.Struct("=dqq")
"""What each process tells the others: the beginning of its window, its requests since then, its busy threads."""


class Shares:
    """What the processes know of each other, in memory that they share: make it before they part."""

    def __init__(self, processes: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.processes = processes
        self._memory = mmap.mmap(-1, SLOT.size * processes)
        self._clock = clock

    def tell(self, place: int, began: float, requests: int, busy: int) -> None:
        SLOT.pack_into(self._memory, place * SLOT.size, began, requests, busy)

    def told(self) -> list[tuple[int, int]]:
        """Return the requests of the last window and the busy threads of each process."""
        now = self._clock()
        found = [SLOT.unpack_from(self._memory, place * SLOT.size) for place in range(self.processes)]
        return [(requests if now - began < 2 * WINDOW_SECONDS else 0, busy) for began, requests, busy in found]


class Spreading:
    """The application, which now and then closes a connection so that no process serves more than its share."""

    def __init__(
        self,
        application: WSGIApplication,
        shares: Shares,
        place: int,
        *,
        threads: int,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._application, self._shares, self._place, self._threads = application, shares, place, threads
        self._clock, self._chance = clock, chance
        self._began, self._requests, self._busy = clock(), 0, 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        now = self._clock()
        if now - self._began >= WINDOW_SECONDS:
            self._began, self._requests = now, self._requests // 2
        self._requests += 1
        self._busy += 1
        self._tell()

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            if self._gives_away(by_memory=BY_MEMORY in environ):
                headers = [*headers, ("Connection", "close")]
            return start_response(status, headers, *rest)

        try:
            return self._application(environ, start)
        finally:
            self._busy -= 1
            self._tell()

    def _tell(self) -> None:
        self._shares.tell(self._place, self._began, self._requests, self._busy)

    def _gives_away(self, *, by_memory: bool) -> bool:
        if self._shares.processes == 1 or (by_memory and self._requests < LEAST_REQUESTS):
            return False
        told = self._shares.told()
        others = [share for place, share in enumerate(told) if place != self._place]
        is_full = not by_memory and self._busy >= self._threads
        if is_full and min(busy for _requests, busy in others) < self._threads - 1:
            return True
        fair = (self._requests + sum(requests for requests, _busy in others)) / len(told)
        if self._requests < max(LEAST_REQUESTS, fair * MORE_THAN_CHANCE):
            return False
        # As many as are too many, and not all at once.
        return self._chance() < (self._requests - fair) / self._requests
