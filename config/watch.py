"""Starting the parts of the site, each in its own process, keeping them running, and ending them together.

What ends is started again by itself, and the others go on. The processes that a part leaves when it dies, as the page
server leaves its copies, go on too until its successor serves.
"""

import os
import select
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress

from config.backoff import Backoff
from config.leftovers import MARK, mark
from config.ports import HANDED
from config.terminal import ServeError, say, say_where
from config.troubles import write_troubles
from config.watched import READY, STOP_SECONDS, TROUBLED, adopt_orphans

START_SECONDS = 180
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS = 0.1

MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072"}
"""The C library's memory for all parts: what a page no longer needs goes back, instead of a heap for each thread."""


class Life:
    """One process of a part, with all that it starts, from its start to its end."""

    def __init__(self, name: str, port: socket.socket | None) -> None:
        self.line, theirs = socket.socketpair()
        handed = (port.fileno(),) if port else ()
        # A session of its own: Ctrl-C reaches the watching process only, which then stops the parts in order.
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "config.serve", name],
            env={**MALLOC, **os.environ, MARK: mark(), HANDED: str(port.fileno() if port else "")},
            stdin=theirs.fileno(),
            start_new_session=True,
            pass_fds=handed,
        )
        theirs.close()
        self.line.setblocking(False)
        self.ends_at = 0.0

    def heard(self) -> list[str]:
        """Return the lines that it has told since the last look."""
        with suppress(OSError):
            return self.line.recv(4096).decode().splitlines()
        return []

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def end(self) -> None:
        """Let what is left of it end in order, and be killed if that takes too long."""
        self.line.close()
        self.ends_at = self.ends_at or time.monotonic() + STOP_SECONDS

    def is_over(self) -> bool:
        """Whether the process and all that it has started are gone."""
        if self.process.poll() is None:
            return False
        with suppress(ChildProcessError):
            while os.waitpid(-self.process.pid, os.WNOHANG)[0]:
                pass
        try:
            os.killpg(self.process.pid, 0)
        except (ProcessLookupError, PermissionError):
            return True
        if self.ends_at and time.monotonic() > self.ends_at:
            self.signal(signal.SIGKILL)
        return False


class Part:
    """A part and its process. Its ``url`` answers once the part is ready; a part without a URL is not waited for."""

    def __init__(self, name: str, url: str = "", port: socket.socket | None = None) -> None:
        self.name = name
        self.url = url
        self.port = port
        self.backoff = Backoff()
        self.troubled = 0
        self.life: Life | None = Life(name, port)
        self.left: list[Life] = []
        """Earlier lives of which something is left."""

    def wait_until_it_answers(self) -> None:
        """Return when it serves; if it is killed, it is started again. Raises ServeError if it fails or takes long."""
        deadline = time.monotonic() + START_SECONDS
        while self.url and time.monotonic() < deadline and not self._has_failed():
            self.look()
            if self.backoff.has_begun() and is_healthy(self.url):
                return
            time.sleep(0.05)
        if self.url:
            raise ServeError(f"The {self.name} did not start; the lines above say why.")

    def _has_failed(self) -> bool:
        """Whether its process has ended by itself."""
        code = self.life.process.poll() if self.life else None
        return code is not None and code >= 0

    def look(self) -> None:
        """Start it again if it has ended and has waited long enough."""
        self.left = [life for life in self.left if not life.is_over()]
        if not self.life:
            if self.backoff.is_due(alone=self._is_missed()):
                self.life = Life(self.name, self.port)
            return
        for line in self.life.heard():
            word, _space, number = line.partition(" ")
            if word == READY and not self.backoff.has_begun():
                self.backoff.serves()
                for life in self.left:
                    life.end()
            elif word == TROUBLED:
                self.troubled = int(number)
        if self.life.process.poll() is not None:
            code = self.life.process.returncode
            self.left += [] if self.life.is_over() else [self.life]
            self.life, self.troubled = None, 0
            wait = self.backoff.ended(alone=self._is_missed())
            when = f" in {wait:.0f} s" if wait else ""
            say(f"The {self.name} ended unexpectedly (exit {code}) and is started again{when}.", level="WARNING")

    def _is_missed(self) -> bool:
        """Whether it answers people, and nothing is left that does."""
        return bool(self.url) and not self.left

    def keeps_ending(self) -> bool:
        return bool(self.troubled) or self.backoff.keeps_ending()

    def signal(self, number: int) -> None:
        """Send the signal to the part and every process it has started."""
        for life in [*self.left, *([self.life] if self.life else [])]:
            life.signal(number)

    def is_over(self) -> bool:
        return all(life.is_over() for life in [*self.left, *([self.life] if self.life else [])])


def run_to_its_end(name: str) -> None:
    """Run a part that ends by itself, in a process of its own, whose memory is free afterwards. Raises ServeError."""
    life = Life(name, None)
    try:
        if life.process.wait():
            raise ServeError(f"The {name} failed; the lines above say why.")
    finally:
        life.signal(signal.SIGKILL)


def watch(urls: dict[str, str], ports: dict[str, socket.socket]) -> None:
    """Run these parts until interrupted, then stop them all. Raises ServeError if one of them does not start at all."""
    parts: list[Part] = []
    adopt_orphans()
    try:
        for name, url in urls.items():
            parts.append(Part(name, url, ports.get(name)))
        for part in parts:
            part.wait_until_it_answers()
        say_where()
        _look_after(parts)
    finally:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        for part in parts:
            part.signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while not all(part.is_over() for part in parts) and time.monotonic() < deadline:
            time.sleep(0.02)
        for part in parts:
            part.signal(signal.SIGKILL)
        write_troubles([])


def _look_after(parts: list[Part]) -> None:
    told: list[str] | None = None
    while True:
        for part in parts:
            part.look()
        if told != (told := [part.name for part in parts if part.keeps_ending()]):
            write_troubles(told)
        select.select([part.life.line for part in parts if part.life], [], [], LOOK_SECONDS)


_UNCHECKED = ssl.create_default_context()
"""A part of this site is asked by the address of this machine, which its certificate need not name."""
_UNCHECKED.check_hostname = False
_UNCHECKED.verify_mode = ssl.CERT_NONE


def is_healthy(url: str) -> bool:
    # The host is one that every installation allows, whatever address the probe takes.
    request = urllib.request.Request(url, headers={"Host": "localhost"})  # noqa: S310 - http on this host
    with suppress(OSError), urllib.request.urlopen(request, timeout=5, context=_UNCHECKED):  # noqa: S310
        return True
    return False
