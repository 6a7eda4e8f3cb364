from datetime import timedelta
from decimal import Decimal
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.audit import audit_rankings
from matches.counted import CountedMatch
from matches.models import Conclusion, Match, SheetSource
from matches.ratings import rate_matches, rateable_sheets, rated_matches, rating_changes
from matches.services import submit_sheet, void_sheet
from matches.tasks import rate
from players.errors import Refusal
from players.models import Player, RankingList, Rating
from players.ratings import RATINGS, RatedResult
from players.services import create_player
from rules.score import Ending, Side
from rules.sheet import GameResult
from tests.builders import AT, claim

pytestmark = pytest.mark.django_db

A, B = Side.A, Side.B


@pytest.fixture
def players() -> list[Player]:
    return [create_player(name=name, at=AT) for name in ("Ann", "Bo", "Cy")]


def play(one: Player, other: Player, *, length: int = 5, minutes: int = 0, **claimed: object) -> Match:
    match = Match.objects.create(side_a=one, side_b=other, length=length, created_at=AT)
    submitted = claim(**(claimed or {"final": (length, 0)}), confirmed=True)
    submit_sheet(match, claim=submitted, source=SheetSource.DESK, by=None, at=AT + timedelta(minutes=minutes))
    return match


def stored(slug: str = "fibs") -> list[tuple]:
    fields = ("player_id", "value", "experience", "matches", "wins")
    return sorted(Rating.objects.filter(ranking_list__system=slug).values_list(*fields))


@pytest.mark.parametrize("slug", RATINGS)
def test_ranking_list_is_a_replay_of_the_results_by_time_then_match(slug, players):
    ann, bo, cy = players
    play(cy, ann, minutes=30, length=7)
    play(ann, bo, minutes=10, final=(3, 5))
    play(bo, cy, minutes=10, length=1)
    rate_matches(slug, at=AT + timedelta(hours=1))
    results = [RatedResult(bo.pk, ann.pk, 5), RatedResult(bo.pk, cy.pk, 1), RatedResult(cy.pk, ann.pk, 7)]
    expected = RATINGS[slug].rate(results)
    assert stored(slug) == [
        (pk, Decimal(rating.value).quantize(Decimal("0.0001")), rating.experience, rating.matches, rating.wins)
        for pk, rating in sorted(expected.items())
    ]
    assert RankingList.objects.get(system=slug).matches == 3
    assert [(match.result, change.result) for match, change in rating_changes(slug)] == [(r, r) for r in results]


def test_two_runs_store_the_same_and_one_list(players):
    ann, bo, _cy = players
    play(ann, bo)
    rate_matches("fibs", at=AT)
    before = stored()
    rate("fibs")
    assert stored() == before
    assert RankingList.objects.count() == 1
    assert RankingList.objects.get().computed_at != AT


def test_a_player_with_no_rated_match_left_leaves_the_list(players):
    ann, bo, cy = players
    play(ann, bo)
    gone = play(ann, cy)
    rate_matches("fibs", at=AT)
    void_sheet(gone, base=1, by=None, at=AT)
    rate_matches("fibs", at=AT)
    assert [row[0] for row in stored()] == [ann.pk, bo.pk]


@pytest.mark.parametrize(
    ("claimed", "is_rated"),
    [
        ({"final": (1, 0)}, True),
        ({"games": (GameResult(A),)}, True),
        ({"games": (GameResult(B, ending=Ending.RESIGNED),)}, True),
        ({"games": (GameResult(B, ending=Ending.FORFEIT),)}, False),
        ({"conclusion": Conclusion.FORFEIT, "awarded_to": A}, False),
        ({"conclusion": Conclusion.WALKOVER, "awarded_to": B}, False),
    ],
)
def test_only_matches_that_were_played_to_their_end_are_rated(players, claimed, is_rated):
    match = play(players[0], players[1], length=1, **claimed)
    assert [rated.match_id for rated in rated_matches()] == ([match.pk] if is_rated else [])


