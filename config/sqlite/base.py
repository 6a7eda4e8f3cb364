"""Write transactions that begin as soon as the previous one has ended, in the order in which they were asked for."""

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from config.sqlite.line import Line, line_for
from config.sqlite.waiting import PAGE_SECONDS, in_page, waiting

NUMBERS = count(1)

LOOK_SECONDS = 0.002
"""How long a writer sleeps between two looks, while a program that does not know of the line writes.

SQLite itself sleeps up to 0.1 s, and others slip in.
"""

waited: list[Callable[[float], None]] = []
"""Those who are told how long each writer has waited, in seconds."""


class DatabaseWrapper(base.DatabaseWrapper):
    _line: Line | None = None
    """The line in which this connection has its turn."""
    _number = 0
    """Of the connection; none has the number of another one."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._number = next(NUMBERS)
        made = super().get_new_connection(conn_params)
        if in_page.get():
            made.execute(f"PRAGMA busy_timeout = {int(self._seconds() * 1000)}")
        return made

    def stamp(self) -> tuple[int, int, int] | None:
        """Return a value that never comes again once anybody has committed anything; None in a transaction.

        It takes a few microseconds and reads no table: ``data_version`` counts the commits of others, and a connection
        knows of its own changes. Each connection has values of its own. Raises DatabaseError.
        """
        if self.connection is None or self.in_atomic_block:
            return None
        with self.wrap_database_errors:
            (others,) = self.connection.execute("PRAGMA data_version").fetchone()
        return self._number, others, self.connection.total_changes

    def _seconds(self) -> float:
        """Return how long this writer may wait: a page less than a worker or a command."""
        seconds: float = self.settings_dict["OPTIONS"].get("timeout", 5)
        return min(seconds, PAGE_SECONDS) if in_page.get() else seconds

    def _start_transaction_under_autocommit(self) -> None:
        """Begin the transaction in its turn. Raises OperationalError after waiting longer than it may."""
        with waiting():
            self._begin_in_turn()

    def _begin_in_turn(self) -> None:
        seconds = self._seconds()
        began = time.monotonic()
        until = began + seconds
        self._wait_in_line(until)
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    super()._start_transaction_under_autocommit()  # type: ignore[misc]
                    return
                except OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > until:
                        self._leave_line()
                        raise
                time.sleep(LOOK_SECONDS)
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
            for told in waited:
                told(time.monotonic() - began)

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._leave_line()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave_line()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave_line()

    def _wait_in_line(self, until: float) -> None:
        if not self.is_in_memory_db():
            line = line_for(Path(self.settings_dict["NAME"]))
            if line.enter(until):
                self._line = line

    def _leave_line(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.leave()
