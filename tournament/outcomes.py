"""What has been decided in a stage: its fixtures as stored, and the results that their confirmed score sheets say."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Prefetch

from matches.models import Scoresheet, SheetState
from matches.services import claim_of, prefetch_current_sheets, prefetched_sheet, score_of
from rules.score import Side
from tournament.calls import prefetch_open_calls, prefetched_call
from tournament.models import Fixture, Stage
from tournament.tiebreaks import Result


def load_fixtures(stage: Stage) -> list[Fixture]:
    """The stage's fixtures with matches and current sheets, in a fixed number of queries."""
    fixtures = stage.fixtures.select_related("match")
    return list(fixtures.prefetch_related(prefetch_current_sheets("match__"), prefetch_open_calls("match__")))


def has_begun(fixture: Fixture) -> bool:
    """Whether its match has a score sheet, or is being played at a table.

    Reads the fixture as :func:`load_fixtures` loads it.
    """
    call = prefetched_call(fixture.match)
    return prefetched_sheet(fixture.match) is not None or (call is not None and call.started_at is not None)


def load_fixtures_as_of(stage: Stage, moment: datetime) -> list[Fixture]:
    """The stage's fixtures as they are, each match with the score sheet that it had at ``moment``, current or not.

    A sheet of a match that was over counts as confirmed, in memory alone.
    """
    sheets = Scoresheet.objects.filter(at__lte=moment).order_by("-number").prefetch_related("lines")
    known = Prefetch("match__sheets", queryset=sheets)
    fixtures = list(stage.fixtures.select_related("match").prefetch_related(known, prefetch_open_calls("match__")))
    for match in (fixture.match for fixture in fixtures):
        sheet = prefetched_sheet(match)
        if match is not None and sheet is not None:
            claim = claim_of(sheet)
            over = score_of(match.terms, claim.games, claim.final, claim.awarded_to).over
            sheet.state = SheetState.CONFIRMED if over else SheetState.LIVE
    return fixtures


def results_of(fixtures: Iterable[Fixture]) -> list[Result]:
    """The confirmed results of fixtures loaded by :func:`load_fixtures`; points as credited in play."""
    return [result for fixture in fixtures if (result := _result_of(fixture)) is not None]


def _result_of(fixture: Fixture) -> Result | None:
    match, a, b = fixture.match, fixture.entry_a_id, fixture.entry_b_id
    sheet = prefetched_sheet(match)
    if match is None or a is None or b is None or sheet is None or sheet.state != SheetState.CONFIRMED:
        return None
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    # A forfeit counts with the points that were played for, not with those awarded.
    points = score_of(match.terms, claim.games, claim.final, None)
    return Result(
        key=fixture.key,
        a=a,
        b=b,
        score_a=points.a,
        score_b=points.b,
        winner=a if score.winner is Side.A else b,
        conclusion=claim.conclusion.value,
        length=match.length,
        round=fixture.round,
    )
