"""What a director can still change in a draw by hand, as far as the pairings tell; the service has the last word."""

from __future__ import annotations

from tournament.formats import FORMATS
from tournament.snapshot.event import StageSnapshot
from tournament.snapshot.values import FixtureSnapshot, FixtureState


def seats_by_draw(stage: StageSnapshot) -> list[FixtureSnapshot]:
    """Return the pairings among which seats can change: those of round 1, or of the newest round of a Swiss."""
    drawn = [fixture for fixture in stage.fixtures if fixture.a.feed == "" and fixture.b.feed in ("", "bye")]
    by_round = FORMATS[stage.format].pairs_by_round
    shown = max((fixture.round for fixture in drawn), default=0) if by_round else 1
    return [fixture for fixture in drawn if fixture.round == shown]


def can_change_by_hand(stage: StageSnapshot) -> bool:
    """Whether a change is still possible: two players whose matches have not begun, or a round that has not.

    Where players are paired as they become free, a change is of the next batch, until all matches are over.
    """
    begun = stage.in_state(FixtureState.LIVE, FixtureState.DONE)
    drawn = seats_by_draw(stage)
    if FORMATS[stage.format].is_continuous(stage.options):
        return stage.done < stage.matches
    if FORMATS[stage.format].pairs_by_round:
        return bool(drawn) and not any(fixture in begun for fixture in drawn)
    busy = {entry for fixture in begun for entry in fixture.entry_ids}
    free = [fixture.entry_ids - busy for fixture in drawn]
    return sum(map(len, free)) >= 2 and (sum(map(bool, free)) >= 2 or not FORMATS[stage.format].has_final)
