"""A process that is to stop takes no more connections, and answers on those that it has taken."""

import os
import re
import select
import time
from contextlib import suppress
from pathlib import Path

OPEN = Path("/proc/self/fd")
TOLD = re.compile(r"^tfd: +(\d+)", re.MULTILINE)
"""Which files an epoll is told about, in its ``fdinfo``."""

LAST_REQUESTS_SECONDS = 0.5
"""How long requests may take to arrive on connections that were taken at the end."""


def stop_listening(port: int) -> None:
    """Take no more connections from the open port of this number, which other processes share and go on with.

    It cannot be closed for this process alone; so its event loops are no longer told of it. Without Linux nothing
    happens.
    """
    if not OPEN.exists():
        return
    with suppress(OSError):
        listener = (OPEN / str(port)).readlink()
        for number in [int(path.name) for path in OPEN.iterdir()]:
            with suppress(OSError):  # it was closed meanwhile, as was the list itself
                if str((OPEN / str(number)).readlink()) == "anon_inode:[eventpoll]":
                    _forget(number, listener)
        time.sleep(LAST_REQUESTS_SECONDS)


def _forget(epoll: int, listener: Path) -> None:
    for told in TOLD.findall(Path(f"/proc/self/fdinfo/{epoll}").read_text()):
        if (OPEN / told).readlink() == listener:
            with select.epoll.fromfd(os.dup(epoll)) as loop:
                loop.unregister(int(told))
