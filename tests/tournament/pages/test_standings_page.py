"""The page of the standings: one line for each player, whose explanation opens, and a cycle explained once."""

import re

import pytest
from django.urls import reverse

from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, open_matches, win
from tournament.draw.standings import store_standings
from tournament.models import Fixture
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


def test_a_cycle_is_explained_once_and_each_of_its_players_points_there(client, director):
    event = build_event(director, players=3, format="round-robin", tiebreaks=["head-to-head"])
    beaten = {("Player 1", "Player 2"), ("Player 2", "Player 3"), ("Player 3", "Player 1")}
    for fixture in Fixture.objects.filter(stage__event=event, match__isnull=False):
        a_wins = (fixture.entry_a.name, fixture.entry_b.name) in beaten
        win(fixture.match, Side.A if a_wins else Side.B, loser_points=2)
    store_standings(event.pk)
    page = client.get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    assert page.count("they beat each other in a cycle.") == 1
    assert len(re.findall(r'<sup><a href="#note-1">1</a></sup>', page)) == 3
    assert page.count('id="note-1"') == 1


def test_the_explanation_of_a_place_opens(client, director):
    event = build_event(director, players=4)
    store_standings(event.pk)
    page = client.get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    assert len(re.findall(r'<details class="why" id="why-\d+">', page)) == 4


def test_matches_in_play_and_the_last_results_stand_beside_the_standings(client, director):
    event = build_event(director, players=8)
    first, second, *_rest = open_matches(event)
    win(first, Side.A, by=director)
    enter_result(second, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)
    store_standings(event.pk)
    page = client.get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    beside = page[page.index("side-part") :]
    playing, latest = beside[: beside.index("beside-latest")], beside[beside.index("beside-latest") :]
    assert second.name_a in playing
    assert first.name_a not in playing
    assert first.name_a in latest
    assert second.name_a not in latest
