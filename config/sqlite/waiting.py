"""How long a writer may wait for its turn, and whether it waits now: a page tells, a worker or a command need not."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PAGE_SECONDS = 2.0
"""The longest that a page waits for the lock of the database."""

in_page: ContextVar[bool] = ContextVar("in_page", default=False)


class Writer:
    """A request that may write; ``since`` is when it began to wait for the database, None while it does not."""

    def __init__(self, since: float | None = None) -> None:
        self.since = since


writer: ContextVar[Writer | None] = ContextVar("writer", default=None)
"""The request that is answered here, if it may write."""


@contextmanager
def waiting() -> Iterator[None]:
    """Say that this request waits for the database, until the end."""
    one = writer.get()
    if one is None or one.since is not None:
        yield
        return
    one.since = time.monotonic()
    try:
        yield
    finally:
        one.since = None
