"""The cache of a single machine. A federation uses django-redis instead; see ``CACHES`` in the settings."""

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.cache.backends.filebased import FileBasedCache


class ForgetfulFolder(FileBasedCache):
    """A folder that drops a value it cannot write, for instance on a full disk, instead of failing the page."""

    def set(self, key: str, value: Any, *args: Any, **terms: Any) -> None:
        with suppress(OSError):
            super().set(key, value, *args, **terms)

    def add(self, key: str, value: Any, *args: Any, **terms: Any) -> bool:
        """Keep the value unless there is one already, and say whether it was kept.

        Of all threads and processes that add it at the same moment, one is told so; where nothing can be written, all.
        """
        with suppress(OSError):
            self._createdir()  # type: ignore[attr-defined]
            with Path(self._dir, "adding").open("ab") as line:  # type: ignore[attr-defined]
                fcntl.flock(line, fcntl.LOCK_EX)
                return super().add(key, value, *args, **terms)
        return True
