"""The only writers of matches and their score sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext as _

from matches.models import AWARDS, Conclusion, GameLine, Match, Scoresheet, SheetChange, SheetSource, SheetState
from players.errors import Conflict, Refusal, Unconfirmed, in_words
from players.models import Player, User
from players.questions import digest_of
from rules.errors import Finding
from rules.final_score import check_final
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet

MAX_CUBE = 2**30
AGAIN = "again-"
"""The start of the key of a claim that restores a result that was not a correction, after another result or none."""

KEY = r"\A(?!again-|undo-|absence-)[!-~]{1,64}\Z"
"""A key that a client sends: 1 to 64 printable ASCII characters without spaces, and no prefix reserved for this
program.
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about what happened in a match: all games so far, or only a final score, or an award.

    ``key`` makes a repeated submission harmless. ``base`` is the number of the current sheet that the claimant
    saw, 0 for none. ``confirmed`` says that they have seen the warnings about unlikely games, whatever these are;
    ``answered`` is the digest of the question that they have said yes to, and confirms that claim alone.
    """

    key: str
    base: int = 0
    games: tuple[GameResult, ...] = ()
    final: tuple[int, int] | None = None
    conclusion: Conclusion = Conclusion.PLAYED
    awarded_to: Side | None = None
    confirmed: bool = False
    reason: str = ""
    answered: str = ""

    def continues(self, before: Claim) -> bool:
        """Whether the games of ``before`` are unchanged, and more games or the end of the match follow them."""
        return before.final is None and before.awarded_to is None and self.games[: len(before.games)] == before.games


def score_of(
    terms: Terms, games: Sequence[GameResult], final: tuple[int, int] | None, awarded_to: Side | None
) -> MatchScore:
    """Return the score of a sheet that passed its check; an award brings its side to the match length."""
    if final is not None:
        return MatchScore(terms.length, *final, crawford=terms.crawford)
    score = terms.scores(games)[-1]
    if awarded_to is not None and not score.over:
        score = score.after(awarded_to, score.away(awarded_to))
    return score


def is_decided(claim: Claim, score: MatchScore) -> bool:
    """Whether the claim decides the match: somebody has won it by this score, or it is void."""
    return score.over or claim.conclusion == Conclusion.VOID


def check_claim(terms: Terms, claim: Claim) -> tuple[MatchScore, tuple[Finding, ...]]:
    """Return the score of the claim, and its warnings. Raises Refusal naming the first rule that it breaks."""
    if (claim.conclusion in AWARDS) != (claim.awarded_to is not None):
        raise Refusal("award_without_side", _("A forfeit or walkover must name the side that is awarded the match."))
    if claim.final is not None and (claim.games or claim.awarded_to):
        raise Refusal("final_with_games", _("Enter either the games or a final score, not both."))
    if claim.conclusion == Conclusion.WALKOVER and claim.games:
        raise Refusal("walkover_with_games", _("A walkover is a match that never began: it has no games."))
    if claim.conclusion == Conclusion.VOID:
        if claim.games or claim.final:
            raise Refusal("void_with_games", _("A match to which neither side came has no games."))
        return terms.opening, ()
    if claim.final is None and not claim.games and claim.awarded_to is None:
        raise Refusal("sheet_empty", _("A score sheet must contain at least one game or a final score."))
    refuse_large_cubes(claim.games)
    if claim.final is not None:
        check = check_final(terms, *claim.final)
    else:
        check = check_sheet(terms, claim.games)
    if check.errors:
        first = check.errors[0]
        raise Refusal(first.code, in_words(first), findings=check.errors)
    if claim.awarded_to is not None and check.over:
        raise Refusal(
            "award_after_the_end", _("The games have already decided the match: there is nothing left to award.")
        )
    return score_of(terms, claim.games, claim.final, claim.awarded_to), check.warnings


def require_confirmed(match: Match, claim: Claim, warnings: Sequence[Finding]) -> None:
    """Raise Unconfirmed for warnings that the claimant has not confirmed, or has confirmed for another claim."""
    if not warnings or claim.confirmed:
        return
    seen = [(finding.code, finding.game, sorted(finding.params.items())) for finding in warnings]
    question = digest_of(match.pk, claim.base, claim_as_dict(claim), seen)
    if claim.answered != question:
        sentences = " ".join(in_words(finding) for finding in warnings)
        raise Unconfirmed("confirm_warnings", sentences, findings=warnings, question=question)


def refuse_large_cubes(games: Sequence[GameResult]) -> None:
    """Raise Refusal for a cube that the database cannot hold."""
    for number, game in enumerate(games, start=1):
        if type(game.cube) is int and game.cube > MAX_CUBE:
            sentence = _("Game %(game)s: the cube cannot be higher than %(limit)s.")
            raise Refusal("cube_too_large", sentence % {"game": number, "limit": MAX_CUBE})


def claim_of(sheet: Scoresheet) -> Claim:
    """Return the claim of a stored sheet. Reads ``sheet.lines`` as prefetched if there is no final score."""
    final = None if sheet.final_a is None or sheet.final_b is None else (sheet.final_a, sheet.final_b)
    return Claim(
        key=sheet.key,
        games=tuple(game_of(line) for line in sheet.lines.all()) if final is None else (),
        final=final,
        conclusion=Conclusion(sheet.conclusion),
        awarded_to=Side(sheet.awarded_to) if sheet.awarded_to else None,
    )


def claim_as_dict(claim: Claim) -> dict[str, object]:
    """Return the claim as the log keeps it, which is enough to make it again."""
    return {
        "games": [[game.winner.value, game.cube, game.level.value, game.ending.value] for game in claim.games],
        "final": list(claim.final) if claim.final else None,
        "conclusion": Conclusion(claim.conclusion).value,
        "awarded_to": claim.awarded_to.value if claim.awarded_to else None,
    }


def is_correction(sheet: Scoresheet) -> bool:
    """Whether the sheet's result came after another one, and does not merely restore an earlier one."""
    return sheet.at > sheet.played_at and not sheet.key.startswith(AGAIN)


