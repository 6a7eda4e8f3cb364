"""The desk by keyboard: a refused result is corrected where it was typed, and three letters lead to a match."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import NAMES, create_event, draw, paste
from tests.e2e.test_weekend import add_tables, press, sums, walk_to
from tests.processes import wait_until

pytestmark = pytest.mark.browser


@pytest.fixture
def hall(desk: Page) -> str:
    """The desk, with four matches called to four tables."""
    event = create_event(desk, tournament="Keys", event="Open")
    hall = event.removesuffix("open/")
    add_tables(desk, hall, last=8)
    desk.goto(f"{event}entries/")
    paste(desk, NAMES)
    draw(desk)
    desk.goto(f"{hall}desk/")
    press(desk, "a")
    sums(desk, ready=0, called=4, playing=0)
    return hall


def test_a_refused_result_is_seen_and_corrected_where_it_was_typed(desk, hall, provoked):
    row = desk.locator("[data-row]").last
    row_id = row.get_attribute("id")
    walk_to(desk, row_id)
    press(desk, "e")
    field = desk.locator(f"#{row_id} input[name=final_a]")
    expect(field).to_be_focused()
    desk.keyboard.type("9")
    press(desk, "Tab")
    desk.keyboard.type("1")
    press(desk, "Enter")
    expect(desk.locator("#desk-said")).to_contain_text("can end at 9–1")
    expect(desk.locator("#desk-said")).to_be_in_viewport()
    expect(field).to_be_focused()
    provoked.append("status of 400")
    desk.keyboard.type("3")
    press(desk, "Enter")
    expect(desk.locator("#desk-said")).to_contain_text("3–1.")
    expect(desk.locator(f"#{row_id}")).to_have_count(0)


def test_the_form_of_an_act_closes_when_it_is_done(desk, hall):
    row_id = desk.locator("[data-row]").last.get_attribute("id")
    walk_to(desk, row_id)
    for table in ("7", "8"):
        press(desk, "m")
        expect(desk.locator(f"#{row_id} input[name=table]")).to_be_focused()
        desk.keyboard.type(table)
        press(desk, "Enter")
        expect(desk.locator("#desk-said")).to_contain_text(f"table {table}.")
        expect(desk.locator(f"#move-{row_id.removeprefix('m-')}[open]")).to_have_count(0)


def test_who_came_is_said_with_three_keys(desk, hall):
    row_id = desk.locator("[data-row]").last.get_attribute("id")
    walk_to(desk, row_id)
    press(desk, "w")
    expect(desk.locator(f"#{row_id} button[name=to][value=A]")).to_be_focused()
    press(desk, "Tab")
    press(desk, "Enter")
    expect(desk.locator("#desk-said")).to_contain_text("walkover for")
    expect(desk.locator(f"#{row_id}")).to_have_count(0)
    sums(desk, ready=0, called=3, playing=0)


LATE = """() => {
    const { open, send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (...terms) {
        this.late = terms[1].includes("/move/");
        return open.apply(this, terms);
    };
    XMLHttpRequest.prototype.send = function (body) { setTimeout(() => send.call(this, body), this.late ? 1000 : 0); };
}"""
"""Requests that move a match are sent a second late."""


def test_the_form_of_an_act_closes_when_it_is_done_even_if_the_hall_was_refreshed_meanwhile(desk, hall):
    row_id = desk.locator("[data-row]").last.get_attribute("id")
    desk.evaluate(LATE)
    walk_to(desk, row_id)
    press(desk, "m")
    expect(desk.locator(f"#{row_id} input[name=table]")).to_be_focused()
    desk.keyboard.type("7")
    row = desk.locator(f"#{row_id}")
    form = row.locator("form[action$='/move/']").element_handle()
    row.get_by_role("button", name="Move", exact=True).click()
    desk.evaluate("htmx.trigger(document.body, 'event-changed', { topics: [] })")
    wait_until(lambda: not form.evaluate("form => form.isConnected"), why="the row is drawn anew")
    expect(desk.locator("#said")).to_contain_text("table 7.")
    expect(desk.locator(f"#move-{row_id.removeprefix('m-')}[open]")).to_have_count(0)


def test_three_letters_and_enter_lead_to_the_match(desk, hall):
    row = desk.locator("[data-row]").last
    name = row.locator(".names a").inner_text().split(" – ")[0]
    press(desk, "/")
    desk.keyboard.type(name[:3])
    press(desk, "Enter")
    expect(row.locator(":focus")).to_have_count(1)
    press(desk, "s")
    expect(desk.locator("#desk-said")).to_contain_text(name)
