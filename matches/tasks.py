"""The tasks of the workers. Each takes ids and calls one function, and may be lost or run twice without harm."""

from celery import shared_task
from django.utils import timezone

from matches.ratings import rate_matches


@shared_task
def rate(system: str) -> None:
    rate_matches(system, at=timezone.now())
