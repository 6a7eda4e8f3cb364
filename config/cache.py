"""The cache of one machine; that of a federation is django-redis, which ``CACHES`` in the settings sets up."""

from contextlib import suppress
from typing import Any

from django.core.cache.backends.filebased import FileBasedCache


class ForgetfulFolder(FileBasedCache):
    """A folder that keeps nothing while nothing can be written, on a full disk say; pages are made all the same."""

    def set(self, key: str, value: Any, *args: Any, **terms: Any) -> None:
        with suppress(OSError):
            super().set(key, value, *args, **terms)
