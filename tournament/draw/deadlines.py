"""The last day on which a match may be played, and the rule of its stage for a match that is not begun by then."""

from datetime import date
from zoneinfo import ZoneInfo

from tournament.draw.challenge_rows import deadline_of as deadline_of_challenge
from tournament.draw.challenge_rows import standing_challenges
from tournament.formats import parse_options
from tournament.formats.unplayed import UnplayedRule, unplayed_rule
from tournament.formats.weeks import week_of
from tournament.models import Fixture, Stage


def deadline_of(fixture: Fixture, stage: Stage, zone: ZoneInfo) -> date | None:
    """Return the last day to play: of the pairing alone, of its round, or of its challenge in this zone; None without.

    The challenges of a ladder are read unless they have been.
    """
    if fixture.play_by is not None:
        return fixture.play_by
    week = week_of(parse_options(stage.format, stage.options), fixture.round)
    if week is not None:
        return week.last
    made = next((row for row in standing_challenges(stage) if row.number == fixture.number), None)
    return deadline_of_challenge(made, zone, stage) if made is not None else None


def rule_of(stage: Stage) -> UnplayedRule:
    """Return what becomes of a match of the stage that is not begun by its deadline."""
    return unplayed_rule(parse_options(stage.format, stage.options))
