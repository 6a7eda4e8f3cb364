"""SQLite as strict as PostgreSQL about what a statement may hold."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DataError, connection


def _execute(do: Callable, sql: str, params: Any, *rest: Any) -> Any:
    if any(isinstance(value, str) and "\0" in value for value in params or ()):
        raise DataError("PostgreSQL text fields cannot hold such a character")
    return do(sql, params, *rest)


@contextmanager
def like_postgresql() -> Iterator[None]:
    """Fail where a text of a statement has U+0000, as PostgreSQL's driver does."""
    with connection.execute_wrapper(_execute):
        yield
