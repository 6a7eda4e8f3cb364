"""The home page: what is played now, who won last, the newest record; and the search."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.import_records import import_record
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_tournament, claim, open_matches, play_out
from tests.fresh import forget_everything
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.results.enter import enter_result

HOME = reverse("home")


def page(client, **query):
    return client.get(HOME, query).content.decode()


def begin(event, director):
    for match in open_matches(event):
        enter_result(match, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)


def queries(client):
    forget_everything()
    with CaptureQueriesContext(connection) as taken:
        page(client)
    return len(taken)


def test_without_a_tournament_it_says_how_to_begin(client, db):
    assert "There are no tournaments here yet" in page(client)


def test_matches_in_play_are_shown_with_their_scores(client, director):
    event = build_event(director, players=4)
    assert "match-card" not in page(client)
    begin(event, director)
    shown = page(client)
    assert shown.count('class="match-card is-live') == 2
    assert shown.count('<span class="card-points">2</span>') == 2
    assert event.name in shown


def test_no_more_than_six_matches_are_shown_and_the_others_counted(client, director):
    begin(build_event(director, players=16), director)
    shown = page(client)
    assert shown.count('class="match-card is-live') == 6
    assert "and 2 more matches in play" in shown


@pytest.mark.parametrize("players", [16, 64])
def test_it_takes_the_same_queries_for_any_number_of_players(client, director, players):
    begin(build_event(director, players=8, name="Small"), director)
    few = queries(client)
    tournament = build_tournament(director, "Another")
    begin(build_event(director, players=players, tournament=tournament), director)
    for number in range(6):
        build_event(director, players=8, tournament=tournament, name=f"More {number}")
    assert queries(client) <= few


def test_the_last_winners_link_to_them(client, director):
    event = build_event(director, players=4)
    play_out(event, by=director)
    store_standings(event.pk)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    winner = event.stages.get().standings.get(section="", place=1).entry.player
    shown = page(client)
    assert "Last winners" in shown
    assert f'href="{winner.get_absolute_url()}">{winner.name}</a>' in shown


def test_the_board_of_the_newest_record_is_drawn(client, director):
    build_event(director, players=4)
    assert "board-figure" not in page(client)
    name = "galaxy-5pt.mat"
    import_record(Path(settings.BASE_DIR, "tests/data/records", name).read_bytes(), name=name, at=AT)
    shown = page(client)
    assert "board-figure" in shown
    assert "Play through the match" in shown


def test_a_kept_page_is_not_made_again(client, director):
    begin(build_event(director, players=4), director)
    first = page(client)
    with CaptureQueriesContext(connection) as taken:
        assert page(client) == first
    assert len(taken) <= 4


def test_the_search_finds_players_and_tournaments_whatever_the_accents(client, director):
    tournament = build_tournament(director, "Århus Open")
    event = build_event(director, players=4, tournament=tournament)
    url = reverse("search")
    found = client.get(url, {"q": "arhus"}).content.decode()
    assert tournament.get_absolute_url() in found
    assert event.entries.first().player.name in client.get(url, {"q": "player"}).content.decode()
    assert "There is no player or tournament called “&lt;zz”" in client.get(url, {"q": "<zz"}).content.decode()
