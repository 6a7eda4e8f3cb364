"""Results reported by players and scorers, which count once the opponent or the desk has confirmed them.

The desk's live sheet is a claim about the same match. Claims that differ while the match goes on are only shown; they
are disputed once one of them says that the match is over. An objection that somebody has made to a report stands until
they agree, or until the desk settles it, whatever is reported meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from matches.claims import Claim, check_claim, claim_of, new_warnings, require_confirmed, says_the_same
from matches.differences import agree, clashes, differs, score_claimed
from matches.models import Conclusion, Match, Objector, Scoresheet, SheetSource, SheetState
from matches.services import (
    Judged,
    Sheets,
    append_sheet,
    change_state,
    current_sheet,
    enter_claim,
    lock_sheets,
    sheet_of,
    void_current,
)
from players.errors import Conflict, Refusal
from players.models import User
from rules.score import Side


@transaction.atomic
def report_sheet(
    match: Match, *, claim: Claim, side: Side | None, by: User | None, at: datetime, agrees: bool = True
) -> tuple[Scoresheet, bool]:
    """Store the claim as the report of the side, or of a scorer if there is no side, replacing any earlier one.

    Two sides that report the same end of the match have confirmed it: the report that came first is the result, unless
    the desk's live sheet says otherwise or an objection stands; ``agrees`` is whether this ends an objection of the
    side's own. ``claim.base`` is the number of the side's own open report, 0 for none; a claim that continues that
    report is taken whatever base it names.

    Returns the report and whether it is new: a claim whose key is known, or that repeats the report, changes nothing.
    Raises Refusal if it breaks a rule or is an award, Unconfirmed if it is legal but unlikely, Conflict if the match
    has a confirmed result, or if this side has reported something else in the meantime.
    """
    sheets = lock_sheets(match)
    match = sheets.match
    if (known := sheet_of(sheets, claim, side)) is not None:
        return known, False
    if claim.conclusion != Conclusion.PLAYED:
        raise Refusal("report_of_award", _("Matches are awarded at the desk: report only what was played."))
    _refuse_once_confirmed(sheets.current)
    own = next((report for report in sheets.reports if report.side == (side or "")), None)
    _refuse_outdated(sheets, own, side, claim)
    _score, warnings = check_claim(match.terms, claim)
    warnings = new_warnings(warnings, claim_of(own), claim) if own else warnings
    require_confirmed(match, claim, warnings)
    others = [report for report in sheets.reports if report is not own]
    if own is not None and says_the_same(claim_of(own), claim):
        result = _agreed(match, sheets.current, others, own, before=own, agrees=agrees)
        if result is not None:
            _confirm(match, result, side=side, by=by, at=at)
        return own, result is not None
    if own is not None:
        change_state(own, SheetState.SUPERSEDED, by=by, at=at, side=side or "")
    source = SheetSource.PLAYER if side else SheetSource.SCORER
    judged = Judged(SheetState.REPORTED, claim.played_at or at)
    sheet = append_sheet(sheets, claim, judged, source=source, side=side or "", by=by, at=at)
    result = _agreed(match, sheets.current, others, sheet, before=own, agrees=agrees)
    if result is not None:
        _confirm(match, result, side=side, by=by, at=at)
    else:
        _carry_objection(own, sheet, at=at)
        _mark_disputes(match, sheets.current, [*others, sheet], by=by, at=at, side=sheet.side)
    sheet.refresh_from_db()
    return sheet, True


@transaction.atomic
def withdraw_report(
    match: Match, *, base: int, side: Side, by: User | None, at: datetime
) -> tuple[Scoresheet | None, bool]:
    """Set the side's open report aside, because it has taken back its first game.

    Returns the report and whether it was open: without one, nothing changes. Raises Conflict if the match has a
    confirmed result, if this side has reported something else in the meantime, or if an objection to it stands.
    """
    sheets = lock_sheets(match)
    _refuse_once_confirmed(sheets.current)
    own = next((report for report in sheets.reports if report.side == side), None)
    if own is None:
        return None, False
    if own.number != base:
        raise _changed()
    if own.objector:
        raise Conflict("report_disputed", _("Somebody has objected to this report: report how the match went instead."))
    change_state(own, SheetState.SUPERSEDED, by=by, at=at, side=side)
    others = [report for report in sheets.reports if report is not own]
    _mark_disputes(sheets.match, sheets.current, others, by=by, at=at, side=side)
    return own, True


def enter_from_desk(
    sheets: Sheets, *, claim: Claim, by: User | None, at: datetime, played_at: datetime | None = None
) -> tuple[Scoresheet, bool]:
    """Enter the desk's claim as :func:`matches.services.enter_claim` does, and compare a live sheet with the reports.

    A report that says more than the sheet, or something else, stays open beside it. The result of the match settles
    every report, and so does a live sheet that does more than add games while a dispute is open.
    """
    kept = () if _settles(sheets, claim) else [one for one in sheets.reports if not claim.continues(claim_of(one))]
    sheet, is_new = enter_claim(
        sheets, claim=claim, source=SheetSource.DESK, by=by, at=at, played_at=played_at, keeping=kept
    )
    if is_new and sheet.state == SheetState.LIVE:
        _mark_disputes(sheets.match, sheet, kept, by=by, at=at)
    return sheet, is_new


def void_from_desk(sheets: Sheets, *, base: int, by: User | None, at: datetime, reason: str) -> Scoresheet:
    """Void the current sheet as :func:`matches.services.void_current` does, and end the disputes about it."""
    sheet = void_current(sheets, base=base, by=by, at=at, reason=reason)
    _mark_disputes(sheets.match, None, sheets.reports, by=by, at=at)
    return sheet


def _settles(sheets: Sheets, claim: Claim) -> bool:
    """Whether the desk's claim, on a match whose dispute it has seen, does more than add games to the live sheet."""
    if all(report.state != SheetState.DISPUTED for report in sheets.reports):
        return False
    before = claim_of(sheets.current) if sheets.current is not None else None
    return before is None or not claim.continues(before) or claim.games == before.games


