"""Results reported by players and scorers, which count once the opponent or the desk has confirmed them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import Conclusion, Match, Scoresheet, SheetSource, SheetState
from matches.services import (
    Claim,
    append_sheet,
    change_state,
    check_claim,
    claim_of,
    current_sheet,
    lock_sheets,
    new_warnings,
    require_confirmed,
    score_of,
    sheet_of,
)
from players.errors import Conflict, Refusal
from players.models import User
from rules.score import MatchScore, Side
from rules.sheet import GameResult


@transaction.atomic
def report_sheet(
    match: Match, *, claim: Claim, side: Side | None, by: User | None, at: datetime
) -> tuple[Scoresheet, bool]:
    """Store the claim as the report of the side, or of a scorer if there is no side, replacing any earlier one.

    Two sides that report the same end of the match have confirmed it: the report that came first is the result. Two
    reports that differ are disputed. ``claim.base`` is the number of the side's own open report, 0 for none.
    Returns the report and whether it is new: a claim whose key is known changes nothing.
    Raises Refusal if it breaks a rule or is an award, Unconfirmed if it is legal but unlikely, Conflict if the match
    has a confirmed result, or if this side has reported something else in the meantime.
    """
    sheets = lock_sheets(match)
    match = sheets.match
    if (known := sheet_of(sheets, claim)) is not None:
        return known, False
    if claim.conclusion != Conclusion.PLAYED:
        raise Refusal("report_of_award", _("Matches are awarded at the desk: report only what was played."))
    _refuse_once_confirmed(sheets.current)
    own = next((report for report in sheets.reports if report.side == (side or "")), None)
    if claim.base != (own.number if own else 0):
        raise Conflict(
            "report_changed",
            _("Another report has been sent on your behalf in the meantime. Look at it before you go on."),
        )
    _score, warnings = check_claim(match.terms, claim)
    warnings = new_warnings(warnings, claim_of(own), claim) if own else warnings
    require_confirmed(match, claim, warnings)
    if own is not None:
        change_state(own, SheetState.SUPERSEDED, by=by, at=at, side=side or "")
    source = SheetSource.PLAYER if side else SheetSource.SCORER
    sheet = append_sheet(sheets, claim, SheetState.REPORTED, source=source, side=side or "", by=by, at=at, played_at=at)
    _compare(match, [report for report in sheets.reports if report is not own], sheet, by=by, at=at)
    sheet.refresh_from_db()
    return sheet, True


@transaction.atomic
def confirm_sheet(
    match: Match, *, number: int, side: Side | None, by: User | None, at: datetime
) -> tuple[Scoresheet, bool]:
    """Confirm the report as the result of the match, on behalf of the desk or of the side that did not report it.

    A scorer's report is confirmed by the side that lost according to it. Returns the sheet and whether this confirmed
    it. Raises Refusal for a side's own report and one in which the match is not over, Conflict if it is no longer
    open or another result was confirmed.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    sheet = match.sheets.filter(number=number).prefetch_related("lines").first()
    if sheet is not None and sheet.state == SheetState.CONFIRMED:
        return sheet, False
    _refuse_once_confirmed(current_sheet(match))
    sheet = _open_report(sheet)
    score = _score(match, sheet)
    if not score.over:
        raise Refusal(
            "report_not_over", _("According to this report the match is not over: there is nothing to confirm yet.")
        )
    if side is not None and side == (sheet.side or score.winner):
        raise Refusal("report_is_own", _("Only the opponent or the director can confirm this report."))
    _confirm(match, sheet, side=side, by=by, at=at)
    return sheet, True


