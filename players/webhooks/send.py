"""Sending what is due to an endpoint: to the address that was looked at, for a few seconds, following nothing."""

import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from http.client import HTTPException, HTTPSConnection
from urllib.parse import SplitResult

from django.conf import settings
from django.db import transaction

from players.bound import within
from players.webhooks.address import is_public, read_address
from players.webhooks.endpoints import secret_of, signature_of
from players.webhooks.models import MAX_FAULT, Delivery, Webhook

SECONDS = 5.0
"""How long an endpoint may take, from its name to the head of its answer."""
LEASE = timedelta(seconds=60)
"""How long a delivery that is being sent belongs to its worker; afterwards it is sent again, under the same id."""
MOST_AT_ONCE = 20
"""How many deliveries an endpoint gets in one run; beat asks for the next one 20 seconds later."""
LONGEST_RUN = timedelta(seconds=5)
"""After so long a run begins no other delivery: on a laptop the same worker has the standings to make."""
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440))
"""The pauses after each failure; after one more it is given up."""
KEEP_DELIVERED, KEEP_DEAD = timedelta(days=30), timedelta(days=90)
NO_PUBLIC_ADDRESS = "no public address"
"""The fault of a name that leads to a private network or nowhere: nobody is told which names are known inside."""

logger = logging.getLogger(__name__)


class Undelivered(Exception):  # noqa: N818
    """Nobody took it; the text says why, for the officers of the federation."""


def waiting_webhooks(*, at: datetime) -> list[int]:
    """Return the endpoints for which something is due."""
    due = Delivery.objects.filter(next_at__lte=at, webhook__ended_at=None)
    return list(due.order_by("webhook").values_list("webhook", flat=True).distinct())


def deliver_due(webhook_id: int, *, clock: Callable[[], datetime]) -> int:
    """Send what is due to the endpoint, the oldest first, until one fails; return how many were taken."""
    taken, begun = 0, clock()
    for _turn in range(MOST_AT_ONCE):
        now = clock()
        delivery = _claim(webhook_id, at=now) if now - begun < LONGEST_RUN else None
        if delivery is None:
            break
        try:
            _post(delivery.webhook, delivery, at=clock())
        except Undelivered as error:
            _postpone(delivery, str(error), at=clock())
            break
        held = Delivery.objects.filter(pk=delivery.pk, delivered_at=None)
        held.update(next_at=None, delivered_at=clock(), fault="")
        taken += 1
    return taken


def forget_deliveries(*, at: datetime) -> None:
    """Delete what was delivered or given up long ago."""
    Delivery.objects.filter(delivered_at__lt=at - KEEP_DELIVERED).delete()
    Delivery.objects.filter(next_at=None, delivered_at=None, at__lt=at - KEEP_DEAD).delete()


@transaction.atomic
def _claim(webhook_id: int, *, at: datetime) -> Delivery | None:
    due = Delivery.objects.filter(webhook=webhook_id, webhook__ended_at=None, next_at__lte=at)
    rows = due.select_for_update(of=("self",), skip_locked=True).select_related("webhook__federation")
    delivery = rows.order_by("next_at", "pk").first()
    if delivery is not None:
        delivery.attempts, delivery.next_at = delivery.attempts + 1, at + LEASE
        delivery.save(update_fields=["attempts", "next_at"])
    return delivery


def _postpone(delivery: Delivery, fault: str, *, at: datetime) -> None:
    again = at + PAUSES[delivery.attempts - 1] if delivery.attempts <= len(PAUSES) else None
    # One that was ended, sent again or taken meanwhile is no longer this worker's.
    held = Delivery.objects.filter(pk=delivery.pk, next_at=delivery.next_at, attempts=delivery.attempts)
    held.update(next_at=again, fault=fault[:MAX_FAULT])
    logger.info("webhook not delivered", extra={"delivery": delivery.pk, "fault": fault})


def _post(webhook: Webhook, delivery: Delivery, *, at: datetime) -> None:
    parts = read_address(webhook.address)
    if parts is None:
        raise Undelivered("address")
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sixprime",
        "Sixprime-Event": delivery.event,
        "Sixprime-Delivery": str(delivery.message),
        "Sixprime-Signature": signature_of(secret_of(webhook), delivery.body, at=at),
    }
    connection = _Pinned(parts)

    def ask() -> int:
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, delivery.body.encode(), headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def give_up() -> None:
        with suppress(OSError, AttributeError):  # it may have no connection yet, or none any more
            connection.sock.shutdown(socket.SHUT_RDWR)

    try:
        status = within(SECONDS, ask, give_up=give_up)
    except (OSError, HTTPException, UnicodeError) as error:
        raise Undelivered(type(error).__name__) from error
    if not 200 <= status < 300:
        raise Undelivered(f"status {status}")


class _Pinned(HTTPSConnection):
    """A connection to the very IP address that was found to be public: a name could lead elsewhere a moment later."""

    def __init__(self, parts: SplitResult) -> None:
        super().__init__(parts.hostname or "", parts.port, timeout=SECONDS, context=ssl.create_default_context())
        self._may_be_private = parts.netloc.lower() in settings.WEBHOOK_HOSTS

    def connect(self) -> None:
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise Undelivered(NO_PUBLIC_ADDRESS) from error
        addresses = [str(address[0]) for *_kind, address in found]
        if not self._may_be_private and not all(map(is_public, addresses)):
            raise Undelivered(NO_PUBLIC_ADDRESS)
        plain = socket.create_connection((addresses[0], self.port), self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined]
