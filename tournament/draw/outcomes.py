"""The decisions in a stage: its stored fixtures and the results of their confirmed sheets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects

from matches.claims import claim_of, score_of
from matches.error_rates import rates_of
from matches.models import Conclusion, Match, Scoresheet, SheetSource, SheetState
from matches.services import prefetch_open_sheets, prefetched_reports, prefetched_sheet, read_open_sheets
from rules.score import Side
from tournament.draw.calls import prefetch_open_calls, prefetched_call, read_open_calls
from tournament.draw.rates import rate_as_of, rates_over_time
from tournament.formats.drawn_matches import is_drawn
from tournament.formats.plan import Outcome
from tournament.formats.rate_points import lower_rates
from tournament.models import Advance, Board, Fixture, Stage
from tournament.ranking.tiebreaks import Result

FEW = 20
"""Up to so many matches are named in a query one by one, instead of by the query that found them."""


def load_fixtures(stage: Stage, *, of: Iterable[int] | None = None, named: bool = False) -> list[Fixture]:
    """Load the stage's fixtures with matches, current sheets and any boards, in a fixed number of queries.

    With ``of`` they are those of these entries alone; with ``named`` the names of those who claimed the sheets are
    loaded.
    """
    found = stage.fixtures.all()
    if of is not None:
        found = found.filter(Q(entry_a__in=of) | Q(entry_b__in=of))
    return read_fixtures(found, named=named)


def read_fixtures(found: QuerySet[Fixture], *, named: bool = False) -> list[Fixture]:
    """Read the fixtures with their matches and whatever decides them, in a fixed number of queries.

    That is the open sheets and calls, advances by ruling, and the boards of teams; with ``named`` also the names of
    those who claimed the sheets.
    """
    fixtures = list(found.select_related("match"))
    matches = {fixture.match.pk: fixture.match for fixture in fixtures if fixture.match}
    for match in matches.values():
        # Two rows that refer to each other stay in memory until the garbage collector runs, which stops everything.
        Match._meta.get_field("fixture").delete_cached_value(match)
    if matches:
        by_query = Match.objects.filter(fixture__in=found.order_by())
        _read_what_decides(matches, by_query if len(matches) > FEW else list(matches), named=named)
    of_teams = [fixture for fixture in fixtures if fixture.match is None and fixture.entry_a_id and fixture.entry_b_id]
    prefetch_related_objects(of_teams, prefetch_boards())
    return fixtures


def _read_what_decides(matches: Mapping[int, Match], found: QuerySet[Match] | Sequence[int], *, named: bool) -> None:
    """Read what decides these ``matches``, given by id; ``found`` is the query that finds them, or their ids."""
    read_open_sheets(matches, found, named=named)
    read_open_calls(matches, found)
    for match in matches.values():
        match.standing_advances = []  # type: ignore[attr-defined]
    for advance in _standing_advances().filter(match__in=found):
        if advance.match_id in matches:
            matches[advance.match_id].standing_advances.append(advance)  # type: ignore[attr-defined]


def _standing_advances() -> QuerySet[Advance]:
    return Advance.objects.filter(ended_at__isnull=True)


def mark_as_new(match: Match) -> Match:
    """Mark a match not stored yet as having nothing of what :func:`read_fixtures` reads."""
    match.open_sheets, match.open_calls, match.standing_advances = [], [], []  # type: ignore[attr-defined]
    return match


def prefetch_advances(matches: str = "") -> Prefetch:
    """Prefetch who advances from each match by ruling; ``matches`` is the path to the matches, such as ``match__``."""
    return Prefetch(f"{matches}advances", queryset=_standing_advances(), to_attr="standing_advances")


def prefetch_boards() -> Prefetch:
    """Prefetch each fixture's boards with their matches, players, and whatever :func:`read_fixtures` reads."""
    seated = Board.objects.select_related("match__side_a", "match__side_b")
    decided = prefetch_open_sheets("match__"), prefetch_open_calls("match__"), prefetch_advances("match__")
    return Prefetch("boards", queryset=seated.prefetch_related(*decided))


