"""A process that serves nothing itself, and keeps copies of itself that do.

They share what it has loaded, and one that ends is replaced in a moment, as nothing is loaded again. It has no threads:
a copy could find a lock of theirs that nobody opens any more.
"""

import os
import select
import signal
import socket
import time
from contextlib import suppress
from types import FrameType

from config.backoff import Backoff
from config.terminal import say
from config.watched import STOP_SECONDS, TROUBLED, end_with_watcher, tell_watcher

SIGNALS = (signal.SIGTERM, signal.SIGCHLD)


class Copies:
    """A number of copies of this process, each with a place of its own."""

    def __init__(self, count: int, name: str) -> None:
        self._name = name
        self._missing = {place: Backoff() for place in range(count)}
        self._lives = dict(self._missing)
        self._running: dict[int, int] = {}
        self._told = 0
        self._is_stopping = False
        self._woken, self._wakes = socket.socketpair()

    def keep(self) -> int | None:
        """Return the place in each copy; in this process None, when it was told to stop and all copies have ended."""
        self._woken.setblocking(False)
        self._wakes.setblocking(False)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        for number in SIGNALS:
            signal.signal(number, self._note)
        while not self._is_stopping:
            alone = not self._running
            for place in [place for place, life in self._missing.items() if life.is_due(alone=alone)]:
                if not self._make(place):
                    return place
            self._wait()
            self._gather()
            self._tell()
        self._stop()
        return None

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._is_stopping = self._is_stopping or number == signal.SIGTERM

    def _make(self, place: int) -> int:
        """Make the copy. Returns its number, or in the copy itself 0."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # a copy that is told to stop at once must not miss it
        pid = os.fork()
        if not pid:
            signal.set_wakeup_fd(-1)
            self._woken.close()
            self._wakes.close()
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            end_with_watcher()
        else:
            self._running[pid] = place
            self._missing.pop(place).serves()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        return pid

    def _wait(self) -> None:
        """Wait until a copy ends, or is due, or this process is to stop."""
        due = min((life.due(alone=not self._running) for life in self._missing.values()), default=None)
        # Whether a copy has lasted is looked at again after a while.
        wait = 1.0 if self._told else None if due is None else max(0.0, due - time.monotonic())
        readable, _writable, _failed = select.select([0, self._woken.fileno()], [], [], wait)
        with suppress(BlockingIOError):
            self._woken.recv(4096)
        if 0 in readable:
            self._is_stopping = True  # nobody writes there: the watcher is gone

    def _gather(self) -> None:
        """Note which copies have ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                place = self._running.pop(pid)
                self._missing[place] = self._lives[place]
                wait = self._missing[place].ended(alone=not self._running)
                if not self._is_stopping:
                    code = os.waitstatus_to_exitcode(status)
                    when = f" in {wait:.0f} s" if wait else ""
                    say(
                        f"A process of the {self._name} ended unexpectedly (exit {code}) and is started again{when}.",
                        level="WARNING",
                    )

    def _tell(self) -> None:
        """Tell the watcher how many copies keep ending, whenever that is another number."""
        told = sum(life.keeps_ending() for life in self._lives.values())
        if told != self._told:
            self._told = told
            tell_watcher(f"{TROUBLED} {told}")

    def _stop(self) -> None:
        deadline = time.monotonic() + STOP_SECONDS - 1
        for pid in self._running:
            os.kill(pid, signal.SIGTERM)
        while self._running and time.monotonic() < deadline:
            select.select([self._woken], [], [], 0.1)
            with suppress(BlockingIOError):
                self._woken.recv(4096)
            self._gather()
        for pid in self._running:
            os.kill(pid, signal.SIGKILL)
