"""The course of a dispute: the board, the ruling and its consequence, and the page that everybody reads."""

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import PHONE
from tests.e2e.test_club_night import create_event, draw, enter_game, open_first_ready_match, paste, sides

pytestmark = pytest.mark.browser


def open_dispute(desk, name: str) -> None:
    event = create_event(desk, tournament=name)
    paste(desk, ["Ada Byl", "Bo Carr"])
    draw(desk)
    open_first_ready_match(desk, event)


def fill_penalty(page, against_a: int, reason: str) -> None:
    page.get_by_text("Penalty points", exact=True).first.click()
    page.locator("#against-a").fill(str(against_a))
    page.locator("#penalty-ruling-reason").fill(reason)
    page.locator("#rule").get_by_role("button", name="Preview the changes").locator("visible=true").click()


def test_penalty_points_are_shown_made_and_seen_by_a_visitor_at_once(desk, phone):
    open_dispute(desk, "Late Night")
    first, second = sides(desk)
    phone.goto(desk.url)
    phone.evaluate("window.same = true")

    fill_penalty(desk, 1, "Six minutes late.")
    consequence = desk.get_by_role("table", name="What the ruling changes")
    expect(consequence.get_by_role("row", name=second)).to_contain_text("1")
    expect(desk.locator("#points-b")).to_have_text("0")
    expect(phone.get_by_role("heading", name="Rulings")).to_have_count(0)
    desk.get_by_role("button", name="Make the ruling").click()
    expect(desk.get_by_text("The ruling has been made.")).to_be_visible()
    expect(desk.locator("#points-b")).to_have_text("1")

    expect(phone.locator("#points-b")).to_have_text("1")
    expect(phone.locator("#rulings")).to_contain_text("Six minutes late.")
    expect(phone.locator("#rulings")).to_contain_text(f"{first} 1, {second} 0")
    assert phone.evaluate("window.same") is True
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_double_in_the_crawford_game_is_annulled_after_the_desk_has_refused_it(desk, provoked):
    open_dispute(desk, "Crawford Night")
    first, second = sides(desk)
    enter_game(desk, first, cube="4")
    expect(desk.get_by_text("chance of winning the match")).to_have_count(0)
    enter_game(desk, second, cube="2")
    expect(desk.get_by_role("alert")).to_contain_text("this is the Crawford game, in which nobody may double")
    provoked.append("status of 400")

    ruling = desk.locator("#rule")
    ruling.locator("summary", has_text="Double in the Crawford game").click()
    ruling.get_by_label("Winner of game 2").select_option(second)
    ruling.get_by_text("The double is annulled.").click()
    ruling.locator("#crawford-ruling-reason").fill("Both say so.")
    ruling.get_by_role("button", name="Preview the changes").locator("visible=true").click()
    expect(ruling.get_by_role("heading", name="Double in the Crawford game annulled")).to_be_visible()
    ruling.get_by_role("button", name="Make the ruling").click()
    expect(desk.locator("#points-b")).to_have_text("1")
    expect(desk.locator("#rulings")).to_contain_text("the game is worth 1, not 2")


def test_a_ruling_is_made_without_scripts(desk, open_page):
    open_dispute(desk, "Plain Night")
    plain = open_page(**PHONE, java_script_enabled=False, storage_state=desk.context.storage_state())
    plain.goto(desk.url)
    fill_penalty(plain, 3, "Three warnings.")
    expect(plain.locator(".ruling-preview")).to_contain_text("won by")
    plain.get_by_role("link", name="Cancel").click()
    expect(plain.locator("#rulings")).to_have_count(0)
    fill_penalty(plain, 3, "Three warnings.")
    plain.get_by_role("button", name="Make the ruling").click()
    expect(plain.get_by_text("A total of 3 penalty points loses a match to 5.")).to_be_visible()
    expect(plain.get_by_role("heading", name="Correct the result")).to_be_visible()


def test_the_way_to_the_board_and_back_on_a_phone(desk, phone):
    open_dispute(desk, "Board Night")
    first, second = sides(desk)
    enter_game(desk, first, cube="2")
    phone.goto(desk.url)
    phone.get_by_role("link", name="Settle a dispute on the board").click()
    expect(phone.locator(".board-figure figcaption")).to_contain_text(
        re.compile(f"{first}.*on roll.*{second}", re.DOTALL)
    )
    phone.get_by_role("button", name="Swap sides").click()
    expect(phone.locator(".board-figure figcaption")).to_contain_text(
        re.compile(f"{second}.*on roll.*{first}", re.DOTALL)
    )
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("link", name="Back to the match").click()
    expect(phone).to_have_url(desk.url.split("#")[0])
