"""What is shown of a match: its sheet and reports, the score, the points of both sides, and its state."""

from __future__ import annotations

from collections.abc import Sequence

from matches.claims import claim_of, score_of
from matches.differences import score_between
from matches.models import Conclusion, Match, Scoresheet, SheetState
from matches.services import prefetched_reports, prefetched_sheet
from rules.score import MatchScore, Side
from rules.sheet import Terms
from tournament.models import Call, Fixture
from tournament.snapshot.values import BoardSnapshot, FixtureState, ReportSnapshot, SheetSnapshot


def view_sheet(terms: Terms, sheet: Scoresheet) -> SheetSnapshot:
    """Return the sheet with its scores. Reads ``sheet.lines`` and ``sheet.claimed_by`` as prefetched."""
    claim = claim_of(sheet)
    score = score_of(terms, claim.games, claim.final, claim.awarded_to)
    return SheetSnapshot(
        number=sheet.number,
        terms=terms,
        games=claim.games,
        scores=terms.scores(claim.games),
        score=score,
        played_score=score if claim.awarded_to is None else score_of(terms, claim.games, claim.final, None),
        is_final_only=claim.final is not None,
        conclusion=claim.conclusion,
        awarded_to=claim.awarded_to,
        by=str(sheet.claimed_by or ""),
        at=sheet.at,
        played_at=sheet.played_at,
    )


def claims_of(match: Match) -> tuple[SheetSnapshot | None, tuple[ReportSnapshot, ...], MatchScore]:
    """Return the current sheet, the open reports, and the score: the sheet's, else that of the reports.

    Reports that differ in play give the last score that all agree on. What is disputed is no score: the match then
    stands where it began.
    """
    row = prefetched_sheet(match)
    sheet = view_sheet(match.terms, row) if row is not None else None
    reports = tuple(
        ReportSnapshot(report.side, report.state == SheetState.DISPUTED, view_sheet(match.terms, report))
        for report in prefetched_reports(match)
    )
    score = sheet.score if sheet is not None else score_between(match, prefetched_reports(match))
    if score is None or any(report.is_disputed for report in reports):
        score = match.terms.opening
    return sheet, reports, score


Tally = tuple[tuple[int, int] | tuple[None, None], Side | None]
"""Both sides' points, if there are any to show, and the winner."""


def points_shown(sheet: SheetSnapshot | None, reports: Sequence[ReportSnapshot], score: MatchScore | None) -> Tally:
    """Return the points won in play or reported; before the first game, only those awarded by a ruling.

    A match in dispute has none: what is claimed there is no score.
    """
    if any(report.is_disputed for report in reports):
        return (None, None), None
    if sheet is not None:
        played = sheet.played_score
        never_began = sheet.conclusion in (Conclusion.WALKOVER, Conclusion.VOID)
        return (None, None) if never_began else (played.a, played.b), sheet.score.winner
    return ((score.a, score.b) if score is not None and (reports or score.a + score.b) else (None, None)), None


def boards_won(boards: tuple[BoardSnapshot, ...]) -> Tally:
    """Return the boards won by each team and, once all are decided, the team that has won more, if any."""
    if all(board.state is FixtureState.READY for board in boards):
        return (None, None), None
    a, b = sum(board.a.is_winner for board in boards), sum(board.b.is_winner for board in boards)
    is_over = all(board.state is FixtureState.DONE for board in boards)
    if a == b or not is_over:
        return (None, None) if is_over and not a else (a, b), None
    return (a, b), Side.A if a > b else Side.B


def state_of_fixture(
    fixture: Fixture,
    boards: tuple[BoardSnapshot, ...],
    sheet: SheetSnapshot | None,
    reports: Sequence[ReportSnapshot],
    call: Call | None,
) -> FixtureState:
    if "bye" in (fixture.feed_a, fixture.feed_b):
        return FixtureState.BYE
    states = {board.state for board in boards}
    if len(states) > 1:
        return FixtureState.LIVE
    if states:
        return states.pop()
    return FixtureState.WAITING if fixture.match_id is None else state_of_match(sheet, reports, call)


def state_of_match(sheet: SheetSnapshot | None, reports: Sequence[ReportSnapshot], call: Call | None) -> FixtureState:
    if sheet is None:
        is_played = bool(reports) or (call is not None and call.started_at is not None)
        return FixtureState.LIVE if is_played else FixtureState.READY
    return FixtureState.DONE if sheet.is_final else FixtureState.LIVE
