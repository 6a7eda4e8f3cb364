"""The level at which a finished position is won."""

from typing import Final

from rules.position import BAR, CHECKERS, OFF, Position, count
from rules.profiles import BackgammonZone, RuleProfile
from rules.score import Level

_WINNER_HOME: Final = 19
_ZONE_FROM: Final = {BackgammonZone.WINNER_HOME_AND_BAR: _WINNER_HOME, BackgammonZone.WINNER_HALF_AND_BAR: 13}
"""The loser's own point from which a checker makes a backgammon, counting outwards; the bar is the furthest point."""


def won_level(position: Position, profile: RuleProfile) -> Level | None:
    """Return the level at which the player to move has just won by bearing off the last checker; None if they have not.

    A loser who has borne off a checker loses a single game. Source: S2 (dbf), "Gammon & Backgammon"; the backgammon
    zone differs in S1 (se-web), and S4 (de-leaflet) has no backgammon. In S0 (dk-leaflet) it is single only with no
    checker left in the winner's home board or on the bar; the text names no level for the rest, and a gammon is the
    least that is more than single. Invariant I13.
    """
    if count(position.mine, OFF) < CHECKERS:
        return None
    loser = position.theirs
    furthest = max((point for point in range(1, BAR + 1) if count(loser, point)), default=0)
    if count(loser, OFF):
        left = not profile.borne_off_is_single and furthest >= _WINNER_HOME
        return Level.GAMMON if left else Level.SINGLE
    zone = _ZONE_FROM.get(profile.backgammon_zone)
    if zone is not None and furthest >= zone:
        return Level.BACKGAMMON
    return Level.GAMMON
