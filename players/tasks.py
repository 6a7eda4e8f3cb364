"""The tasks of the workers about people and federations. Each may be lost or run twice without harm."""

from celery import shared_task
from django.utils import timezone


@shared_task(once=True, asked_seconds=15)  # type: ignore[call-overload] # of config.celery.HealedTask
def deliver(webhook_id: int) -> None:
    """Send what is due to an endpoint; ``tournament.tasks.heal`` asks again for what is due later."""
    from players.webhooks.send import deliver_due  # noqa: PLC0415 - task

    deliver_due(webhook_id, clock=timezone.now)
