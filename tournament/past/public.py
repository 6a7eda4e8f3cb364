"""The past as it is shown today: what was claimed of a match that is in dispute now is withheld there too."""

from dataclasses import replace

from rules.score import MatchScore
from tournament.roles.claims import disputed_among
from tournament.snapshot import BoardSnapshot, EventSnapshot, FixtureSnapshot, FixtureState
from tournament.snapshot.states import MatchState


def without_claims(snapshot: EventSnapshot) -> EventSnapshot:
    """Return the event of then, in which a match in play is disputed if it is so now. It takes one query at most.

    A result that was confirmed then stays: it was no claim.
    """
    fixtures = [fixture for stage in snapshot.stages for fixture in stage.fixtures]
    in_play = (one for fixture in fixtures for one in fixture.boards or (fixture,) if one.state is FixtureState.LIVE)
    disputed = disputed_among(one.match_id for one in in_play if one.match_id is not None)
    if not disputed:
        return snapshot
    stages = tuple(
        replace(stage, fixtures=tuple(_without(fixture, disputed) for fixture in stage.fixtures))
        for stage in snapshot.stages
    )
    return replace(snapshot, stages=stages, stage=stages[snapshot.stages.index(snapshot.stage)])


def _without(fixture: FixtureSnapshot, disputed: frozenset[int]) -> FixtureSnapshot:
    if fixture.match_id in disputed and fixture.state is FixtureState.LIVE:
        return replace(
            fixture,
            a=replace(fixture.a, points=None),
            b=replace(fixture.b, points=None),
            score=_opening(fixture),
            sheet=None,
            reports=(),
            status=MatchState.DISPUTED,
        )
    hidden = [board for board in fixture.boards if board.match_id in disputed and board.state is FixtureState.LIVE]
    if not hidden:
        return fixture
    boards = tuple(_board_without(board) if board in hidden else board for board in fixture.boards)
    return replace(fixture, boards=boards, status=MatchState.DISPUTED)


def _board_without(board: BoardSnapshot) -> BoardSnapshot:
    return replace(
        board,
        a=replace(board.a, points=None),
        b=replace(board.b, points=None),
        score=_opening(board) or board.score,
        sheet=None,
        reports=(),
        status=MatchState.DISPUTED,
    )


def _opening(played: FixtureSnapshot | BoardSnapshot) -> MatchScore | None:
    """Return the score at which the match began, as far as anybody has claimed something of it."""
    sheets = [played.sheet, *(report.sheet for report in played.reports)]
    return next((sheet.terms.opening for sheet in sheets if sheet is not None), played.score)
