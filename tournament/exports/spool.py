"""A file is whole before the first byte of it is sent: it is read without the database, however slowly.

While an answer is sent, its thread has no database connection any more (:mod:`config.answering`).
"""

from collections.abc import Iterable
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO

MOST_IN_MEMORY = 1 << 20
"""Bytes; a larger file lies on the disk."""


def spooled(pieces: Iterable[bytes]) -> IO[bytes]:
    """Return a temporary file made of all the pieces, at its beginning; to close it deletes it."""
    with ExitStack() as half_made:
        file = half_made.enter_context(SpooledTemporaryFile(max_size=MOST_IN_MEMORY))
        file.writelines(pieces)
        file.seek(0)
        half_made.pop_all()
    return file
