"""Subscriptions made, changed and ended with the private link of an entry."""

from collections.abc import Collection
from datetime import datetime

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from tournament.alerts.mail import offers_mail
from tournament.alerts.push import check_keys, read_push_address
from tournament.alerts.send import know
from tournament.alerts.telling import KINDS
from tournament.entries.links import Link, require_open
from tournament.entries.services import lock_entry
from tournament.models import Entry, Subscription
from tournament.models.alert import Channel
from tournament.work import ask_on_commit

MOST = 6
"""How many phones and addresses follow an entry: those of a pair or a team, and no crowd."""

QUESTIONS_A_DAY = 5
"""How many addresses may be asked in a day with one link, so that nobody is flooded through us."""


@transaction.atomic
def subscribe_push(
    entry: Entry, *, address: str, public_key: str, secret: str, kinds: Collection[str], days_before: int, at: datetime
) -> Subscription:
    """Send these kinds of alerts to this browser from now on; the same browser again is changed.

    Raises Refusal for an unknown push service or keys that are none, and LinkEnded.
    """
    read_push_address(address)
    check_keys(public_key, secret)
    found = _keep(entry, Channel.PUSH, address, kinds, days_before, at)
    found.public_key, found.secret, found.confirmed_at = public_key, secret, found.confirmed_at or at
    found.save()
    know(found, at=at)
    return found


@transaction.atomic
def subscribe_mail(
    entry: Entry, *, address: str, kinds: Collection[str], days_before: int, at: datetime
) -> Subscription:
    """Send these kinds of alerts to this address once it has confirmed; a confirmed one is changed.

    The question is sent after the commit. Raises Refusal for a text that is no address, Conflict where no e-mails are
    sent or too many addresses have been asked today, and LinkEnded.
    """
    if not offers_mail(entry.event.tournament):
        raise Conflict("mail_not_offered", _("No e-mails are sent here."))
    address = address.strip()
    try:
        validate_email(address)
        address.encode("ascii")
    except (ValidationError, UnicodeEncodeError):
        raise Refusal("mail_address_invalid", _("Write an e-mail address like anna@example.org.")) from None
    found = _keep(entry, Channel.MAIL, address, kinds, days_before, at)
    if found.confirmed_at is None:
        key = f"alerts-asked-{entry.pk}-{at.date()}"
        asked = cache.get(key) or 0
        if asked >= QUESTIONS_A_DAY:
            raise Conflict(
                "mail_asked_too_often",
                _("Too many e-mails to confirm an address have been sent today. Try again tomorrow."),
            )
        cache.set(key, asked + 1, 24 * 3600)
        ask_on_commit("ask_address", found.pk)
    found.save()
    return found


def confirm_mail(subscription: Subscription, *, at: datetime) -> None:
    """Begin to send e-mails to the address; what is known by now is not told. Confirming again changes nothing."""
    if Subscription.objects.filter(pk=subscription.pk, confirmed_at=None).update(confirmed_at=at):
        know(subscription, at=at)


def unsubscribe(subscription: Subscription) -> None:
    """Send nothing more there, and delete the address."""
    subscription.delete()


def _keep(
    entry: Entry, channel: Channel, address: str, kinds: Collection[str], days_before: int, at: datetime
) -> Subscription:
    """Return the subscription of this address as it is to be stored, under the lock of the event."""
    _event, locked, at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), locked)
    chosen = [kind for kind in KINDS if kind in kinds]
    if not chosen:
        raise Refusal("alerts_none", _("Choose at least one kind of alert."))
    held = list(Subscription.objects.select_for_update().filter(entry=entry, epoch=entry.link_epoch))
    found = next((one for one in held if (one.channel, one.address) == (channel, address)), None)
    if found is None:
        if len(held) >= MOST:
            sentence = _("At most %(limit)s phones and addresses can follow one entry: stop one first.")
            raise Conflict("alerts_too_many", sentence % {"limit": MOST})
        # One of an earlier link, which has ended
        Subscription.objects.filter(entry=entry, channel=channel, address=address).delete()
        found = Subscription(entry=entry, epoch=entry.link_epoch, channel=channel, address=address, made_at=at)
    found.kinds, found.days_before, found.language = chosen, days_before, get_language() or "en"
    found.entry = entry
    if found.pk is None:
        found.save()
    return found
