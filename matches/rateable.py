"""The matches that count for the ratings: which score sheets they are, and what each says."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.acceptance import Acceptance
from matches.claims import claim_of, score_of
from matches.models import Conclusion, GameLine, Match, Record, Scoresheet, SheetState, Verdict
from matches.services import prefetched_sheet
from players.ratings import RatedResult
from rules.score import Ending, Side

CHUNK = 1000
UNRATED = ("unrated", "not_begun")
"""Codes of the findings that keep the match of a proved record out of the ratings."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that counts for the ratings; ``result`` uses player ids."""

    match_id: int
    at: datetime
    result: RatedResult


def rateable_sheets() -> QuerySet[Scoresheet]:
    """Return the confirmed sheets that are rated, in rating order: by time, then by match.

    Walkovers and forfeits are not rated, nor is a sheet whose every game was forfeited: neither side need have moved.
    Doubles are not rated: a rating belongs to one player. An imported match is rated if its record was proved, both
    sides moved, and it does not call itself unrated; a match whose record was accepted without proof is not rated.
    Nothing from a deleted event or tournament is rated.
    Source: results.ukbgf.com, policy; NBgF, matches not begun (2021-11-06).
    """
    lines = GameLine.objects.filter(sheet=OuterRef("pk"))
    unrated = _unrated_records().filter(match=OuterRef("match"))
    return (
        Scoresheet.objects.filter(state=SheetState.CONFIRMED, conclusion=Conclusion.PLAYED)
        .filter(match__partner_a__isnull=True)
        .filter(Q(final_a__isnull=False) | Exists(lines.exclude(ending=Ending.FORFEIT)))
        .exclude(Exists(unrated))
        .exclude(match__acceptance__isnull=False)
        .exclude(match__fixture__stage__event__deleted_at__isnull=False)
        .exclude(match__fixture__stage__event__tournament__deleted_at__isnull=False)
        .exclude(match__board__fixture__stage__event__deleted_at__isnull=False)
        .exclude(match__board__fixture__stage__event__tournament__deleted_at__isnull=False)
        .order_by("played_at", "match_id")
    )


def rateable_by(moment: datetime) -> QuerySet[Scoresheet]:
    """Return the rateable sheets that had been confirmed or imported by ``moment``."""
    return rateable_sheets().filter(
        Q(changes__state=SheetState.CONFIRMED, changes__at__lte=moment),
        Q(match__record__isnull=True) | Q(match__record__imported_at__lte=moment),
    )


def rated_matches(sheets: QuerySet[Scoresheet] | None = None) -> Iterator[RatedMatch]:
    """Yield the rated matches in order, reading them piece by piece.

    A sheet that the rules do not follow to the end of its match is left out; the audit names it.
    """
    chosen = rateable_sheets() if sheets is None else sheets
    for sheet in chosen.select_related("match").prefetch_related("lines").iterator(chunk_size=CHUNK):
        rated = _rated(sheet.match, sheet)
        if rated is not None:
            yield rated


def rated_as_read(groups: Sequence[Iterable[Match]]) -> list[list[RatedMatch]]:
    """Return of each group of matches the rated ones, by the current sheets that were read with them.

    It is the rule of :func:`rateable_sheets` for rows that need not be stored, of an event that has not been deleted.
    """
    played = [[(match, prefetched_sheet(match)) for match in group] for group in groups]
    rateable = [[(match, sheet) for match, sheet in group if sheet and _is_rateable(match, sheet)] for group in played]
    unrated = _of_unrated_records({match.pk for group in rateable for match, _sheet in group})
    rated = ([_rated(match, sheet) for match, sheet in group if match.pk not in unrated] for group in rateable)
    return [[match for match in group if match is not None] for group in rated]


def _is_rateable(match: Match, sheet: Scoresheet) -> bool:
    is_played = sheet.state == SheetState.CONFIRMED and sheet.conclusion == Conclusion.PLAYED
    return is_played and match.partner_a_id is None and (sheet.final_a is not None or _is_moved(sheet))


def _is_moved(sheet: Scoresheet) -> bool:
    return any(line.ending != Ending.FORFEIT for line in sheet.lines.all())


def _unrated_records() -> QuerySet[Record]:
    """Return the imported records that keep their match out of the ratings."""
    return Record.objects.filter(~Q(verdict=Verdict.PROVED) | Q(finding__code__in=UNRATED))


def _of_unrated_records(matches: Collection[int]) -> set[int | None]:
    if not matches:
        return set()
    accepted = Acceptance.objects.filter(match__in=matches)
    unrated = _unrated_records().filter(match__in=matches)
    return {*unrated.values_list("match", flat=True), *accepted.values_list("match", flat=True)}


def _rated(match: Match, sheet: Scoresheet) -> RatedMatch | None:
    claim = claim_of(sheet)
    winner = score_of(match.terms, claim.games, claim.final, claim.awarded_to).winner
    if winner is None:
        return None
    sides = (match.side_a_id, match.side_b_id)
    won, lost = sides if winner is Side.A else sides[::-1]
    return RatedMatch(match.pk, sheet.played_at, RatedResult(won, lost, match.length))


def in_order(match: RatedMatch) -> tuple[datetime, int]:
    """Return the sort key of rated matches: by time, then by match."""
    return match.at, match.match_id
