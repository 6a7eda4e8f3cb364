"""Two formats in which a loss is not the end, run to their end by clicking."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import NAMES, create_event, draw, enter_final, open_first_ready_match, paste

pytestmark = pytest.mark.browser


def play(desk: Page, event: str, matches: int) -> None:
    for _match in range(matches):
        open_first_ready_match(desk, event)
        enter_final(desk, int(desk.locator("#final-a").get_attribute("max")), 1)
        expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()


def end(desk: Page, event: str) -> None:
    desk.goto(event)
    desk.get_by_role("button", name="End the event").click()
    expect(desk.get_by_role("button", name=re.compile("^Reopen"))).to_be_visible()


def test_a_fighters_bracket_of_nine_is_run_to_its_winner(desk, phone):
    event = create_event(desk, tournament="Fighters", format="Fighter's bracket")
    paste(desk, [*NAMES, "Jo Kern"])
    draw(desk)
    phone.goto(f"{event}bracket/")
    expect(phone.get_by_role("heading", name="Consolation")).to_be_visible()
    expect(phone.get_by_role("heading", name="Final eight")).to_have_count(0)
    play(desk, event, 6)
    expect(phone.get_by_role("heading", name="Final eight")).to_be_visible()
    expect(phone.locator('svg.bracket-svg [data-key^="E1-"]')).to_have_count(4)
    desk.goto(f"{event}pairings/")
    expect(desk.get_by_text("Final eight, drawn by lot once all eight were known").first).to_be_attached()
    play(desk, event, 7)
    end(desk, event)
    phone.goto(f"{event}standings/")
    places = phone.locator("table.standings td.place").all_inner_texts()
    assert places == ["1", "2", "3–4", "3–4", "5–8", "5–8", "5–8", "5–8", "9"]


def test_a_player_who_lost_buys_in_and_wins_the_second_bracket(desk, phone):
    event = create_event(desk, tournament="Second Lives", format="Knockout with buy-ins")
    paste(desk, NAMES[:4])
    draw(desk)
    play(desk, event, 2)
    desk.goto(f"{event}standings/")
    rows = desk.locator("table.standings tbody tr").all_inner_texts()[2:]
    beaten = [name for name in NAMES[:4] if any(name in row for row in rows)]
    assert len(beaten) == 2
    for name in beaten:
        desk.goto(f"{event}entries/")
        expect(desk.get_by_text("A player who has lost can buy in")).to_be_visible()
        desk.locator("#entry-name").fill(name)
        desk.locator("form[data-entry-form]").get_by_role("button", name="Enter", exact=True).click()
        expect(desk.get_by_text(f"{name} (2)").first).to_be_visible()
    play(desk, event, 1)
    phone.goto(f"{event}bracket/")
    expect(phone.get_by_role("heading", name="Buy-in bracket")).to_be_visible()
    play(desk, event, 1)
    end(desk, event)
    phone.goto(f"{event}standings/")
    expect(phone.get_by_role("heading", name="Buy-in bracket")).to_be_visible()
    expect(phone.locator("table.standings")).to_have_count(2)
