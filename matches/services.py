"""The only writers of matches and their score sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext as _

from matches.claims import (
    Claim,
    check_claim,
    claim_of,
    is_decided,
    new_warnings,
    require_confirmed,
    says_the_same,
    score_of,
)
from matches.counted import recount, recount_each
from matches.models import (
    MAX_REASON,
    MAX_SUBMISSION_KEY,
    Conclusion,
    GameLine,
    Match,
    Scoresheet,
    SheetChange,
    SheetSource,
    SheetState,
)
from players.errors import Conflict, Refusal
from players.models import Player, User
from players.rows import insert_row, insert_rows
from players.statements import Statement, columns_of
from rules.score import Side

AGAIN = "again-"
"""The start of the key of a claim that restores a result that was not a correction, after another result or none."""


def is_correction(sheet: Scoresheet) -> bool:
    """Whether the sheet's result came after another one, and does not merely restore an earlier one."""
    return sheet.corrects and not sheet.key.startswith(AGAIN)


def matches_of(player: Player | int) -> QuerySet[Match]:
    """Return every match in which the player, or that with this id, takes part, alone or in a pair."""
    seats = Q(side_a=player) | Q(side_b=player) | Q(partner_a=player) | Q(partner_b=player)
    return Match.objects.filter(seats)


def prefetch_open_sheets(matches: str = "") -> Prefetch:
    """Prefetch the current sheet and the open reports of each match, with games; ``matches`` is the path to them."""
    opened = Scoresheet.objects.filter(state__in=Scoresheet.OPEN).select_related("claimed_by")
    return Prefetch(f"{matches}sheets", queryset=opened.prefetch_related("lines"), to_attr="open_sheets")


def read_open_sheets(matches: Mapping[int, Match], found: QuerySet[Match] | Sequence[int], *, named: bool) -> None:
    """Read the current sheet and the open reports of each match with their games, as :func:`prefetch_open_sheets` does.

    It takes two queries; with ``named`` it also reads the claimants, in one more. ``found`` selects the matches, which
    ``matches`` holds by id, or lists their ids.
    """
    for match in matches.values():
        match.open_sheets = []
    opened = Scoresheet.objects.filter(state__in=Scoresheet.OPEN, match__in=found)
    sheets = [sheet for sheet in opened if sheet.match_id in matches]
    for sheet in sheets:
        matches[sheet.match_id].open_sheets.append(sheet)
    prefetch_related_objects([sheet for sheet in sheets if sheet.final_a is None], "lines")
    if named:
        prefetch_related_objects(sheets, "claimed_by")


def prefetched_sheet(match: Match | None) -> Scoresheet | None:
    """Return the match's current sheet as :func:`prefetch_open_sheets` read it."""
    sheets = match.open_sheets if match else ()
    return next((sheet for sheet in sheets if sheet.state in Scoresheet.CURRENT), None)


def prefetched_reports(match: Match | None) -> tuple[Scoresheet, ...]:
    """Return the match's unconfirmed reports, in order, as :func:`prefetch_open_sheets` read them."""
    sheets = match.open_sheets if match else ()
    return tuple(sheet for sheet in sheets if sheet.state in Scoresheet.REPORTS)


def current_sheet(match: Match) -> Scoresheet | None:
    """Return the sheet that stands, live or confirmed; None if the match has none."""
    return match.sheets.filter(state__in=Scoresheet.CURRENT).prefetch_related("lines").first()


@dataclass(frozen=True, slots=True)
class Sheets:
    """A locked match with all its score sheets in order, as read once it was locked.

    ``current`` and ``reports`` were open then; their games are loaded.
    """

    match: Match
    rows: tuple[Scoresheet, ...]
    current: Scoresheet | None
    reports: tuple[Scoresheet, ...]


def lock_sheets(match: Match) -> Sheets:
    """Lock the match until the end of the transaction and read its score sheets, so that nobody adds one meanwhile."""
    locked = _LOCKED.find(Match, match.pk)
    if not locked:
        raise Match.DoesNotExist
    return read_sheets(locked[0])


def read_sheets(match: Match) -> Sheets:
    """Read all score sheets of the match, in two queries."""
    rows = tuple(_SHEETS.find(Scoresheet, match.pk))
    for row in rows:
        row.match = match
    opened = [row for row in rows if row.state in Scoresheet.OPEN]
    prefetch_related_objects([row for row in opened if row.final_a is None], "lines")
    current = next((row for row in opened if row.state in Scoresheet.CURRENT), None)
    return Sheets(match, rows, current, tuple(row for row in opened if row.state in Scoresheet.REPORTS))


_LOCKED = Statement(lambda pk: Match.objects.select_for_update().filter(pk=pk).values_list(*columns_of(Match)))
_SHEETS = Statement(
    lambda match: Scoresheet.objects.filter(match=match).order_by("number").values_list(*columns_of(Scoresheet))
)


