"""A phone that follows somebody sees their name marked wherever it stands; another phone sees nothing of it."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DRAWN = """
from tests.builders import build_director, build_event
from tournament.draw.standings import store_standings
event = build_event(build_director("{director}-follows"), players=4)
store_standings(event.pk)
print(event.get_absolute_url())
"""


def test_who_is_followed_is_marked_on_pairings_bracket_and_standings(director, phone: Page, live_site):
    home = live_site.python(DRAWN.format(director=director)).strip()
    phone.goto(f"{home}pairings/")
    phone.evaluate("localStorage.setItem('sixprime.follows', JSON.stringify(['Player 2']))")
    for page, marked in (
        ("pairings/", "#live .pairing.is-followed"),
        ("bracket/", "#live .seat.is-followed"),
        ("standings/", "#live .standings tr.is-followed"),
    ):
        phone.goto(f"{home}{page}")
        expect(phone.locator(marked).first).to_contain_text("Player 2")
        others = phone.locator(marked).filter(has_not_text="Player 2")
        expect(others).to_have_count(0)
    phone.evaluate("localStorage.clear()")
    phone.reload()
    expect(phone.locator("#live .is-followed")).to_have_count(0)
