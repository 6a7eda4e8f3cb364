"""What has been decided in a stage: its fixtures as stored, and the results that their confirmed score sheets say."""

from collections.abc import Iterable

from django.db.models import Prefetch

from matches.models import Match, Scoresheet, SheetState
from matches.services import claim_of, score_of
from rules.score import Side
from tournament.models import Fixture, Stage
from tournament.tiebreaks import Result


def load_fixtures(stage: Stage) -> list[Fixture]:
    """The stage's fixtures with matches and current sheets, in a fixed number of queries."""
    current = Scoresheet.objects.filter(state__in=Scoresheet.CURRENT).select_related("claimed_by")
    return list(
        stage.fixtures.select_related("match").prefetch_related(
            Prefetch("match__sheets", queryset=current.prefetch_related("lines"))
        )
    )


def current_sheet_of(match: Match | None) -> Scoresheet | None:
    """The match's current sheet, read as prefetched."""
    return next(iter(match.sheets.all()), None) if match else None


def results_of(fixtures: Iterable[Fixture]) -> list[Result]:
    """The confirmed results of fixtures loaded by :func:`load_fixtures`; points as credited in play."""
    return [result for fixture in fixtures if (result := _result_of(fixture)) is not None]


def _result_of(fixture: Fixture) -> Result | None:
    match, a, b = fixture.match, fixture.entry_a_id, fixture.entry_b_id
    sheet = current_sheet_of(match)
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
        length=fixture.length,
    )
