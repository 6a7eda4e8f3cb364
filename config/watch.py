"""Starting the parts of the site, each in its own process, keeping them running, and ending them together."""

import os
import signal
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress

from config.parts import STOP_SECONDS
from config.terminal import ServeError, say, say_where

START_SECONDS = 60
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CRASHES_ALLOWED = 3  # within CRASH_WINDOW seconds
CRASH_WINDOW = 60.0

MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072"}
"""The C library's memory for all parts: what a page no longer needs goes back, instead of a heap for each thread."""


class Part:
    """A part and its process. Its ``url`` answers once the part is ready; a part without a URL is not waited for."""

    def __init__(self, name: str, url: str = "") -> None:
        self.name = name
        self.url = url
        self.crashes: list[float] = []
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C reaches the watching process only, which then stops the parts in order.
        return subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "config.serve", self.name],
            env={**MALLOC, **os.environ},
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def wait_until_it_answers(self) -> None:
        if not self.url:
            return
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            if is_healthy(self.url):
                return
            time.sleep(0.05)
        raise ServeError(f"The {self.name} did not start; the lines above say why.")

    def restart(self) -> None:
        now = time.monotonic()
        self.crashes = [*(crash for crash in self.crashes if now - crash < CRASH_WINDOW), now]
        if len(self.crashes) > CRASHES_ALLOWED:
            raise ServeError(f"The {self.name} ended {len(self.crashes)} times within a minute; everything is stopped.")
        say(f"The {self.name} ended unexpectedly (exit {self.process.returncode}) and is started again.")
        self.kill()
        self.process = self._start()

    def terminate(self) -> None:
        """Ask the part and every process it has started to end."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill the part and every process it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


def run_to_its_end(name: str) -> None:
    """Run a part that ends by itself, in a process of its own, whose memory is free afterwards. Raises ServeError."""
    part = Part(name)
    try:
        if part.process.wait():
            raise ServeError(f"The {name} failed; the lines above say why.")
    finally:
        part.kill()


def watch(urls: dict[str, str]) -> None:
    """Run these parts until interrupted, then stop them all. Raises ServeError if one of them does not stay up."""
    parts: list[Part] = []
    try:
        for name, url in urls.items():
            parts.append(Part(name, url))
        for part in parts:
            part.wait_until_it_answers()
        say_where()
        while True:
            time.sleep(0.25)
            for part in parts:
                if part.process.poll() is not None:
                    part.restart()
    finally:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        for part in parts:
            part.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for part in parts:
            with suppress(subprocess.TimeoutExpired):
                part.process.wait(max(0.0, deadline - time.monotonic()))
            part.kill()


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
