"""A position is set up by hand, a play is looked at, another judged: at the desk, on a phone, without scripts."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def spot(page: Page, name: str) -> dict[str, float]:
    """The centre of a place for checkers, on the screen."""
    box = page.locator(f'[data-spot="{name}"]').bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def roll(page: Page, first: int, second: int) -> None:
    page.locator(f'input[name="die1"][value="{first}"]').check(force=True)
    page.locator(f'input[name="die2"][value="{second}"]').check(force=True)


def checkers(page: Page, side: str) -> int:
    return page.locator(f"svg.board circle.checker.{side}").count()


def test_checkers_are_dragged_and_the_plays_of_the_new_position_are_shown(page):
    page.goto("/rules/")
    expect(page.get_by_text("Drag a checker")).to_be_visible()
    start, end = spot(page, "13"), spot(page, "11")
    page.mouse.move(**start)
    page.mouse.down()
    page.mouse.move(**end, steps=4)
    page.mouse.up()
    roll(page, 6, 5)
    page.get_by_role("button", name="Show legal plays").click()
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
    phone.get_by_role("button", name="Swap sides").tap()
    expect(phone).to_have_url(re.compile(r"id="))
    assert phone.locator("#id_theirs").input_value() == "24:1 13:5 8:3 6:5"


def touch(page: Page, start: str, end: str) -> None:
    """Move a finger from the outermost checker of one place to another, as a real screen reports it."""
    screen = page.context.new_cdp_session(page)
    first, last = spot(page, start), spot(page, end)
    box = page.locator(f'[data-spot="{start}"]').bounding_box()
    upper = box["y"] < page.locator("svg.board").bounding_box()["y"] + box["height"] / 2
    first["y"] = box["y"] + (8 if upper else box["height"] - 8)
    screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [first]})
    for part in range(1, 6):
        between = {axis: first[axis] + (last[axis] - first[axis]) * part / 5 for axis in ("x", "y")}
        screen.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [between]})
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_checkers_are_dragged_with_a_finger_and_the_page_stays_where_it_is(phone):
    phone.goto("/rules/")
    touch(phone, "13", "11")
    touch(phone, "6", "20")
    touch(phone, "8", "12")
    touch(phone, "24", "mine-0")
    expect(phone.locator("#id_mine")).to_have_value("24:1 20:1 13:4 11:1 8:3 6:4")
    assert phone.evaluate("scrollY") == 0


def test_empty_board_is_filled_from_the_tray_by_tapping(phone):
    phone.goto("/rules/?id=AAAAAAAAAAAAAA")
    for name in ("mine-0", "6", "6", "4"):
        place = spot(phone, name)
        phone.touchscreen.tap(place["x"], place["y"])
    expect(phone.locator("#id_mine")).to_have_value("6:2 4:1")


def test_a_position_is_set_up_with_only_the_keyboard_and_described_in_words(page):
    page.goto("/rules/?roll=31")
    hands, said = page.get_by_role("application", name="Board"), page.locator("[data-said]")
    hands.focus()
    page.keyboard.press("-")
    expect(said).to_have_text("Point 6: the player on roll has 4.")
    expect(page.locator(".spot.is-cursor")).to_have_attribute("data-spot", "6")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("+")
    expect(said).to_have_text("Bar: the player on roll has 1.")
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", "0", "ArrowRight", "x", "3"):
        page.keyboard.press(key)
    expect(said).to_have_text("Point 18: the opponent has 3.")
    for key in ("Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(said).to_have_text("Point 7: the opponent has 1.")
    assert page.locator("#id_mine").input_value() == "bar:1 24:2 13:5 8:3 6:4"
    assert page.locator("#id_theirs").input_value() == "24:2 18:1 13:5 7:2 6:5"
    described = page.locator("svg.board desc").text_content()
    assert described.startswith("Player on roll: 1 on the bar, 2 on 24, 5 on 13, 3 on 8, 4 on 6; 186 pips. Opponent:")
    page.keyboard.press("Delete")
    for key in ("ArrowRight", "5"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Bar: the player on roll has 1.")
    expect(said).to_contain_text("All fifteen checkers of this side are on the board.")


@pytest.mark.parametrize(("query", "number"), [("roll=31", 13), ("id=2G4AAADbtgEAAA&roll=65", 1)])
def test_words_of_the_board_follow_the_play_that_is_looked_at(page, query, number):
    def words() -> list[str]:
        return [page.locator(f"svg.board {name}").text_content() for name in ("title", "desc")]

    page.goto(f"/rules/?{query}")
    before = words()
    page.goto(f"/rules/?{query}&show={number}")
    after = words()
    assert (before[0], after[0]) == ("Position", "Position after the play")
    assert before[1] != after[1]
    page.get_by_role("link", name="Back to the position").click()
    assert words() == before
    page.mouse.move(0, 0)
    page.locator("[data-play]").nth(number - 1).focus()
    assert words() == after


def test_printed_page_has_board_plays_and_ids_and_no_buttons(page):
    page.goto("/rules/?roll=31&play=8%2F4+6%2F5&profile=dbf")
    page.emulate_media(media="print")
    assert page.locator("svg.board").bounding_box()["width"] > 1000
    expect(page.locator(".on-paper code").first).to_be_visible()
    expect(page.get_by_role("link", name="16 6/3 6/5")).to_be_visible()
    assert page.locator("button:visible, input:visible, select:visible, summary:visible").count() == 0


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
    page.locator("summary", has_text="Set up by ID or by points").click()
    page.locator("#id_id").fill("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="16 legal plays")).to_be_visible()
    page.get_by_label("The play that was made").fill("8/7 22/19")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_contain_text("there is no checker to move on 22")
    expect(page.locator("#verdict")).to_contain_text("The error is at 22/19.")
    page.get_by_label("The play that was made").fill("8/5 6/5")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_contain_text("Legal")
    expect(page.locator("svg.board .checker.new")).to_have_count(2)


@pytest.mark.parametrize("language", ["en", "da", "sv", "nb", "de"])
def test_page_does_not_scroll_sideways_on_a_phone(phone, language):
    phone.goto(f"/language/{language}/?next=/rules/")
    for query in ("", "?roll=31&play=8%2F7+22%2F19", "?roll=11&show=3"):
        phone.goto(f"/rules/{query}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
