"""A player's ratings after each of their rated matches, rated again from a checkpoint that is far enough back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from matches.checkpoints import Tally, last_tally, matches_after
from matches.counted import Checkpoint, CountedMatch
from matches.counting import counted_matches, find_counting
from matches.ratings import rating_system

MOST_MATCHES = 20_000
"""How many of the latest rated matches, of all players, are rated again at the most: about a tenth of a second."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A player's rating after a match that was played ``at`` this moment."""

    at: datetime
    match_id: int
    value: float


def rating_line(slug: str, player: int) -> tuple[RatingPoint, ...]:
    """Return the player's ratings in order, the first one before their first match that is looked at.

    Matches that wait to be counted are not part of it. Raises Refusal for a system that does not exist.
    """
    rating_system(slug)
    counting = find_counting()
    return _line(slug, player, counting.changes) if counting is not None else ()


@lru_cache(maxsize=300)
def _line(slug: str, player: int, _changes: int) -> tuple[RatingPoint, ...]:
    own = CountedMatch.objects.filter(winner=player) | CountedMatch.objects.filter(loser=player)
    if not own.exists():
        return ()
    return tuple(_points(slug, player, _far_enough_back(slug)))


def _far_enough_back(slug: str) -> Tally:
    """Return the checkpoint after which at most so many matches follow, if there is one."""
    total = CountedMatch.objects.count()
    if total <= MOST_MATCHES:
        return Tally()
    later = Checkpoint.objects.filter(system=slug, matches__gte=total - MOST_MATCHES).order_by("matches").first()
    return last_tally(slug) if later is None else last_tally(slug, before=(later.at, later.match + 1))


def _points(slug: str, player: int, tally: Tally) -> Iterator[RatingPoint]:
    played = list(counted_matches(matches_after(tally)))
    changes = rating_system(slug).changes((match.result for match in played), tally.ratings)
    is_first = True
    for match, change in zip(played, changes, strict=True):
        if player not in (change.result.winner, change.result.loser):
            continue
        won = change.result.winner == player
        before = change.winner_before if won else change.loser_before
        after = change.winner_after if won else change.loser_after
        if is_first:
            yield RatingPoint(match.at, match.match_id, before.value)
            is_first = False
        yield RatingPoint(match.at, match.match_id, after.value)


def forget_lines() -> None:
    """Throw away the lines that are kept."""
    _line.cache_clear()
