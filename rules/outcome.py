"""The level at which a finished position is won."""

from typing import Final

from rules.position import BAR, CHECKERS, OFF, Position, count
from rules.profiles import BackgammonZone, RuleProfile
from rules.score import Level

_ZONE_FROM: Final = {BackgammonZone.WINNER_HOME_AND_BAR: 19, BackgammonZone.WINNER_HALF_AND_BAR: 13}
"""The loser's own point from which a checker makes a backgammon, counting outwards; the bar is the furthest point."""


def won_level(position: Position, profile: RuleProfile) -> Level | None:
    """Return the level at which the player to move has just won by bearing off the last checker; None if they have not.

    A loser who has borne off a checker loses a single game. Source: S2 (dbf), "Gammon & Backgammon"; the backgammon
    zone differs in S1 (se-web), and S4 (de-leaflet) has no backgammon. Invariant I13.
    """
    if count(position.mine, OFF) < CHECKERS:
        return None
    loser = position.theirs
    if count(loser, OFF):
        return Level.SINGLE
    furthest = max(point for point in range(1, BAR + 1) if count(loser, point))
    zone = _ZONE_FROM.get(profile.backgammon_zone)
    if zone is not None and furthest >= zone:
        return Level.BACKGAMMON
    return Level.GAMMON