@transaction.atomic
def confirm_sheet(
    match: Match, *, number: int, side: Side | None, by: User | None, at: datetime
) -> tuple[Scoresheet, bool]:
    """Confirm the report as the result of the match, on behalf of the desk or of the side that did not report it.

    A scorer's report is confirmed by the side that lost according to it. Returns the sheet and whether this confirmed
    it. Raises Refusal for a side's own report and one in which the match is not over, Conflict if it is no longer
    open, if another result was confirmed, or for a side if the desk's live sheet says something else or if an
    objection of somebody else stands.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    sheet = match.sheets.filter(number=number).prefetch_related("lines").first()
    if sheet is not None and sheet.state == SheetState.CONFIRMED:
        return sheet, False
    current = current_sheet(match)
    _refuse_once_confirmed(current)
    sheet = _open_report(sheet)
    score = score_claimed(match, sheet)
    if not score.over:
        raise Refusal(
            "report_not_over", _("According to this report the match is not over: there is nothing to confirm yet.")
        )
    if side is not None and side == (sheet.side or score.winner):
        raise Refusal("report_is_own", _("Only the opponent or the director can confirm this report."))
    if side is not None and differs(match, sheet, current):
        raise Conflict(
            "report_disputed",
            _("The score sheet of the desk says something else. The director will settle it."),
        )
    if side is not None and sheet.objector not in ("", side):
        raise Conflict("report_disputed", _("Somebody has objected to this report. The director will settle it."))
    _confirm(match, sheet, side=side, by=by, at=at)
    return sheet, True


@transaction.atomic
def confirm_unopposed(match: Match, *, number: int, since: datetime, at: datetime) -> tuple[Scoresheet | None, bool]:
    """Confirm the report as the result because nobody has objected, if it says so undisputed since then.

    Returns the report and whether this confirmed it; nothing changes if it is disputed or no longer open.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    sheet = match.sheets.filter(number=number, state=SheetState.REPORTED).prefetch_related("lines").first()
    current = current_sheet(match)
    if (
        sheet is None
        or sheet.unopposed_since > since
        or (current is not None and current.state == SheetState.CONFIRMED)
    ):
        return sheet, False
    disputed = match.sheets.filter(state=SheetState.DISPUTED).exists()
    if disputed or not score_claimed(match, sheet).over or clashes(match, sheet, current):
        return sheet, False
    _confirm(match, sheet, side=None, by=None, at=at)
    return sheet, True


@transaction.atomic
def dispute_sheet(
    match: Match, *, number: int, side: Side | None, reason: str, by: User | None, at: datetime
) -> tuple[Scoresheet, bool]:
    """Object to the report for this reason. That stands until whoever objects agrees, or the desk settles the matter.

    Returns the sheet and whether this disputed it. Raises Refusal for a side's own report and for a side's objection
    before the match is over, Conflict if it is no longer open.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    sheet = _open_report(match.sheets.filter(number=number).prefetch_related("lines").first())
    if side is not None and sheet.side == side:
        raise Refusal("report_is_own", _("Only the opponent or the director can confirm this report."))
    if side is not None and not score_claimed(match, sheet).over:
        raise Refusal(
            "report_not_over", _("According to this report the match is not over: there is nothing to object to yet.")
        )
    if sheet.objector:
        return sheet, False
    sheet.objector = side or Objector.DESK
    sheet.save(update_fields=["objector"])
    change_state(sheet, SheetState.DISPUTED, by=by, at=at, side=side or "", reason=reason)
    return sheet, True


def open_claims(match: Match) -> list[Scoresheet]:
    """Return the desk's live sheet, if there is one, and the unconfirmed reports of the match, in order."""
    unconfirmed = match.sheets.filter(state__in=(SheetState.LIVE, *Scoresheet.REPORTS))
    return list(unconfirmed.prefetch_related("lines"))


