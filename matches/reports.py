"""Results reported by players and scorers, which count once the opponent or the desk has confirmed them.

The desk's live sheet is a claim about the same match: a report that differs from it is disputed, like one that differs
from another report.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import combinations

from django.db import transaction
from django.utils.translation import gettext as _

from matches.claims import Claim, check_claim, claim_of, new_warnings, require_confirmed, score_of
from matches.models import Conclusion, Match, Scoresheet, SheetSource, SheetState
from matches.services import (
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
from rules.score import MatchScore, Side
from rules.sheet import GameResult


@transaction.atomic
def report_sheet(
    match: Match, *, claim: Claim, side: Side | None, by: User | None, at: datetime
) -> tuple[Scoresheet, bool]:
    """Store the claim as the report of the side, or of a scorer if there is no side, replacing any earlier one.

    Two sides that report the same end of the match have confirmed it: the report that came first is the result, unless
    the desk's live sheet says otherwise. Reports that differ from each other or from that sheet are disputed.
    ``claim.base`` is the number of the side's own open report, 0 for none.

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
    others = [report for report in sheets.reports if report is not own]
    opponent = next((other for other in others if sheet.side and other.side and other.side != sheet.side), None)
    if opponent is not None and _agree(match, opponent, sheet) and not _differs(match, sheet, sheets.current):
        _confirm(match, opponent, side=Side(sheet.side), by=by, at=at)
    else:
        _mark_disputes(match, sheets.current, others, sheet, by=by, at=at)
    sheet.refresh_from_db()
    return sheet, True


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
        for report in kept:
            if report.state == SheetState.REPORTED and _differs(sheets.match, report, sheet):
                change_state(report, SheetState.DISPUTED, by=by, at=at)
    return sheet, is_new


def void_from_desk(sheets: Sheets, *, base: int, by: User | None, at: datetime, reason: str) -> Scoresheet:
    """Void the current sheet as :func:`matches.services.void_current` does, and end the disputes about it."""
    sheet = void_current(sheets, base=base, by=by, at=at, reason=reason)
    for report in sheets.reports:
        others = (other for other in sheets.reports if other is not report)
        about_it = report.state == SheetState.DISPUTED and _differs(sheets.match, report, sheet)
        if about_it and not any(_differs(sheets.match, report, other) for other in others):
            change_state(report, SheetState.REPORTED, by=by, at=at)
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
    open, if another result was confirmed, or for a side if the desk's live sheet says something else.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    sheet = match.sheets.filter(number=number).prefetch_related("lines").first()
    if sheet is not None and sheet.state == SheetState.CONFIRMED:
        return sheet, False
    current = current_sheet(match)
    _refuse_once_confirmed(current)
    sheet = _open_report(sheet)
    score = _score(match, sheet)
    if not score.over:
        raise Refusal(
            "report_not_over", _("According to this report the match is not over: there is nothing to confirm yet.")
        )
    if side is not None and side == (sheet.side or score.winner):
        raise Refusal("report_is_own", _("Only the opponent or the director can confirm this report."))
    if side is not None and _differs(match, sheet, current):
        raise Conflict(
            "report_disputed",
            _("The score sheet of the desk says something else. The director will settle it."),
        )
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


def open_claims(match: Match) -> list[Scoresheet]:
    """Return the desk's live sheet, if there is one, and the unconfirmed reports of the match, in order."""
    unconfirmed = match.sheets.filter(state__in=(SheetState.LIVE, *Scoresheet.REPORTS))
    return list(unconfirmed.prefetch_related("lines"))


def describe_dispute(match: Match, claims: Sequence[Scoresheet]) -> str:
    """Return one sentence on where two of the claims first differ; empty if none do.

    Claims are reports and the live sheet. Reads ``lines`` as prefetched.
    """
    for one, other in combinations(claims, 2):
        if sentence := _difference(match, one, other):
            return sentence
    return ""


def _mark_disputes(
    match: Match,
    live: Scoresheet | None,
    others: Sequence[Scoresheet],
    sheet: Scoresheet,
    *,
    by: User | None,
    at: datetime,
) -> None:
    """Compare the new report with the others and the live sheet: what differs is disputed, and what agrees is not."""
    differing = [other for other in others if _differs(match, other, sheet)]
    for other in others:
        state = SheetState.DISPUTED if other in differing or _differs(match, other, live) else SheetState.REPORTED
        if other.state != state:
            change_state(other, state, by=by, at=at, side=sheet.side)
    if differing or _differs(match, sheet, live):
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


def _differs(match: Match, one: Scoresheet, other: Scoresheet | None) -> bool:
    return other is not None and bool(_difference(match, one, other))


def _agree(match: Match, one: Scoresheet, other: Scoresheet) -> bool:
    """Whether both reports say that the match is over, and do not differ."""
    return all(_score(match, report).over for report in (one, other)) and not _difference(match, one, other)


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
        ended = [_between(match, score) for score in scores]
        return sentence % {**who, "said": ended[0], "told": ended[1]}
    for (claimed, reached), name, teller in ((scores, "one", "other"), (scores[::-1], "other", "one")):
        if claimed.over and (reached.a > claimed.a or reached.b > claimed.b):
            sentence = _("The match ended %(said)s according to %(one)s, but %(other)s already has %(told)s.")
            said, told = (_between(match, score) for score in (claimed, reached))
            return sentence % {"one": who[name], "other": who[teller], "said": said, "told": told}
    return ""


def _between(match: Match, score: MatchScore) -> str:
    """Return the score with both names, as either player may read it."""
    return f"{match.name_a} {score.a}–{score.b} {match.name_b}"


def _reporter(match: Match, sheet: Scoresheet) -> str:
    if sheet.state == SheetState.LIVE:
        return _("the desk")
    if not sheet.side:
        return _("the scorer")
    return match.name_a if sheet.side == Side.A else match.name_b


def _in_words(match: Match, game: GameResult) -> str:
    name = match.name_a if game.winner is Side.A else match.name_b
    return _("%(name)s scored %(points)s") % {"name": name, "points": game.points}
