"""A match record is played back: with the arrow keys, with a finger, without scripts."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import PHONE

pytestmark = pytest.mark.browser

RECORD = Path(__file__).parent.parent / "data" / "records" / "gnubg-7pt.mat"


@pytest.fixture(scope="session")
def address(live_site) -> str:
    """The address where the record is played back."""
    imported = live_site.python(
        "from pathlib import Path; from django.utils import timezone; "
        "from matches.import_records import import_record; "
        f"print(import_record(Path({str(RECORD)!r}).read_bytes(), name='played.mat', at=timezone.now()).record.pk)"
    )
    return f"/records/{imported.split()[-1]}/"


def test_arrow_keys_step_through_games_and_the_browser_goes_back(page, address):
    page.goto(address)
    sentence, said = page.locator("[data-sentence]"), page.locator("[data-said]")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text("south rolls 21: 13/11 24/23")
    expect(said).to_have_text("south rolls 21: 13/11 24/23")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text("gnubg rolls 61: 8/7 13/7")
    expect(page).to_have_url(re.compile("game=1&move=2"))
    expect(page.locator("[data-moves] [aria-current]")).to_have_text("61 8/7 13/7")
    page.go_back()
    expect(sentence).to_have_text("south rolls 21: 13/11 24/23")
    page.get_by_role("link", name="Game 2").click()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("game=1&move=42"))
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text("south: Wins 2 points")


def test_move_that_is_shown_stays_in_view_and_the_focus_on_its_button(page, address):
    page.goto(f"{address}?game=1&move=40")
    shown = page.locator("[data-moves] [aria-current]")
    expect(shown).to_be_in_viewport()
    page.get_by_role("link", name="Next move").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".steps .where")).to_have_text("41 / 44")
    expect(page.get_by_role("link", name="Next move")).to_be_focused()


def test_board_stays_in_view_on_a_phone_while_moves_are_tapped(open_page, address):
    phone = open_page(**PHONE)
    phone.goto(address)
    phone.locator("[data-moves] a").nth(30).tap()
    expect(phone.locator("svg.board .dice")).to_be_in_viewport()
    expect(phone.locator("[data-moves] [aria-current]")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_links_alone_lead_through_the_record(open_page, address):
    page = open_page(java_script_enabled=False)
    page.goto(address)
    for _ in range(2):
        page.get_by_role("link", name="Next move").click()
    expect(page.locator("[data-sentence]")).to_have_text("gnubg rolls 61: 8/7 13/7")
    page.get_by_role("link", name="Check this play").click()
    expect(page.locator("#verdict")).to_contain_text("Legal")
