"""What the standings of a Swiss with lives say about its places."""

import re

import pytest
from django.urls import reverse

from tests.builders import build_event
from tournament.draw.standings import store_standings

pytestmark = pytest.mark.django_db

BY_LIVES = "Places follow from the lives left, then from wins, byes included. Equal players share a place."
SHARED = "Once only one player has more than one life left, all with exactly one share the next places."
BRACKET = "Places follow from the bracket"


@pytest.mark.parametrize(
    ("format", "options", "expected"),
    [
        ("swiss-lives", {}, (True, False, False)),
        ("swiss-lives", {"stop": "ahead"}, (True, True, False)),
        ("single-elimination", {}, (False, False, True)),
    ],
)
def test_the_places_of_a_swiss_with_lives_follow_from_lives_and_wins(client, director, format, options, expected):
    event = build_event(director, players=4, format=format, options=options)
    store_standings(event.pk)
    page = client.get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert (BY_LIVES in text, SHARED in text, BRACKET in text) == expected
