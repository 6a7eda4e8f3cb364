"""Ranking lists: the rated matches run through a rating system, oldest first.

:func:`replay_ratings` computes a list whole, from every score sheet. :func:`rate_matches` continues the stored one from
what has been counted (:mod:`matches.counting`, :mod:`matches.checkpoints`), which gives the same list.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches.checkpoints import Tally, continued, keep_tally, last_tally
from matches.counted import Counting
from matches.counting import count_some, find_counting, rated_now, start_again
from matches.models import Scoresheet
from matches.rateable import (
    CHUNK,
    UNRATED,
    RatedMatch,
    in_order,
    rateable_by,
    rateable_sheets,
    rated_matches,
)
from players.errors import Refusal
from players.models import RankingList, Rating
from players.ratings import RATINGS, RatedResult, RatingChange, RatingSystem
from players.ratings import Rating as Strength

__all__ = [
    "UNRATED",
    "RatedMatch",
    "as_listed",
    "count_on",
    "in_order",
    "is_covered",
    "rate_matches",
    "rate_some",
    "rateable_by",
    "rateable_sheets",
    "rated_matches",
    "rating_changes",
    "rating_system",
    "ratings_after",
    "replay_ratings",
]

PLACES = Decimal("0.0001")
FIELDS = ("player_id", "value", "experience", "matches", "wins")

Line = tuple[int, Decimal, int, int, int]
"""A line of a ranking list: the values of ``FIELDS``."""


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
        for match in rated_now():
            played.append(match)
            yield match.result

    for change in system.changes(results()):
        yield played.pop(), change


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
            value=as_listed(rating.value),
            experience=rating.experience,
            matches=rating.matches,
            wins=rating.wins,
        )
        for player_id, rating in sorted(ratings.items())
    ]


def as_listed(value: float) -> Decimal:
    """Return a rating as ranking lists show it, to four places."""
    return Decimal(value).quantize(PLACES)


def rate_matches(slug: str, *, at: datetime) -> RankingList:
    """Store the system's ranking list from all results up to ``at``, unless it already covers a later moment.

    Two runs over the same results store the same list. The list is locked only while it is stored, not while it is
    computed. Raises Refusal for a system that does not exist.
    """
    ranking_list = None
    while ranking_list is None:
        ranking_list = rate_some(slug, at=at, alone=True)
    return ranking_list


def rate_some(slug: str, *, at: datetime, alone: bool = False, covers: int | None = None) -> RankingList | None:
    """Do a part of what :func:`rate_matches` does; return the list once it is stored, None while more is to be done.

    ``covers`` is what the list is asked for by.

    What has been done is kept, so that any process can go on. The part is small unless the process is ``alone`` with
    this. Raises Refusal for a system that does not exist.
    """
    system = rating_system(slug)
    counting = find_counting() or start_again(at=at)
    if at < counting.at:
        if (later := RankingList.objects.filter(system=system.slug, computed_at__gt=at).first()) is not None:
            return later
        whole, matches = replay_ratings(system.slug, rateable_by(at))
        with transaction.atomic():
            stored = _stored(RankingList.objects.select_for_update().filter(system=system.slug).first())
            return _store(system.slug, [_values(line) for line in whole], matches, stored=stored, at=at, covers=covers)
    if not count_some(counting, at=at, alone=alone):
        return None
    tally, is_last = continued(last_tally(system.slug), system, alone=alone)
    if not is_last:
        _keep(system, tally, counting)
        return None
    lines = _lines(tally.ratings)
    # A process that stores a list of other matches changes the counting first.
    stored = _stored(RankingList.objects.filter(system=system.slug).first())
    with transaction.atomic():
        if not _keep(system, tally, counting):
            return None
        return _store(system.slug, lines, tally.matches, stored=stored, at=at, covers=covers)


def is_covered(slug: str, covers: int) -> bool:
    """Whether the list was last computed for just this."""
    return RankingList.objects.filter(system=slug, covers=covers).exists()


def count_on(*, at: datetime) -> bool:
    """Count some of the matches that wait, and see that checkpoints are not far apart; whether nothing was left to do.

    No list is stored: results reach it when :func:`rate_matches` is asked for.
    """
    counting = find_counting() or start_again(at=at)
    if not count_some(counting, at=at):
        return False
    for system in RATINGS.values():
        tally, is_last = continued(last_tally(system.slug), system)
        if not is_last:
            _keep(system, tally, counting)
            return False
    return True


@transaction.atomic
def _keep(system: RatingSystem, tally: Tally, counting: Counting) -> bool:
    """Store the tally as a checkpoint unless other matches have been counted since; whether they have not."""
    if Counting.objects.select_for_update().get(pk=1).changes != counting.changes:
        return False
    keep_tally(system.slug, tally)
    return True


def _lines(ratings: Mapping[int, Strength]) -> list[Line]:
    return [
        (player, as_listed(one.value), one.experience, one.matches, one.wins) for player, one in sorted(ratings.items())
    ]


def _values(line: Rating) -> Line:
    return line.player_id, line.value, line.experience, line.matches, line.wins


def _stored(ranking_list: RankingList | None) -> dict[int, Line]:
    if ranking_list is None:
        return {}
    return {line[0]: line for line in ranking_list.ratings.order_by().values_list(*FIELDS)}


def _store(
    slug: str, lines: Iterable[Line], matches: int, *, stored: dict[int, Line], at: datetime, covers: int | None
) -> RankingList:
    """Store the list, writing only what differs from what is ``stored``, unless that covers a later moment."""
    _list, is_new = RankingList.objects.get_or_create(system=slug, defaults={"computed_at": at, "matches": 0})
    ranking_list = RankingList.objects.select_for_update().get(system=slug)
    if not is_new and ranking_list.computed_at > at:
        return ranking_list
    changed = [line for line in lines if stored.pop(line[0], None) != line]
    ranking_list.ratings.filter(player__in=list(stored)).delete()
    Rating.objects.bulk_create(
        [Rating.new(ranking_list_id=ranking_list.pk, **dict(zip(FIELDS, line, strict=True))) for line in changed],
        batch_size=CHUNK,
        update_conflicts=True,
        unique_fields=["ranking_list", "player"],
        update_fields=FIELDS[1:],
    )
    ranking_list.computed_at, ranking_list.matches = at, matches
    ranking_list.version += 1
    ranking_list.covers = ranking_list.covers if covers is None else covers
    ranking_list.save(update_fields=["computed_at", "matches", "version", "covers"])
    return ranking_list
