"""The cache of a single machine. A federation uses django-redis instead; see ``CACHES`` in the settings."""

from contextlib import suppress
from typing import Any

from django.core.cache.backends.filebased import FileBasedCache


class ForgetfulFolder(FileBasedCache):
    """A folder that drops a value it cannot write, for instance on a full disk, instead of failing the page."""

    def set(self, key: str, value: Any, *args: Any, **terms: Any) -> None:
        with suppress(OSError):
            super().set(key, value, *args, **terms)
