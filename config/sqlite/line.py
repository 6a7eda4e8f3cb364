"""The line in which writers wait: threads of a process in the order in which they come, processes in a queue of Linux.

It only saves writers from waking again and again to see whether the database is free: SQLite's own lock decides. So a
writer that gives up waiting here may still try, and a program that does not know of the line is waited for too.
"""

import fcntl
import os
import threading
import time
from collections import deque
from pathlib import Path

_lines: dict[Path, "Line"] = {}
_opening = threading.Lock()


def line_for(database: Path) -> "Line":
    """Return this process's line for the database."""
    with _opening:
        if database not in _lines:
            _lines[database] = Line(database.with_name(f"{database.name}-line"))
        return _lines[database]


def _leave_lines_to_parent() -> None:
    """Let go of the lines of the process that this one is a copy of."""
    global _opening
    _opening = threading.Lock()
    for line in _lines.values():
        line.close()
    _lines.clear()


os.register_at_fork(after_in_child=_leave_lines_to_parent)


class Line:
    """The line for one database in this process; its place among the processes is a lock on a file of its own.

    The system lets go of the lock when the process ends, however it ends.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False  # somebody of this process has the turn
        self._called = False  # the doorman waits for the other processes
        self._calls = threading.Semaphore(0)
        self._doorman: threading.Thread | None = None

    def enter(self, until: float) -> bool:
        """Wait for a turn until that moment of the monotonic clock; whether it has come."""
        with self._mutex:
            if not self._taken and not self._called and self._is_free():
                self._taken = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
            self._call_doorman()
        if turn.acquire(timeout=max(0.0, until - time.monotonic())):
            return True
        with self._mutex:
            if turn not in self._waiting:
                return True  # it has come at the last moment
            self._waiting.remove(turn)
        return False

    def leave(self) -> None:
        """Let the next one have a turn, of whichever process."""
        with self._mutex:
            self._taken = False
            fcntl.flock(self._file, fcntl.LOCK_UN)
            if self._waiting:
                self._call_doorman()

    def __len__(self) -> int:
        """How many of this process wait."""
        return len(self._waiting)

    def close(self) -> None:
        os.close(self._file)

    def _is_free(self) -> bool:
        """Whether no other process has the turn; then this one has it."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _call_doorman(self) -> None:
        if self._taken or self._called:
            return
        self._called = True
        if self._doorman is None:
            self._doorman = threading.Thread(target=self._admit, name="writers in line", daemon=True)
            self._doorman.start()
        self._calls.release()

    def _admit(self) -> None:
        """Give the first in line a turn whenever this process has one: a wait for other processes has no time limit."""
        while True:
            self._calls.acquire()
            fcntl.flock(self._file, fcntl.LOCK_EX)
            with self._mutex:
                self._called = False
                if self._waiting:
                    self._taken = True
                    self._waiting.popleft().release()
                else:
                    fcntl.flock(self._file, fcntl.LOCK_UN)
