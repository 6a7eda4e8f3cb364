"""A small weekend: a director at the desk, mostly with the keyboard, and a player's phone that follows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import NAMES, create_event, draw, paste

pytestmark = pytest.mark.browser


def say_what_it_costs(desk: Page, event: str) -> None:
    desk.goto(f"{event}money/terms/")
    desk.get_by_label("Entry fee", exact=True).fill("20")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_role("button", name=re.compile("^Collect"))).to_have_count(0)


def take_the_fees(desk: Page, event: str) -> None:
    for name in NAMES:
        desk.goto(f"{event}money/")
        collect = desk.get_by_role("button", name=re.compile(f"^Collect .*: {name}$"))
        collect.click()
        expect(collect).to_have_count(0)


def add_tables(desk: Page, hall: str, *, last: int = 4) -> None:
    desk.goto(f"{hall}tables/")
    desk.get_by_label("From number").fill("1")
    desk.get_by_label("To number").fill(str(last))
    desk.get_by_role("button", name="Add tables").click()
    expect(desk.get_by_role("button", name="Save", exact=True)).to_have_count(last)


def check_in(desk: Page, event: str) -> None:
    desk.goto(f"{event}entries/")
    for left in range(len(NAMES), 0, -1):
        buttons = desk.get_by_role("button", name="Check in", exact=True)
        expect(buttons).to_have_count(left)
        buttons.first.click()
    expect(desk.get_by_role("button", name="Check in", exact=True)).to_have_count(0)


def sums(desk: Page, *, ready: int, called: int, playing: int) -> None:
    """Check how many matches of each kind the desk shows."""
    shown = desk.locator(".desk-sum")
    expect(shown).to_contain_text(f"{ready} ready")
    expect(shown).to_contain_text(f"{called} called")
    expect(shown).to_contain_text(f"{playing} being played")


def press(desk: Page, key: str) -> None:
    desk.keyboard.press(key)


def walk_to(desk: Page, row_id: str) -> None:
    """Go to the row with j and k."""
    for key in ("k", "j"):
        for _row in range(12):
            if desk.evaluate("document.activeElement.closest('[data-row]')?.id") == row_id:
                return
            press(desk, key)
    raise AssertionError(f"no keys lead to {row_id}")


def start_all(desk: Page, count: int) -> list[str]:
    """Begin this many called matches one after the other, and return their rows."""
    expect(desk.locator("#desk-said")).to_have_text(f"{count} matches called.")
    sums(desk, ready=0, called=count, playing=0)
    rows = [row.get_attribute("id") for row in desk.locator("[data-row]").all()]
    for started, row in enumerate(rows, start=1):
        walk_to(desk, row)
        press(desk, "s")
        expect(desk.locator("#desk-said")).to_contain_text(f"started at table {started}.")
        sums(desk, ready=0, called=count - started, playing=started)
    return rows


def type_result(desk: Page, row_id: str, a: int, b: int) -> None:
    """Enter the result of a match without the mouse."""
    names = desk.locator(f"#{row_id} .names a").inner_text()
    walk_to(desk, row_id)
    press(desk, "e")
    field = desk.locator(f"#{row_id} input[name=final_a]")
    expect(field).to_be_focused()
    desk.keyboard.type(str(a))
    press(desk, "Tab")
    desk.keyboard.type(str(b))
    press(desk, "Enter")
    expect(desk.locator("#desk-said")).to_have_text(f"{names}: {a}–{b}.")
    expect(desk.locator(f"#{row_id}")).to_have_count(0)


def test_a_weekend_is_run_from_the_desk_by_keyboard(desk, phone, live_site, provoked):
    event = create_event(desk, tournament="Small Weekend", event="Open")
    hall = event.removesuffix("open/")
    add_tables(desk, hall)
    say_what_it_costs(desk, event)
    desk.goto(f"{event}entries/")
    paste(desk, NAMES)
    check_in(desk, event)
    take_the_fees(desk, event)
    desk.goto(f"{event}entries/")
    draw(desk)
    phone.goto(event)
    expect(phone.get_by_role("heading", name="Ready to play")).to_be_visible()
    phone.evaluate("window.same = true")

    desk.goto(f"{hall}desk/")
    sums(desk, ready=4, called=0, playing=0)
    press(desk, "a")
    rows = start_all(desk, 4)
    expect(phone.get_by_role("heading", name="Now playing")).to_be_visible()
    for row in rows:
        type_result(desk, row, 3, 1)
    sums(desk, ready=2, called=0, playing=0)
    press(desk, "a")
    semifinals = start_all(desk, 2)

    # The first match was entered the wrong way round, and its semifinal has begun
    correct(desk, f"/matches/{rows[0].removeprefix('m-')}/", provoked)

    # One of the other semifinal goes home
    desk.goto(f"{hall}desk/")
    leaver = row_of_semifinal(desk, semifinals)
    desk.goto(f"{event}entries/")
    desk.get_by_role("link", name=f"More actions for {leaver}").click()
    desk.get_by_role("button", name="Withdraw now").click()
    expect(desk.get_by_text(re.compile("gets a walkover in|which has begun"))).to_be_visible()
    desk.get_by_role("button", name="Withdraw now").click()
    desk.goto(f"{hall}desk/")
    expect(desk.locator(".desk-sum")).not_to_contain_text("2 being played")
    play_the_rest(desk, hall)

    desk.goto(event)
    desk.get_by_role("button", name="End the event").click()
    expect(desk.get_by_role("button", name=re.compile("^Reopen"))).to_be_visible()
    expect(phone.get_by_text("7 of 7 matches decided")).to_be_visible()
    assert phone.evaluate("window.same") is True

    desk.goto(f"{event}standings/")
    expect(desk.get_by_text("Includes all 7 results.")).to_be_visible()
    desk.goto(f"{event}money/sheet/")
    sheet = desk.locator("table.payout-sheet")
    expect(sheet.locator("tbody tr")).not_to_have_count(0)
    expect(sheet).to_contain_text("104.00")
    expect(sheet).to_contain_text("56.00")
    desk.goto(f"{event}history/")
    expect(desk.get_by_text("Winner and loser were mixed up").first).to_be_visible()
    path = event.partition("/t/")[2].strip("/")
    assert live_site.manage("audit", "--event", path) == "No differences.\n"


def correct(desk: Page, match: str, provoked: list[str]) -> None:
    """Turn the result of a match round whose next match has begun, by the first repair that is offered."""
    desk.goto(match)
    desk.locator("#final-a").fill("1")
    desk.locator("#final-b").fill("3")
    desk.get_by_role("button", name="Enter the final score").click()
    preview = desk.locator("#correction")
    expect(preview).to_contain_text("Nothing has been saved yet.")
    provoked.append("status of 409")
    expect(preview).to_contain_text("→")
    preview.locator(".repair", has_text="→").locator(".pick").first.click()
    preview.get_by_label("Reason").fill("Winner and loser were mixed up")
    preview.get_by_role("button", name="Make this correction").click()
    expect(desk.locator("#correction")).to_have_count(0)
    expect(desk.get_by_text("Winner and loser were mixed up")).not_to_have_count(0)


def row_of_semifinal(desk: Page, semifinals: list[str]) -> str:
    """A player in a semifinal that is still being played."""
    playing = [desk.locator(f"#{row}") for row in semifinals if desk.locator(f"#{row}").count()]
    return re.split(" [–-] ", playing[-1].locator(".names a").inner_text())[0]


def play_the_rest(desk: Page, hall: str) -> None:
    """Call, begin and enter whatever can be played by keys, until nothing is left."""
    for _match in range(3):
        desk.goto(f"{hall}desk/")  # nothing is on its way any more that could bring an older desk
        if not desk.locator("[data-row]").count():
            return
        if desk.locator("#call-all").count():
            press(desk, "a")
            expect(desk.locator("#desk-said")).to_contain_text("called.")
            expect(desk.locator("#call-all")).to_have_count(0)
        row = desk.locator("[data-row]").first.get_attribute("id")
        length = int(re.search(r"to (\d+)", desk.locator(f"#{row} .where").inner_text())[1])
        type_result(desk, row, length, 0)
