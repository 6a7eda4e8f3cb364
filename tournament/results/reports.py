"""Results reported by players and scorers: stored, compared, confirmed or disputed; only confirmed ones count."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from matches.claims import Claim, check_claim
from matches.models import Match, Scoresheet, SheetState
from matches.reports import confirm_sheet, confirm_unopposed, dispute_sheet, report_sheet, withdraw_report
from matches.services import current_sheet
from players.errors import Refusal
from players.lines import is_visible, one_line
from players.models import User
from rules.score import Side
from tournament.changes.record import require_running
from tournament.draw.steps import lock_fixture, record_result
from tournament.models import Event, Fixture
from tournament.results.dates import require_played_at
from tournament.results.enter import follow_result
from tournament.roles.permissions import require


@transaction.atomic
def report_result(
    match: Match, *, claim: Claim, side: Side | None, by: User | None, at: datetime, agrees: bool = True
) -> Scoresheet:
    """Store the claim as the side's report, or a scorer's if there is no side; advance the draw if that confirms it.

    ``agrees`` is false for what a phone sends by itself: it then ends no objection of the side's own.

    Raises Refusal, Unconfirmed and Conflict as :func:`matches.reports.report_sheet` does, and Refusal for a side that
    reports before the match is over in an event without phones.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    if side is not None and not event.phones:
        _refuse_before_the_end(match, claim)
    sheet, is_new = report_sheet(match, claim=claim, side=side, by=by, at=at, agrees=agrees)
    require_played_at(fixture, None, claim, at)
    detail: dict[str, Any] = {} if agrees else {"agrees": False}
    if claim.played_at is not None:
        detail["dated"] = claim.played_at.isoformat()
    if is_new:
        fixtures: Collection[int] | None = [fixture.pk]
        current = current_sheet(match)
        if current is not None and current.state == SheetState.CONFIRMED:
            fixtures = _follow(event, fixture, current, by=by, at=at)
        record_result(
            event,
            fixture,
            sheet,
            verb="report_result",
            by=by,
            at=at,
            fixtures=fixtures,
            side=side.value if side else "",
            base=claim.base,
            **detail,
        )
    return sheet


@transaction.atomic
def withdraw_result(match: Match, *, base: int, side: Side, at: datetime) -> None:
    """Withdraw the side's report, because it has taken back its first game; without a report nothing changes.

    Raises Conflict as :func:`matches.reports.withdraw_report` does.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    sheet, was_open = withdraw_report(match, base=base, side=side, by=None, at=at)
    if sheet is not None and was_open:
        record_result(
            event, fixture, sheet, verb="withdraw_report", by=None, at=at, fixtures=[fixture.pk], side=side.value
        )


@transaction.atomic
def confirm_by_time(match: Match, *, number: int, at: datetime) -> bool:
    """Make the report the result if nobody has objected to it for as long as the event asks; advance the draw.

    Under the lock everything is asked again: whether the report still stands, is complete and undisputed, and whether
    the event still has that limit. Returns whether this confirmed it.
    """
    event, fixture, at = lock_fixture(match, at)
    if event.finished_at is not None or event.confirm_minutes is None:
        return False
    since = at - timedelta(minutes=event.confirm_minutes)
    sheet, is_new = confirm_unopposed(match, number=number, since=since, at=at)
    if sheet is not None and is_new:
        fixtures = _follow(event, fixture, sheet, by=None, at=at)
        minutes = event.confirm_minutes
        record_result(event, fixture, sheet, verb="confirm_by_time", by=None, at=at, fixtures=fixtures, minutes=minutes)
    return is_new


@transaction.atomic
def confirm_result(match: Match, *, number: int, side: Side | None = None, by: User | None, at: datetime) -> Scoresheet:
    """Make the report the result, and advance the draw; repeating this changes nothing.

    Raises Refusal and Conflict as :func:`matches.reports.confirm_sheet` does, and Forbidden for somebody who may not
    settle a dispute, if there is one.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    if by is not None and match.sheets.filter(state=SheetState.DISPUTED).exists():
        require(by, event, "settle_report")
    sheet, is_new = confirm_sheet(match, number=number, side=side, by=by, at=at)
    if is_new:
        fixtures = _follow(event, fixture, sheet, by=by, at=at)
        said = side.value if side else ""
        record_result(event, fixture, sheet, verb="confirm_result", by=by, at=at, fixtures=fixtures, side=said)
    return sheet


@transaction.atomic
def dispute_result(
    match: Match, *, number: int, side: Side | None = None, reason: str, by: User | None, at: datetime
) -> Scoresheet:
    """Mark the report as disputed until the desk settles it; repeating this changes nothing.

    Raises Refusal and Conflict as :func:`matches.reports.dispute_sheet` does, and Refusal for a reason with characters
    that cannot be shown.
    """
    reason = one_line(reason)
    if not is_visible(reason):
        raise Refusal("reason_unprintable", _("The reason contains characters that cannot be shown."))
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    sheet, is_new = dispute_sheet(match, number=number, side=side, reason=reason, by=by, at=at)
    if is_new:
        record_result(
            event,
            fixture,
            sheet,
            verb="dispute_result",
            by=by,
            at=at,
            reason=reason,
            fixtures=[fixture.pk],
            side=side.value if side else "",
        )
    return sheet


def _refuse_before_the_end(match: Match, claim: Claim) -> None:
    score, _warnings = check_claim(match.terms, claim)
    if not score.over:
        raise Refusal(
            "phones_off",
            _("In this event players report once the match is over: send the final score or all games at once."),
        )


def _follow(
    event: Event, fixture: Fixture, sheet: Scoresheet, *, by: User | None, at: datetime
) -> Collection[int] | None:
    """Advance the draw by a newly confirmed result of a match from which nobody had advanced.

    Returns what :func:`tournament.results.enter.follow_result` does.
    """
    return follow_result(
        event, fixture, sheet.match, sheet, advanced=None, repair=None, reason="", by=by, at=at, alone=True
    )