def _mark_disputes(
    match: Match,
    live: Scoresheet | None,
    reports: Sequence[Scoresheet],
    *,
    by: User | None,
    at: datetime,
    side: str = "",
) -> None:
    """Compare the open reports with each other and the live sheet: what clashes is disputed, what does not is not.

    An objection keeps a report disputed.
    """
    for report in reports:
        others = [live, *(other for other in reports if other is not report)]
        is_disputed = bool(report.objector) or any(clashes(match, report, other) for other in others)
        state = SheetState.DISPUTED if is_disputed else SheetState.REPORTED
        if report.state != state:
            change_state(report, state, by=by, at=at, side=side)


def _agreed(
    match: Match,
    live: Scoresheet | None,
    others: Sequence[Scoresheet],
    sheet: Scoresheet,
    *,
    before: Scoresheet | None,
    agrees: bool,
) -> Scoresheet | None:
    """Return the opponent's report if it is the result, now that the sheet says the same; None if it is not.

    ``before`` is the side's report until now. An objection to it ends where the side takes over the score of the
    opponent, who has objected.
    """
    opponent = next((other for other in others if sheet.side and other.side and other.side != sheet.side), None)
    if opponent is None or not agree(match, opponent, sheet) or differs(match, sheet, live):
        return None
    if opponent.objector == Objector.DESK or (opponent.objector == sheet.side and not agrees):
        return None
    objected = before.objector if before is not None else ""
    has_given_in = before is not None and objected == opponent.side and differs(match, before, sheet)
    return opponent if not objected or has_given_in else None


def _carry_objection(before: Scoresheet | None, sheet: Scoresheet, *, at: datetime) -> None:
    """Let the objection to the side's report until now stand against its new one."""
    if before is None or not before.objector:
        return
    last = before.changes.filter(state=SheetState.DISPUTED).exclude(reason="").last()
    sheet.objector = before.objector
    sheet.save(update_fields=["objector"])
    side = "" if sheet.objector == Objector.DESK else sheet.objector
    change_state(
        sheet,
        SheetState.DISPUTED,
        by=last.by if last is not None else None,
        at=at,
        side=side,
        reason=last.reason if last is not None else "",
    )


def _confirm(match: Match, sheet: Scoresheet, *, side: Side | None, by: User | None, at: datetime) -> None:
    for other in match.sheets.filter(state__in=Scoresheet.OPEN).exclude(pk=sheet.pk):
        change_state(other, SheetState.SUPERSEDED, by=by, at=at, side=side or "")
    change_state(sheet, SheetState.CONFIRMED, by=by, at=at, side=side or "")


def _refuse_outdated(sheets: Sheets, own: Scoresheet | None, side: Side | None, claim: Claim) -> None:
    """Raise Conflict for a claim on another base than the side's report, unless it continues that one.

    Without an open report the last one is its base too: the desk may have set it aside meanwhile.
    """
    source = SheetSource.PLAYER if side else SheetSource.SCORER
    last = own or next((row for row in reversed(sheets.rows) if (row.side, row.source) == (side or "", source)), None)
    bases = {own.number} if own is not None else {0, last.number if last is not None else 0}
    if claim.base in bases:
        return
    if last is not None:
        prefetch_related_objects([last], "lines")
        if claim.continues(claim_of(last)):
            return
    raise _changed()


def _changed() -> Conflict:
    return Conflict(
        "report_changed",
        _("Another report has been sent on your behalf in the meantime. Look at it before you go on."),
    )


def _refuse_once_confirmed(current: Scoresheet | None) -> None:
    if current is not None and current.state == SheetState.CONFIRMED:
        raise Conflict(
            "result_confirmed",
            _("The result of this match has already been confirmed. Tell the director if it is wrong."),
        )


def _open_report(sheet: Scoresheet | None) -> Scoresheet:
    if sheet is None or sheet.state not in Scoresheet.REPORTS:
        raise Conflict("report_gone", _("This report has been replaced in the meantime. Look at the match again."))
    return sheet
