"""The tasks of the workers. Each takes ids and calls one function, and may be lost or run twice without harm.

They have a queue of their own and do a little at a time, so that standings never wait long behind them.
"""

from celery import shared_task
from django.utils import timezone

from matches.counting import moment_to_count
from matches.ratings import count_on, is_covered, rate_some


@shared_task(once=True)  # type: ignore[call-overload] # of config.celery.HealedTask
def rate(system: str, covers: int | None = None) -> None:
    """Compute the list; ``covers`` says what it is asked for by, and a list that covers this already is left alone."""
    at = moment_to_count(timezone.now())
    if covers is not None and is_covered(system, covers):
        return
    if rate_some(system, at=at, covers=covers) is None:
        rate.delay(system, covers)


@shared_task(once=True)  # type: ignore[call-overload] # of config.celery.HealedTask
def count_matches() -> None:
    """Count what has been decided since, so that a rating or a preview of a correction finds little left to count."""
    if not count_on(at=moment_to_count(timezone.now())):
        count_matches.delay()
