"""Whether this request may wait long for its turn to write: a page may not, a worker or a command may."""

from contextvars import ContextVar

PAGE_SECONDS = 2.0
"""The longest that a page waits for the lock of the database."""

in_page: ContextVar[bool] = ContextVar("in_page", default=False)
