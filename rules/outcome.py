"""What a finished position is won at."""

from typing import Final

from rules.position import BAR, CHECKERS, OFF, Position, count
from rules.profiles import BackgammonZone, RuleProfile
from rules.score import Level

_ZONE_FROM: Final = {BackgammonZone.WINNER_HOME_AND_BAR: 19, BackgammonZone.WINNER_HALF_AND_BAR: 13}
"""The loser's own point from which on his checkers make a backgammon; the bar is the furthest point of all."""


def won_level(position: Position, profile: RuleProfile) -> Level | None:
    """The level at which the player to move has just won by bearing off his last checker; None if he has not.

    A loser who has borne off a checker loses a single game. Source: S2 (dbf), "Gammon & Backgammon"; the zone of a
    backgammon differs in S1 (se-web), and S4 (de-leaflet) knows no backgammon. Invariant I13.
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
