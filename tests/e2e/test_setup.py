"""From sign-in to a drawn bracket, counted, and the height of the forms on the way."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PASSWORD
from tests.processes import Site

pytestmark = pytest.mark.browser

NAMES = [f"Player {number}" for number in range(1, 17)]
MOST_PAGES, MOST_CLICKS, MOST_FIELDS = 4, 5, 1
SCREENS = 1.5


class Road:
    """A director's way through the pages, counted.

    A page is an address that the browser shows, the one of signing in included. A click is any press of the mouse, the
    button that signs in and the one into a field included. A field is one that is typed into; user name and password
    are given, and not counted.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.addresses: list[str] = []
        self.clicks = self.fields = 0
        page.on("framenavigated", lambda frame: self.addresses.append(frame.url) if frame == page.main_frame else None)

    def click(self, button: str) -> None:
        self.page.get_by_role("main").get_by_role("button", name=button, exact=True).click()
        self.clicks += 1

    def type_into(self, selector: str, text: str) -> None:
        self.page.locator(selector).click()
        self.clicks += 1
        self.page.locator(selector).fill(text)
        self.fields += 1


def height_of(page: Page) -> float:
    """The height of the first form of the page, in pixels."""
    return page.locator("main form.panel").first.bounding_box()["height"]


def test_from_sign_in_to_a_drawn_bracket_of_sixteen(page, director):
    road = Road(page)
    page.goto("/accounts/login/?next=/tournaments/new/")
    page.get_by_label("User name").fill(director)
    page.get_by_label("Password").fill(PASSWORD)
    road.click("Sign in")
    expect(page).to_have_url(re.compile(r"/tournaments/new/$"))
    road.click("Create and enter players")
    expect(page).to_have_url(re.compile(r"/entries/$"))
    road.type_into("#entry-list", "\n".join(NAMES))
    road.click("Enter and make the draw")
    expect(page.locator("svg.bracket-svg").first).to_be_visible()
    expect(page.locator("svg.bracket-svg").first).to_contain_text("Player 16")
    assert len(road.addresses) <= MOST_PAGES, road.addresses
    assert road.clicks <= MOST_CLICKS
    assert road.fields == MOST_FIELDS


def test_the_forms_are_at_most_one_and_a_half_screens_high(desk, director, live_site: Site):
    desk.goto("/tournaments/new/")
    desk.get_by_label("Name", exact=True).fill("Heights")
    desk.get_by_role("button", name="Create and enter players").click()
    expect(desk).to_have_url(re.compile(r"/entries/$"))
    event = desk.url.removesuffix("entries/")
    tournament = event.rsplit("/", 2)[0]
    heights = {}
    for path in ("/tournaments/new/", f"{tournament}/new/", f"{event}settings/", f"{tournament}/settings/"):
        desk.goto(path)
        heights[path] = height_of(desk)
    desk.goto(f"{tournament}/new/")
    desk.get_by_text("Another format", exact=True).click()
    expect(desk.get_by_text("Round robin", exact=True)).to_be_visible()
    heights["another format"] = height_of(desk)
    assert {path: height for path, height in heights.items() if height > SCREENS * 800} == {}, heights