def game_of(line: GameLine) -> GameResult:
    """Return the stored line of a sheet as the rules represent a game."""
    return GameResult(Side(line.winner), line.cube, Level(line.level), Ending(line.ending))


def matches_of(player: Player) -> QuerySet[Match]:
    """Return every match in which the player takes part, alone or in a pair."""
    seats = Q(side_a=player) | Q(side_b=player) | Q(partner_a=player) | Q(partner_b=player)
    return Match.objects.filter(seats)


def prefetch_open_sheets(matches: str = "") -> Prefetch:
    """Prefetch the current sheet and the open reports of each match, with games; ``matches`` is the path to them."""
    opened = Scoresheet.objects.filter(state__in=Scoresheet.OPEN).select_related("claimed_by")
    return Prefetch(f"{matches}sheets", queryset=opened.prefetch_related("lines"), to_attr="open_sheets")


def read_open_sheets(matches: Mapping[int, Match], found: QuerySet[Match], *, named: bool) -> None:
    """Read the current sheet and the open reports of each match with their games, as :func:`prefetch_open_sheets` does.

    It takes two queries; with ``named`` it also reads the claimants, in one more. ``found`` selects the matches, which
    ``matches`` holds by id.
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
    locked = Match.objects.select_for_update().get(pk=match.pk)
    rows = tuple(locked.sheets.all())
    opened = [row for row in rows if row.state in Scoresheet.OPEN]
    prefetch_related_objects([row for row in opened if row.final_a is None], "lines")
    current = next((row for row in opened if row.state in Scoresheet.CURRENT), None)
    return Sheets(locked, rows, current, tuple(row for row in opened if row.state in Scoresheet.REPORTS))


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

    ``played_at`` is when it was played; by default now, or the time of the confirmed sheet that it corrects.

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
    match, current = sheets.match, sheets.current
    if claim.base != (current.number if current else 0):
        raise Conflict("sheet_changed", describe_change(match, current))
    score, warnings = check_claim(match.terms, claim)
    if current is not None:
        warnings = new_warnings(warnings, claim_of(current), claim)
    require_confirmed(match, claim, warnings)
    if played_at is None:
        played_at = current.played_at if current is not None and current.state == SheetState.CONFIRMED else at
    state = SheetState.CONFIRMED if is_decided(claim, score) else SheetState.LIVE
    kept = {report.pk for report in keeping} if state == SheetState.LIVE else set()
    for row in sheets.rows:
        if row.state in Scoresheet.OPEN and row.pk not in kept:
            change_state(row, SheetState.SUPERSEDED, by=by, at=at)
    return append_sheet(sheets, claim, state, source=source, by=by, at=at, played_at=played_at), True


def sheet_of(sheets: Sheets, claim: Claim) -> Scoresheet | None:
    """Return the sheet that this claim has already made, found by its key; None if the claim is new.

    Raises Refusal without a key, and Conflict if its key was used for something else.
    """
    if not claim.key or len(claim.key) > 64:
        raise Refusal("key_invalid", _("A submission must carry a key of 1 to 64 characters."))
    known = next((row for row in sheets.rows if row.key == claim.key), None)
    if known is not None and not says_the_same(claim_of(known), claim):
        raise Conflict("key_reused", _("This submission's key has already been used for another result."))
    return known


def supersede_open(match: Match, *, by: User | None, at: datetime, side: str = "", reason: str = "") -> None:
    """Supersede the current sheet and all open reports of the match, to make way for another."""
    for sheet in match.sheets.filter(state__in=Scoresheet.OPEN):
        change_state(sheet, SheetState.SUPERSEDED, by=by, at=at, side=side, reason=reason)


def append_sheet(
    sheets: Sheets,
    claim: Claim,
    state: SheetState,
    *,
    source: SheetSource,
    side: str = "",
    by: User | None,
    at: datetime,
    played_at: datetime,
) -> Scoresheet:
    """Append a sheet to those of the match, in this state, with its games loaded.

    The claim must have passed its check.
    """
    sheet = Scoresheet(
        match=sheets.match,
        number=len(sheets.rows) + 1,
        state=state,
        source=source,
        side=side,
        claimed_by=by,
        key=claim.key,
        final_a=claim.final[0] if claim.final else None,
        final_b=claim.final[1] if claim.final else None,
        conclusion=claim.conclusion,
        awarded_to=claim.awarded_to or "",
        reason=claim.reason.strip()[:200],
        at=at,
        played_at=played_at,
    )
    sheet.full_clean(validate_constraints=False)  # the database holds them
    sheet.save()
    GameLine.objects.bulk_create(
        GameLine(sheet=sheet, number=number, winner=game.winner, cube=game.cube, level=game.level, ending=game.ending)
        for number, game in enumerate(claim.games, start=1)
    )
    SheetChange.objects.create(sheet=sheet, state=state, side=side, reason=sheet.reason, by=by, at=at)
    if claim.final is None:
        prefetch_related_objects([sheet], "lines")
    return sheet


def change_state(
    sheet: Scoresheet, state: SheetState, *, by: User | None, at: datetime, side: str = "", reason: str = ""
) -> None:
    """Put the sheet in this state, and record since when, by whom and why."""
    sheet.state = state
    sheet.save(update_fields=["state"])
    SheetChange.objects.create(sheet=sheet, state=state, side=side, reason=reason.strip()[:200], by=by, at=at)


@transaction.atomic
def void_sheet(match: Match, *, base: int, by: User | None, at: datetime, reason: str = "") -> Scoresheet:
    """Void the match's current sheet, as if nothing had been entered; the sheet stays in the history."""
    return void_current(lock_sheets(match), base=base, by=by, at=at, reason=reason)


