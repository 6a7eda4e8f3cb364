"""Three formats in which a match is worth more than a win or a loss, run to their end by clicking."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import NAMES, draw, enter_final, open_first_ready_match, paste
from tests.e2e.test_second_lives import end, play

pytestmark = pytest.mark.browser


def create_with(desk: Page, *, tournament: str, format: str, length: str = "5") -> None:
    """Open the form of an event in a new tournament, with the options of the format in sight."""
    desk.goto("/tournaments/new/")
    desk.get_by_label("Name", exact=True).fill(tournament)
    desk.get_by_text("Something else", exact=True).click()
    desk.get_by_role("button", name="Create").click()
    desk.get_by_label("Name", exact=True).fill("Main")
    desk.get_by_text("Another format", exact=True).click()
    desk.locator(".if-another .format label", has=desk.get_by_text(format, exact=True)).click()
    desk.get_by_label("Match length", exact=True).fill(length)


def save(desk: Page) -> str:
    desk.get_by_role("button", name=re.compile("^Create the event and enter")).click()
    expect(desk).to_have_url(re.compile(r"/entries/$"))
    return desk.url.removesuffix("entries/")


def own_options(desk: Page):
    return desk.locator(".own:visible")


def test_a_round_robin_counts_a_second_win_for_the_lower_error_rate(desk, phone):
    create_with(desk, tournament="Ultimate", format="Round robin")
    own_options(desk).get_by_role("checkbox", name="A second win for the lower error rate").check()
    event = save(desk)
    paste(desk, NAMES[:3])
    draw(desk)
    for _match in range(3):
        open_first_ready_match(desk, event)
        enter_final(desk, 5, 2)
        expect(desk.get_by_text("rate open").first).to_be_visible()
        rates = desk.get_by_role("region", name="Error rates")
        rates.get_by_role("textbox").nth(0).fill("7,5")
        rates.get_by_role("textbox").nth(1).fill("3.25")
        rates.get_by_role("button", name="Save the error rates").click()
        expect(desk.get_by_text("Error rates 7.500 – 3.250")).to_be_visible()
        expect(desk.get_by_text("rate open")).to_have_count(0)
    end(desk, event)
    phone.goto(f"{event}standings/")
    expect(phone.get_by_text("Includes all 3 results.")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    rows = phone.locator("table.standings tbody tr")
    expect(rows).to_have_count(3)
    for row in rows.all():
        expect(row.locator("td.num strong").first).to_have_text("2")
    rows.first.locator("details.why summary").click()
    expect(rows.first.locator("details.why p")).to_contain_text("Tied on wins (2)")


def test_two_teams_that_share_their_boards_have_half_a_win_each(desk, phone):
    create_with(desk, tournament="Pairs of Boards", format="Round robin", length="3")
    desk.get_by_text("Start, rules and clock").click()
    desk.get_by_role("combobox", name="Teams").select_option("2")
    event = save(desk)
    paste(desk, ["Reds: Ada Byl, Bo Carr", "Blues: Cy Dunn, Di Eich"])
    draw(desk)
    desk.goto(event)
    links = desk.get_by_role("main").locator('a[href^="/matches/"]').all()
    boards = sorted({link.get_attribute("href").partition("#")[0] for link in links})
    assert len(boards) == 2
    for board, points in zip(boards, ((3, 1), (1, 3)), strict=True):
        desk.goto(board)
        enter_final(desk, *points)
        expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()
    end(desk, event)
    phone.goto(f"{event}pairings/")
    expect(phone.get_by_text("drawn", exact=True).first).to_be_visible()
    phone.goto(f"{event}standings/")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    rows = phone.locator("table.standings tbody tr")
    expect(rows).to_have_count(2)
    assert rows.locator("td.num strong").all_inner_texts() == ["0–1–0", "0–1–0"]
    rows.first.locator("details.why summary").click()
    expect(rows.first.locator("details.why p")).to_contain_text("Tied on wins (½)")
    phone.goto(f"{event}bracket/")
    expect(phone.locator("table.crosstable td.sum").first).to_have_text("½")


def test_four_losses_and_out_ends_when_one_player_alone_has_fewer_than_three(desk, phone):
    create_with(desk, tournament="Four Losses", format="Swiss with lives", length="3")
    options = own_options(desk)
    options.get_by_role("spinbutton", name="Lives").fill("4")
    options.get_by_role("combobox", name="Ends").select_option("ahead")
    event = save(desk)
    paste(desk, NAMES[:4])
    draw(desk)
    for _match in range(20):
        desk.goto(event)
        if desk.get_by_role("heading", name="Ready to play").count() == 0:
            break
        play(desk, event, 1)
    end(desk, event)
    phone.goto(f"{event}standings/")
    first = phone.locator("table.standings tbody tr").first
    expect(first.locator("td.place")).to_have_text("1")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    first.locator("details.why summary").click()
    expect(first.locator("details.why p")).not_to_be_empty()
