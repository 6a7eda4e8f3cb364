"""Asks a worker to deliver, by the name of its task, so that the outbox does not import what sends."""

from functools import partial

from celery import current_app
from django.db import transaction

TASK = "players.tasks.deliver"


def ask_to_deliver(webhook_id: int) -> None:
    """Queue the deliveries of this endpoint once the transaction is committed; if that fails, beat asks again."""
    transaction.on_commit(partial(_ask, webhook_id), robust=True)


def _ask(webhook_id: int) -> None:
    current_app.tasks[TASK].delay(webhook_id)
