"""Alerts by e-mail: a question to the address first, then plain text, each with the way to end it."""

import smtplib
import socket
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.signing import BadSignature, Signer, TimestampSigner
from django.urls import reverse
from django.utils.translation import gettext as _

from players.bound import within
from tournament.alerts.telling import Away, Ended, Failed, Told
from tournament.hall.site import address_of
from tournament.models import Subscription, Tournament

SECONDS = 15.0
"""How long the mail server may take over one mail, from its name to its last answer."""

CONFIRM_SECONDS = 24 * 3600
"""How long the link in the question works."""

_asking = TimestampSigner(salt="tournament.alerts.confirm")
_stopping = Signer(salt="tournament.alerts.stop")


def offers_mail(tournament: Tournament) -> bool:
    """Whether e-mails can be sent, with links that work: there is a mail server, a sender and a site address."""
    return bool(settings.EMAIL_HOST and settings.EMAIL_FROM and address_of(tournament))


def send_mail(subscription: Subscription, told: Told, *, at: datetime) -> None:
    """Send it. Raises Ended if the address is refused for good, and Failed if it may be tried again.

    It is Away if the mail server does not answer.
    """
    _send(subscription, told.title, told.body, told.path)


def ask_address(subscription: Subscription) -> None:
    """Ask the address whether it wants these e-mails. Raises Ended and Failed."""
    entry = subscription.entry
    body = _(
        "Somebody asked for e-mails about %(name)s in %(event)s to be sent to this address. If that was you, confirm "
        "it within a day. If not, do nothing: you get no other e-mail."
    ) % {"name": entry.name, "event": entry.event.name}
    _send(subscription, _("Confirm your e-mail address"), body, path_to_confirm(subscription))


def path_to_confirm(subscription: Subscription) -> str:
    """Return the path of the page that its question leads to."""
    return reverse("confirm-alerts", args=[_asking.sign(_named(subscription)).replace(":", "~")])


def path_to_stop(subscription: Subscription) -> str:
    """Return the path of the page that ends the e-mails."""
    return reverse("stop-alerts", args=[_stopping.sign(_named(subscription)).replace(":", "~")])


def find_asked(token: str) -> Subscription | None:
    """Return the subscription whose address was asked with this link, if that was not too long ago."""
    try:
        return _find(_asking.unsign(token.replace("~", ":"), max_age=CONFIRM_SECONDS))
    except BadSignature:
        return None


def find_stopping(token: str) -> Subscription | None:
    """Return the subscription that the link in its e-mails ends; None if it has ended, or for any other text."""
    try:
        return _find(_stopping.unsign(token.replace("~", ":")))
    except BadSignature:
        return None


def _named(subscription: Subscription) -> str:
    return f"{subscription.pk}.{int(subscription.made_at.timestamp())}"


def _find(named: str) -> Subscription | None:
    pk = named.partition(".")[0]
    found = Subscription.objects.select_related("entry__event__tournament", "entry__player", "entry__partner")
    one = found.filter(pk=int(pk), channel="mail").first()
    return one if one is not None and _named(one) == named else None


def _send(subscription: Subscription, title: str, text: str, path: str) -> None:
    site = address_of(subscription.entry.event.tournament)
    if not offers_mail(subscription.entry.event.tournament):
        raise Failed("no mail server")
    stop = site + path_to_stop(subscription)
    ending = _("No more of these e-mails: %(address)s") % {"address": stop}
    server: Any = get_connection()
    message = EmailMessage(
        subject=f"{title} · {subscription.entry.event.name}",
        body=f"{text}\n\n{site}{path}\n\n-- \n{ending}\n",
        from_email=settings.EMAIL_FROM,
        to=[subscription.address],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
        connection=server,
    )

    def give_up() -> None:
        with suppress(OSError, AttributeError):  # it may have no connection yet, or none any more
            server.connection.sock.shutdown(socket.SHUT_RDWR)

    try:
        within(SECONDS, message.send, give_up=give_up)
    except smtplib.SMTPRecipientsRefused as refused:
        if all(code >= 500 for code, _said in refused.recipients.values()):
            raise Ended from refused
        raise Failed(str(refused)) from refused
    except (smtplib.SMTPConnectError, smtplib.SMTPServerDisconnected) as error:
        raise Away(str(error)) from error
    except (smtplib.SMTPException, ValueError) as error:
        raise Failed(str(error)) from error
    except OSError as error:
        raise Away(str(error)) from error
