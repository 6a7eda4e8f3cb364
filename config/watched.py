"""What ties a part to the process that watches it, and ends it when that is gone, however it went.

A part holds one end of a socket as its standard input, the watcher the other. The part tells a few words through it,
and reads when the watcher has gone. Linux also kills a part whose watcher dies, so that not even one that hangs stays.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress

STOP_SECONDS = 10
"""How long a part may take to stop; then it is killed."""

READY = "ready"
"""What a part tells its watcher as soon as it serves."""

TROUBLED = "troubled"
"""What it tells before the number of its processes that keep ending, whenever that changes."""

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def tell_watcher(text: str) -> None:
    with suppress(OSError):  # it is gone
        os.write(0, f"{text}\n".encode())


def die_with_watcher() -> None:
    """Let this process be killed when the one that started it ends; without Linux nothing happens."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def end_with_watcher() -> None:
    """Let this process stop in order when nobody holds the other end of its standard input any more."""
    threading.Thread(target=_end_at_the_end, daemon=True).start()


def adopt_orphans() -> None:
    """Become the parent of what a child leaves when it dies; without Linux nothing happens."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _end_at_the_end() -> None:
    with suppress(OSError):
        while os.read(0, 64):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
