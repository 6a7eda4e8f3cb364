"""A request for a moment is answered with what stood then, or that it cannot be shown; never with the present."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.api.client import CheckedClient
from tests.tournament.roles.test_permissions import ADDRESSES

pytestmark = pytest.mark.django_db

SENTENCE = "Only the current state can be shown here, not an earlier one."
LISTS = sorted(name for name, found in ADDRESSES.items() if not found.names and name != "api:nothing")
"""The addresses that take no number and no name."""


def test_lists_without_a_past_are_the_known_ones():
    assert {"home", "players", "records", "rankings", "api:players", "api:tournaments", "api:formats"} <= set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_only_shows_the_present_says_so(name):
    client, path = Client(), reverse(name)
    answer = client.get(path, {"at": "2026-01-01"})
    assert answer.status_code == 400
    if name.startswith("api:"):
        assert (answer.json()["code"], answer.json()["detail"]) == ("moment_not_shown", SENTENCE)
    else:
        assert SENTENCE in answer.content.decode()
    for sent in ({}, {"at": ""}):
        assert SENTENCE not in client.get(path, sent).content.decode()


def test_an_address_that_is_not_found_now_is_not_found_in_the_past():
    answer = CheckedClient().get("nowhere/?at=2026-01-01")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
