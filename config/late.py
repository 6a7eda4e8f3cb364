"""Requests of which the rest does not come: their connections are ended, so that they keep nobody waiting.

A server hands out a body to whoever reads it, for as long as that takes, and does not say by which connection a request
came. So those of its client are looked at on which nothing was sent for as long as it has been coming: where a body is
on its way, nothing is sent.
"""

import os
import socket
import stat
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.proxies import read_address

SECONDS, BYTES_A_SECOND = 10.0, 20_000
"""How long a body may take, and what it has to bring in more time than that."""

LOOK_SECONDS = 1.0
"""How long between two looks at those that are on their way."""

SENT_BEFORE = struct.Struct("=44xI")
"""Where Linux says of a connection how many milliseconds ago something was sent (``struct tcp_info``)."""


@dataclass(eq=False)
class Arrival:
    """A body on its way: from which address, as the system sees it, since when, and how much of it is here.

    ``is_ended`` once connections were ended for its sake.
    """

    peer: str
    began: float = field(default_factory=time.monotonic)
    taken: int = 0
    is_ended: bool = False

    def late_by(self, now: float) -> float:
        """Return how many seconds ago the body should have been here; below 0 while it may take longer."""
        return now - self.began - SECONDS - self.taken / BYTES_A_SECOND


class Watch:
    """Looks at the bodies that are on their way, from a thread of its own, which begins with the first."""

    def __init__(self) -> None:
        self._coming: set[Arrival] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, arrival: Arrival) -> Iterator[None]:
        """Have the connection ended if the body is late."""
        with self._changed:
            self._coming.add(arrival)
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, daemon=True, name="late bodies")
                self._thread.start()
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._coming.discard(arrival)

    def _look(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._coming))
                coming = list(self._coming)
            end_late(coming, time.monotonic())
            time.sleep(LOOK_SECONDS)


def end_late(coming: list[Arrival], now: float) -> None:
    """End the connections by which the late ones of these bodies come.

    If that does not help, other requests come by the same connection (HTTP/2), or the system does not say when it sent
    something: then all of this client's connections end.
    """
    for one in coming:
        late = one.late_by(now)
        one.is_ended = one.is_ended or late >= 0
        if late >= SECONDS:
            end_connections(one.peer, how=socket.SHUT_RDWR)
        elif late >= 0:
            end_connections(one.peer, quiet_seconds=SECONDS - LOOK_SECONDS)


def end_connections(peer: str, *, quiet_seconds: float = 0.0, how: int = socket.SHUT_RD) -> int:
    """End the connections that the address has made to this process, if nothing was sent on them for so long.

    With ``SHUT_RD`` an answer can still be sent. Returns how many there were. Connections that this process has made,
    such as to a database, go on.
    """
    address = read_address(peer)
    with ExitStack() as copies:
        found = [one for one in _sockets(copies) if one.family in (socket.AF_INET, socket.AF_INET6)]
        served = {one.getsockname()[1] for one in found if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)}
        ended = 0
        for one in found:
            with suppress(OSError):  # it has no other end, or none any more
                is_theirs = address is not None and read_address(one.getpeername()[0]) == address
                if is_theirs and one.getsockname()[1] in served and _quiet_for(one) >= quiet_seconds:
                    one.shutdown(how)
                    ended += 1
        return ended


def _sockets(copies: ExitStack) -> Iterator[socket.socket]:
    """Yield a copy of each socket of this process: its number cannot come to mean another file meanwhile."""
    for each in list(Path("/dev/fd").iterdir()):
        with suppress(OSError):  # the list itself is closed by now
            number = os.dup(int(each.name))
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                yield copies.enter_context(socket.socket(fileno=number))
            else:
                os.close(number)


def _quiet_for(connection: socket.socket) -> float:
    """Return how many seconds ago something was last sent; 0 where the system does not say."""
    option = getattr(socket, "TCP_INFO", None)
    if option is None:
        return 0.0
    told = connection.getsockopt(socket.IPPROTO_TCP, option, SENT_BEFORE.size)
    return float(SENT_BEFORE.unpack(told)[0]) / 1000
