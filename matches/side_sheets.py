"""A match as one side of it sees the claims: the own report, the opponent's and the desk's, how far they agree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from matches.claims import check_claim, claim_of
from matches.differences import clashes, name_claimant, score_claimed
from matches.history import History
from matches.models import Conclusion, Match, Scoresheet, SheetSource, SheetState
from players.errors import in_words
from rules.keeper import first_difference, games_alike
from rules.score import MatchScore, Side
from rules.sheet import GameResult


class SheetStatus(StrEnum):
    """What a side can still do about the score: CLOSED is a match that was awarded without play, or is void."""

    OPEN = "open"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class ToldGame:
    """A game of a claim, when it was first told, and the score after it."""

    game: GameResult
    at: datetime
    score: MatchScore


@dataclass(frozen=True, slots=True)
class Told:
    """A claim: its number, games or final score, who makes it and since when."""

    number: int
    games: tuple[ToldGame, ...]
    final: MatchScore | None
    by: str
    at: datetime

    @property
    def results(self) -> tuple[GameResult, ...]:
        return tuple(told.game for told in self.games)


@dataclass(frozen=True, slots=True)
class SideSheet:
    """What a side is told of the match: ``own`` report, ``theirs``, the ``desk``'s sheet or else the scorer's report.

    ``own`` is the result once there is one. ``agreed`` counts the games that both sides have alike. ``objection`` is
    whose objection stands against a report of either side. Nobody having objected, the match counts at ``confirm_by``.
    """

    status: SheetStatus
    own: Told | None
    theirs: Told | None
    desk: Told | None
    agreed: int
    differs_at: int | None
    desk_differs_at: int | None
    objection: str
    confirm_by: datetime | None
    score: MatchScore
    result: MatchScore | None
    warnings: tuple[str, ...]


def sheet_of_side(history: History, side: Side, *, confirm_minutes: int | None) -> SideSheet:
    """Return what the side is told; ``confirm_minutes`` is how long somebody may object to a report, if limited."""
    match, current = history.match, history.current
    is_decided = current is not None and current.state == SheetState.CONFIRMED
    reports = {report.side: report for report in history.reports}
    own_row = current if is_decided else reports.get(side)
    desk_row = reports.get("") if current is None else None if is_decided else current
    own, theirs, desk = (
        tell(history, row) if row is not None else None for row in (own_row, reports.get(side.other), desk_row)
    )
    games = own.results if own is not None else ()
    is_compared = own is not None and theirs is not None and own.final is None and theirs.final is None
    score = score_claimed(match, own_row) if own_row is not None else match.terms.opening
    return SideSheet(
        status=_status(history),
        own=own,
        theirs=theirs,
        desk=desk,
        agreed=games_alike(games, theirs.results) if is_compared and theirs is not None else 0,
        differs_at=first_difference(games, theirs.results) if is_compared and theirs is not None else None,
        desk_differs_at=first_difference(games, desk.results) if desk is not None else None,
        objection=next((report.objector for report in history.reports if report.objector), ""),
        confirm_by=confirmed_by(history, confirm_minutes),
        score=score,
        result=score if _status(history) is SheetStatus.CONFIRMED else None,
        warnings=_unlikely(history, own_row),
    )


def tell(history: History, sheet: Scoresheet) -> Told:
    """Return the claim of the sheet with the time at which each of its games was first told by the same claimant."""
    claim = claim_of(sheet)
    scores = history.match.terms.scores(claim.games)[1:]
    times = kept_times(history, sheet)
    return Told(
        number=sheet.number,
        games=tuple(ToldGame(*line) for line in zip(claim.games, times, scores, strict=True)),
        final=score_claimed(history.match, sheet) if claim.final is not None else None,
        by=name_claimant(history.match, sheet),
        at=sheet.at,
    )


def kept_times(history: History, sheet: Scoresheet) -> list[datetime]:
    """Return for each game of the sheet when its claimant first told all games up to that one as they are there."""
    games = claim_of(sheet).games
    earlier = [row for row in history.sheets if row.number <= sheet.number and _claimant(row) == _claimant(sheet)]
    told = [(games_alike(claim_of(row).games, games), row.at) for row in earlier]
    return [min(at for same, at in told if same >= number) for number in range(1, len(games) + 1)]


def _claimant(sheet: Scoresheet) -> tuple[str, bool]:
    """Return who claims: a side, or the desk with its scorers."""
    return sheet.side, sheet.source == SheetSource.PLAYER


def confirmed_by(history: History, minutes: int | None) -> datetime | None:
    """Return when a report becomes the result because nobody has objected; None if none does."""
    match, current = history.match, history.current
    is_open = current is None or current.state == SheetState.LIVE
    if minutes is None or not is_open or any(report.state == SheetState.DISPUTED for report in history.reports):
        return None
    waiting = [report for report in history.reports if is_over(match, report) and not clashes(match, report, current)]
    return min((report.unopposed_since + timedelta(minutes=minutes) for report in waiting), default=None)


def is_over(match: Match, sheet: Scoresheet) -> bool:
    """Whether the sheet claims that the match is over."""
    return score_claimed(match, sheet).over


def _status(history: History) -> SheetStatus:
    current = history.current
    if current is not None and current.state == SheetState.CONFIRMED:
        is_played = current.conclusion in (Conclusion.PLAYED, Conclusion.FORFEIT)
        return SheetStatus.CONFIRMED if is_played else SheetStatus.CLOSED
    is_disputed = any(report.state == SheetState.DISPUTED for report in history.reports)
    return SheetStatus.DISPUTED if is_disputed else SheetStatus.OPEN


def _unlikely(history: History, sheet: Scoresheet | None) -> tuple[str, ...]:
    """Return a sentence for each game that is legal but unlikely."""
    if sheet is None or sheet.state not in Scoresheet.REPORTS:
        return ()
    return tuple(in_words(finding) for finding in check_claim(history.match.terms, claim_of(sheet))[1])
