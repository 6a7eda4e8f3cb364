"""A director's ruling on a match of a draw: stored with its reason, the draw advanced, the change recorded."""

from datetime import datetime

from django.db import transaction

from matches.models import Match, Ruling
from matches.rulings import RulingRequest, make_ruling
from matches.services import claim_of, score_of
from players.models import User
from tournament.reconcile import reconcile
from tournament.services.change import record_change, require_running
from tournament.services.results import lock_fixture, names_of


@transaction.atomic
def rule_match(match: Match, *, request: RulingRequest, by: User | None, at: datetime) -> Ruling:
    """The ruling stands, and the draw has advanced as far as its results reach.

    A repeated request (same key) changes nothing. Raises Refusal or Conflict as
    :func:`matches.rulings.make_ruling` does, and Conflict if a later match that has begun would lose a player.
    """
    event, fixture = lock_fixture(match)
    if not match.rulings.filter(key=request.key).exists():
        require_running(event)
    ruling, is_new = make_ruling(match, request=request, by=by, at=at)
    if is_new:
        reconcile(event, fixture.stage, at=at)
        match.refresh_from_db()
        sheet = ruling.sheet
        score = match.terms.opening
        if sheet is not None:
            claim = claim_of(sheet)
            score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
        record_change(
            event,
            verb="ruling",
            by=by,
            at=at,
            fixture=fixture.key,
            players=names_of(fixture),
            sheet=sheet.number if sheet is not None else None,
            score=[score.a, score.b],
            kind=ruling.kind,
            template=ruling.template,
            params=ruling.params,
            reason=ruling.reason,
        )
    return ruling
