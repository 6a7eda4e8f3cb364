"""A visitor is led to their own page: from the name that they look for, and from every page once this phone has it."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DRAWN = """
from tests.builders import build_director, build_event
from tournament.entries.links import link_of
event = build_event(build_director("{director}-finds"), players=16)
print(event.get_absolute_url(), link_of(event.entries.get(player__name="Player 2")))
"""


def test_a_phone_finds_its_player_and_then_leads_to_the_own_page(director, phone: Page, live_site):
    home, link = live_site.python(DRAWN.format(director=director)).split()
    phone.goto(f"{home}pairings/")
    expect(phone.locator("[data-my-page]")).to_be_hidden()
    phone.locator("#filter").fill("Player 2")
    phone.get_by_role("link", name="This is me").click()
    expect(phone.locator("select[name=entry] option:checked")).to_have_text("Player 2")
    phone.goto(link)
    expect(phone.locator("[data-my-page]")).to_be_hidden()
    phone.goto(f"{home}pairings/")
    expect(phone.locator("main").get_by_role("link", name="My page")).to_have_attribute("href", link)
    phone.locator("#filter").fill("Player 2")
    expect(phone.get_by_role("button", name="Follow Player 2")).to_be_visible()
    expect(phone.get_by_role("link", name="This is me")).to_have_count(0)
    phone.goto("/players/")
    expect(phone.locator("header").get_by_role("link", name="My page")).to_have_attribute("href", link)
