"""The ways of a director and a visitor through the pages, by clicking."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

NAMES = ["Ada Byl", "Bo Carr", "Cy Dunn", "Di Eich", "Ed Foss", "Fay Gray", "Gus Holm", "Hal Iko"]


def create_event(desk: Page, *, tournament: str, event: str = "Main", format: str = "Single elimination") -> str:
    """Create an event in a new tournament, and return the address of its entries page."""
    desk.goto("/tournaments/new/")
    desk.get_by_label("Name", exact=True).fill(tournament)
    desk.get_by_text("Something else", exact=True).click()
    desk.get_by_role("button", name="Create").click()
    desk.get_by_label("Name", exact=True).fill(event)
    desk.get_by_text("Another format", exact=True).click()
    desk.get_by_text(format, exact=True).click()
    expect(desk.locator(".own:visible"), "the options of the chosen format alone").to_have_count(1)
    desk.get_by_label("Match length", exact=True).fill("5, 3")
    desk.get_by_role("button", name="Create the event and enter players").click()
    expect(desk).to_have_url(re.compile(r"/entries/$"))
    return desk.url.removesuffix("entries/")


def paste(desk: Page, names: list[str]) -> None:
    if not desk.locator("#entry-list").is_visible():
        desk.get_by_text("Paste a list", exact=True).first.click()
    desk.locator("#entry-list").fill("\n".join(names))
    desk.get_by_role("button", name="Enter the list").click()
    expect(desk.get_by_text(f"Entries added: {len(names)}.")).to_be_visible()


def draw(desk: Page) -> None:
    desk.get_by_role("button", name=re.compile("^Make the draw for")).click()
    expect(desk.get_by_role("heading", name="Ready to play")).to_be_visible()


def open_first_ready_match(desk: Page, event: str) -> None:
    desk.goto(event)
    ready = desk.locator("section", has=desk.get_by_role("heading", name="Ready to play"))
    ready.locator('a[href^="/matches/"]').first.click()
    expect(desk).to_have_url(re.compile(r"/matches/\d+/$"))


def choose(desk: Page, legend: str, option: str) -> None:
    group = desk.locator("[data-game-form]").get_by_role("group", name=legend)
    group.locator("label", has_text=re.compile(f"^\\s*{re.escape(option)}\\s*$")).click()


def enter_game(desk: Page, winner: str, *, cube: str = "1", ending: str = "Borne off", level: str = "Single") -> None:
    choose(desk, "Who won the game?", winner)
    choose(desk, "Final cube value", cube)
    choose(desk, "How it ended", ending)
    if ending != "Drop":
        choose(desk, "Type of win", level)
    desk.get_by_role("button", name="Enter the game").click()


def enter_final(desk: Page, a: int, b: int) -> None:
    desk.locator("summary", has_text="Final score").click()
    desk.locator("#final-a").fill(str(a))
    desk.locator("#final-b").fill(str(b))
    desk.get_by_role("button", name="Enter the final score").click()


def sides(desk: Page) -> tuple[str, str]:
    names = desk.locator("[data-game-form]").get_by_role("group", name="Who won the game?").locator("label")
    return names.nth(0).inner_text().strip(), names.nth(1).inner_text().strip()


def test_knockout_of_eight_is_run_to_its_winner_with_a_correction_on_the_way(desk, phone):
    event = create_event(desk, tournament="Knockout Night")
    paste(desk, NAMES)
    draw(desk)
    phone.goto(event)
    expect(phone.get_by_role("heading", name="Ready to play")).to_be_visible()
    phone.evaluate("window.same = true")

    open_first_ready_match(desk, event)
    a, b = sides(desk)
    enter_game(desk, a, cube="2")
    expect(desk.locator("[data-game-form]")).to_contain_text("Crawford")
    expect(phone.get_by_role("heading", name="Now playing")).to_be_visible()
    expect(phone.get_by_text("Crawford").first).to_be_visible()
    enter_game(desk, b)
    enter_game(desk, a, cube="2")
    expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()
    phone.goto(f"{event}bracket/")
    semifinal = phone.locator('svg.bracket-svg [data-key="M2-1"]')
    expect(semifinal).to_contain_text(a)
    first_match = desk.url

    desk.get_by_label("Winner of game 3").select_option(b)
    desk.get_by_role("button", name="Enter the score sheet").click()
    expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()
    expect(semifinal).to_contain_text(b)
    expect(semifinal).not_to_contain_text(a)
    phone.goto(event)
    phone.evaluate("window.same = true")

    for _match in range(6):
        open_first_ready_match(desk, event)
        length = int(desk.locator("#final-a").get_attribute("max"))
        enter_final(desk, length, 1)
        expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()
    desk.goto(event)
    desk.get_by_role("button", name="End the event").click()
    expect(desk.get_by_role("button", name=re.compile("^Reopen"))).to_be_visible()

    expect(phone.get_by_text("7 of 7 matches decided")).to_be_visible()
    assert phone.evaluate("window.same") is True
    phone.goto(f"{event}standings/")
    expect(phone.get_by_text("Includes all 7 results.")).to_be_visible()
    expect(phone.locator("table.standings tbody tr")).to_have_count(8)
    places = phone.locator("table.standings td.place").all_inner_texts()
    assert places == ["1", "2", "3–4", "3–4", "5–8", "5–8", "5–8", "5–8"]
    phone.goto(f"{event}bracket/")
    expect(phone.locator("svg.bracket-svg a")).to_have_count(7)
    phone.goto(first_match)
    expect(phone.get_by_text(b).first).to_be_visible()


def test_round_robin_is_entered_by_typing_pasting_and_a_file(desk, page):
    event = create_event(desk, tournament="Round Night", format="Round robin")
    desk.locator("#entry-name").fill("Ann Typed")
    desk.get_by_role("button", name="Enter", exact=True).click()
    expect(desk.get_by_text("Entries added: 1.")).to_be_visible()
    paste(desk, ["1. Bo Pasted; Lund; SE", "2. Cy Pasted"])
    desk.get_by_text("Import a CSV or XLSX file").click()
    desk.locator("#entry-file").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": "navn;klub\nSøren Filæ;Århus\n".encode()}
    )
    desk.get_by_role("button", name="Show what it would enter").click()
    expect(desk.get_by_text("1 row will be entered.")).to_be_visible()
    desk.get_by_role("button", name="Enter 1 row").click()
    expect(desk.locator("table.entries").get_by_text("Søren Filæ")).to_be_visible()
    draw(desk)
    page.goto(f"{event}bracket/")
    expect(page.locator("table.crosstable tbody tr")).to_have_count(4)
    open_first_ready_match(desk, event)
    enter_final(desk, 5, 0)
    expect(page.locator("table.crosstable td.is-done")).to_have_count(2)


def test_refused_game_names_the_rule_and_keeps_what_was_typed(desk, provoked):
    event = create_event(desk, tournament="Refusal Night")
    paste(desk, NAMES[:2])
    draw(desk)
    open_first_ready_match(desk, event)
    a, _b = sides(desk)
    enter_game(desk, a, cube="4")
    enter_game(desk, a, cube="2")
    expect(desk.get_by_role("alert")).to_contain_text(
        "Game 2: the cube is 2, but this is the Crawford game, in which nobody may double."
    )
    expect(desk.locator('[data-game-form] input[name="cube"][value="2"]')).to_be_checked()
    provoked.append("status of 400")
    choose(desk, "Final cube value", "1")
    desk.get_by_role("button", name="Enter the game").click()
    expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()


def test_unlikely_game_is_asked_about_once(desk, provoked):
    event = create_event(desk, tournament="Unlikely Night")
    paste(desk, NAMES[:2])
    draw(desk)
    open_first_ready_match(desk, event)
    a, _b = sides(desk)
    enter_game(desk, a, cube="16")
    expect(desk.get_by_role("alert")).to_contain_text("Legal, but unlikely. Is this correct?")
    provoked.append("status of 409")
    desk.get_by_role("button", name="Yes, enter it").click()
    expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()


def test_pages_do_not_scroll_sideways_on_a_phone(desk, phone):
    event = create_event(desk, tournament="Narrow Night")
    paste(desk, [f"{'Wolfeschlegelstein' * 3} {number}" for number in range(16)])
    draw(desk)
    open_first_ready_match(desk, event)
    addresses = ["/", "/players/", "/ranking/", "/accounts/login/", desk.url]
    addresses += [event + page for page in ("", "bracket/", "standings/", "entries/", "history/")]
    for address in addresses:
        phone.goto(address)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, address
