"""Waiting for another computer, but no longer than a bound: a worker has the standings to make as well."""

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def within(seconds: float, act: Callable[[], T], *, give_up: Callable[[], None]) -> T:
    """Return what ``act`` returns, and raise what it raises.

    Raises TimeoutError after so many seconds, whatever ``act`` is waiting for: a timeout of a socket begins anew with
    each byte, and that of a name server is not ours. ``give_up`` then ends what ``act`` waits for; it touches no row.
    """
    came: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            came.append(act())
        except BaseException as error:  # raised below, in the thread that waits
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not came:
        give_up()
        raise TimeoutError(f"no answer within {seconds} s")
    return came[0]
