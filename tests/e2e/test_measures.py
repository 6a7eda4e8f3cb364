"""How much room pages take: the desk's head, standings of 128 on a phone and on paper, a bracket on a phone."""

import io
import json
import uuid

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.e2e.conftest import PASSWORD
from tests.processes import Site

pytestmark = pytest.mark.browser

TOP = "selector => document.querySelector(selector).getBoundingClientRect().top"
"""Where the first of these elements begins, in pixels; read in one go, as the desk is replaced while it is live."""
MAKE_STANDINGS = """
import json
from players.models import User
from tests.builders import build_director, build_event, build_tournament, open_matches, win
from rules.score import Side
from tournament.draw.standings import store_standings
director = build_director({name!r})
event = build_event(
    director, players={players}, format={format!r}, tournament=build_tournament(director, {name!r}),
    tiebreaks=["buchholz", "head-to-head"],
)
for number, match in enumerate(open_matches(event)[:{played}]):
    win(match, Side.A if number % 3 else Side.B, loser_points=number % 5)
store_standings(event.pk)
print(json.dumps([event.get_absolute_url(), event.slug]))
"""


def make(site: Site, *, players: int, format: str, played: int) -> tuple[str, str]:
    """The address of an event with its first matches played, and the name of its director."""
    name = f"m-{uuid.uuid4().hex[:8]}"
    made = site.python(MAKE_STANDINGS.format(name=name, players=players, format=format, played=played))
    return json.loads(made)[0], name


@pytest.fixture(scope="module")
def swiss_of_128(live_site: Site) -> str:
    return make(live_site, players=128, format="swiss", played=64)[0]


def sign_in(page: Page, name: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()


def test_standings_of_128_take_less_than_5000_px_on_a_phone(phone: Page, swiss_of_128: str) -> None:
    phone.goto(f"{swiss_of_128}standings/")
    expect(phone.locator("table.standings tbody tr")).to_have_count(128)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.evaluate("document.documentElement.scrollHeight") < 5000
    row = phone.locator("table.standings tbody tr").first
    closed = row.bounding_box()["height"]
    row.locator(".why summary").click()
    assert row.bounding_box()["height"] > closed
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("path", ["standings/", "print/standings/"])
def test_standings_of_128_are_printed_on_two_sheets(page: Page, swiss_of_128: str, path: str) -> None:
    page.goto(swiss_of_128 + path)
    pdf = PdfReader(io.BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))
    words = " ".join(sheet.extract_text() for sheet in pdf.pages)
    assert len(pdf.pages) == 2
    assert [number for number in range(1, 129) if f"Player {number}" not in words] == []


def test_the_head_of_the_desk_is_low(page: Page, live_site: Site) -> None:
    path, director = make(live_site, players=16, format="single-elimination", played=2)
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(page, director)
    page.goto(path.rsplit("/", 2)[0] + "/desk/")
    expect(page.locator("[data-row]").first).to_be_visible()
    assert page.evaluate(TOP, ".desk-columns") < 150
    assert page.evaluate(TOP, "[data-row]") < 210


def test_a_bracket_opens_on_a_phone_where_play_is(phone: Page, live_site: Site) -> None:
    path, _director = make(live_site, players=32, format="single-elimination", played=16)
    phone.goto(f"{path}bracket/")
    expect(phone.locator(".bracket-svg .match.is-ready .name").first).to_be_in_viewport()
    expect(phone.locator(".bracket-svg [data-key='M1-1']")).not_to_be_in_viewport()


def test_a_bracket_opens_on_a_phone_at_the_match_in_its_address(phone: Page, live_site: Site) -> None:
    path, _director = make(live_site, players=32, format="single-elimination", played=0)
    phone.goto(f"{path}bracket/#bracket-M-M1-14")
    expect(phone.locator("#bracket-M-M1-14 .name").first).to_be_in_viewport()
