"""The ratings of a system after some of the counted matches, from which a list is continued."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from matches.counted import Checkpoint, CountedMatch
from players.ratings import RATINGS, Rating, RatingSystem
from players.ratings.packed import pack, unpack

SPACING = 1000
"""The smallest number of matches between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The ratings of everybody who played one of the first ``matches`` counted matches; ``after`` is the last one's
    place in rating order, None before the first.
    """

    matches: int = 0
    after: tuple[datetime, int] | None = None
    ratings: Mapping[int, Rating] = field(default_factory=dict)


def last_tally(system: str, *, before: tuple[datetime, int] | None = None) -> Tally:
    """Return the system's last checkpoint; with ``before`` the last one that is before this place in rating order."""
    found = Checkpoint.objects.filter(system=system).order_by("at", "match")
    if before is not None:
        at, match = before
        found = found.filter(at__lte=at).exclude(at=at, match__gte=match)
    last = found.last()
    if last is None:
        return Tally()
    return Tally(last.matches, (last.at, last.match), unpack(RATINGS[system], last.ratings))


def matches_after(tally: Tally, *, without: Collection[int] = ()) -> QuerySet[CountedMatch]:
    """Return the counted matches that follow, in rating order, but not those of these ids."""
    found = CountedMatch.objects.order_by("at", "match")
    if tally.after is not None:
        at, match = tally.after
        found = found.filter(at__gte=at).exclude(at=at, match__lte=match)
    return found.exclude(match__in=without) if without else found


def continued(tally: Tally, system: RatingSystem, *, alone: bool = False) -> tuple[Tally, bool]:
    """Return the tally after some more of the counted matches, if there are any, and whether these were the last.

    Some are half as many as there are players, as every tally holds all of them; ``alone``, half of what there is.
    """
    following = matches_after(tally)
    size = max(SPACING, len(tally.ratings) // 2)
    left = following.count() if alone else following[: size + 1].count()
    if not left:
        return tally, True
    count = min(left, max(size, left // 2))
    results = following.values_list("winner", "loser", "length", named=True)[:count]
    ratings = system.rate(results.iterator(), tally.ratings)
    last = following.values_list("at", "match")[count - 1]
    return Tally(tally.matches + count, last, ratings), count == left


def keep_tally(system: str, tally: Tally) -> None:
    """Store the tally as a checkpoint unless it is there, and drop others that stand close before it."""
    if tally.after is None:
        return
    at, match = tally.after
    packed = {"matches": tally.matches, "ratings": pack(RATINGS[system], tally.ratings)}
    _kept, is_new = Checkpoint.objects.get_or_create(system=system, at=at, match=match, defaults=packed)
    if is_new:
        stored = dict(Checkpoint.objects.filter(system=system).values_list("matches", "pk"))
        Checkpoint.objects.filter(pk__in=[stored[count] for count in superfluous(stored)]).delete()


def superfluous(counts: Iterable[int]) -> list[int]:
    """Return the checkpoints to drop, each given by its number of matches: the last one stays.

    The farther from the end, the wider the gap that may be left: half the distance. So there are few of them, and a
    change in the past is rated from a place not much farther back than it is itself.
    """
    oldest_first = [0, *sorted(counts)]
    end = newer = oldest_first[-1]
    dropped = []
    for older, count in zip(oldest_first[-3::-1], oldest_first[-2:0:-1], strict=True):
        if newer - older <= max(SPACING, (end - newer) // 2):
            dropped.append(count)
        else:
            newer = count
    return dropped
