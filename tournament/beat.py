"""A worker says that it works, and whoever asks hears it.

It is not compared with the time of day: the clock of one machine counts on whatever the time is set to, and Redis
forgets by a clock of its own.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.cache import cache

BEAT = "worker-beat"
SILENT_SECONDS = 60
"""After so long without a word from any worker it is taken for lost: ``heal`` alone speaks three times meanwhile."""


def say_worker_works(*, clock: Callable[[], float] = time.monotonic) -> None:
    """Let whoever asks know that a worker is at work now; where it cannot be written, it stays unsaid."""
    if settings.REDIS_URL:
        cache.set(BEAT, True, SILENT_SECONDS)
        return
    with suppress(OSError):
        draft = _beat().with_suffix(f".{os.getpid()}")
        draft.write_text(str(clock()))
        draft.replace(_beat())


def is_worker_heard(*, clock: Callable[[], float] = time.monotonic) -> bool:
    """Whether a worker has said in the last minute that it works."""
    if settings.REDIS_URL:
        return bool(cache.get(BEAT))
    try:
        return 0 <= clock() - float(_beat().read_text()) < SILENT_SECONDS
    except (OSError, ValueError):
        return False


def _beat() -> Path:
    return Path(settings.VAR_DIR, BEAT)
