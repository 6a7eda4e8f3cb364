"""The cache of a single machine. A federation uses django-redis instead; see ``CACHES`` in the settings."""

import fcntl
import os
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from django.core.cache.backends.filebased import FileBasedCache

ROUGHLY = 60
"""Seconds by which the clock of a file system that another machine serves may be ahead."""
CULL_SECONDS = 60
"""How long a process waits before it looks through the whole folder again."""


class ForgetfulFolder(FileBasedCache):
    """A folder that drops a value it cannot write or read, for instance on a full disk, instead of failing the page."""

    _culled_next: ClassVar[dict[str, float]] = {}
    """By folder, for each thread has an object of its own."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        with suppress(OSError):
            return super().get(key, default, version)
        return default

    def touch(self, key: str, *args: Any, **terms: Any) -> bool:
        with suppress(OSError):
            return super().touch(key, *args, **terms)
        return False

    def has_key(self, key: str, version: int | None = None) -> bool:
        with suppress(OSError):
            return super().has_key(key, version)
        return False

    def delete(self, key: str, version: int | None = None) -> bool:
        with suppress(OSError):
            return super().delete(key, version)
        return False

    def set(self, key: str, value: Any, *args: Any, **terms: Any) -> None:
        with suppress(OSError):
            super().set(key, value, *args, **terms)

    def add(self, key: str, value: Any, *args: Any, **terms: Any) -> bool:
        """Keep the value unless there is one already, and say whether it was kept.

        Of all threads and processes that add it at the same moment, one is told so; where nothing can be written, all.
        """
        with suppress(OSError), self._alone():
            return super().add(key, value, *args, **terms)
        return True

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int | None:  # type: ignore[override]
        """Add to the number, which lasts as long as before, and return it: another one to each who adds at once.

        Return None where nothing can be written. Raises ValueError if there is no such number.
        """
        with suppress(OSError), self._alone():
            path = Path(self._key_to_file(key, version))  # type: ignore[attr-defined]
            number = self.get(key, version=version)
            if number is None:
                raise ValueError(f"There is no {key!r}.")
            with path.open("rb") as kept:
                ends: float | None = pickle.load(kept)  # noqa: S301 - as Django's own reading of it
            super().set(key, number + delta, None if ends is None else ends - time.time(), version)
            return int(number + delta)
        return None

    def _cull(self) -> None:
        """Once a minute, remove what is over and, if there is still too much, some of the rest.

        Django looks through the folder at each write, which takes the longer the more there is.
        """
        now = time.monotonic()
        if now < self._culled_next.get(self._dir, 0):  # type: ignore[attr-defined]
            return
        self._culled_next[self._dir] = now + CULL_SECONDS  # type: ignore[attr-defined]
        for name in self._list_cache_files():  # type: ignore[attr-defined]
            with suppress(OSError), Path(name).open("rb") as file:
                self._is_expired(file)
        super()._cull()  # type: ignore[misc]

    def _is_expired(self, file: Any) -> bool:
        """Whether the value is over, or was written at a time that is still to come: by a clock that was ahead.

        Otherwise an attempt to sign in could count for a year.
        """
        if os.fstat(file.fileno()).st_mtime > time.time() + ROUGHLY:
            file.close()
            self._delete(file.name)  # type: ignore[attr-defined]
            return True
        return bool(super()._is_expired(file))  # type: ignore[misc]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one after the other change the folder. Raises OSError where nothing can be written."""
        self._createdir()  # type: ignore[attr-defined]
        with Path(self._dir, "adding").open("ab") as line:  # type: ignore[attr-defined]
            fcntl.flock(line, fcntl.LOCK_EX)
            yield
