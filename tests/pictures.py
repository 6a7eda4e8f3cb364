"""Makes the pictures of docs/directing.md and of the README: the demo on a site of its own, photographed in a browser.

``script/pictures`` makes all of them, ``script/pictures desk bracket`` some. The seed is fixed, and events are
found by their format, so the pictures change with the pages; the day and the hour are those of the machine.
"""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chromium import CHROMIUM, CHROMIUM_ARGUMENTS
from tests.processes import ROOT, Site, site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = ROOT / "docs" / "pictures"
SEED = 7
DESK = {"viewport": {"width": 1100, "height": 720}}
WALL = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 700}, "is_mobile": True, "has_touch": True, "device_scale_factor": 1.5}
QUALITY = 0.8
PASSWORD = "only-for-the-pictures"  # of a site that nobody else reaches, for a minute
NAMES = (
    *("Anna Lund; Aarhus", "Bo Holm; Aarhus", "Clara Berg; Oslo", "Dan Møller; Malmö", "Eva Dahl; Oslo"),
    *("Finn Krüger; Hamburg", "Greta Strand; Malmö", "Hugo Vogt; Berlin", "Ida Nygård; Bergen", "Jon Friis; Aarhus"),
)

FIND = """
import json
from players.models import User
from tournament.models import Appointment, Event
events = list(Event.objects.select_related("tournament").order_by("id"))
owner = Appointment.objects.filter(tournament=events[0].tournament, role="owner").get().user
owner.set_password({password!r})
owner.save()
print(json.dumps([owner.username, [
    [event.stages.first().format, event.entries.count(), event.get_absolute_url()] for event in events
]]))
"""

TABLES = """
from django.utils import timezone
from tournament.hall.tables import add_tables
from tournament.models import Tournament
hall = Tournament.objects.get(slug={slug!r})
if not hall.tables.exists():
    add_tables(hall, first=1, last=16, by=None, at=timezone.now())
"""

OPEN = """
from matches.models import Match, SheetState
waiting = Match.objects.filter(fixture__stage__event__tournament__slug={tournament!r}, partner_a=None)
ready = list(waiting.filter(sheets=None).order_by("pk"))
"""

LINK = (
    OPEN
    + """
from tournament.entries.links import link_of
live = waiting.filter(sheets__state=SheetState.LIVE).order_by("pk")
match = live.first() or ready[0]
print(link_of(match.fixture.entry_a){rest})
"""
)
MY_PAGE, KEEPER = (LINK.replace("{rest}", rest) for rest in ("", ' + f"{{match.pk}}/"'))

DISPUTE = (
    OPEN
    + """
from django.utils import timezone
from matches.claims import Claim
from rules.score import Side
from tournament.results.reports import report_result
match = ready[-1]
for side, final in ((Side.A, (match.length, match.length - 2)), (Side.B, (match.length - 1, match.length))):
    claim = Claim(key=f"picture-{{side}}", base=0, final=final)
    report_result(match, claim=claim, side=side, by=None, at=timezone.now())
print(match.get_absolute_url())
"""
)

CORRECTION = """
import json
from django.db.models import Q
from matches.models import SheetState
from tournament.models import Fixture
played = Fixture.objects.filter(match__sheets__state=SheetState.CONFIRMED)
for fixture in played.filter(stage__event__tournament__slug={tournament!r}).order_by("pk"):
    feed = f"winner:{{fixture.key}}"
    begun = Fixture.objects.filter(stage=fixture.stage, match__sheets__state=SheetState.LIVE)
    later = begun.filter(Q(feed_a=feed) | Q(feed_b=feed)).first()
    if later is not None:
        match, a_won = fixture.match, fixture.entry_a_id in (later.entry_a_id, later.entry_b_id)
print(json.dumps([match.get_absolute_url(), match.length, a_won]))
"""


@dataclass
class Studio:
    """The running demo with a browser: ``events`` are format, number of entries and address, in the demo's order."""

    site: Site
    browser: Browser
    director: str
    events: Sequence[tuple[str, int, str]]
    own: str = ""

    @property
    def tournament(self) -> str:
        """The address of the demo's tournament."""
        return self.events[0][2].rsplit("/", 2)[0] + "/"

    @property
    def slug(self) -> str:
        return self.tournament.strip("/").rsplit("/", 1)[1]

    def event(self, *formats: str) -> str:
        """Return the address of the largest event in the first of these formats that the demo has."""
        for wanted in formats:
            if found := [(players, url) for format, players, url in self.events if format == wanted]:
                return max(found)[1]
        raise SystemExit(f"The demo has no event in any of these formats: {', '.join(formats)}.")

    def visit(self, address: str, *, screen: dict[str, Any] = DESK, signed_in: bool = True) -> Page:
        context = self.browser.new_context(base_url=self.site.url, locale="en-GB", **screen)
        page = context.new_page()
        if signed_in:
            page.goto("/accounts/login/")
            page.get_by_label("User name").fill(self.director)
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("main").get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name="Sign out").wait_for()
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, address
        return page

    def python(self, code: str, **words: object) -> str:
        return self.site.python(code.format(**words)).strip().splitlines()[-1]

    def new_event(self) -> str:
        """Return the address of an event of the director's own, made as the page of a new tournament makes it."""
        if not self.own:
            page = self.visit("/tournaments/new/")
            page.get_by_label("Weekend championship").check()
            page.get_by_label("Name", exact=True).fill("Spring Open")
            page.get_by_role("button", name="Create and enter players").click()
            page.locator("#entry-list").fill("\n".join(NAMES))
            page.get_by_role("button", name="Enter the list").click()
            page.get_by_role("button", name="Check in").first.wait_for()
            self.own = page.url.removeprefix(self.site.url).removesuffix("entries/")
            page.context.close()
        return self.own


