"""What a change to a few rated matches does to the ratings, found from those that were rated before."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from matches.ratings import RatedMatch, in_order, rated_matches, ratings_after
from players.ratings import RATINGS

Move = tuple[Decimal | None, Decimal | None]
"""A player's rating before and after; None where the player is not on the list."""


def moves_between(before: Sequence[RatedMatch], after: Sequence[RatedMatch]) -> dict[str, dict[int, Move]]:
    """Return the ratings that move, by system and player, if the matches ``after`` take the place of those ``before``.

    All other rateable matches stand as they are stored now. A system in which nothing moves has an empty mapping.
    """
    if list(before) == list(after):
        return {system: {} for system in RATINGS}
    own = {match.match_id for match in (*before, *after)}
    others = [match for match in rated_matches() if match.match_id not in own]
    found = {}
    for system in RATINGS:
        old, new = (
            {line.player_id: line.value for line in ratings_after(system, sorted((*others, *rated), key=in_order))}
            for rated in (before, after)
        )
        players = sorted(old.keys() | new.keys())
        found[system] = {
            player: (old.get(player), new.get(player)) for player in players if old.get(player) != new.get(player)
        }
    return found
