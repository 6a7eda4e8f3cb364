"""Which matches of an event on paper would be rated."""

from collections.abc import Collection, Iterable

from django.db.models import Q

from matches.claims import claim_of, score_of
from matches.models import Conclusion, Match, Record, Scoresheet, SheetState, Verdict
from matches.ratings import UNRATED, RatedMatch
from matches.services import prefetched_sheet
from players.ratings import RatedResult
from rules.score import Ending, Side


def rated_on_paper(before: Iterable[Match], after: Iterable[Match]) -> tuple[tuple[RatedMatch, ...], ...]:
    """Return the rated ones of the matches of an event, by the sheets that they have before and after a change.

    It is the rule of :func:`matches.ratings.rateable_sheets`, asked of rows that are not stored.
    """
    sides = [_with_sheets(before), _with_sheets(after)]
    unrated = _of_unrated_records({match.pk for side in sides for match, _sheet in side})
    rated = ([_rated(match, sheet) for match, sheet in side if match.pk not in unrated] for side in sides)
    return tuple(tuple(match for match in side if match is not None) for side in rated)


def _with_sheets(matches: Iterable[Match]) -> list[tuple[Match, Scoresheet]]:
    sheets = ((match, prefetched_sheet(match)) for match in matches)
    return [(match, sheet) for match, sheet in sheets if sheet is not None and _is_rateable(match, sheet)]


def _is_rateable(match: Match, sheet: Scoresheet) -> bool:
    is_played = sheet.state == SheetState.CONFIRMED and sheet.conclusion == Conclusion.PLAYED
    return is_played and match.partner_a_id is None and (sheet.final_a is not None or _is_moved(sheet))


def _is_moved(sheet: Scoresheet) -> bool:
    return any(line.ending != Ending.FORFEIT for line in sheet.lines.all())


def _of_unrated_records(matches: Collection[int]) -> set[int | None]:
    """Return the ids of those matches whose imported record keeps them out of the ratings."""
    if not matches:
        return set()
    records = Record.objects.filter(match__in=matches)
    unrated = records.filter(~Q(verdict=Verdict.PROVED) | Q(finding__code__in=UNRATED))
    return set(unrated.values_list("match", flat=True))


def _rated(match: Match, sheet: Scoresheet) -> RatedMatch | None:
    claim = claim_of(sheet)
    winner = score_of(match.terms, claim.games, claim.final, claim.awarded_to).winner
    if winner is None:
        return None
    sides = (match.side_a_id, match.side_b_id)
    won, lost = sides if winner is Side.A else sides[::-1]
    return RatedMatch(match.pk, sheet.played_at, RatedResult(won, lost, match.length))
