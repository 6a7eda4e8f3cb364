"""Counting attempts: exactly, also those made at the same moment, in the cache that all processes share.

While the cache is away or full, each process counts for itself.
"""

import time
from dataclasses import dataclass
from threading import Lock

from django.core.cache import caches

CACHE = "limits"
"""In a folder of its own, from which no page that is kept pushes a count; with Redis among the other keys."""
SECONDS_AWAY = 5.0
"""How long a cache that did not answer is left in peace: each question to one that hangs takes a second."""
MOST_KEPT = 20_000


class Counts:
    """The counts of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[str, int] = {}
        self._asks_again_at = 0.0

    def clear(self) -> None:
        with self._lock:
            self._counts.clear()
            self._asks_again_at = 0.0

    def add(self, key: str, by: int = 1) -> int:
        with self._lock:
            if len(self._counts) >= MOST_KEPT and key not in self._counts:
                for old in list(self._counts)[: MOST_KEPT // 2]:
                    del self._counts[old]
            self._counts[key] = self._counts.get(key, 0) + by
            return self._counts[key]

    def of(self, key: str) -> int:
        return self._counts.get(key, 0)

    def may_ask(self) -> bool:
        return time.monotonic() >= self._asks_again_at

    def heard_nothing(self) -> None:
        self._asks_again_at = time.monotonic() + SECONDS_AWAY


COUNTS = Counts()


def count(key: str, seconds: int, by: int = 1) -> int:
    """Count one more under the key, which is forgotten after the seconds, and return how many there are now.

    Of several that count at the same moment, in whatever process, each gets another number.
    """
    own = COUNTS.add(key, by)
    if not COUNTS.may_ask():
        return own
    if caches[CACHE].add(key, 0, seconds) is not None:
        try:
            shared = caches[CACHE].incr(key, by)
        except ValueError:  # there was no room for it
            return own
        if shared is not None:
            return shared
    COUNTS.heard_nothing()
    return own


def counted(key: str) -> int:
    """Return how many were counted under the key."""
    shared = caches[CACHE].get(key, 0) if COUNTS.may_ask() else 0
    return max(COUNTS.of(key), shared if isinstance(shared, int) else 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one who tries stands after an attempt: how many more there are now, and when one more comes at the latest."""

    limit: int
    remaining: int
    wait: float
    is_within: bool


def attempt(key: str, *, limit: int, seconds: int, at: float) -> Standing:
    """Count one attempt, and say whether it is within the limit for any span of so many seconds.

    The span before the present one of the clock weighs as much as is left of the present one. Keys carry the number of
    their span, so that a clock that was wrong for a while locks nobody out afterwards.
    """
    span, passed = divmod(at, seconds)
    number = count(f"{key}-{seconds}-{span:.0f}", 2 * seconds)
    before = min(counted(f"{key}-{seconds}-{span - 1:.0f}"), limit)
    used = number + before * (1 - passed / seconds)
    return Standing(limit, max(int(limit - used), 0), seconds - passed + seconds / limit, used <= limit)


def give_back(key: str, *, seconds: int, at: float) -> None:
    """Take an attempt of that time back, as if it had not been made."""
    count(f"{key}-{seconds}-{at // seconds:.0f}", 2 * seconds, by=-1)
