"""An event with every state of a match, to be audited."""

import pytest

from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, open_matches, win
from tournament.draw.standings import store_standings
from tournament.models import Event
from tournament.results.enter import enter_result

A, B = Side.A, Side.B


@pytest.fixture
def event(director) -> Event:
    """Eight players; M1-1 was entered game by game and corrected, M1-2 is live, the others of round 1 are over."""
    event = build_event(director, players=8, lengths=(7, 5))
    first, live, *others = open_matches(event)
    for games in ((GameResult(A, 2),), (GameResult(A, 2), GameResult(A, 4))):
        enter_result(first, claim=claim(games=games, base=len(games) - 1, confirmed=True), by=director, at=AT)
    corrected = claim(games=(GameResult(A, 2), GameResult(B, 1), GameResult(A, 4)), base=2, confirmed=True)
    enter_result(first, claim=corrected, by=director, at=AT)
    enter_result(live, claim=claim(games=(GameResult(B, 1), GameResult(A, 2))), by=director, at=AT)
    for match in others:
        win(match, A, loser_points=2, by=director)
    store_standings(event.pk)
    return event
