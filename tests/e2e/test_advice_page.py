"""Formats are compared: the figures come one after the other, on a phone and at the desk, with and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.processes import Site

pytestmark = pytest.mark.browser

PATIENCE = 180_000


def ask(page: Page, players: int, hours: str) -> None:
    """Ask about a small field, as the worker plays it to the end; each test has one that nobody has asked about yet."""
    page.goto("/advice/")
    page.get_by_label("Players", exact=True).fill(str(players))
    page.get_by_label("Match length", exact=True).fill("3")
    page.get_by_label("Hours", exact=True).fill(hours)
    page.get_by_role("button", name="Compare").click()


def test_the_figures_come_without_a_reload_and_then_stay(page):
    ask(page, players=3, hours="4,5")
    expect(page.locator("#advice:not([hx-get])")).to_be_visible(timeout=PATIENCE)
    row = page.get_by_role("row").filter(has_text="Single elimination")
    expect(row).to_contain_text("fits")
    expect(row).to_contain_text("±")
    shown = page.locator("#advice").inner_text()
    page.reload()
    assert page.locator("#advice").inner_text() == shown


def test_the_page_fits_a_phone(phone):
    ask(phone, players=4, hours="1")
    expect(phone.locator("tr").filter(has_text="Round robin")).to_contain_text("too long", timeout=PATIENCE)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def test_a_link_refreshes_the_page_without_scripts(open_page, live_site: Site):
    page = open_page(java_script_enabled=False)
    page.goto("/advice/?players=8&lengths=5")
    expect(page.get_by_text("the figures may still change")).to_be_visible()
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator("table.formats")).to_be_visible()
