"""A page names its style sheets in its headers; nothing else does."""

import re

import pytest
from django.urls import reverse

from tests.builders import build_director, build_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["pairings", "bracket", "standings", "screen"])
def test_a_page_names_each_of_its_style_sheets_in_their_order(client, name):
    event = build_event(build_director(), players=4)
    page = reverse(name, args=[event.tournament.slug, event.slug])
    for _each in range(2):  # the second from memory
        answer = client.get(page)
        sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)">', answer.content.decode())
        assert len(sheets) >= 3
        assert answer["Link"] == ", ".join(f"<{sheet}>; rel=preload; as=style" for sheet in sheets)
    assert "Link" not in client.get(f"{page}?fragment").headers


@pytest.mark.parametrize("address", ["/api/v1/tournaments/", "/healthz", "/app.webmanifest"])
def test_what_is_no_page_names_none(client, address):
    assert "Link" not in client.get(address).headers