def has_begun(fixture: Fixture) -> bool:
    """Whether any match of the fixture has a score sheet or a report, or is being played at a table.

    Reads the fixture as :func:`load_fixtures` loads it.
    """
    return any(match_has_begun(match) for match in fixture.matches.values())


def match_has_begun(match: Match) -> bool:
    """Whether the match has a score sheet or a report, or is being played at a table. Reads the match as loaded."""
    call = prefetched_call(match)
    return match_has_sheet(match) or (call is not None and call.started_at is not None)


def match_has_sheet(match: Match) -> bool:
    """Whether the match has a score sheet or a report. Reads the match as loaded."""
    return prefetched_sheet(match) is not None or bool(prefetched_reports(match))


def begun_at(match: Match) -> datetime | None:
    """Return when the match was last known to be in play: the time of its newest sheet or report, or of its start.

    None for a match that has not begun; a walkover because somebody has left, or a void match, never begins. Reads it
    as loaded.
    """
    call = prefetched_call(match)
    times = [sheet.played_at for sheet in match.open_sheets if not _never_begins(sheet)]
    times += [call.started_at] if call is not None and call.started_at is not None else []
    return max(times, default=None)


def _never_begins(sheet: Scoresheet) -> bool:
    return sheet.conclusion == Conclusion.VOID or is_walkover_of_absence(sheet)


def is_walkover_of_absence(sheet: Scoresheet) -> bool:
    """Whether the sheet is a walkover for an absence, or a void match for two, with no game played."""
    never_began = (Conclusion.WALKOVER, Conclusion.VOID)
    return sheet.source == SheetSource.ABSENCE and sheet.conclusion in never_began


def load_fixtures_as_of(stage: Stage, moment: datetime) -> list[Fixture]:
    """Load the stage's current fixtures, each match with the score sheets and error rates of ``moment``."""
    sheets = Scoresheet.objects.filter(at__lte=moment).prefetch_related("lines", "changes")
    known = Prefetch("match__sheets", queryset=sheets)
    boards = Board.objects.select_related("match__side_a", "match__side_b")
    seated = Prefetch(
        "boards", queryset=boards.prefetch_related(known, prefetch_open_calls("match__"), prefetch_advances("match__"))
    )
    found = stage.fixtures.select_related("match")
    fixtures = list(found.prefetch_related(known, prefetch_open_calls("match__"), prefetch_advances("match__"), seated))
    matches = {match.pk: match for fixture in fixtures for match in fixture.matches.values()}
    typed = rates_over_time(stage, matches)
    for match in matches.values():
        match.open_sheets = sheets_as_of(match.sheets.all(), moment)
        rate_as_of(match, typed.get(match.pk, ()), moment)
    return fixtures


def sheets_as_of(sheets: Iterable[Scoresheet], moment: datetime) -> list[Scoresheet]:
    """Return the sheets open at the moment, in their state at that time. Reads ``changes`` as prefetched."""
    opened = []
    for sheet in sheets:
        states = [change.state for change in sheet.changes.all() if change.at <= moment]
        if states and states[-1] in Scoresheet.OPEN:
            sheet.state = states[-1]
            opened.append(sheet)
    return opened


def advanced_by_ruling(fixture: Fixture) -> int | None:
    """Return the entry that advances by ruling, from the match or the corrected board; None without a ruling.

    Reads what :func:`prefetch_advances` loads.
    """
    matches = fixture.matches.values()
    standing = (advance for match in matches for advance in match.standing_advances)  # type: ignore[attr-defined]
    return next((advance.entry_id for advance in standing), None)