def new_tournament(studio: Studio) -> Page:
    page = studio.visit("/tournaments/new/")
    page.get_by_label("Weekend championship").check()
    return page


def tables(studio: Studio) -> Page:
    page = studio.visit(studio.new_event().rsplit("/", 2)[0] + "/tables/")
    page.get_by_label("From number").fill("1")
    page.get_by_label("To number").fill("3")
    page.get_by_role("button", name="Add tables").click()
    page.locator("#site input[name=address]").fill("http://192.168.1.20:8000")
    return page


def players(studio: Studio) -> Page:
    page = studio.visit(f"{studio.new_event()}entries/")
    for _arrived in range(4):
        page.get_by_role("button", name="Check in", exact=True).first.click()
        page.wait_for_load_state("networkidle")
    page.locator(".counts").scroll_into_view_if_needed()
    page.locator(".entries").first.evaluate("table => window.scrollTo(0, table.offsetTop - 300)")
    return page


def money(studio: Studio) -> Page:
    page = studio.visit(f"{studio.new_event()}money/terms/")
    page.get_by_label("Entry fee", exact=True).fill("50")
    page.get_by_label("Added money", exact=True).fill("200")
    page.get_by_role("button", name="Preview").click()
    page.locator("#preview").evaluate("heading => heading.scrollIntoView()")
    return page


def bracket(studio: Studio) -> Page:
    page = studio.visit(f"{studio.event('consolation', 'single-elimination')}bracket/", signed_in=False)
    page.locator("svg.bracket-svg").first.wait_for()
    page.evaluate("window.scrollTo(0, 0)")
    return page


def paper_of_a_round(studio: Studio) -> Page:
    page = studio.visit(f"{studio.event('consolation', 'single-elimination')}print/")
    page.get_by_role("button", name="Show all for printing").click()
    page.wait_for_load_state()
    return page


def desk(studio: Studio) -> Page:
    return studio.visit(f"{studio.tournament}desk/")


def phone(studio: Studio) -> Page:
    return studio.visit(studio.python(MY_PAGE, tournament=studio.slug), screen=PHONE, signed_in=False)


def keeper(studio: Studio) -> Page:
    page = studio.visit(studio.python(KEEPER, tournament=studio.slug), screen=PHONE, signed_in=False)
    page.locator("[data-win]").first.wait_for()
    return page


def wall(studio: Studio) -> Page:
    page = studio.visit(f"{studio.tournament}screen/", screen=WALL, signed_in=False)
    page.locator("[data-clock]").first.wait_for()
    return page


def dispute(studio: Studio) -> Page:
    return studio.visit(studio.python(DISPUTE, tournament=studio.slug))


def standings(studio: Studio) -> Page:
    page = studio.visit(f"{studio.event('swiss', 'monrad', 'round-robin')}standings/", signed_in=False)
    page.locator("table.standings").wait_for()
    return page


def ranking(studio: Studio) -> Page:
    page = studio.visit("/ranking/", signed_in=False)
    page.locator(".cards a").first.click()
    page.locator("table.ranking").wait_for()
    return page


def correction(studio: Studio) -> Page:
    address, length, a_won = json.loads(studio.python(CORRECTION, tournament=studio.slug))
    page = studio.visit(address)
    way = page.locator("details.way", has=page.locator("#final-a"))
    way.evaluate("details => { details.open = true; }")
    page.locator("#final-a").fill("3" if a_won else str(length))
    page.locator("#final-b").fill(str(length) if a_won else "3")
    way.locator("[name=reason]").fill("Winner and loser were mixed up")
    way.get_by_role("button", name="Preview the changes").click()
    page.locator("#correction").evaluate("section => section.scrollIntoView()")
    return page


PICTURES: dict[str, Callable[[Studio], Page]] = {
    "new-tournament": new_tournament,
    "tables": tables,
    "players": players,
    "money": money,
    "bracket": bracket,
    "round": paper_of_a_round,
    "desk": desk,
    "phone": phone,
    "keeper": keeper,
    "wall": wall,
    "dispute": dispute,
    "standings": standings,
    "ranking": ranking,
    "correction": correction,
}
"""The pictures by their names, in the order of the page. The desk comes before the dispute that is made for one."""

TO_WEBP = """async ([png, quality]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def as_webp(png: bytes, browser: Browser) -> bytes:
    """Return the picture in a format that takes a third of the room; the browser knows how."""
    page = browser.new_page()
    written = page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), QUALITY])
    page.close()
    return base64.b64decode(written)


def open_studio(running: Site, browser: Browser) -> Studio:
    """Make the demo, give its director a password, and its hall tables if it has none."""
    running.manage("demo", "--seed", str(SEED))
    director, events = json.loads(running.python(FIND.format(password=PASSWORD)).strip().splitlines()[-1])
    studio = Studio(running, browser, director, [tuple(event) for event in events])
    running.python(TABLES.format(slug=studio.slug))
    return studio


def take(studio: Studio, name: str) -> None:
    """Take the picture, write it to its file, and close the page."""
    page: Any = PICTURES[name](studio)
    page.wait_for_load_state("networkidle")
    picture = as_webp(page.screenshot(animations="disabled"), studio.browser)
    (FOLDER / f"{name}.webp").write_bytes(picture)
    page.context.close()
    sys.stdout.write(f"docs/pictures/{name}.webp  {len(picture) // 1024} KB\n")


def main(names: Sequence[str]) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - slow import

    unknown = [name for name in names if name not in PICTURES]
    if unknown or not CHROMIUM:
        raise SystemExit(f"There is no picture {unknown[0]}." if unknown else "No Chromium was found.")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, site(Path(folder) / "var") as running, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        studio = open_studio(running, browser)
        for name in names or PICTURES:
            take(studio, name)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
