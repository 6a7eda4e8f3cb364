"""Write transactions that begin as soon as the previous one has ended."""

import time

from django.db import OperationalError
from django.db.backends.sqlite3 import base

LOOK_SECONDS = 0.002
"""How long a writer sleeps between two looks. SQLite itself sleeps up to 0.1 s, and others slip in."""


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        """Begin the transaction. Raises OperationalError after waiting longer than the ``timeout``."""
        seconds = self.settings_dict["OPTIONS"].get("timeout", 5)
        until = time.monotonic() + seconds
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    return super()._start_transaction_under_autocommit()  # type: ignore[misc]
                except OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > until:
                        raise
                time.sleep(LOOK_SECONDS)
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
