"""Requests of which the rest does not come: their connections are ended, so that they keep nobody waiting.

A server hands out a body to whoever reads it, for as long as that takes, and does not say by which connection a request
came. So one of its client's is ended on which nothing was sent since the body began: while a body is on its way,
nothing is sent. Of several, it is the one on which something was sent last; if that was another one, and the body is
still on its way at the next look, the next.
"""

import logging
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

SENT_BEFORE = struct.Struct("=44xI")
"""Where Linux says of a connection how many milliseconds ago something was sent (``struct tcp_info``)."""

OPEN = Path("/dev/fd")

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Arrival:
    """A body on its way: from which address, as the system sees it, since when, and how many bytes of it are here.

    ``is_cut`` once a connection was ended by which it may have come: what is here may be a part only.
    """

    peer: str
    by_proxy: bool = False
    """Whether the address is a proxy's, by which others come too."""
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
    """End a connection for each of these bodies that is late.

    If that does not help, other requests come by the same connection (HTTP/2), or the system does not say when it sent
    something: then all of this client's connections end, but not a proxy's, by which everybody comes. Raises OSError.
    """
    late = [one for one in coming if one.late_by(now) >= 0]
    there = served() if late else []
    for one in late:
        theirs = [connection for connection in there if connection.peer == read_address(one.peer)]
        if one.late_by(now) >= SECONDS and not one.by_proxy:
            ended, how = theirs, socket.SHUT_RDWR
        else:
            quiet = [connection for connection in theirs if connection.quiet >= now - one.began - LOOK_SECONDS]
            ended, how = sorted(quiet, key=lambda connection: connection.quiet)[:1], socket.SHUT_RD
        if ended:
            for other in coming:
                other.is_cut = other.is_cut or other.peer == one.peer
        for connection in ended:
            connection.end(how)
            there.remove(connection)


@dataclass(frozen=True)
class Connection:
    """One that a client has made to this process: its number here, and which connection the number then meant.

    ``quiet`` is how many seconds ago something was last sent on it; -1 where the system does not say.
    """

    number: int
    inode: int
    peer: Address
    quiet: float

    def end(self, how: int = socket.SHUT_RD) -> None:
        """Receive nothing more by it; with ``SHUT_RD`` an answer can still be sent."""
        with suppress(OSError), _copy(self.number) as found:
            if os.fstat(found.fileno()).st_ino == self.inode:
                found.shutdown(how)


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
                found.append((port, Connection(number, os.fstat(one.fileno()).st_ino, peer, _quiet_for(one))))
    return [connection for port, connection in found if port in ports]


@contextmanager
def _copy(number: int) -> Iterator[socket.socket]:
    """Have a copy of the socket, whose number cannot come to mean another file meanwhile. Raises OSError."""
    copy = os.dup(number)
    try:
        if not stat.S_ISSOCK(os.fstat(copy).st_mode):
            raise OSError(f"{number} is no socket")
        found = socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise
    with found:
        yield found


def _quiet_for(connection: socket.socket) -> float:
    option = getattr(socket, "TCP_INFO", None)
    if option is None:
        return -1.0
    told = connection.getsockopt(socket.IPPROTO_TCP, option, SENT_BEFORE.size)
    return float(SENT_BEFORE.unpack(told)[0]) / 1000