@transaction.atomic
def dispute_sheet(
    match: Match, *, number: int, side: Side | None, reason: str, by: User | None, at: datetime
) -> tuple[Scoresheet, bool]:
    """Dispute the report for this reason; the desk then settles the matter, or the side that reported does so again.

    Returns the sheet and whether this disputed it. Raises Refusal for a side's own report, Conflict if it
    is no longer open.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    sheet = _open_report(match.sheets.filter(number=number).prefetch_related("lines").first())
    if side is not None and sheet.side == side:
        raise Refusal("report_is_own", _("Only the opponent or the director can confirm this report."))
    if sheet.state == SheetState.DISPUTED:
        return sheet, False
    change_state(sheet, SheetState.DISPUTED, by=by, at=at, side=side or "", reason=reason)
    return sheet, True


def open_reports(match: Match) -> list[Scoresheet]:
    """Return the unconfirmed reports of the match, in order."""
    return list(match.sheets.filter(state__in=Scoresheet.REPORTS).prefetch_related("lines"))


def describe_dispute(match: Match, reports: Sequence[Scoresheet]) -> str:
    """Return one sentence on where two of the reports first differ; empty if none do. Reads ``lines`` as prefetched."""
    for index, one in enumerate(reports):
        for other in reports[index + 1 :]:
            if sentence := _difference(match, one, other):
                return sentence
    return ""


def _compare(match: Match, others: Sequence[Scoresheet], sheet: Scoresheet, *, by: User | None, at: datetime) -> None:
    """Compare the new report with the others.

    If the opponent's says the same, it is confirmed; reports that differ are disputed.
    """
    opponent = next((other for other in others if sheet.side and other.side and other.side != sheet.side), None)
    if opponent is not None and _score(match, opponent).over and _agree(match, opponent, sheet):
        _confirm(match, opponent, side=Side(sheet.side), by=by, at=at)
        return
    differing = [other for other in others if _difference(match, other, sheet)]
    for other in others:
        state = SheetState.DISPUTED if other in differing else SheetState.REPORTED
        if other.state != state:
            change_state(other, state, by=by, at=at, side=sheet.side)
    if differing:
        change_state(sheet, SheetState.DISPUTED, by=by, at=at, side=sheet.side)


def _confirm(match: Match, sheet: Scoresheet, *, side: Side | None, by: User | None, at: datetime) -> None:
    for other in match.sheets.filter(state__in=Scoresheet.OPEN).exclude(pk=sheet.pk):
        change_state(other, SheetState.SUPERSEDED, by=by, at=at, side=side or "")
    change_state(sheet, SheetState.CONFIRMED, by=by, at=at, side=side or "")


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


def _score(match: Match, sheet: Scoresheet) -> MatchScore:
    claim = claim_of(sheet)
    return score_of(match.terms, claim.games, claim.final, claim.awarded_to)


def _agree(match: Match, one: Scoresheet, other: Scoresheet) -> bool:
    """Whether both reports say that the match is over, and do not differ."""
    return _score(match, other).over and not _difference(match, one, other)


def _difference(match: Match, one: Scoresheet, other: Scoresheet) -> str:
    claims = claim_of(one), claim_of(other)
    who = {"one": _reporter(match, one), "other": _reporter(match, other)}
    if claims[0].final is None and claims[1].final is None:
        for number, (game, other_game) in enumerate(zip(claims[0].games, claims[1].games, strict=False), start=1):
            if game != other_game:
                words = {"said": _in_words(match, game), "told": _in_words(match, other_game)}
                if words["said"] == words["told"]:
                    return _("Game %(game)s: %(one)s and %(other)s disagree on how it ended.") % {
                        "game": number,
                        **who,
                    }
                sentence = _("Game %(game)s: %(one)s says that %(said)s, but %(other)s says that %(told)s.")
                return sentence % {"game": number, **who, **words}
        return ""
    scores = _score(match, one), _score(match, other)
    if all(score.over for score in scores) and (scores[0].a, scores[0].b) != (scores[1].a, scores[1].b):
        sentence = _("The match ended %(said)s according to %(one)s, but %(told)s according to %(other)s.")
        ended = [f"{score.a}–{score.b}" for score in scores]
        return sentence % {**who, "said": ended[0], "told": ended[1]}
    return ""


def _reporter(match: Match, sheet: Scoresheet) -> str:
    if not sheet.side:
        return _("the scorer")
    return match.name_a if sheet.side == Side.A else match.name_b


def _in_words(match: Match, game: GameResult) -> str:
    name = match.name_a if game.winner is Side.A else match.name_b
    return _("%(name)s scored %(points)s") % {"name": name, "points": game.points}
