"""What an earlier start with this data and on this port has left is found and ended, and nothing else is touched."""

import fcntl
import os
import select
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from django.conf import settings

SECONDS = 2.0
"""How long it may take to stop; then it is killed."""

MARK = "SIXPRIME_SERVES"
"""In the environment of every part: which data it serves, and on which port."""


def mark() -> str:
    return f"{settings.VAR_DIR}:{settings.PORT}"


def hold_lock() -> IO[str] | None:
    """Return the lock of this data folder and port, held until this process ends; None if another start holds it."""
    file = (settings.VAR_DIR / f"serve-{settings.PORT}.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def end_leftovers() -> None:
    """End every process that carries the mark. The caller holds the lock: whoever started them is gone.

    Afterwards their ports are free. A process that ends has lost its mark some time before it closes its ports.
    """
    deadline = time.monotonic() + SECONDS
    asked: set[int] = set()
    ends: list[int] = []
    while left := _marked():
        is_late = time.monotonic() > deadline
        for pid in left - asked:
            with suppress(OSError):  # it has ended, or the kernel is too old to tell
                ends.append(os.pidfd_open(pid))
        for pid in left if is_late else left - asked:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if is_late else signal.SIGTERM)
        asked |= left
        time.sleep(0.05)
    for end in ends:
        select.select([end], [], [], SECONDS)
        os.close(end)


def _marked() -> set[int]:
    """Return the processes of this user that carry the mark. Only Linux tells; elsewhere there are none."""
    sign = f"{MARK}={mark()}".encode()
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # somebody else's, or gone
            if sign in path.read_bytes().split(b"\0"):
                found.add(int(path.parent.name))
    return found - {os.getpid()}
