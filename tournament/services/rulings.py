"""A director's ruling on a match of a draw: stored with its reason, the draw advanced, the change recorded."""

from datetime import datetime

from django.db import transaction

from matches.history import Ruled, load_history
from matches.models import Match, Ruling
from matches.rulings import RulingRequest, make_ruling
from players.models import User
from tournament.calls import close_calls
from tournament.models import CallEnding
from tournament.reconcile import reconcile
from tournament.services.change import record_change, require_running
from tournament.services.results import lock_fixture, told_place


@transaction.atomic
def rule_match(match: Match, *, request: RulingRequest, by: User | None, at: datetime) -> tuple[Ruled, bool]:
    """The ruling stands, and the draw has advanced as far as its results reach.

    Returns what it changed and whether it is new: a repeated request (same key) changes nothing. Raises Refusal or
    Conflict as :func:`matches.rulings.make_ruling` does, and Conflict if a later match that has begun would lose a
    player.
    """
    event, fixture = lock_fixture(match)
    if not match.rulings.filter(key=request.key).exists():
        require_running(event)
    ruling, is_new = make_ruling(match, request=request, by=by, at=at)
    ruled = _find(ruling)
    if is_new:
        if ruled.after.over:
            close_calls([match], ending=CallEnding.DONE, at=at)
        reconcile(event, fixture.stage, at=at)
        record_change(
            event,
            verb="ruling",
            by=by,
            at=at,
            **told_place(fixture, match),
            sheet=ruling.sheet.number if ruling.sheet is not None else None,
            score=[ruled.after.a, ruled.after.b],
            kind=ruling.kind,
            template=ruling.template,
            params=ruling.params,
            reason=ruling.reason,
        )
    return ruled, is_new


def preview_ruling(match: Match, *, request: RulingRequest, by: User | None, at: datetime) -> Ruled:
    """What the ruling would change. It is made and undone at once, so that it is refused as it would be."""
    with transaction.atomic():
        ruled, _is_new = rule_match(match, request=request, by=by, at=at)
        transaction.set_rollback(True)
    return ruled


def _find(ruling: Ruling) -> Ruled:
    return next(ruled for ruled in load_history(ruling.match).ruled() if ruled.row == ruling)
