"""Alerts sent by a worker, each once; a subscription that has ended is deleted with its address."""

import logging
from collections.abc import Callable, Container
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone, translation

from tournament.alerts.due import Reading, due
from tournament.alerts.mail import ask_address, send_mail
from tournament.alerts.push import send_push
from tournament.alerts.telling import Away, Ended, Failed, Told
from tournament.entries.links import Link, LinkEnded, require_open
from tournament.models import Alert, Subscription
from tournament.models.alert import Channel

logger = logging.getLogger(__name__)

MOST_TRIES = 3
AGAIN = timedelta(minutes=2)
"""How long nothing is tried again, which is longer than any sending takes; a place without an answer rests as long."""

SLICE = timedelta(seconds=2)
"""How long a worker sends at a time, so that standings never wait long behind a crowd of phones."""

UNCONFIRMED = timedelta(days=2)
"""How long an e-mail address waits for its confirmation before it is deleted."""

AFTERWARDS = timedelta(days=1)
"""How long after the end of an event its subscriptions are kept: it may be reopened."""

Sender = Callable[..., None]
SENDERS: dict[str, Sender] = {"push": send_push, "mail": send_mail}


def tournaments_with_subscribers() -> list[int]:
    """Return the tournaments of running events about which somebody wants to be told."""
    wanted = Subscription.objects.filter(
        entry__event__deleted_at=None, entry__event__tournament__deleted_at=None, confirmed_at__isnull=False
    )
    found = wanted.filter(entry__event__finished_at=None).order_by().values_list("entry__event__tournament", flat=True)
    return sorted(set(found))


def send_alerts(tournament_id: int, *, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Send what is due to everybody who asked for it in this tournament, and has not been told.

    Return whether the time of one slice was over before all were told. Nobody is told through a place from which nobody
    answered a short while ago.
    """
    until: datetime | None = None
    wanted = Subscription.objects.filter(
        entry__event__tournament=tournament_id,
        entry__event__deleted_at=None,
        entry__event__tournament__deleted_at=None,
        entry__event__finished_at=None,
        confirmed_at__isnull=False,
    )
    settled, reading = _settled(tournament_id, at=clock()), Reading()
    for subscription in wanted.select_related("entry__event__tournament", "entry__player", "entry__partner"):
        try:
            require_open(Link(subscription.entry_id, subscription.epoch), subscription.entry)
        except LinkEnded:
            subscription.delete()
            continue
        zone = subscription.entry.event.tournament.zone
        with translation.override(subscription.language), timezone.override(zone):
            if all(
                (subscription.pk, told.subject) in settled for told in due(subscription, at=clock(), reading=reading)
            ):
                continue
            tried: set[str] = set()
            while (told := _next(subscription, settled, tried, at=(at := clock()))) is not None:
                tried.add(told.subject)
                until = until or at + SLICE
                if at >= until:
                    return True
                if _is_away(subscription, at=at) or not _tell(subscription, told, at=at):
                    break
    return False


def _next(
    subscription: Subscription, settled: Container[tuple[int, str]], tried: Container[str], *, at: datetime
) -> Told | None:
    """Return what is to be told next, as things stand now: telling what came before it may have taken long."""
    for told in due(subscription, at=at):
        if told.subject not in tried and (subscription.pk, told.subject) not in settled:
            return told
    return None


def ask(subscription_id: int) -> None:
    """Ask an address whether it wants these e-mails, unless it has said so; one that is refused is deleted."""
    found = Subscription.objects.select_related("entry__event__tournament", "entry__player", "entry__partner")
    for subscription in found.filter(pk=subscription_id, channel="mail", confirmed_at=None):
        with translation.override(subscription.language):
            try:
                ask_address(subscription)
            except Ended:
                subscription.delete()
            except Failed as failed:
                logger.warning("address not asked", extra={"subscription": subscription_id, "error": failed})


def know(subscription: Subscription, *, at: datetime) -> None:
    """Take everything that is due as told: somebody who subscribes sees it on their page."""
    for told in due(subscription, at=at):
        if not told.subject.startswith("deadline"):
            Alert.objects.get_or_create(
                subscription=subscription, subject=told.subject, defaults={"tried_at": at, "sent_at": at}
            )


def _settled(tournament_id: int, *, at: datetime) -> set[tuple[int, str]]:
    """Return the subjects that have been told or are not to be tried now: most of them, most of the time."""
    known = Alert.objects.filter(subscription__entry__event__tournament=tournament_id)
    over = known.exclude(_is_to_try(at), sent_at=None, tries__lt=MOST_TRIES)
    return set(over.values_list("subscription", "subject"))


def _place(subscription: Subscription) -> str:
    """Return the cache's key for the place through which the subscriber is told: a push service, or the mail server."""
    return f"alerts-away-{urlsplit(subscription.address).netloc if subscription.channel == Channel.PUSH else 'mail'}"


def _is_away(subscription: Subscription, *, at: datetime) -> bool:
    until = cache.get(_place(subscription))
    return until is not None and at < until <= at + AGAIN


def _tell(subscription: Subscription, told: Told, *, at: datetime) -> bool:
    """Send the alert unless it has been sent; false if the subscription has ended."""
    alert = _claim(subscription, told.subject, at)
    if alert is None:
        return True
    try:
        SENDERS[subscription.channel](subscription, told, at=at)
    except Ended:
        subscription.delete()
        return False
    except Failed as failed:
        logger.warning("alert not sent", extra={"subscription": subscription.pk, "error": failed})
        if isinstance(failed, Away):
            cache.set(_place(subscription), at + AGAIN, AGAIN.total_seconds())
        return True
    alert.sent_at = at
    alert.save(update_fields=["sent_at"])
    return True


def _is_to_try(at: datetime) -> Q:
    """Say which alerts were tried some time ago, or at a time that is still to come, by a clock that was ahead."""
    return Q(tried_at__lte=at - AGAIN) | Q(tried_at__gt=at)


def _claim(subscription: Subscription, subject: str, at: datetime) -> Alert | None:
    """Return the alert if it is this worker that sends it now: it is new, or was tried in vain some time ago."""
    try:
        with transaction.atomic():
            return Alert.objects.create(subscription=subscription, subject=subject, tries=1, tried_at=at)
    except IntegrityError:
        pass
    again = Alert.objects.filter(subscription=subscription, subject=subject, sent_at=None, tries__lt=MOST_TRIES)
    for alert in again.filter(_is_to_try(at)):
        tries = alert.tries
        if Alert.objects.filter(pk=alert.pk, tries=tries).update(tries=tries + 1, tried_at=at):
            return alert
    return None


def forget_ended(*, at: datetime) -> None:
    """Delete the subscriptions of events that are over or deleted, and addresses that nobody has confirmed."""
    over = Q(entry__event__finished_at__lt=at - AFTERWARDS)
    deleted = Q(entry__event__deleted_at__isnull=False) | Q(entry__event__tournament__deleted_at__isnull=False)
    waiting = Q(confirmed_at=None, made_at__lt=at - UNCONFIRMED)
    Subscription.objects.filter(over | deleted | waiting).delete()