def test_a_live_match_is_not_rated(players):
    play(players[0], players[1], games=(GameResult(A),))
    assert list(rateable_sheets()) == []


def test_queries_do_not_grow_with_players_and_matches():
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            rate_matches("fibs", at=AT)
        return len(captured)

    people = [create_player(name=f"P {number}", at=AT) for number in range(12)]
    play(people[0], people[1])
    rate_matches("fibs", at=AT)
    play(people[0], people[1], games=(GameResult(A, 4), GameResult(A, 1)))
    few = queries()
    for one, other in pairwise(people):
        play(one, other, games=(GameResult(A, 4), GameResult(A, 1)))
    assert queries() == few


def test_unknown_system_is_refused_naming_the_known_ones():
    with pytest.raises(Refusal) as caught:
        rate_matches("elo", at=AT)
    assert caught.value.code == "rating_system_unknown"
    with pytest.raises(CommandError, match=r"There is no rating system “elo”\. Available: .*fibs"):
        call_command("rate", "elo")
    assert not RankingList.objects.exists()


def test_command_says_how_many(players):
    play(players[0], players[1])
    out = StringIO()
    call_command("rate", "fibs", stdout=out)
    assert out.getvalue() == "fibs: matches rated 1, players 2.\n"


def test_audit_of_a_fresh_list_is_empty_and_stays_so_while_play_goes_on(players):
    ann, bo, cy = players
    play(ann, bo)
    rate_matches("fibs", at=AT + timedelta(minutes=5))
    assert list(audit_rankings()) == []
    play(bo, cy, minutes=10)
    assert list(audit_rankings()) == []


@pytest.mark.parametrize(
    ("field", "value"), [("value", Decimal("1600")), ("experience", 6), ("matches", 2), ("wins", 0)]
)
def test_audit_names_a_rating_that_a_replay_does_not_give(players, field, value):
    ann, bo, _cy = players
    play(ann, bo)
    rate_matches("fibs", at=AT)
    Rating.objects.filter(player=ann).update(**{field: value})
    (difference,) = audit_rankings()
    assert difference.place == f"ranking list fibs player {ann.pk}"
    assert f"{field} {value}" in difference.stored
    assert difference.computed == "value 1522.3607, experience 5, matches 1, wins 1"


def test_audit_names_a_missing_line_and_a_list_of_other_matches(players):
    ann, bo, cy = players
    play(ann, bo)
    rate_matches("fibs", at=AT + timedelta(minutes=5))
    Rating.objects.filter(player=bo).delete()
    assert [difference.stored for difference in audit_rankings()] == ["nothing"]
    play(ann, cy, minutes=1)
    (difference,) = audit_rankings()
    assert (difference.what, difference.stored, difference.computed) == ("matches rated", "1", "2")


def test_audit_names_a_list_of_a_system_that_is_gone():
    RankingList.objects.create(system="elo", computed_at=AT, matches=0)
    (difference,) = audit_rankings()
    assert (difference.what, difference.stored) == ("rating system", "elo")


def test_audit_names_a_counted_match_that_is_not_what_its_sheet_says(players):
    ann, bo, cy = players
    kept, gone = play(ann, bo), play(ann, cy, minutes=1)
    rate_matches("fibs", at=AT + timedelta(minutes=5))
    CountedMatch.objects.filter(match=kept.pk).update(length=9)
    CountedMatch.objects.filter(match=gone.pk).delete()
    assert [(difference.check, difference.place.split(" of ")[0]) for difference in audit_rankings()] == [
        ("rankings", f"counted match {kept.pk}"),
        ("rankings", f"counted match {gone.pk}"),
    ]
    rate_matches("fibs", at=AT + timedelta(minutes=5))
    assert list(audit_rankings()) != []
    call_command("rate", "fibs", stdout=StringIO())
    assert list(audit_rankings()) == []
