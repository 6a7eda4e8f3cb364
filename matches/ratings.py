"""Ranking lists: every rateable match replayed through a rating system, oldest first, and the list stored whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from matches.claims import claim_of, score_of
from matches.models import Conclusion, GameLine, Record, Scoresheet, SheetState, Verdict
from players.errors import Refusal
from players.models import RankingList, Rating
from players.ratings import RATINGS, RatedResult, RatingChange, RatingSystem
from rules.score import Ending, Side

CHUNK = 1000
PLACES = Decimal("0.0001")
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
    sides moved, and it does not call itself unrated. Nothing from a deleted event or tournament is rated.
    Source: results.ukbgf.com, policy; NBgF, matches not begun (2021-11-06).
    """
    lines = GameLine.objects.filter(sheet=OuterRef("pk"))
    unrated = Record.objects.filter(match=OuterRef("match")).filter(
        ~Q(verdict=Verdict.PROVED) | Q(finding__code__in=UNRATED)
    )
    return (
        Scoresheet.objects.filter(state=SheetState.CONFIRMED, conclusion=Conclusion.PLAYED)
        .filter(match__partner_a__isnull=True)
        .filter(Q(final_a__isnull=False) | Exists(lines.exclude(ending=Ending.FORFEIT)))
        .exclude(Exists(unrated))
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
        match, claim = sheet.match, claim_of(sheet)
        winner = score_of(match.terms, claim.games, claim.final, claim.awarded_to).winner
        if winner is not None:
            sides = (match.side_a_id, match.side_b_id)
            won, lost = sides if winner is Side.A else sides[::-1]
            yield RatedMatch(match.pk, sheet.played_at, RatedResult(won, lost, match.length))


def rating_system(slug: str) -> RatingSystem:
    """Return the rating system with this slug. Raises Refusal, listing the known systems, if there is none."""
    try:
        return RATINGS[slug]
    except KeyError:
        raise Refusal(
            "rating_system_unknown",
            _("There is no rating system “%(slug)s”. Available: %(known)s.")
            % {"slug": slug[:40], "known": ", ".join(RATINGS)},
        ) from None


def rating_changes(slug: str) -> Iterator[tuple[RatedMatch, RatingChange]]:
    """Yield every rated match with its effect on both ratings, starting with the first."""
    system = rating_system(slug)
    played: list[RatedMatch] = []

    def results() -> Iterator[RatedResult]:
        for match in rated_matches():
            played.append(match)
            yield match.result

    for change in system.changes(results()):
        yield played.pop(), change


def in_order(match: RatedMatch) -> tuple[datetime, int]:
    """Return the sort key of rated matches: by time, then by match."""
    return match.at, match.match_id


def replay_ratings(slug: str, sheets: QuerySet[Scoresheet] | None = None) -> tuple[list[Rating], int]:
    """Return the ranking list that the results give, as unsaved lines sorted by player, and the number of matches."""
    matches = 0

    def counted() -> Iterator[RatedMatch]:
        nonlocal matches
        for match in rated_matches(sheets):
            matches += 1
            yield match

    return ratings_after(slug, counted()), matches


def ratings_after(slug: str, matches: Iterable[RatedMatch]) -> list[Rating]:
    """Return the ranking list after these matches, given in order, as unsaved lines sorted by player."""
    ratings = rating_system(slug).rate(match.result for match in matches)
    return [
        Rating(
            player_id=player_id,
            value=Decimal(rating.value).quantize(PLACES),
            experience=rating.experience,
            matches=rating.matches,
            wins=rating.wins,
        )
        for player_id, rating in sorted(ratings.items())
    ]


def rate_matches(slug: str, *, at: datetime) -> RankingList:
    """Store the system's ranking list from all results up to ``at``, unless it already covers a later moment.

    Two runs over the same results store the same list. The list is locked only while it is stored, not while it is
    computed. Raises Refusal for a system that does not exist.
    """
    system = rating_system(slug)
    lines, matches = replay_ratings(system.slug, rateable_by(at))
    with transaction.atomic():
        new = {"computed_at": at, "matches": 0}
        _list, is_new = RankingList.objects.get_or_create(system=system.slug, defaults=new)
        ranking_list = RankingList.objects.select_for_update().get(system=system.slug)
        if not is_new and ranking_list.computed_at > at:
            return ranking_list
        ranking_list.ratings.all().delete()
        for line in lines:
            line.ranking_list = ranking_list
        Rating.objects.bulk_create(lines, batch_size=CHUNK)
        ranking_list.computed_at, ranking_list.matches = at, matches
        ranking_list.save(update_fields=["computed_at", "matches"])
    return ranking_list