def void_current(sheets: Sheets, *, base: int, by: User | None, at: datetime, reason: str = "") -> Scoresheet:
    """Void the current sheet as :func:`void_sheet` does, for a match that is locked and whose sheets have been read."""
    current = sheets.current
    if current is None:
        raise Conflict("nothing_to_void", _("This match has no result to take back."))
    if current.number != base:
        raise Conflict("sheet_changed", describe_change(sheets.match, current))
    change_state(current, SheetState.VOID, by=by, at=at, reason=reason)
    return current


def void_everything(match: Match, *, by: User | None, at: datetime, reason: str) -> list[Scoresheet]:
    """Void the current sheet and all reports of the match, for this reason."""
    sheets = list(match.sheets.filter(state__in=Scoresheet.OPEN))
    for sheet in sheets:
        change_state(sheet, SheetState.VOID, by=by, at=at, reason=reason)
    return sheets


def new_warnings(warnings: Sequence[Finding], before: Claim, claim: Claim) -> tuple[Finding, ...]:
    """Return the warnings about games that were not on the previous sheet: the others were confirmed with it."""
    known = 0
    for old, new in zip(before.games, claim.games, strict=False):
        if old != new:
            break
        known += 1
    return tuple(finding for finding in warnings if finding.game is None or finding.game > known)


def says_the_same(one: Claim, other: Claim) -> bool:
    """Whether both claim the same result of the match, regardless of who claims it and when."""
    return (one.games, one.final, one.conclusion, one.awarded_to) == (
        other.games,
        other.final,
        other.conclusion,
        other.awarded_to,
    )


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
