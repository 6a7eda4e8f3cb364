"""How long what has ended waits before it is started again."""

import time
from collections.abc import Callable

LASTED_SECONDS = 10.0
"""What has served for so long and then ends has had an accident; what ends sooner may well end again."""

LONGEST_SECONDS = 30.0
OFTEN = 3
"""After so many short lives in a row something is wrong, and people are told."""


class Backoff:
    """Counts short lives in a row. After the first nobody waits; then it is 1, 2, 4 ... and at most 30 seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._serves_since: float | None = None
        self._short_lives = 0
        self.due = clock()
        """When it is to be started again."""

    def serves(self) -> None:
        """Note that it has started, and serves from now on."""
        self._serves_since = self._clock()

    def ended(self) -> float:
        """Note that it has ended, and return how many seconds it waits."""
        self._short_lives = 1 if self._has_lasted() else self._short_lives + 1
        self._serves_since = None
        wait = 0.0 if self._short_lives == 1 else min(LONGEST_SECONDS, 2.0 ** (self._short_lives - 2))
        self.due = self._clock() + wait
        return wait

    def has_begun(self) -> bool:
        return self._serves_since is not None

    def is_due(self) -> bool:
        return self._clock() >= self.due

    def keeps_ending(self) -> bool:
        """Whether it has ended again and again, and has not lasted since."""
        return self._short_lives >= OFTEN and not self._has_lasted()

    def _has_lasted(self) -> bool:
        return self._serves_since is not None and self._clock() - self._serves_since >= LASTED_SECONDS
