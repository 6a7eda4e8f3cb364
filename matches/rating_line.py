"""A player's ratings after each of their rated matches, rated again from a checkpoint that is far enough back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from matches.checkpoints import Tally, last_tally, matches_after
from matches.counted import Checkpoint, CountedMatch
from matches.counting import counted_matches, find_counting
from matches.ratings import rating_system

MOST_MATCHES = 20_000
"""How many of the latest rated matches, of all players, are rated again at the most: once in a process until others
are counted, in about half a second."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A player's rating after a match that was played ``at`` this moment."""

    at: datetime
    match_id: int
    value: float


def rating_line(slug: str, player: int) -> Sequence[RatingPoint]:
    """Return the player's ratings in order, the first one before their first match that is looked at.

    Matches that wait to be counted are not part of it. Raises Refusal for a system that does not exist.
    """
    rating_system(slug)
    counting = find_counting()
    return _lines(slug, counting.changes).get(player, ()) if counting is not None else ()


@lru_cache(maxsize=2)
def _lines(slug: str, _changes: int) -> Mapping[int, Sequence[RatingPoint]]:
    """Return the lines of all who have played lately: one player's costs as much as everybody's."""
    tally = _far_enough_back(slug)
    played = list(counted_matches(matches_after(tally)))
    changes = rating_system(slug).changes((match.result for match in played), tally.ratings)
    lines: dict[int, list[RatingPoint]] = {}
    for match, change in zip(played, changes, strict=True):
        for player, before, after in (
            (change.result.winner, change.winner_before, change.winner_after),
            (change.result.loser, change.loser_before, change.loser_after),
        ):
            line = lines.setdefault(player, [])
            if not line:
                line.append(RatingPoint(match.at, match.match_id, before.value))
            line.append(RatingPoint(match.at, match.match_id, after.value))
    return lines


def _far_enough_back(slug: str) -> Tally:
    """Return the checkpoint after which at most so many matches follow, if there is one."""
    total = CountedMatch.objects.count()
    if total <= MOST_MATCHES:
        return Tally()
    later = Checkpoint.objects.filter(system=slug, matches__gte=total - MOST_MATCHES).order_by("matches").first()
    return last_tally(slug) if later is None else last_tally(slug, before=(later.at, later.match + 1))


def forget_lines() -> None:
    """Throw away the lines that are kept."""
    _lines.cache_clear()
