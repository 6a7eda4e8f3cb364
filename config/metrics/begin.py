"""What a process does that counts: it tells the others, and counts how long its writers wait.

On SQLite they wait for their turn, on PostgreSQL for the row of their event.
"""

import time
from collections.abc import Callable
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from config.metrics.instruments import SHARE, WANTED, writer_waited
from config.sqlite import base

LOCKS = " FOR UPDATE"


def take_part() -> None:
    """Tell the others what this process counts from now on, and its copies, unless nobody may ask for it."""
    if not WANTED:
        return
    SHARE.is_told = True
    if connections.settings["default"]["ENGINE"] == "config.sqlite":
        base.waited.append(writer_waited)
    else:
        connection_created.connect(_time_locks, dispatch_uid="writers")


def _time_locks(connection: BaseDatabaseWrapper, **_more: object) -> None:
    if _locking not in connection.execute_wrappers:
        connection.execute_wrappers.append(_locking)


def _locking(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    if LOCKS not in sql:
        return execute(sql, params, many, context)
    began = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        writer_waited(time.perf_counter() - began)