def outcomes_of(fixtures: Iterable[Fixture], results: Iterable[Result]) -> dict[str, Outcome]:
    """Return who advances from each decided fixture: the winner, unless a ruling says otherwise.

    Nobody has won where it is void or drawn.

    ``results`` are those of :func:`results_of`.
    """
    outcomes = {}
    decided = {result.key: result for result in results}
    for fixture in fixtures:
        a, b = fixture.entry_a_id, fixture.entry_b_id
        if (result := decided.get(fixture.key)) is not None:
            outcomes[fixture.key] = outcome_of(result, advanced=advanced_by_ruling(fixture))
        elif a is not None and b is not None and is_void(fixture):
            outcomes[fixture.key] = Outcome(a, b, is_void=True)
    return outcomes


def outcome_of(result: Result, *, advanced: int | None = None) -> Outcome:
    """Return the outcome of a decided match; ``advanced`` is the entry that goes on by ruling."""
    winner = result.winner if advanced is None else advanced
    if winner is None:
        return Outcome(result.a, result.b, is_drawn=True)
    loser = result.b if winner == result.a else result.a
    return Outcome(winner, loser, lower_rates=result.lower_rates)


def is_void(fixture: Fixture) -> bool:
    """Whether the fixture is decided, but neither won nor drawn: void, or between teams with as many boards each."""
    decided = [result for match in fixture.matches.values() if (result := _decided(match)) is not None]
    return len(decided) == len(fixture.matches) > 0 and _is_void(decided)


def _is_void(decided: Sequence["_Decided"]) -> bool:
    won_a, won_b = _won(decided)
    return won_a == won_b and not is_drawn(len(decided), won_a, won_b)


def _won(decided: Sequence["_Decided"]) -> tuple[int, int]:
    """Return how many of these matches each side has won."""
    return sum(one.winner is Side.A for one in decided), sum(one.winner is Side.B for one in decided)


def results_of(fixtures: Iterable[Fixture], *, rate_point: bool = False) -> list[Result]:
    """Return the confirmed results of fixtures loaded by :func:`load_fixtures`, with points as credited in play.

    Two teams have one once every board is decided: the team that has won more boards wins, and the boards are the
    points; with as many of an even number the match is drawn. A void match has none.
    With ``rate_point`` the lower error rate is a second win.
    """
    return [result for fixture in fixtures if (result := _result_of(fixture, rate_point=rate_point)) is not None]


def _result_of(fixture: Fixture, *, rate_point: bool) -> Result | None:
    a, b, matches = fixture.entry_a_id, fixture.entry_b_id, fixture.matches
    decided = [result for match in matches.values() if (result := _decided(match)) is not None]
    if a is None or b is None or not decided or len(decided) < len(matches) or _is_void(decided):
        return None
    if 0 not in matches:
        boards_a, boards_b = _won(decided)
        never_met = all(result.conclusion in (Conclusion.WALKOVER, Conclusion.VOID) for result in decided)
        whole = _Decided(
            winner=None if boards_a == boards_b else Side.A if boards_a > boards_b else Side.B,
            points=(boards_a, boards_b),
            conclusion=Conclusion.WALKOVER if never_met else Conclusion.PLAYED,
        )
    else:
        (whole,) = decided
    is_rated = rate_point and 0 in matches and whole.conclusion is not Conclusion.WALKOVER
    return Result(
        key=fixture.key,
        a=a,
        b=b,
        score_a=whole.points[0],
        score_b=whole.points[1],
        winner=None if whole.winner is None else a if whole.winner is Side.A else b,
        conclusion=whole.conclusion.value,
        length=matches[0].length if 0 in matches else fixture.length,
        round=fixture.round,
        lower_rates=lower_rates(a, b, rates_of(matches[0])) if is_rated else (),
    )


@dataclass(frozen=True, slots=True)
class _Decided:
    winner: Side | None
    points: tuple[int, int]
    conclusion: Conclusion


def _decided(match: Match) -> _Decided | None:
    sheet = prefetched_sheet(match)
    if sheet is None or sheet.state != SheetState.CONFIRMED:
        return None
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    # A forfeit counts with the points that were played for, not with those that were awarded.
    points = score if claim.awarded_to is None else score_of(match.terms, claim.games, claim.final, None)
    return _Decided(score.winner, (points.a, points.b), claim.conclusion)
