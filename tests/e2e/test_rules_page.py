"""A position is set up with the hand, a play looked at, another judged: at the desk, on the phone, without scripts."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def spot(page: Page, name: str) -> dict[str, float]:
    """The middle of a place for checkers, on the screen."""
    box = page.locator(f'[data-spot="{name}"]').bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def roll(page: Page, first: int, second: int) -> None:
    page.locator(f'input[name="die1"][value="{first}"]').check(force=True)
    page.locator(f'input[name="die2"][value="{second}"]').check(force=True)


def checkers(page: Page, side: str) -> int:
    return page.locator(f"svg.board circle.checker.{side}").count()


def test_checkers_are_dragged_and_the_plays_of_the_new_position_shown(page):
    page.goto("/rules/")
    expect(page.get_by_text("Drag a checker")).to_be_visible()
    start, end = spot(page, "13"), spot(page, "11")
    page.mouse.move(**start)
    page.mouse.down()
    page.mouse.move(**end, steps=4)
    page.mouse.up()
    roll(page, 6, 5)
    page.get_by_role("button", name="Show the legal plays").click()
    expect(page).to_have_url(re.compile(r"roll=65"))
    assert page.locator("#id_mine").input_value() == "24:2 13:4 11:1 8:3 6:5"
    expect(page.get_by_role("link", name="24/13")).to_be_visible()
    expect(page.get_by_role("link", name="11/5 11/6")).to_have_count(0)


def test_checkers_are_tapped_on_a_phone_and_never_onto_the_other_sides_point(phone):
    phone.goto("/rules/")
    for start, end in (("24", "19"), ("24", "mine-0"), ("1", "mine-25")):
        for name in (start, end):
            place = spot(phone, name)
            phone.touchscreen.tap(place["x"], place["y"])
        phone.keyboard.press("Escape")
    assert phone.locator("#id_mine").input_value() == "24:1 13:5 8:3 6:5"
    assert phone.locator("#id_theirs").input_value() == "24:2 13:5 8:3 6:5"
    phone.get_by_role("button", name="Other side").tap()
    expect(phone).to_have_url(re.compile(r"id="))
    assert phone.locator("#id_theirs").input_value() == "24:1 13:5 8:3 6:5"


def test_a_play_is_looked_at_and_kept_in_the_address(page):
    page.goto("/rules/?roll=31")
    page.get_by_role("link", name="13 8/5 6/5").hover()
    expect(page.locator("svg.board .checker.new")).to_have_count(2)
    expect(page.locator("[data-pips=mine]")).to_have_text("163")
    page.get_by_role("heading", name="Roll").hover()
    expect(page.locator("svg.board .checker.new")).to_have_count(0)
    page.get_by_role("link", name="13 8/5 6/5").click()
    expect(page).to_have_url(re.compile(r"show=13"))
    shown = page.locator("svg.board .checkers").evaluate("node => node.querySelectorAll('.new, .ghost').length")
    page.reload()
    assert page.locator("svg.board .checkers").evaluate("node => node.querySelectorAll('.new, .ghost').length") == shown
    expect(page.locator("[data-play][aria-current]")).to_have_text(re.compile("8/5 6/5"))


def test_script_draws_what_the_server_draws(page):
    shapes = """() => [...document.querySelectorAll('svg.board .checkers > *')].map((node) => [
        node.tagName, node.getAttribute('class'), ...['cx', 'cy', 'x', 'y', 'width', 'height', 'r']
            .map((name) => Number(node.getAttribute(name)))].join(' ')).sort()"""
    for query in ("roll=31&show=13", "id=4HPwATDgc/ABMA&roll=66&show=3", "id=2G4AAADbtgEAAA&roll=65&show=1&mirrored=1"):
        page.goto(f"/rules/?{query}")
        drawn = page.evaluate(shapes)
        page.locator("[data-play][aria-current]").hover()
        assert page.evaluate(shapes) == drawn


def test_a_dispute_is_judged_without_scripts(open_page):
    page = open_page(java_script_enabled=False)
    page.goto("/rules/")
    expect(page.get_by_text("Drag a checker")).to_be_hidden()
    page.locator("summary", has_text="Set up by id or by points").click()
    page.locator("#id_id").fill("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="16 legal plays")).to_be_visible()
    page.get_by_label("Play as it was made").fill("8/7 22/19")
    page.get_by_role("button", name="Judge").click()
    expect(page.locator("#verdict")).to_contain_text("there is no checker on 22 to move")
    expect(page.locator("#verdict")).to_contain_text("It goes wrong at 22/19.")
    page.get_by_label("Play as it was made").fill("8/5 6/5")
    page.get_by_role("button", name="Judge").click()
    expect(page.locator("#verdict")).to_contain_text("Legal")
    expect(page.locator("svg.board .checker.new")).to_have_count(2)


@pytest.mark.parametrize("language", ["en", "da", "sv", "nb", "de"])
def test_page_does_not_scroll_sideways_on_a_phone(phone, language):
    phone.goto(f"/language/{language}/?next=/rules/")
    for query in ("", "?roll=31&play=8%2F7+22%2F19", "?roll=11&show=3"):
        phone.goto(f"/rules/{query}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
