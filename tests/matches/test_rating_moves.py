"""The moves of ratings, equal to two whole computations of the lists."""

from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from random import Random

import pytest

from matches.models import Match, SheetSource
from matches.rating_moves import moves_between
from matches.ratings import RatedMatch, in_order, rated_matches, ratings_after
from matches.services import submit_sheet
from players.models import Player
from players.ratings import RATINGS, RatedResult
from players.services import create_player
from tests.builders import AT, claim

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches() -> list[RatedMatch]:
    """Forty matches of six players, some of them at the same moment."""
    chance = Random(14)
    people = [create_player(name=f"Player {number}", at=AT) for number in range(6)]
    for _each in range(40):
        one, other = chance.choice(list(combinations(people, 2)))
        match = Match.objects.create(side_a=one, side_b=other, length=chance.choice([1, 3, 7]), created_at=AT)
        final = chance.choice([(match.length, 0), (0, match.length)])
        at = AT + timedelta(minutes=chance.randrange(30))
        submit_sheet(match, claim=claim(final=final, confirmed=True), source=SheetSource.DESK, by=None, at=at)
    return list(rated_matches())


def lists_with(stored: list[RatedMatch], before: list[RatedMatch], after: list[RatedMatch]) -> dict[str, dict]:
    """The moves between two lists computed whole."""
    own = {match.match_id for match in (*before, *after)}
    others = [match for match in stored if match.match_id not in own]
    found = {}
    for system in RATINGS:
        old, new = (
            {line.player_id: line.value for line in ratings_after(system, sorted((*others, *rated), key=in_order))}
            for rated in (before, after)
        )
        found[system] = {
            player: (old.get(player), new.get(player))
            for player in old.keys() | new.keys()
            if old.get(player) != new.get(player)
        }
    return found


def turned(match: RatedMatch) -> RatedMatch:
    result = match.result
    return replace(match, result=RatedResult(result.loser, result.winner, result.length))


def test_moves_are_those_between_two_lists_computed_whole(matches):
    chance = Random(15)
    newcomer = create_player(name="Newcomer", at=AT)
    for _each in range(20):
        before = chance.sample(matches, 6)
        after = [*map(turned, before[:2]), *before[3:5]]
        first = before[5]
        after.append(replace(first, result=RatedResult(newcomer.pk, first.result.loser, 5)))
        found = moves_between(before, after)
        assert found == lists_with(matches, before, after)
        assert found["fibs"][newcomer.pk][0] is None


def test_a_player_whose_only_match_goes_leaves_the_list(matches):
    alone = create_player(name="Alone", at=AT)
    other = Player.objects.get(name="Player 0")
    match = Match.objects.create(side_a=alone, side_b=other, length=5, created_at=AT)
    submit_sheet(match, claim=claim(final=(5, 0), confirmed=True), source=SheetSource.DESK, by=None, at=AT)
    [rated] = [found for found in rated_matches() if found.match_id == match.pk]
    assert moves_between([rated], [])["fibs"][alone.pk][1] is None


def test_nothing_moves_where_nothing_changes(matches):
    assert moves_between(matches[:3], matches[:3]) == {system: {} for system in RATINGS}
