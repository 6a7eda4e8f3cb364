"""The title of each page of a player has the player's name, and no two of them are the same."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from players.registry.people import Person, create_person
from tests.builders import AT
from tests.players.registry.people import build_registry

pytestmark = pytest.mark.django_db


def test_each_page_of_a_player_has_a_title_of_its_own_with_the_name():
    registry = build_registry()
    other = create_person(Person("Bo", "Lund"), by=None, at=AT)
    client = Client()
    client.force_login(registry.officer)
    player = registry.holm.pk
    addresses = [reverse(name, args=[player]) for name in ("player", "personal-data", "person", "player-titles")]
    addresses += [reverse("merge-player", args=[player]), reverse("versus", args=[player, other.pk])]
    titles = []
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        found = re.search(r"<title>(.*?)</title>", answer.content.decode(), re.DOTALL)
        assert found is not None
        titles.append(" ".join(unescape(found[1]).split()))
    assert [title for title in titles if "Asta Holm" not in title] == []
    assert len(set(titles)) == len(titles)
