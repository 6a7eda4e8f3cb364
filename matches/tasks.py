"""The tasks of the workers. Each takes ids and calls one function, and may be lost or run twice without harm.

They have a queue of their own and do a little at a time, so that standings never wait long behind them.
"""

from celery import shared_task
from django.utils import timezone

from matches.ratings import count_on, rate_some


@shared_task(once=True)  # type: ignore[call-overload] # of config.celery.HealedTask
def rate(system: str) -> None:
    if rate_some(system, at=timezone.now()) is None:
        rate.delay(system)


@shared_task(once=True)  # type: ignore[call-overload] # of config.celery.HealedTask
def count_matches() -> None:
    """Count what has been decided since, so that a rating or a preview of a correction finds little left to count."""
    if not count_on(at=timezone.now()):
        count_matches.delay()
