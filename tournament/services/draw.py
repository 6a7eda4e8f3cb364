"""The draw: made once, taken back only while nothing has been entered."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import Match, Scoresheet
from players.errors import Conflict
from players.models import User
from tournament.models import Event, Stage
from tournament.reconcile import reconcile
from tournament.services.change import lock_event, record_change, require_running


@transaction.atomic
def make_draw(event: Event, *, by: User | None, at: datetime) -> Stage:
    """The pairings are published, and with them the seed they were drawn with. Drawing twice changes nothing.

    Raises Refusal for a field that the format cannot draw.
    """
    event = lock_event(event)
    stage = event.stages.get()
    if stage.drawn_at is not None:
        return stage
    reconcile(event, stage, at=at)
    stage.drawn_at = at
    stage.save(update_fields=["drawn_at"])
    record_change(event, verb="make_draw", by=by, at=at, seed=stage.seed, entries=event.entries.count())
    return stage


@transaction.atomic
def cancel_draw(event: Event, *, by: User | None, at: datetime) -> Stage:
    """Entries are open again and the next draw has a new seed. Raises Conflict once a result has been entered."""
    event = lock_event(event)
    require_running(event)
    stage = event.stages.get()
    if stage.drawn_at is None:
        return stage
    if Scoresheet.objects.filter(match__fixture__stage=stage).exists():
        raise Conflict("draw_in_play", _("Results have been entered: the draw can no longer be taken back."))
    matches = list(Match.objects.filter(fixture__stage=stage))
    stage.fixtures.all().delete()
    Match.objects.filter(pk__in=[match.pk for match in matches]).delete()
    stage.standings.all().delete()
    old_seed, stage.seed, stage.drawn_at = stage.seed, secrets.token_hex(16), None
    stage.save(update_fields=["seed", "drawn_at"])
    record_change(event, verb="cancel_draw", by=by, at=at, seed=old_seed)
    return stage
