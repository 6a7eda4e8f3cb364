"""What follows from a frozen value, computed once for as long as the value, or one equal to it, is asked about."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, TypeVar

Result = TypeVar("Result")


def remembered(most: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Remember the last ``most`` results of a function of a frozen value and of a few small ones.

    The value itself is recognized without a look at what is in it, which for a pairing with its score sheets takes
    longer than anything else; another value is compared with those before it.
    """

    def remember(function: Callable[..., Result]) -> Callable[..., Result]:
        by_value = lru_cache(maxsize=most)(function)
        by_identity: dict[tuple[Hashable, ...], tuple[Any, Result]] = {}

        @wraps(function)
        def answer(value: Hashable, *others: Hashable) -> Result:
            key = (id(value), *others)
            found = by_identity.get(key)
            if found is not None and found[0] is value:
                return found[1]
            result = by_value(value, *others)
            if len(by_identity) >= most:
                by_identity.clear()
            by_identity[key] = value, result
            return result

        return answer

    return remember
