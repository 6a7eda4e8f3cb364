"""The page of the standings: one line for each player, whose explanation opens, and a cycle explained once."""

import re

import pytest
from django.urls import reverse

from rules.score import Side
from tests.builders import build_event, win
from tournament.draw.standings import store_standings
from tournament.models import Fixture

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
