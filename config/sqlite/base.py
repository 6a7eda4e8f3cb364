"""Write transactions that begin as soon as the previous one has ended, in the order in which they were asked for."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.backends.sqlite3 import base

from config.sqlite.line import Line, line_for
from config.sqlite.waiting import PAGE_SECONDS, in_page, waiting

NUMBERS = count(1)

LOOK_SECONDS = 0.002
"""How long a writer sleeps between two looks, while a program that does not know of the line writes.

SQLite itself sleeps up to 0.1 s, and others slip in.
"""

PROBE_SECONDS = 1.0
"""How long one waits who only asks whether anybody can write."""

waited: list[Callable[[float], None]] = []
"""Those who are told how long each writer has waited, in seconds."""


def never_make_files() -> None:
    """From now on this process opens only a database that is there: what serves people does not begin another one."""
    global _makes_files
    _makes_files = False


_makes_files = True


class DatabaseWrapper(base.DatabaseWrapper):
    _line: Line | None = None
    """The line in which this connection has its turn."""
    _number = 0
    """Of the connection; none has the number of another one."""
    _file: tuple[int, int] | None = None
    """The file that the connection has opened: its device and its number there."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._number = next(NUMBERS)
        made = super().get_new_connection(self._without_making(conn_params))
        self._file = self._file_there()
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

    def has_lost_its_file(self) -> bool:
        """Whether the file that is open is no longer the one at its path: what is written to it would be lost.

        If another one is there, it is opened next. While there is none, this one stays open: it may be put back.
        """
        if self.connection is None or self._file is None:
            return False
        there = self._file_there()
        if there is not None and there != self._file and not self.in_atomic_block:
            self.close()
        return there != self._file

    def can_write(self) -> bool:
        """Whether the lock of a writer is free within ``PROBE_SECONDS``, or writers take turns; nothing is written."""
        if self.in_atomic_block:
            return True
        self.ensure_connection()
        before = self.stamp()
        self.connection.execute(f"PRAGMA busy_timeout = {int(PROBE_SECONDS * 1000)}")
        try:
            with self.wrap_database_errors:
                self.connection.execute("BEGIN IMMEDIATE")
                self.connection.execute("ROLLBACK")
        except OperationalError as error:
            if "locked" not in str(error):
                raise
            return self.stamp() != before
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {int(self._seconds() * 1000)}")
        return True

    def close_if_unusable_or_obsolete(self) -> None:
        super().close_if_unusable_or_obsolete()
        self.has_lost_its_file()

    def _without_making(self, conn_params: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters with which SQLite opens the file that is there, and makes none.

        An empty file beside what was written last, which SQLite keeps in a file of its own, would be the end of that.
        """
        if self.is_in_memory_db() or str(self.settings_dict["NAME"]).startswith("file:"):
            return conn_params
        path = Path(self.settings_dict["NAME"]).absolute()
        if _makes_files and not path.with_name(f"{path.name}-wal").exists():
            with suppress(OSError):  # it is there, as nearly always; or SQLite says what is wrong
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # so that nobody else may read it
        return {**conn_params, "database": f"{path.as_uri()}?mode=rw", "uri": True}

    def _file_there(self) -> tuple[int, int] | None:
        if self.is_in_memory_db():
            return None
        try:
            found = Path(self.settings_dict["NAME"]).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _seconds(self) -> float:
        """Return how long this writer may wait: a page less than a worker or a command."""
        seconds: float = self.settings_dict["OPTIONS"].get("timeout", 5)
        return min(seconds, PAGE_SECONDS) if in_page.get() else seconds

    def _start_transaction_under_autocommit(self) -> None:
        """Begin the transaction in its turn.

        Raises OperationalError after waiting longer than it may, and InterfaceError if the file is no longer there.
        """
        if self.has_lost_its_file():
            raise InterfaceError("the file of the database has been taken away")
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
