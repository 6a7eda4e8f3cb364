"""The stages after the first: added and removed while the event runs."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.public_value import require_entries_open
from tournament.events.terms import check_options, refuse_drawn_matches, refuse_rate_points_of_teams
from tournament.models import Carry, Event, Stage

MAX_STAGES = 8
MAX_QUALIFIERS = 512


@transaction.atomic
def add_stage(
    event: Event,
    *,
    format: str,
    options: Mapping[str, object],
    qualifiers: int,
    carry: str = Carry.NONE,
    by: User | None,
    at: datetime,
) -> Stage:
    """Add a stage for the ``qualifiers`` best entries of the previous one, or of each of its groups.

    0 qualifiers means all who still have a life. Raises Refusal for terms that no stage can have, and
    for a format that needs winners where matches of teams can be drawn.
    """
    event, at = begin_step(event, at)
    require_running(event)
    require_entries_open(event)
    parsed = check_options(format, options)
    refuse_drawn_matches(format, event.boards)
    refuse_rate_points_of_teams(parsed, event.boards)
    if not 0 <= qualifiers <= MAX_QUALIFIERS:
        raise Refusal(
            "qualifiers_out_of_range",
            _("From 0 to %(limit)s entrants can qualify for the next stage.") % {"limit": MAX_QUALIFIERS},
        )
    if carry not in Carry.values:
        raise Refusal(
            "carry_unknown",
            _("Matches carried over must be none, met or all, not “%(carry)s”.") % {"carry": carry[:40]},
        )
    number = event.stages.count() + 1
    if number > MAX_STAGES:
        raise Refusal("stages_too_many", _("An event has at most %(limit)s stages.") % {"limit": MAX_STAGES})
    stage = Stage(
        event=event,
        number=number,
        format=format,
        options=parsed.as_dict(),
        qualifiers=qualifiers,
        carry=carry,
    )
    stage.full_clean()
    stage.save()
    terms = {"format": format, "options": stage.options, "qualifiers": qualifiers, "carry": stage.carry}
    record_change(event, verb="add_stage", by=by, at=at, stage=number, **terms)
    return stage


@transaction.atomic
def remove_stage(event: Event, *, number: int, by: User | None, at: datetime) -> None:
    """Remove the last stage, ``number``. Raises Conflict if it is drawn or not the last."""
    event, at = begin_step(event, at)
    require_running(event)
    require_entries_open(event)
    last = event.stages.order_by("number").last()
    if last is None or last.number != number or number == 1:
        raise Conflict("stage_not_last", _("Only the last stage can be removed, and never the first."))
    if last.drawn_at is not None:
        raise Conflict("event_drawn", _("The stage has been drawn. Take the draw back first."))
    last.delete()
    record_change(event, verb="remove_stage", by=by, at=at, stage=number)
