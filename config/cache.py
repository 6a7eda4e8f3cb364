"""Redis as the cache of a federation, and a folder as that of one machine."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

T = TypeVar("T")


class ForgetfulFolder(FileBasedCache):
    """While nothing can be written, on a full disk say, nothing is kept; a page is made all the same."""

    def set(self, key: str, value: Any, *args: Any, **terms: Any) -> None:
        with suppress(OSError):
            super().set(key, value, *args, **terms)


class ForgetfulCache(RedisCache):
    """While Redis is out of reach nothing is known and nothing is kept; a page is made all the same.

    Nor is it counted then how often somebody tries to sign in.
    """

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return _or(default, lambda: super(ForgetfulCache, self).get(key, default, version))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        return _or({}, lambda: super(ForgetfulCache, self).get_many(keys, version))

    def has_key(self, key: str, version: int | None = None) -> bool:
        return _or(False, lambda: super(ForgetfulCache, self).has_key(key, version))

    def add(self, key: str, value: Any, *args: Any, **terms: Any) -> bool:
        return _or(False, lambda: super(ForgetfulCache, self).add(key, value, *args, **terms))

    def set(self, key: str, value: Any, *args: Any, **terms: Any) -> None:
        _or(None, lambda: super(ForgetfulCache, self).set(key, value, *args, **terms))

    def set_many(self, data: dict[str, Any], *args: Any, **terms: Any) -> list[str]:
        return _or(list(data), lambda: super(ForgetfulCache, self).set_many(data, *args, **terms))

    def delete(self, key: str, version: int | None = None) -> bool:
        return _or(False, lambda: super(ForgetfulCache, self).delete(key, version))

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        _or(None, lambda: super(ForgetfulCache, self).delete_many(keys, version))


def _or(without: T, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except RedisError:
        return without
