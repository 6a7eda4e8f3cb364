"""Rulings on a match in a draw: each is stored with its reason, the draw advances and the change is recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.history import Ruled, load_history
from matches.models import SIDES, Match, Ruling
from matches.rulings import RulingRequest, make_ruling, undo_ruling
from matches.services import current_sheet
from players.errors import Conflict, Refusal
from players.models import User
from rules.penalties import lateness_points
from rules.rulings import RulingKind
from tournament.changes.record import record_change, require_running
from tournament.draw.lots import on_paper
from tournament.draw.reconcile import Repair
from tournament.draw.steps import lock_fixture, place_details
from tournament.models import Event, Fixture
from tournament.results.enter import MayRepair, follow_result, is_repairer, require_repairer, winner_of

MOST_MINUTES = 600


@transaction.atomic
def rule_match(
    match: Match,
    *,
    request: RulingRequest,
    repair: Repair | None = None,
    may_repair: MayRepair = False,
    by: User | None,
    at: datetime,
) -> tuple[Ruled, bool]:
    """Make the ruling, and advance the draw as far as its results allow.

    Returns what it changed and whether it is new: a repeated request (same key) changes nothing. Raises Refusal or
    Conflict as :func:`matches.rulings.make_ruling` does, RepairNeeded if a later match that has begun would lose a
    player and no ``repair`` says what becomes of it, and Forbidden for a repair by somebody who may not repair.
    """
    event, fixture, at = lock_fixture(match, at)
    require_repairer(event, repair, repair is not None and is_repairer(event, may_repair))
    if not match.rulings.filter(key=request.key).exists():
        require_running(event)
    advanced = winner_of(fixture, current_sheet(match)) if repair is Repair.STAND else None
    ruling, is_new = make_ruling(match, request=request, by=by, at=at)
    ruled = _find(ruling)
    if is_new:
        follow_result(
            event,
            fixture,
            ruling.match,
            ruling.sheet,
            advanced=advanced,
            repair=repair,
            reason=ruling.reason,
            by=by,
            at=at,
        )
        _record(event, fixture, ruling, repair=repair, by=by, at=at)
    return ruled, is_new


@transaction.atomic
def take_ruling_back(ruling: Ruling, *, reason: str, by: User | None, at: datetime) -> None:
    """Undo the ruling, restoring the match and the draw. Raises Conflict in the same cases as :func:`undo_ruling`."""
    event, fixture, at = lock_fixture(ruling.match, at)
    require_running(event)
    undone = undo_ruling(ruling, reason=reason, by=by, at=at)
    follow_result(event, fixture, undone.match, undone.sheet, advanced=None, repair=None, reason=reason, by=by, at=at)
    _record(event, fixture, undone, repair=None, by=by, at=at)


@dataclass(frozen=True, slots=True)
class Lateness:
    """The minutes by which sides A and B were late for a match; ``key`` makes a repeated request harmless."""

    key: str
    minutes_a: int = 0
    minutes_b: int = 0


@transaction.atomic
def rule_late(
    match: Match, *, late: Lateness, by: User | None, at: datetime, preview: bool = False
) -> tuple[Ruled, bool]:
    """Begin the match at the score awarded for lateness; if that is over half of its length, the match is lost.

    The penalty points are those of the event's policy, and include those that were given before game 1. A ``preview``
    changes nothing. Raises Refusal if the event has no penalty for lateness or the time gives no point yet, Conflict if
    the match has begun, and both as :func:`rule_match` does.
    """
    event, _fixture, at = lock_fixture(match, at)
    match = Match.objects.select_related(*SIDES).get(pk=match.pk)
    is_played = current_sheet(match) is not None or match.calls.filter(left_at=None, started_at__isnull=False).exists()
    request = lateness_request(event, match, late, list(match.rulings.all()), is_played=is_played)
    if preview:
        return preview_ruling(match, request=request, by=by, at=at), True
    return rule_match(match, request=request, by=by, at=at)


def lateness_request(
    event: Event, match: Match, late: Lateness, rulings: Sequence[Ruling], *, is_played: bool
) -> RulingRequest:
    """Return the ruling that follows from the lateness. Raises Refusal and Conflict as :func:`rule_late` does."""
    others = [ruling for ruling in rulings if ruling.key != late.key]
    if is_played and len(others) == len(rulings):
        raise Conflict("match_begun", _("This match has begun: give penalty points before its next game instead."))
    every = event.late_minutes
    if every is None:
        raise Refusal("lateness_not_penalised", _("This event gives no penalty points for lateness."))
    minutes = (late.minutes_a, late.minutes_b)
    if not all(0 <= number <= MOST_MINUTES for number in minutes):
        raise Refusal(
            "minutes_out_of_range", _("Players can be 0 to %(limit)s minutes late.") % {"limit": MOST_MINUTES}
        )
    points = (lateness_points(late.minutes_a, every=every), lateness_points(late.minutes_b, every=every))
    if points == (0, 0):
        raise Refusal(
            "not_late_enough",
            _("The first penalty point comes after %(minutes)s minutes.") % {"minutes": every},
        )
    given = [penalty for penalty in match.terms.penalties if penalty.after == 0]
    before = (sum(penalty.against_a for penalty in given), sum(penalty.against_b for penalty in given))
    reasons = [
        _("%(name)s %(minutes)s minutes late") % {"name": name, "minutes": number}
        for name, number in zip((match.name_a, match.name_b), minutes, strict=True)
        if number
    ]
    return RulingRequest(
        kind=RulingKind.PENALTY_POINTS,
        key=late.key,
        reason=", ".join(reasons),
        ruling_count=len(others),
        penalty_points=(max(before[0], points[0]), max(before[1], points[1])),
    )


def preview_ruling(match: Match, *, request: RulingRequest, by: User | None, at: datetime) -> Ruled:
    """Return what the ruling would change, by making and undoing it at once, so that the same refusals apply."""
    with transaction.atomic(), on_paper():
        ruled, _is_new = rule_match(match, request=request, by=by, at=at)
        transaction.set_rollback(True)
    return ruled


def _find(ruling: Ruling) -> Ruled:
    return next(ruled for ruled in load_history(ruling.match).ruled() if ruled.row == ruling)


def _record(
    event: Event, fixture: Fixture, ruling: Ruling, *, repair: Repair | None, by: User | None, at: datetime
) -> None:
    after = _find(ruling).after
    record_change(
        event,
        verb="ruling",
        by=by,
        at=at,
        **place_details(fixture, ruling.match),
        match=ruling.match_id,
        sheet=ruling.sheet.number if ruling.sheet is not None else None,
        score=[after.a, after.b],
        kind=ruling.kind,
        template=ruling.template,
        params=ruling.params,
        reason=ruling.reason,
        ruling=ruling.pk,
        said=ruling.said,
        repair=repair.value if repair else None,
    )
