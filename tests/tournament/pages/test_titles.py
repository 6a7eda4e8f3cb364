"""The title of every page of an event names the page and the event, so that tabs and prints can be told apart."""

import re
from html import unescape

import pytest
from django.urls import reverse

from tests.builders import build_event
from tournament.pictures.paper import SHEETS

pytestmark = pytest.mark.django_db

PAGES = (
    *("pairings", "bracket", "screen", "standings", "entries", "history", "prizes", "event-log", "settings"),
    *("money", "money-terms", "side-pools", "calcutta", "payout-sheet", "paper", "print-round"),
)


def test_every_page_of_an_event_has_a_title_of_its_own_with_the_name_of_the_event(as_director, director):
    event = build_event(director, players=4, name="Grand Prix")
    names = [event.tournament.slug, event.slug]
    addresses = [reverse(page, args=names) for page in PAGES]
    addresses += [reverse("sheet", args=[*names, slug]) for slug in SHEETS]
    titles = []
    for address in addresses:
        page = as_director.get(address)
        assert page.status_code == 200
        titles.append(
            " ".join(unescape(re.search(r"<title>(.*?)</title>", page.content.decode(), re.S).group(1)).split())
        )
    assert [title for title in titles if not re.fullmatch(r".+ · Grand Prix · .+", title)] == []
    # The sheet of the pairings, standings or bracket is named as the page that it prints.
    assert len(set(titles[: len(PAGES)])) == len(PAGES)
    assert len(set(titles[len(PAGES) :])) == len(SHEETS)