@transaction.atomic
def submit_sheet(
    match: Match,
    *,
    claim: Claim,
    source: SheetSource,
    by: User | None,
    at: datetime,
    played_at: datetime | None = None,
) -> tuple[Scoresheet, bool]:
    """Make the claim the match's current score sheet, live or, once the match is over, confirmed.

    ``played_at`` is that of an earlier result of the match, which this one takes the place of; by default that of the
    confirmed sheet, or now. The claim itself may say another.

    Returns the sheet and whether it is new: a claim whose key is known changes nothing.
    Raises Refusal if it breaks a rule, Unconfirmed if it is legal but unlikely and not confirmed, Conflict if
    another sheet became current since the claimant looked, or if its key was used for something else.
    """
    return enter_claim(lock_sheets(match), claim=claim, source=source, by=by, at=at, played_at=played_at)


def enter_claim(
    sheets: Sheets,
    *,
    claim: Claim,
    source: SheetSource,
    by: User | None,
    at: datetime,
    played_at: datetime | None = None,
    keeping: Sequence[Scoresheet] = (),
) -> tuple[Scoresheet, bool]:
    """Do as :func:`submit_sheet` does, for a match that is locked and whose sheets have been read.

    ``keeping`` are the reports that stay open beside the new sheet if the match goes on.
    """
    if (known := sheet_of(sheets, claim)) is not None:
        return known, False
    judged = judge_claim(sheets, claim, played_at=played_at, at=at)
    state = judged.state
    kept = {report.pk for report in keeping} if state == SheetState.LIVE else set()
    for row in sheets.rows:
        if row.state in Scoresheet.OPEN and row.pk not in kept:
            change_state(row, SheetState.SUPERSEDED, by=by, at=at)
    return append_sheet(sheets, claim, judged, source=source, by=by, at=at), True


@dataclass(frozen=True, slots=True)
class Judged:
    """What a claim makes of a new sheet: its state, when the match was played, and whether it corrects a result."""

    state: SheetState
    played_at: datetime
    corrects: bool = False


def judge_claim(sheets: Sheets, claim: Claim, *, at: datetime, played_at: datetime | None = None) -> Judged:
    """Return what a new claim makes of its sheet; nothing is stored.

    Raises as :func:`submit_sheet` does.
    """
    match, current = sheets.match, sheets.current
    if claim.base != (current.number if current else 0):
        raise Conflict("sheet_changed", describe_change(match, current))
    score, warnings = check_claim(match.terms, claim)
    if current is not None:
        warnings = new_warnings(warnings, claim_of(current), claim)
    require_confirmed(match, claim, warnings)
    if played_at is None and current is not None and current.state == SheetState.CONFIRMED:
        played_at = current.played_at
    return Judged(
        SheetState.CONFIRMED if is_decided(claim, score) else SheetState.LIVE,
        claim.played_at or played_at or at,
        corrects=played_at is not None and played_at < at,
    )


def sheet_seen(sheets: Sheets, claim: Claim) -> Scoresheet | None:
    """Return the current sheet if it is the one that the claimant saw; None also where they saw that there is none."""
    current = sheets.current
    return current if current is not None and current.number == claim.base else None


def sheet_of(sheets: Sheets, claim: Claim, side: Side | None = None) -> Scoresheet | None:
    """Return the sheet that this claim of the side has already made, found by its key; None if the claim is new.

    Without a side it is a claim of the desk or of a scorer. Nobody can use up a key of the other side.

    Raises Refusal without a key, and Conflict if its key was used for something else.
    """
    if not claim.key or len(claim.key) > MAX_SUBMISSION_KEY:
        raise Refusal("key_invalid", _("A submission must carry a key of 1 to 64 characters."))
    known = next((row for row in sheets.rows if row.key == claim.key and row.side == (side or "")), None)
    if known is None:
        return None
    if not says_the_same(claim_of(known), claim) or claim.played_at not in (None, known.played_at):
        raise Conflict("key_reused", _("This submission's key has already been used for another result."))
    return known


def supersede_open(match: Match, *, by: User | None, at: datetime, side: str = "", reason: str = "") -> None:
    """Supersede the current sheet and all open reports of the match, to make way for another."""
    for sheet in match.sheets.filter(state__in=Scoresheet.OPEN):
        change_state(sheet, SheetState.SUPERSEDED, by=by, at=at, side=side, reason=reason)


@dataclass(frozen=True, slots=True)
class Fresh:
    """A new match with the claim that comes with it, as that was judged, and when it was entered."""

    match: Match
    claim: Claim
    at: datetime
    judged: Judged


def judge_fresh(match: Match, claim: Claim, *, at: datetime) -> Fresh:
    """Judge the first claim of a match, which need not be stored yet. Raises Refusal."""
    return Fresh(match, claim, at, judge_claim(Sheets(match, (), None, ()), claim, at=at))


@transaction.atomic
def store_fresh(fresh: Sequence[Fresh], *, source: SheetSource) -> None:
    """Store the first score sheets of these matches, which were stored just now, in a few statements for all."""
    sheets = [
        new_sheet(Sheets(each.match, (), None, ()), each.claim, each.judged, source=source, by=None, at=each.at)
        for each in fresh
    ]
    insert_rows(sheets)
    pairs = list(zip(fresh, sheets, strict=True))
    insert_rows([line for each, sheet in pairs for line in new_lines(sheet, each.claim)])
    insert_rows([SheetChange.new(sheet_id=sheet.pk, state=sheet.state, at=each.at) for each, sheet in pairs])
    recount_each((sheet.match_id, each.at) for each, sheet in pairs if sheet.state == SheetState.CONFIRMED)


