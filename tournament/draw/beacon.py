"""The value of a drand round that was named when the entries closed: fetched by a worker, or typed in."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, Refused
from players.models import User
from tournament.changes.record import begin_step, require_running
from tournament.draw.drand import Beacon, ask_beacon
from tournament.draw.public_value import make_known, open_closing, record_public_step, require_closing
from tournament.models import Closing, Event, PublicSource
from tournament.proof.drand import time_of

ASKED_FOR = timedelta(days=1)
"""How long after its time a round is asked for; after that it is typed in."""

SHORTEST_PAUSE = 20
"""In seconds: that between two calls of ``heal``."""

logger = logging.getLogger(__name__)
MOST_ROUND = 10**12
MAX_RANDOMNESS, MAX_SIGNATURE = 100, 400
"""What may be typed: both in hex, of 64 and 96 digits."""


def enter_round(event: Event, *, round: int, randomness: str, signature: str, by: User | None, at: datetime) -> Closing:
    """Make the randomness of the named round the public value.

    Raises Refusal for another round, for what is not hex, for randomness that is not made of the signature, and for a
    signature that is not drand's; and Conflict before the time of the round and as
    :func:`tournament.draw.public_value.require_closing` does.
    """
    beacon = Beacon(round, randomness.strip().lower(), signature.strip().lower())
    # A quarter of a second of work, before anything is locked.
    fault = _fault_of(beacon)
    return _enter(event, beacon, fault, by=by, at=at)


def _fault_of(beacon: Beacon) -> Refusal | None:
    if not beacon.is_hex:
        return Refusal(
            "drand_not_hex",
            _(
                "Copy both as they are: digits and letters from a to f, 64 of them for the randomness and 96 for the "
                "signature."
            ),
        )
    if not beacon.is_made_of_signature:
        return Refusal(
            "drand_not_proved", _("The randomness is not the SHA-256 of this signature. Copy both from the same round.")
        )
    if not beacon.is_signed:
        return Refusal(
            "drand_not_signed", _("This is not drand's signature of round %(round)s.") % {"round": beacon.round}
        )
    return None


@transaction.atomic
def _enter(event: Event, beacon: Beacon, fault: Refusal | None, *, by: User | None, at: datetime) -> Closing:
    event, at = begin_step(event, at)
    require_running(event)
    closing = require_closing(event, PublicSource.DRAND)
    named = closing.drand_round or 0
    if beacon.round != named:
        raise Refusal("drand_round_other", _("Round %(round)s was named, not another one.") % {"round": named})
    if fault is not None:
        # A signature that is drand's proves that the round is known, whatever the clock of this server says.
        if at < time_of(named):
            raise Conflict("drand_round_not_yet", _("Round %(round)s is not known yet.") % {"round": named})
        raise fault
    closing.signature = beacon.signature
    closing.save(update_fields=["signature"])
    make_known(closing, beacon.randomness, at=at)
    details = {"round": beacon.round, "value": closing.value, "signature": closing.signature}
    record_public_step(event, closing, verb="enter_drand", by=by, at=at, **details)
    return closing


def rounds_to_ask(at: datetime) -> list[int]:
    """Return the ids of the events whose round of drand is known by now, but not here; none if drand is not asked."""
    if not settings.DRAND:
        return []
    waiting = Closing.objects.filter(source=PublicSource.DRAND, value="", voided_at=None, event__in=Event.objects.all())
    return [closing.event_id for closing in waiting if _is_asked_for(closing, at) and _is_turn(closing, at)]


def _is_turn(closing: Closing, at: datetime) -> bool:
    """Whether to ask now: in a hall without a network the one worker must not wait for an answer all the time.

    The pauses grow with the time that the round has been known, from an eighth to a quarter of it.
    """
    pauses = (at - time_of(closing.drand_round or 0)) // timedelta(seconds=SHORTEST_PAUSE)
    return pauses % (1 << max(pauses.bit_length() - 3, 0)) == 0


def _is_asked_for(closing: Closing, at: datetime) -> bool:
    return timedelta() <= at - time_of(closing.drand_round or 0) <= ASKED_FOR


def fetch_round(
    event_id: int, *, clock: Callable[[], datetime], get: Callable[[str, str], bytes] | None = None
) -> None:
    """Ask the beacon for the round that the event waits for; without an answer nothing changes.

    ``get`` is as in :func:`tournament.draw.drand.ask_beacon`. Whatever is refused has been settled by somebody else.
    """
    event = Event.objects.filter(pk=event_id).first()
    closing = open_closing(event) if event else None
    if not settings.DRAND or event is None or closing is None or closing.value or closing.drand_round is None:
        return
    if not _is_asked_for(closing, clock()):
        return
    beacon = ask_beacon(closing.drand_round, get=get)
    if beacon is None:
        logger.info("no answer from drand", extra={"event": event_id, "round": closing.drand_round})
        return
    try:
        _enter(event, beacon, None, by=None, at=clock())
    except Refused as refused:
        logger.info("drand not needed any more", extra={"event": event_id, "code": refused.code})
