"""Walls turn by themselves and can be read from the door, whatever the screen and however many play."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SECONDS = 15
SCREENS = {
    "1920x1080": {"width": 1920, "height": 1080},
    "1280x720": {"width": 1280, "height": 720},
    "3840x2160": {"width": 3840, "height": 2160},
    "1080x1920": {"width": 1080, "height": 1920},
}
MOST_LINES = 24

MAKE = """
from django.utils import timezone
from players.models import User
from tests.builders import build_event, build_tournament
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.draw.make import make_draw
from tournament.hall.calling import call_ready
from tournament.hall.tables import add_tables
by, _new = User.objects.get_or_create(username="walls")
now = timezone.now()
hall = build_tournament(by, "Deutsche Meisterschaft im Backgammon {players}")
event = build_event(by, players=0, drawn=False, tournament=hall, name="Hauptturnier", format="{format}")
if {players}:
    lines = [
        EntryLine(name=f"Maximilian {{number}} Oberhuber-Schmidt", line=number) for number in range(1, {players} + 1)
    ]
    add_entries(event, lines=lines, by=by, at=now)
if {players} > 1:
    make_draw(event, by=by, at=now)
    add_tables(hall, first=1, last=120, by=by, at=now)
    call_ready(hall, by=by, at=now)
    store_standings(event.pk)
