"""The pages of a jackpot before its first bracket is full."""

from django.test import Client
from django.urls import reverse

from tests.builders import build_event


def page_of(event, director) -> str:
    client = Client()
    client.force_login(director)
    return client.get(reverse("event", args=[event.tournament.slug, event.slug])).content.decode()


def test_a_jackpot_without_a_match_does_not_say_that_all_have_been_played(director):
    event = build_event(director, players=3, format="jackpot", options={"size": "4"})
    page = page_of(event, director)
    assert "All matches have been played." not in page
    assert "No match has been drawn yet. End it only if nobody will play." in page


def test_a_jackpot_whose_matches_are_open_cannot_be_ended_yet(director):
    page = page_of(build_event(director, players=4, format="jackpot", options={"size": "4"}), director)
    assert "End the event" not in page
