"""Upsets of an event: matches won by the player with the lower rating, by the list as it stood before the match."""

from collections.abc import Mapping
from dataclasses import dataclass

from matches.checkpoints import last_tally, matches_after
from matches.counted import CountedMatch
from players.ratings import DEFAULT_RATING, RATINGS, RatedResult
from tournament.story.matches import ToldMatch

MOST = 3
"""How many upsets are told."""
LEAST = 50
"""A smaller difference of ratings is no upset."""
MOST_READ = 20_000
"""The most matches that are rated again to find the list of that time."""


@dataclass(frozen=True, slots=True)
class Upset:
    """A match with the ratings of winner and loser before it."""

    match: ToldMatch
    winner: int
    loser: int


def find_upsets(matches: Mapping[int, ToldMatch]) -> list[Upset] | None:
    """Return the greatest upsets among the matches, by id; None if the ratings of that time are not known.

    Only players who had been rated before count. It takes at most four queries.
    """
    own = CountedMatch.objects.filter(match__in=matches)
    ends = list(own.order_by("at", "match").values_list("at", "match"))
    if not ends:
        return None
    system = RATINGS[DEFAULT_RATING]
    tally = last_tally(system.slug, before=ends[0])
    rows = matches_after(tally).filter(at__lte=ends[-1][0]).values_list("winner", "loser", "length", "match")
    read = list(rows[: MOST_READ + 1])
    if len(read) > MOST_READ:
        return None
    found, known = [], False
    results = (RatedResult(*result) for *result, _match in read)
    for (*_result, match), change in zip(read, system.changes(results, tally.ratings), strict=True):
        winner, loser = change.winner_before, change.loser_before
        if match not in matches or not (winner.matches and loser.matches):
            continue
        known = True
        if loser.value - winner.value >= LEAST:
            found.append(Upset(matches[match], round(winner.value), round(loser.value)))
    return sorted(found, key=lambda upset: upset.winner - upset.loser)[:MOST] if known else None