print(hall.slug)
"""

MEASURE = """() => {
  const shown = [...document.querySelectorAll(".block:not([hidden])")];
  const names = shown.flatMap((block) => [...block.querySelectorAll("[data-name], tbody .name")]);
  const drawn = shown.flatMap((block) => [...block.querySelectorAll(".bracket-svg .name")]);
  const size = (element) => parseFloat(getComputedStyle(element).fontSize);
  const box = (element) => element.getBoundingClientRect();
  const inside = [...document.querySelectorAll(".wall-now, .wall-head h1"), ...shown, ...names, ...drawn];
  return {
    height: Math.min(...names.map(size), ...drawn.map((name) => size(name) * name.getScreenCTM().a)),
    lines: names.length + drawn.filter((name) => name.textContent).length,
    outside: inside.filter((one) => box(one).right > innerWidth + 1 || box(one).bottom > innerHeight + 1).length,
    cut: shown.flatMap((block) => [block, ...block.children]).filter((one) => one.scrollHeight > one.clientHeight + 3)
      .map((one) => `${one.className} ${one.tagName} ${one.scrollHeight} > ${one.clientHeight}`),
    clock: size(document.querySelector(".wall-now")),
    scrolls: document.scrollingElement.scrollHeight > innerHeight || document.scrollingElement.scrollWidth > innerWidth,
  };
}"""


@pytest.fixture(scope="session")
def address(live_site) -> str:
    """The address where a bracket of 64 is shown in eight parts."""
    live_site.python(
        "from django.utils import timezone; from players.models import User; "
        "from tournament.management.demo.scenes import Scene, Until, build_demo; "
        "from tournament.hall.calling import call_ready; from tournament.hall.tables import add_tables; "
        "scene = Scene('Large', 'single-elimination', 64, (5,), Until('draw')); "
        "by = User.objects.create_user('screen'); now = timezone.now(); "
        "hall = build_demo(scene, name='On a beamer', by=by, seed=1, now=now); "
        "add_tables(hall, first=1, last=20, by=by, at=now); call_ready(hall, by=by, at=now)"
    )
    return "/t/on-a-beamer/large/screen/?show=draw"


@pytest.fixture(scope="session")
def halls(live_site) -> dict[str, str]:
    """The slugs of halls with 0, 1, 16 and 300 players."""
    fields = {"0": "single-elimination", "1": "single-elimination", "16": "single-elimination", "300": "swiss"}
    return {
        players: live_site.python(MAKE.format(players=players, format=format)).split()[-1]
        for players, format in fields.items()
    }


def number(page) -> str:
    return page.locator("[data-page]").text_content()


def pages_of(page) -> int:
    return int(number(page).split("/")[1])


def test_the_next_page_comes_by_itself_and_the_first_after_the_last(page, address):
    page.clock.install()
    page.goto(address)
    seen = []
    for _turn in range(9):
        seen.append(number(page))
        page.clock.run_for(SECONDS * 1000)
    assert seen == [f"{one} / 8" for one in (1, 2, 3, 4, 5, 6, 7, 8, 1)]


def test_calls_come_again_between_the_other_pages(page, address):
    page.goto("/t/on-a-beamer/screen/")
    kinds = []
    for _turn in range(pages_of(page)):
        kinds.append(page.locator(".block:not([hidden])").first.get_attribute("data-kind"))
        page.keyboard.press("ArrowRight")
    calls = [place for place, kind in enumerate([*kinds, *kinds]) if kind == "called"]
    assert max(later - place for place, later in pairwise(calls)) <= 3
    assert {"names", "next"} <= set(kinds)


def test_a_wall_pauses_when_told_to_and_is_turned_by_hand(page, address):
    page.clock.install()
    page.goto(address)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(2 * SECONDS * 1000)
    assert number(page) == "1 / 8"
    page.get_by_role("button", name="Next page").click()
    assert number(page) == "2 / 8"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert number(page) == "8 / 8"


def test_a_wall_stands_still_for_viewers_who_prefer_reduced_motion_unless_its_address_names_the_seconds(
    open_page, address
):
    page = open_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(address)
    page.clock.run_for(2 * SECONDS * 1000)
    assert number(page) == "1 / 8"
    page.goto(f"{address}&seconds=20")
    page.clock.run_for(20 * 1000)
    assert number(page) == "2 / 8"


def test_the_address_names_what_is_shown_and_in_which_order(page, address):
    page.goto("/t/on-a-beamer/screen/?show=names,called")
    first = page.locator(".block:not([hidden]) h2").first
    expect(first).to_have_text("From A to Z")
    page.keyboard.press("ArrowLeft")
    expect(first).to_have_text("Please go to your tables")
    page.goto("/t/on-a-beamer/screen/?show=prizes")
    expect(page.locator("[data-nothing]")).to_be_visible()


def test_everything_is_there_without_scripts(open_page, address):
    page = open_page(java_script_enabled=False)
    page.goto("/t/on-a-beamer/screen/")
    assert page.locator(".block").count() > 8
    assert page.locator(".block[hidden]").count() == 0


@pytest.mark.parametrize("players", ["0", "1", "16", "300"])
@pytest.mark.parametrize("screen", SCREENS)
def test_names_are_a_twentieth_of_the_height_and_nothing_is_outside(open_page, halls, screen, players):
    size = SCREENS[screen]
    theme = "dark" if screen == "1280x720" else "light"
    page = open_page(viewport=size, locale="de-DE", color_scheme=theme, reduced_motion="reduce")
    for wall in (f"/t/{halls[players]}/screen/", f"/t/{halls[players]}/hauptturnier/screen/"):
        page.goto(wall)
        assert page.locator("html").get_attribute("lang") == "de"
        count = pages_of(page)
        for _turn in range(min(count, 16)):
            found = page.evaluate(MEASURE)
            place = f"{wall} {number(page)}"
            assert found["height"] is None or found["height"] >= size["height"] / 20 - 0.1, (place, found)
            assert found["lines"] <= MOST_LINES, (place, found)
            assert (found["outside"], found["cut"], found["scrolls"]) == (0, [], False), (place, found)
            assert found["clock"] >= size["height"] / 13, (place, found)
            page.keyboard.press("ArrowRight")
        if int(players) < 2:
            expect(page.locator("[data-nothing]")).to_be_visible()


def test_a_wall_says_that_its_network_is_gone_and_when_its_last_news_came(open_page, address, provoked):
    provoked += ["ERR_INTERNET_DISCONNECTED", "Failed to load resource", "ERR_"]
    page = open_page()
    page.goto("/t/on-a-beamer/screen/")
    expect(page.locator("[data-live-state=live]")).to_be_visible()
    lost = page.locator("[data-lost]")
    expect(lost).to_be_hidden()
    before = page.locator(".wall-now").text_content()
    page.context.set_offline(True)
    expect(lost).to_be_visible()
    expect(lost.locator("time")).to_have_text(before)
    assert page.locator(".block:not([hidden]) [data-name]").count() > 0
    page.context.set_offline(False)
    expect(lost).to_be_hidden()
