"""Endpoints of federations: made and ended by officers, each with a secret that is shown once."""

import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Federation, User
from players.registry.roles import require_federation
from players.webhooks.address import is_private_name, read_address
from players.webhooks.models import EVENTS, Delivery, Webhook
from players.webhooks.wake import ask_to_deliver

MOST = 10
"""How many endpoints a federation may have."""


@transaction.atomic
def make_webhook(
    federation: Federation, *, address: str, events: Sequence[str], by: User | None, at: datetime
) -> tuple[Webhook, str]:
    """Return a new endpoint and its secret. Raises Forbidden, Refusal, and Conflict for one too many or twice."""
    federation = Federation.objects.select_for_update().get(pk=federation.pk)
    require_federation(by, federation)
    address = check_address(address.strip())
    if not events or len(set(events)) < len(events) or not set(events) <= set(EVENTS):
        raise Refusal("webhook_events_unknown", _("Choose what the address is told of."), field="events")
    current = federation.webhooks.filter(ended_at=None)
    if current.filter(address=address).exists():
        raise Conflict("webhook_exists", _("This address is already registered."), field="address")
    if current.count() >= MOST:
        raise Conflict("webhooks_too_many", _("A federation has at most %(most)s webhooks.") % {"most": MOST})
    webhook = Webhook.objects.create(
        federation=federation,
        address=address,
        events=[event for event in EVENTS if event in events],
        nonce=secrets.token_hex(32),
        made_at=at,
        by=by,
    )
    return webhook, secret_of(webhook)


def check_address(address: str) -> str:
    """Return the address. Raises Refusal unless it is https to a host of the public network, or of WEBHOOK_HOSTS."""
    parts = read_address(address)
    if parts is None:
        raise Refusal(
            "webhook_address_unreadable",
            _("A webhook is a plain https address, such as https://example.org/hook."),
            field="address",
        )
    if is_private_name(parts.hostname or "") and parts.netloc.lower() not in settings.WEBHOOK_HOSTS:
        raise Refusal(
            "webhook_address_private",
            _("This address is of a private network, where nothing is sent."),
            field="address",
        )
    return address


@transaction.atomic
def end_webhook(webhook: Webhook, *, by: User | None, at: datetime) -> Webhook:
    """End the endpoint: it is told nothing more, not even what waits. Raises Forbidden."""
    webhook = Webhook.objects.select_for_update(of=("self",)).select_related("federation").get(pk=webhook.pk)
    require_federation(by, webhook.federation)
    if webhook.ended_at is None:
        webhook.ended_at = at
        webhook.save(update_fields=["ended_at"])
        webhook.deliveries.filter(next_at__isnull=False).update(next_at=None, fault="ended")
    return webhook


@transaction.atomic
def send_again(delivery: Delivery, *, by: User | None, at: datetime) -> Delivery:
    """Let a delivery that was given up be sent again, under its id. Raises Conflict unless it was, and Forbidden."""
    found = Delivery.objects.select_for_update(of=("self",)).select_related("webhook__federation").get(pk=delivery.pk)
    require_federation(by, found.webhook.federation)
    if found.webhook.ended_at is not None:
        raise Conflict("webhook_ended", _("This webhook has ended."))
    if not found.is_dead:
        raise Conflict("delivery_not_dead", _("This has been delivered, or is being sent."))
    found.attempts, found.next_at, found.fault = 0, at, ""
    found.save(update_fields=["attempts", "next_at", "fault"])
    ask_to_deliver(found.webhook_id)
    return found


def secret_of(webhook: Webhook) -> str:
    """Return the secret of the endpoint: it follows from that of the installation, and is kept nowhere."""
    key = b"sixprime.webhooks" + settings.SECRET_KEY.encode()
    return "whsec_" + hmac.digest(key, webhook.nonce.encode(), sha256).hex()


def signature_of(secret: str, body: str, *, at: datetime) -> str:
    """Return the header that proves a body: the moment in seconds, and HMAC-SHA256 of moment, dot and body."""
    moment = int(at.timestamp())
    digest = hmac.digest(secret.encode(), f"{moment}.{body}".encode(), sha256).hex()
    return f"t={moment},v1={digest}"
