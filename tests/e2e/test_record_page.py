"""A match record is played back: with the arrow keys, with a finger, by itself, without scripts."""

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


def swipe(page, *, right, down=0):
    """Draw a finger over the middle of the board, by so many pixels."""
    box = page.locator("svg.board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand = page.context.new_cdp_session(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (1, 2, 3):
        point = {"x": x + right * part / 3, "y": y + down * part / 3}
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_swipe_over_the_board_turns_to_the_next_and_the_previous_move(open_page, address):
    phone = open_page(**PHONE)
    phone.goto(f"{address}?game=1&move=5")
    where = phone.locator(".steps .where")
    swipe(phone, right=-120)
    expect(where).to_have_text("6 / 44")
    swipe(phone, right=120)
    expect(where).to_have_text("5 / 44")
    swipe(phone, right=-10)
    swipe(phone, right=-60, down=-60)
    swipe(phone, right=-120)
    expect(where).to_have_text("6 / 44")


def test_record_plays_by_itself_until_it_is_paused(page, address):
    page.goto(f"{address}?game=1&move=2")
    where, button = page.locator(".steps .where"), page.locator("[data-autoplay]")
    page.get_by_role("button", name="Speed 1×").click()
    page.get_by_role("button", name="Speed 2×").click()
    page.get_by_role("button", name="Play through").click()
    expect(where).to_have_text("5 / 44")
    expect(button).to_have_text("Pause")
    page.get_by_role("button", name="Pause").click()
    expect(button).to_have_text("Play through")
    page.get_by_role("button", name="Play through").click()
    page.keyboard.press("ArrowLeft")
    expect(button).to_have_text("Play through")
    expect(page.get_by_role("button", name="Speed 4×")).to_be_visible()


def test_record_that_played_by_itself_to_its_end_stops_there(page, address):
    page.goto(address)
    page.locator(".games a").last.click()
    expect(page.locator(".games a").last).to_have_attribute("aria-current", "true")
    page.locator("[data-moves] a").last.click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#step-on")).to_be_visible()
    page.get_by_role("button", name="Play through").click()
    expect(page.locator("#step-on")).to_have_count(0)
    expect(page.get_by_role("button", name="Play through")).to_be_disabled()


def test_autoplay_begins_slowly_where_reduced_motion_is_preferred(open_page, address):
    page = open_page(reduced_motion="reduce")
    page.goto(address)
    expect(page.get_by_role("button", name="Speed ½×")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_controls_of_a_record_are_as_large_as_a_finger(open_page, address, width):
    phone = open_page(**{**PHONE, "viewport": {"width": width, "height": 700}})
    phone.goto(f"{address}?game=1&move=40")
    for control in phone.locator(".steps :is(a, button), .games a").all():
        box = control.bounding_box()
        assert min(box["height"], box["width"]) >= 44, control.inner_text()
    assert phone.evaluate("document.documentElement.scrollWidth") <= width


def test_links_alone_lead_through_the_record(open_page, address):
    page = open_page(java_script_enabled=False)
    page.goto(address)
    for _ in range(2):
        page.get_by_role("link", name="Next move").click()
    expect(page.locator("[data-sentence]")).to_have_text("gnubg rolls 61: 8/7 13/7")
    page.get_by_role("link", name="Check this play").click()
    expect(page.locator("#verdict")).to_contain_text("Legal")
