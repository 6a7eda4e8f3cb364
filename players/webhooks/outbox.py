"""The outbox: what an endpoint is told is stored in the transaction of what it tells of, and sent after it."""

import json
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from django.db import transaction

from players.models import Federation
from players.webhooks.models import EVENTS, Delivery, Webhook
from players.webhooks.wake import ask_to_deliver

MOST_BODY = 8_000
"""The longest body, in bytes: it tells what happened and where to read more, never the thing itself."""


def tell(federation: Federation | None, event: str, data: Mapping[str, object], *, at: datetime) -> None:
    """Store what happened for each endpoint of the federation that asks for it; workers send it once this commits.

    ``data`` has ids and addresses and no names of people. Belongs in the transaction of what it tells of.
    """
    tell_all([federation] if federation is not None else [], event, data, at=at)


def tell_all(federations: Iterable[Federation], event: str, data: Mapping[str, object], *, at: datetime) -> None:
    """Do as :func:`tell` for several federations, each told under its own code."""
    if event not in EVENTS:
        raise ValueError(event)
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("What is told belongs in the transaction of what it tells of.")
    for webhook in Webhook.objects.filter(federation__in=list(federations), ended_at=None).select_related("federation"):
        if event in webhook.events:
            _store(webhook, event, data, at)


def _store(webhook: Webhook, event: str, data: Mapping[str, object], at: datetime) -> None:
    message = uuid.uuid4()
    said = {
        "id": str(message),
        "event": event,
        "at": at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "federation": webhook.federation.code,
        "data": dict(data),
    }
    body = json.dumps(said, separators=(",", ":"))
    if len(body) > MOST_BODY:
        raise ValueError(f"The body of {event} is too long.")
    Delivery.objects.create(webhook=webhook, message=message, event=event, body=body, at=at, next_at=at)
    ask_to_deliver(webhook.pk)
