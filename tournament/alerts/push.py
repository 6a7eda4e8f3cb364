"""Notifications sent to the push services of browsers: to known ones alone, without following them anywhere.

What seals them is imported when one is sent: a hall without https does not need that memory.
"""

import json
import socket
import ssl
from contextlib import suppress
from datetime import datetime
from http.client import HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from players.bound import within
from players.errors import Refusal
from tournament.alerts.telling import Away, Ended, Failed, Told
from tournament.hall.site import address_of
from tournament.models import Subscription
from tournament.models.alert import MAX_ADDRESS

SECONDS = 5.0
"""How long a push service may take, from its name to its answer."""

KEPT_SECONDS = 3600
"""How long a push service keeps what a phone without a network cannot get: a table that was called is old news then."""


def read_push_address(address: str) -> SplitResult:
    """Return the parts of the address of a push service. Raises Refusal unless it is https to one of PUSH_HOSTS.

    A host that begins with a dot stands for all below it. The server sends to these addresses itself, so that nobody
    can make it ask a computer of the local network.
    """
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "") + (f":{parts.port}" if parts.port not in (None, 443) else "")
    except ValueError:
        parts, host = SplitResult("", "", "", "", ""), ""
    known = any(host == one or (one.startswith(".") and host.endswith(one)) for one in settings.PUSH_HOSTS)
    plain = address.isascii() and address.isprintable() and " " not in address and len(address) <= MAX_ADDRESS
    if parts.scheme != "https" or "@" in parts.netloc or not known or not plain:
        raise Refusal("push_unknown", _("This browser uses a notification service that is not known here."))
    return parts


def check_keys(public_key: str, secret: str) -> None:
    """Raise Refusal unless these are the keys of a browser."""
    from tournament.alerts.sealing import decoded, read_point  # noqa: PLC0415 - memory

    try:
        read_point(public_key)
        fits = len(decoded(secret)) == 16
    except ValueError:
        fits = False
    if not fits:
        raise Refusal("push_keys_invalid", _("This browser has sent keys that cannot be used for notifications."))


def send_push(subscription: Subscription, told: Told, *, at: datetime) -> None:
    """Send it. Raises Ended if the browser takes no more, and Failed if it may be tried again.

    It is Away if the push service does not answer.
    """
    from tournament.alerts.sealing import (  # noqa: PLC0415 - memory
        MOST_TEXT,
        decoded,
        proof,
        read_point,
        seal,
    )

    parts = read_push_address(subscription.address)
    text = {"title": told.title, "body": told.body, "url": told.path, "tag": told.subject}
    body = seal(
        json.dumps(text, ensure_ascii=False).encode()[:MOST_TEXT],
        browser=read_point(subscription.public_key),
        auth=decoded(subscription.secret),
    )
    site = address_of(subscription.entry.event.tournament)
    contact = site if site.startswith("https://") else f"mailto:{settings.DEFAULT_FROM_EMAIL}"
    headers = {
        "Authorization": proof(subscription.address, secret=settings.SECRET_KEY, contact=contact, at=at),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_SECONDS),
        "Urgency": "high",
    }
    try:
        status = _post(parts, body, headers)
    except (OSError, HTTPException) as error:
        raise Away(str(error)) from error
    if status in (404, 410):
        raise Ended
    if not 200 <= status < 300:
        raise Failed(f"status {status}")


def _post(parts: SplitResult, body: bytes, headers: dict[str, str]) -> int:
    """Return the status of the answer, of which no more than the head is read. Raises OSError and HTTPException."""
    connection = HTTPSConnection(
        parts.hostname or "", parts.port, timeout=SECONDS, context=ssl.create_default_context()
    )

    def ask() -> int:
        try:
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path or "/", body, headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def give_up() -> None:
        with suppress(OSError, AttributeError):  # it may have no connection yet, or none any more
            connection.sock.shutdown(socket.SHUT_RDWR)

    return within(SECONDS, ask, give_up=give_up)
