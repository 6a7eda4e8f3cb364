"""How long what has ended waits before it is started again."""

import time
from collections.abc import Callable

LASTED_SECONDS = 10.0
"""What has served for so long and then ends has had an accident; what ends sooner may well end again."""

LONGEST_SECONDS = 30.0
LONGEST_ALONE_SECONDS = 2.0
"""While nothing else serves, people wait for this one."""

OFTEN = 3
"""After so many short lives in a row something is wrong, and people are told."""


class Backoff:
    """Counts short lives in a row. After the first nobody waits; then it is 1, 2, 4 ... and at most 30 seconds.

    It is at most 2 seconds for what is ``alone``: while it waits, nobody serves in its place.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._serves_since: float | None = None
        self._short_lives = 0
        self._ended_at = clock()
        self._wait = 0.0

    def serves(self) -> None:
        """Note that it has started, and serves from now on."""
        self._serves_since = self._clock()

    def ended(self, *, alone: bool = False) -> float:
        """Note that it has ended, and return how many seconds it waits."""
        self._short_lives = 1 if self._has_lasted() else self._short_lives + 1
        self._serves_since = None
        self._ended_at = self._clock()
        self._wait = 0.0 if self._short_lives == 1 else min(LONGEST_SECONDS, 2.0 ** (self._short_lives - 2))
        return self._limited(alone)

    def due(self, *, alone: bool = False) -> float:
        """Return when it is to be started again."""
        return self._ended_at + self._limited(alone)

    def has_begun(self) -> bool:
        return self._serves_since is not None

    def is_due(self, *, alone: bool = False) -> bool:
        return self._clock() >= self.due(alone=alone)

    def keeps_ending(self) -> bool:
        """Whether it has ended again and again, and has not lasted since."""
        return self._short_lives >= OFTEN and not self._has_lasted()

    def _has_lasted(self) -> bool:
        return self._serves_since is not None and self._clock() - self._serves_since >= LASTED_SECONDS

    def _limited(self, alone: bool) -> float:
        return min(self._wait, LONGEST_ALONE_SECONDS) if alone else self._wait
