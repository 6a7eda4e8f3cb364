"""A refusal says why, and leads back to a page that its reader may see."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import build_director, build_event, fixture_of
from tournament.entries.links import token_of

pytestmark = pytest.mark.django_db


def way_back(response) -> str:
    return re.search(r'class="button"( data-back)? href="([^"]*)">Go back', response.content.decode()).group(2)


@pytest.fixture
def event(director):
    return build_event(director)


@pytest.fixture
def nobody(event) -> Client:
    client = Client()
    client.force_login(build_director("nobody"))
    return client


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("settings", "event"),
        ("money", "event"),
        ("desk", "tournament"),
        ("roles", "tournament"),
        ("cash", "tournament"),
    ],
)
def test_a_reader_refused_a_page_is_led_to_what_it_belongs_to(nobody, event, name, to):
    names = {"event": [event.tournament.slug, event.slug], "tournament": [event.tournament.slug]}
    refused = nobody.get(reverse(name, args=names[to]), headers={"Referer": "http://testserver/accounts/login/"})
    assert (refused.status_code, way_back(refused)) == (403, reverse(to, args=names[to]))
    assert nobody.get(way_back(refused)).status_code == 200


def test_a_user_refused_an_action_is_led_back_to_the_form(nobody, event):
    match = reverse("match", args=[fixture_of(event, "M1-1").match_id])
    sent = f"{match}void/"
    assert way_back(nobody.post(sent, headers={"Referer": "http://testserver/here/"})) == "http://testserver/here/"
    assert way_back(nobody.post(sent)) == match


def test_a_form_sent_before_signing_in_does_nothing_and_its_page_is_a_link_away(nobody, event):
    match = reverse("match", args=[fixture_of(event, "M1-1").match_id])
    page = nobody.get(f"{match}void/")
    assert (page.status_code, page["Allow"], way_back(page)) == (405, "POST", match)
    entry = fixture_of(event, "M1-1").entry_a
    token = token_of(entry)
    reported = Client().get(reverse("my-report", args=[token, fixture_of(event, "M1-1").match_id, "final"]))
    assert (reported.status_code, way_back(reported)) == (405, reverse("my-entry", args=[token]))


def test_a_request_for_a_moment_that_a_page_cannot_show_is_led_to_the_present_page(client, event):
    here = [event.tournament.slug, event.slug]
    refused = client.get(reverse("paper", args=here) + "?at=1")
    assert (refused.status_code, way_back(refused)) == (400, reverse("paper", args=here))
    unknown = client.get(reverse("entries", args=here) + "?at=never")
    assert (unknown.status_code, way_back(unknown)) == (400, reverse("event", args=here))
