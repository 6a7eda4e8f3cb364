"""Entries closed before a draw that has a public value, and reopened."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import MAX_REASON
from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, require_running
from tournament.draw.chain import Chain, load_chain
from tournament.draw.drand import FURTHEST, LEAD
from tournament.draw.make import require_checked_in
from tournament.draw.public_value import is_drawn, open_closing, record_public_step, void_closing
from tournament.draw.settle import digest_to_close
from tournament.formats.plan import Plan
from tournament.models import Closing, Event, PublicSource, Stage
from tournament.proof.drand import round_after
from tournament.proof.values import MOST_CLOSINGS


@transaction.atomic
def close_entries(event: Event, *, round: int | None = None, by: User | None, at: datetime) -> Closing:
    """Close the entries for the draw of the first undrawn stage, and fix the document of the draw by its digest.

    An event whose value comes from drand names its ``round``, or else the next one that is far enough ahead. If the
    entries are closed already nothing changes. Raises Refusal and Conflict as the draw itself would, Refusal for a
    round that is not ahead or too far, and Conflict for an event without a public value or with as many closings as a
    draw file may have.
    """
    event, at = begin_step(event, at)
    require_running(event)
    closing = open_closing(event)
    if closing is not None:
        return closing
    stage = _require_undrawn(event)
    if event.public_source == PublicSource.NONE:
        raise Conflict("no_public_value", _("This event has no public value: it is drawn without closing entries."))
    number = _next_number(event)
    if stage.number == 1:
        require_checked_in(event)
    plans = load_chain(event)
    _draw_on_paper(plans, stage)
    named = {}
    if event.public_source == PublicSource.DRAND:
        named = {"drand_round": _round_ahead(round, at)}
    closing = Closing.objects.create(
        event=event,
        number=number,
        stage=stage.number,
        source=event.public_source,
        digest=digest_to_close(plans, stage),
        closed_at=at,
        **named,
    )
    details = {"digest": closing.digest, "entries": len(plans.at(stage).entrants), **named}
    record_public_step(event, closing, verb="close_entries", by=by, at=at, stage=stage.number, **details)
    return closing


def _next_number(event: Event) -> int:
    """Return the number of the next closing. Raises Conflict (``closings_too_many``) if there may be no more."""
    count = event.closings.count()
    if count >= MOST_CLOSINGS:
        raise Conflict(
            "closings_too_many",
            _("Entries of this event have been closed %(most)s times: they cannot be closed once more.")
            % {"most": MOST_CLOSINGS},
        )
    return count + 1


def _require_undrawn(event: Event) -> Stage:
    stage = event.stages.filter(drawn_at=None).order_by("number").first()
    if stage is None:
        raise Conflict(
            "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
        )
    return stage


def _draw_on_paper(plans: Chain, stage: Stage) -> Plan:
    """Plan the draw, so that a field that cannot be drawn is refused before anybody throws dice for it."""
    return plans.at(stage).plan


def _round_ahead(round: int | None, at: datetime) -> int:
    """Return the named round, or the first one far enough ahead. Raises Refusal for one that is not."""
    first, last = round_after(at + LEAD), round_after(at + FURTHEST)
    if round is not None and round < first:
        raise Refusal(
            "drand_round_not_ahead",
            _("Name a round that is at least %(seconds)s seconds ahead: %(first)s or later.")
            % {"seconds": int(LEAD.total_seconds()), "first": first},
        )
    if round is not None and round > last:
        raise Refusal(
            "drand_round_too_far",
            _("Name a round that is at most %(days)s days ahead: %(last)s or earlier.")
            % {"days": FURTHEST.days, "last": last},
        )
    return first if round is None else round


@transaction.atomic
def reopen_entries(event: Event, *, reason: str, by: User | None, at: datetime) -> Closing:
    """Reopen the entries; the public value is void, and listed with the reason.

    Raises Refusal without a reason, and Conflict if entries are not closed or have been drawn.
    """
    event, at = begin_step(event, at)
    require_running(event)
    reason = " ".join(reason.split())[:MAX_REASON]
    if not any(char.isalnum() for char in reason):
        raise Refusal("reason_missing", _("Give a reason."))
    closing = open_closing(event)
    if closing is None:
        raise Conflict("entries_not_closed", _("Entries are not closed yet."))
    if is_drawn(event, closing):
        raise Conflict(
            "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
        )
    void_closing(event, reason=reason, at=at)
    record_public_step(
        event, closing, verb="reopen_entries", by=by, at=at, stage=closing.stage, reason=reason, value=closing.value
    )
    return closing
