"""What has been decided in a stage: its fixtures as stored, and the results that their confirmed score sheets say."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from matches.models import Conclusion, Match, Scoresheet, SheetState
from matches.services import claim_of, prefetch_current_sheets, prefetched_sheet, score_of
from rules.score import Side
from tournament.calls import prefetch_open_calls, prefetched_call
from tournament.models import Board, Fixture, Stage
from tournament.tiebreaks import Result


def load_fixtures(stage: Stage) -> list[Fixture]:
    """The stage's fixtures with matches and current sheets, in a fixed number of queries."""
    fixtures = stage.fixtures.select_related("match")
    return list(
        fixtures.prefetch_related(prefetch_current_sheets("match__"), prefetch_open_calls("match__"), prefetch_boards())
    )


def prefetch_boards() -> Prefetch:
    """Reads the boards of each fixture with their matches, who sits there, the current sheets and the open calls."""
    seated = Board.objects.select_related("match__side_a", "match__side_b")
    loaded = seated.prefetch_related(prefetch_current_sheets("match__"), prefetch_open_calls("match__"))
    return Prefetch("boards", queryset=loaded)


def has_begun(fixture: Fixture) -> bool:
    """Whether a match of it has a score sheet, or is being played at a table.

    Reads the fixture as :func:`load_fixtures` loads it.
    """
    return any(match_has_begun(match) for match in fixture.matches.values())


def match_has_begun(match: Match) -> bool:
    """Whether the match has a score sheet, or is being played at a table. Reads it as loaded."""
    call = prefetched_call(match)
    return prefetched_sheet(match) is not None or (call is not None and call.started_at is not None)


def load_fixtures_as_of(stage: Stage, moment: datetime) -> list[Fixture]:
    """The stage's fixtures as they are, each match with the score sheet that it had at ``moment``, current or not.

    A sheet of a match that was over counts as confirmed, in memory alone.
    """
    sheets = Scoresheet.objects.filter(at__lte=moment).order_by("-number").prefetch_related("lines")
    known = Prefetch("match__sheets", queryset=sheets)
    boards = Board.objects.select_related("match__side_a", "match__side_b")
    seated = Prefetch("boards", queryset=boards.prefetch_related(known, prefetch_open_calls("match__")))
    found = stage.fixtures.select_related("match").prefetch_related(known, prefetch_open_calls("match__"), seated)
    fixtures = list(found)
    for match in (match for fixture in fixtures for match in fixture.matches.values()):
        sheet = prefetched_sheet(match)
        if sheet is not None:
            claim = claim_of(sheet)
            over = score_of(match.terms, claim.games, claim.final, claim.awarded_to).over
            sheet.state = SheetState.CONFIRMED if over else SheetState.LIVE
    return fixtures


def results_of(fixtures: Iterable[Fixture]) -> list[Result]:
    """The confirmed results of fixtures loaded by :func:`load_fixtures`; points as credited in play.

    Two teams have one once every board is decided: who has won more boards has won, and the boards are the points.
    """
    return [result for fixture in fixtures if (result := _result_of(fixture)) is not None]


def _result_of(fixture: Fixture) -> Result | None:
    a, b = fixture.entry_a_id, fixture.entry_b_id
    decided = [result for match in fixture.matches.values() if (result := _decided(match)) is not None]
    if a is None or b is None or not decided or len(decided) < len(fixture.matches):
        return None
    if fixture.match is None:
        boards_a = sum(result.winner is Side.A for result in decided)
        boards_b = len(decided) - boards_a
        never_met = all(result.conclusion is Conclusion.WALKOVER for result in decided)
        whole = _Decided(
            winner=Side.A if boards_a > boards_b else Side.B,
            points=(boards_a, boards_b),
            conclusion=Conclusion.WALKOVER if never_met else Conclusion.PLAYED,
        )
    else:
        (whole,) = decided
    return Result(
        key=fixture.key,
        a=a,
        b=b,
        score_a=whole.points[0],
        score_b=whole.points[1],
        winner=a if whole.winner is Side.A else b,
        conclusion=whole.conclusion.value,
        length=fixture.match.length if fixture.match else fixture.length,
        round=fixture.round,
    )


@dataclass(frozen=True, slots=True)
class _Decided:
    winner: Side
    points: tuple[int, int]
    conclusion: Conclusion


def _decided(match: Match) -> _Decided | None:
    sheet = prefetched_sheet(match)
    if sheet is None or sheet.state != SheetState.CONFIRMED:
        return None
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    # A forfeit counts with the points that were played for, not with those awarded.
    points = score_of(match.terms, claim.games, claim.final, None)
    return _Decided(Side.A if score.winner is Side.A else Side.B, (points.a, points.b), claim.conclusion)
