"""The value of a drand round that was named when the entries closed: fetched by a worker, or typed in."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, Refused
from players.models import User
from tournament.changes.record import begin_step, require_running
from tournament.draw.drand import Beacon, ask_beacon, is_hex
from tournament.draw.public_value import make_known, open_closing, record_public_step, require_closing
from tournament.models import Closing, Event, PublicSource
from tournament.proof.drand_chains import CHAINS

ASKED_FOR = timedelta(hours=1)
"""How long after its time a round is asked for; after that it is typed in."""

logger = logging.getLogger(__name__)


@transaction.atomic
def enter_round(event: Event, *, round: int, randomness: str, signature: str, by: User | None, at: datetime) -> Closing:
    """Make the randomness of the named round the public value.

    Raises Refusal for another round, for what is not hex, and for randomness that is not made of the signature; and
    Conflict before the time of the round and as :func:`tournament.draw.public_value.require_closing` does.
    """
    event, at = begin_step(event, at)
    require_running(event)
    closing = require_closing(event, PublicSource.DRAND)
    named = closing.drand_round or 0
    if round != named:
        raise Refusal("drand_round_other", _("Round %(round)s was named, not another one.") % {"round": named})
    if at < CHAINS[closing.drand_chain].time_of(named):
        raise Conflict("drand_round_not_yet", _("Round %(round)s is not known yet.") % {"round": named})
    beacon = Beacon(round, randomness.strip().lower(), signature.strip().lower())
    if len(beacon.randomness) != 64 or not (is_hex(beacon.randomness, most=64) and is_hex(beacon.signature, most=200)):
        raise Refusal(
            "drand_not_hex", _("Copy both as they are: digits and letters from a to f, 64 of them for the randomness.")
        )
    if not beacon.is_proved:
        raise Refusal(
            "drand_not_proved", _("The randomness is not the SHA-256 of this signature. Copy both from the same round.")
        )
    closing.signature = beacon.signature
    closing.save(update_fields=["signature"])
    make_known(closing, beacon.randomness, at=at)
    details = {"chain": closing.drand_chain, "round": round, "value": closing.value, "signature": closing.signature}
    record_public_step(event, closing, verb="enter_drand", by=by, at=at, **details)
    return closing


def rounds_to_ask(at: datetime) -> list[int]:
    """Return the ids of the events whose round of drand is known by now, but not here."""
    waiting = Closing.objects.filter(source=PublicSource.DRAND, value="", voided_at=None, event__in=Event.objects.all())
    return [closing.event_id for closing in waiting if _is_asked_for(closing, at)]


def _is_asked_for(closing: Closing, at: datetime) -> bool:
    return timedelta() <= at - CHAINS[closing.drand_chain].time_of(closing.drand_round or 0) <= ASKED_FOR


def fetch_round(
    event_id: int, *, clock: Callable[[], datetime], get: Callable[[str, str], bytes] | None = None
) -> None:
    """Ask the beacon for the round that the event waits for; without an answer nothing changes.

    ``get`` is as in :func:`tournament.draw.drand.ask_beacon`. Whatever is refused has been settled by somebody else.
    """
    event = Event.objects.filter(pk=event_id).first()
    closing = open_closing(event) if event else None
    if event is None or closing is None or closing.value or closing.drand_round is None:
        return
    if not _is_asked_for(closing, clock()):
        return
    beacon = ask_beacon(CHAINS[closing.drand_chain], closing.drand_round, get=get)
    if beacon is None:
        logger.info("no answer from drand", extra={"event": event_id, "round": closing.drand_round})
        return
    try:
        enter_round(
            event,
            round=beacon.round,
            randomness=beacon.randomness,
            signature=beacon.signature,
            by=None,
            at=clock(),
        )
    except Refused as refused:
        logger.info("drand not needed any more", extra={"event": event_id, "code": refused.code})
