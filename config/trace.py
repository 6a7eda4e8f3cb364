"""Which request a line of the log comes from, also in the tasks that the request asks for."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

HEADER = "sixprime_request"
"""Of a task's message: the request that asked for it."""

_current: ContextVar[str] = ContextVar("request", default="")


def new_request_id() -> str:
    return secrets.token_hex(8)


def current_request_id() -> str:
    """Return the id of the request now being answered, or for which a task is done; empty outside of both."""
    return _current.get()


@contextmanager
def belonging_to(request_id: str) -> Iterator[None]:
    """Say in each line that is logged within the block that it belongs to this request."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)
