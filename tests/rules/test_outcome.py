import pytest

from rules.outcome import won_level
from rules.position import BAR, OFF, START, Position
from rules.profiles import PROFILES, WBGF
from rules.score import Level

DONE = {OFF: 15}


@pytest.mark.parametrize(
    ("loser", "level"),
    [
        ({1: 14}, Level.SINGLE),
        ({24: 1, BAR: 1}, Level.SINGLE),
        ({1: 15}, Level.GAMMON),
        ({18: 15}, Level.GAMMON),
        ({18: 14, 19: 1}, Level.BACKGAMMON),
        ({1: 14, BAR: 1}, Level.BACKGAMMON),
    ],
)
def test_won_level_follows_from_the_losers_checkers(loser, level):
    assert won_level(Position.of(DONE, loser), WBGF) is level


def test_won_level_is_none_while_the_winner_has_a_checker_left():
    assert won_level(START, WBGF) is None
    assert won_level(Position.of({1: 1}, {2: 15}), WBGF) is None


@pytest.mark.parametrize(
    ("slug", "levels"),
    [
        ("wbgf", (2, 2, 3, 3)),
        ("dk-leaflet", (2, 2, 3, 3)),
        ("se-web", (2, 3, 3, 3)),
        ("dbf", (2, 2, 3, 3)),
        ("nbgf-info", (2, 2, 3, 3)),
        ("de-leaflet", (2, 2, 2, 2)),
    ],
)
def test_won_level_counts_stragglers_as_the_profile_says(slug, levels):
    stragglers = ({12: 1}, {13: 1}, {19: 1}, {BAR: 1})
    found = [won_level(Position.of(DONE, {1: 14, **straggler}), PROFILES[slug]) for straggler in stragglers]
    assert tuple(found) == levels
