"""A player's page and that of two players: career, rating line, head to head."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.ratings import rate_matches
from players.models import Player
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, fixture_of, play_out, win
from tests.fresh import forget_everything


@pytest.fixture
def final(director):
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A, loser_points=3)
    rate_matches("fibs", at=AT)
    return fixture_of(event, "M2-1").match


def shown(client, player):
    return client.get(player.get_absolute_url()).content.decode()


def versus(client, one, other):
    return client.get(reverse("versus", args=[one.pk, other.pk]))


def test_a_career_in_figures_form_and_opponents(client, final):
    page = shown(client, final.side_a)
    assert "<dd>2 <small>100%</small></dd>" in page
    assert page.count('class="won"') == 2
    assert reverse("versus", args=[final.side_a_id, final.side_b_id]) in page


def test_the_rating_line_is_told_in_words_and_in_a_table(client, final):
    page = shown(client, final.side_b)
    assert '<svg class="rating-line"' in page
    assert '<title id="rating-title">Rating after each match</title>' in page
    assert "highest" in page
    assert page.count('<td class="num"><a href="/matches/') == 2


def test_a_player_without_matches_has_a_page(client, db):
    page = shown(client, create_player(name="Nobody Yet", at=AT))
    assert "There are no matches yet." in page
    assert "career-figures" not in page


def test_the_page_takes_the_same_queries_for_a_longer_career(client, director):
    tournament = build_tournament(director)

    def play(players, name):
        event = build_event(director, players=players, format="round-robin", tournament=tournament, name=name)
        play_out(event, by=director)

    play(4, "First")
    player = Player.objects.order_by("pk").first()

    def queries():
        rate_matches("fibs", at=AT)
        forget_everything()
        with CaptureQueriesContext(connection) as taken:
            shown(client, player)
        return len(taken)

    few = queries()
    for number in range(3):
        play(8, f"Event {number}")
    assert queries() == few


def test_two_players_from_either_side(client, final):
    page = versus(client, final.side_a, final.side_b).content.decode()
    assert '<span class="wins num">1–0</span>' in page
    assert "5–3" in page
    assert "0–1" in versus(client, final.side_b, final.side_a).content.decode()


def test_two_who_have_not_met(client, final):
    other = create_player(name="Somebody Else", at=AT)
    assert "These two have not met." in versus(client, final.side_a, other).content.decode()


def test_nobody_is_compared_with_themselves(client, final):
    assert versus(client, final.side_a, final.side_a).status_code == 404


def test_a_duplicate_leads_to_the_player_it_was_merged_into(client, final):
    gone = create_player(name="Twice", at=AT)
    Player.objects.filter(pk=gone.pk).update(merged_into=final.side_b)
    answer = versus(client, final.side_a, gone)
    assert answer["Location"] == reverse("versus", args=[final.side_a_id, final.side_b_id])
