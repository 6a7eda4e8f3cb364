"""Requests of which the rest does not come: their connections are ended, so that they keep nobody waiting.

A server hands out a body to whoever reads it, for as long as that takes, and does not say by which connection a request
came. So one of its client's is ended on which something was received since the body began and nothing was sent: the one
on which least was received. If that was another one, and the body is still on its way at the next look, the next.
"""

import logging
import math
import os
import socket
import stat
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.proxies import Address, read_address

SECONDS, BYTES_A_SECOND = 10.0, 20_000
"""How long a body may take, and what it has to bring in more time than that."""

LOOK_SECONDS = 1.0
"""How long between two looks at those that are on their way."""

TOLD = struct.Struct("=44x I 4x I 72x Q")
"""Where Linux says of a connection how many milliseconds ago something was sent, and received, and how many bytes were
received in all (``struct tcp_info``)."""

OPEN = Path("/dev/fd")

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Arrival:
    """A body on its way: from which address, as the system sees it, since when, and how many bytes of it are here.

    ``is_cut`` once a connection was ended by which it may have come: what is here may be a part only.
    """

    peer: str
    began: float = field(default_factory=time.monotonic)
    taken: int = 0
    is_cut: bool = False

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
            try:
                end_late(coming, time.monotonic())
            except OSError as error:  # such as too many open files: at the next look there may be fewer
                logger.warning("late bodies were not ended", extra={"error": error})
            time.sleep(LOOK_SECONDS)


def end_late(coming: list[Arrival], now: float) -> None:
    """End a connection for each of these bodies that is late: nothing more is received by it, an answer is still sent.

    Raises OSError.
    """
    late = [one for one in coming if one.late_by(now) >= 0]
    there = served() if late else []
    for one in late:
        lasted = now - one.began
        possible = [
            connection
            for connection in there
            if connection.peer == read_address(one.peer)
            and connection.sent_before >= lasted - LOOK_SECONDS
            and connection.received_before <= lasted + LOOK_SECONDS
        ]
        for connection in sorted(possible, key=lambda each: each.received)[:1]:
            for other in coming:
                other.is_cut = other.is_cut or other.peer == one.peer
            connection.end()
            there.remove(connection)


@dataclass(frozen=True)
class Connection:
    """One that a client has made to this process: its number here, and which connection the number then meant.

    ``sent_before`` and ``received_before`` are seconds since something last was, ``received`` bytes in all. Where the
    system does not say, they are such that it may be any body's.
    """

    number: int
    inode: int
    peer: Address
    sent_before: float = math.inf
    received_before: float = 0
    received: int = 0

    def end(self) -> None:
        with suppress(OSError), _copy(self.number) as found:
            if os.fstat(found.fileno()).st_ino == self.inode:
                found.shutdown(socket.SHUT_RD)


def served() -> list[Connection]:
    """Return the connections that clients have made to this process, not those that it has made, as to a database.

    Raises OSError.
    """
    ports, found = set(), []
    for number in [int(each.name) for each in OPEN.iterdir()]:
        with suppress(OSError), _copy(number) as one:  # it is no socket, or has no other end, or none any more
            if one.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            port = one.getsockname()[1]
            if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                ports.add(port)
            elif (peer := read_address(one.getpeername()[0])) is not None:
                found.append((port, Connection(number, os.fstat(one.fileno()).st_ino, peer, *_told_of(one))))
    return [connection for port, connection in found if port in ports]


@contextmanager
def _copy(number: int) -> Iterator[socket.socket]:
    """Have a copy of the socket, whose number cannot come to mean another file meanwhile. Raises OSError.

    Nothing but a socket is ever copied and closed: to close a copy of a file, such as SQLite's, ends all locks that
    this process has on it. Where the number has come to mean a file between the two looks, the copy stays open.
    """
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError(f"{number} is no socket")
    copy = os.dup(number)
    if not stat.S_ISSOCK(os.fstat(copy).st_mode):
        raise OSError(f"{number} is no socket any more")
    with socket.socket(fileno=copy) as found:
        yield found


def _told_of(connection: socket.socket) -> tuple[float, float, int] | tuple[()]:
    option = getattr(socket, "TCP_INFO", None)
    if option is None:
        return ()
    sent, received, bytes_received = TOLD.unpack(connection.getsockopt(socket.IPPROTO_TCP, option, TOLD.size))
    return sent / 1000, received / 1000, bytes_received
