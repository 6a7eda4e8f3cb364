"""Careers and head to head over the API."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.ratings import rate_matches
from rules.score import Side
from tests.builders import AT, build_event, fixture_of, play_out, win
from tests.fresh import forget_everything


@pytest.fixture
def final(director):
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A, loser_points=3)
    rate_matches("fibs", at=AT)
    return fixture_of(event, "M2-1").match


def test_a_career_has_its_balance_form_events_opponents_and_ratings(anonymous, final):
    career = anonymous.get(f"players/{final.side_b_id}/career/").json()
    assert career["balance"] == {"matches": 2, "wins": 1, "losses": 1, "points_for": 8, "points_against": 8}
    assert [(one["own"], one["won"]) for one in career["form"]] == [(3, False), (5, True)]
    assert (career["titles"], career["streak"]) == (0, -1)
    assert [event["name"] for event in career["events"]] == ["Main"]
    assert {one["player"]["id"] for one in career["opponents"]} >= {final.side_a_id}
    assert len(career["ratings"]) == 3


def test_two_players_from_either_side(anonymous, final):
    one, other = final.side_a_id, final.side_b_id
    seen = anonymous.get(f"players/{one}/versus/{other}/").json()
    assert (seen["balance"]["wins"], seen["longest_win"], seen["longest_loss"]) == (1, 5, 0)
    assert [(result["match"], result["own"], result["theirs"]) for result in seen["results"]] == [(final.pk, 5, 3)]
    assert anonymous.get(f"players/{other}/versus/{one}/").json()["balance"]["losses"] == 1


def test_nobody_plays_themselves_or_somebody_unknown(anonymous, final):
    one = final.side_a_id
    assert anonymous.get(f"players/{one}/versus/{one}/").status_code == 404
    assert anonymous.get(f"players/{one}/versus/{10**9}/").status_code == 404
    assert anonymous.get(f"players/{10**9}/career/").status_code == 404


@pytest.mark.parametrize("players", [4, 12])
def test_a_career_takes_the_same_queries_whatever_its_length(anonymous, director, players):
    event = build_event(director, players=players, format="round-robin", lengths=(1,))
    play_out(event, by=director)
    rate_matches("fibs", at=AT)
    forget_everything()
    player = event.entries.first().player_id
    with CaptureQueriesContext(connection) as taken:
        anonymous.get(f"players/{player}/career/")
    assert len(taken) == 8, [query["sql"][:120] for query in taken]