def append_sheet(
    sheets: Sheets,
    claim: Claim,
    judged: Judged,
    *,
    source: SheetSource,
    side: str = "",
    by: User | None,
    at: datetime,
) -> Scoresheet:
    """Append a sheet to those of the match, as the claim was judged, with its games loaded.

    The claim must have passed its check.
    """
    sheet, state = new_sheet(sheets, claim, judged, source=source, side=side, by=by, at=at), judged.state
    sheet.clean_fields(exclude=["match", "claimed_by"])  # which were read just now; the database holds the constraints
    insert_row(sheet)
    insert_rows(new_lines(sheet, claim))
    insert_row(SheetChange(sheet=sheet, state=state, side=side, reason=sheet.reason, by=by, at=at))
    if state == SheetState.CONFIRMED and sheet.conclusion == Conclusion.PLAYED:
        recount([sheet.match_id], at=at)
    if claim.final is None:
        prefetch_related_objects([sheet], "lines")
    return sheet


def new_sheet(
    sheets: Sheets,
    claim: Claim,
    judged: Judged,
    *,
    source: SheetSource,
    side: str = "",
    by: User | None,
    at: datetime,
) -> Scoresheet:
    """Make the sheet that says what is claimed, without storing it."""
    sheet = Scoresheet.new(
        number=len(sheets.rows) + 1,
        state=judged.state,
        source=source,
        side=side,
        key=claim.key,
        final_a=claim.final[0] if claim.final else None,
        final_b=claim.final[1] if claim.final else None,
        conclusion=claim.conclusion,
        awarded_to=claim.awarded_to or "",
        reason=claim.reason.strip()[:MAX_REASON],
        at=at,
        played_at=judged.played_at,
        corrects=judged.corrects,
    )
    sheet.match, sheet.claimed_by = sheets.match, by
    return sheet


def new_lines(sheet: Scoresheet, claim: Claim) -> list[GameLine]:
    """Make the lines of a sheet that is stored, without storing them."""
    return [
        GameLine.new(
            sheet_id=sheet.pk,
            number=number,
            winner=game.winner.value,
            cube=game.cube,
            level=game.level.value,
            ending=game.ending.value,
        )
        for number, game in enumerate(claim.games, start=1)
    ]


def change_state(
    sheet: Scoresheet, state: SheetState, *, by: User | None, at: datetime, side: str = "", reason: str = ""
) -> None:
    """Put the sheet in this state, and record since when, by whom and why."""
    was, sheet.state = sheet.state, state
    sheet.save(update_fields=["state"])
    SheetChange.objects.create(sheet=sheet, state=state, side=side, reason=reason.strip()[:MAX_REASON], by=by, at=at)
    if SheetState.CONFIRMED in (was, state) and sheet.conclusion == Conclusion.PLAYED:
        recount([sheet.match_id], at=at if state == SheetState.CONFIRMED else None)


@transaction.atomic
def void_sheet(match: Match, *, base: int, by: User | None, at: datetime, reason: str = "") -> Scoresheet:
    """Void the match's current sheet, as if nothing had been entered; the sheet stays in the history."""
    return void_current(lock_sheets(match), base=base, by=by, at=at, reason=reason)


def void_current(sheets: Sheets, *, base: int, by: User | None, at: datetime, reason: str = "") -> Scoresheet:
    """Void the current sheet as :func:`void_sheet` does, for a match that is locked and whose sheets have been read."""
    current = sheet_to_void(sheets, base=base)
    change_state(current, SheetState.VOID, by=by, at=at, reason=reason)
    return current


def sheet_to_void(sheets: Sheets, *, base: int) -> Scoresheet:
    """Return the current sheet, if it may be made void. Raises Conflict if there is none, or another than ``base``."""
    current = sheets.current
    if current is None:
        raise Conflict("nothing_to_void", _("This match has no result to take back."))
    if current.number != base:
        raise Conflict("sheet_changed", describe_change(sheets.match, current))
    return current


def void_everything(match: Match, *, by: User | None, at: datetime, reason: str) -> list[Scoresheet]:
    """Void the current sheet and all reports of the match, for this reason."""
    sheets = list(match.sheets.filter(state__in=Scoresheet.OPEN))
    for sheet in sheets:
        change_state(sheet, SheetState.VOID, by=by, at=at, reason=reason)
    return sheets


def describe_change(match: Match, current: Scoresheet | None) -> str:
    """Describe how the match has changed, for a person whose entry is refused because it is out of date."""
    if current is None:
        return _(
            "The result of this match was taken back in the meantime. Look at the match again before you enter one."
        )
    claim = claim_of(current)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    return _(
        "In the meantime %(who)s entered %(a)s–%(b)s for this match. Look at it before you enter another result."
    ) % {
        "who": current.claimed_by or _("somebody"),
        "a": score.a,
        "b": score.b,
    }
