"""A match to 7 between two players, whose phones keep its score, and what the server has stored of it."""

import json
import re
import uuid
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from tests.processes import Site, wait_until

OPENED = """
from tests.builders import build_director, build_event, fixture_of
from tournament.entries.links import link_of
event = build_event(build_director("{name}"), players=2, lengths=(7,), {terms})
fixture = fixture_of(event, "M1-1")
print(fixture.match_id, link_of(fixture.entry_a), link_of(fixture.entry_b))
"""
STORED = """
import json
from matches.models import Match
found = [
    [sheet.side, sheet.state, [[line.winner, line.cube, line.level, line.ending] for line in sheet.lines.all()]]
    for sheet in Match.objects.get(pk={match}).sheets.order_by("number")
]
print(json.dumps(found))
"""
KEPT = """async () => {
    const shelf = await caches.open("pages");
    while (!(await shelf.match(location.pathname))) await new Promise((again) => setTimeout(again, 50));
}"""
IS_CONTROLLED = "navigator.serviceWorker.controller !== null"
GAMES = [("a", 2), ("b", 2), ("a", 2), ("b", 2), ("a", 4)]
"""Winner and cube of five single games, after which the first player has won 7-4."""


@dataclass(frozen=True)
class Kept:
    """The match, with the private page of each player."""

    site: Site
    match: int
    mine: dict[str, str]
    director: str
    """The name of the user who directs it, with the password of all built directors."""

    def keeper(self, side: str) -> str:
        return f"{self.mine[side]}{self.match}/"

    def sheets(self) -> list[tuple[str, str, list]]:
        """Return side, state and games of all sheets that were stored, in order."""
        return [tuple(row) for row in json.loads(self.site.python(STORED.format(match=self.match)))]

    def last(self, side: str) -> tuple[str, int]:
        """Return the state of the last sheet of that side, and how many games it has."""
        states = [(state, len(games)) for owner, state, games in self.sheets() if owner == side.upper()]
        return states[-1] if states else ("", 0)


def open_match(site: Site, terms: str = "") -> Kept:
    """Draw an event of two players."""
    director = f"td-{uuid.uuid4().hex[:8]}"
    code = OPENED.format(name=director, terms=terms)
    match, first, second = site.python(code).split()
    return Kept(site, int(match), {"a": first, "b": second}, director)


@dataclass
class Thumb:
    """Taps on a phone, and counts them."""

    page: Page
    taps: int = field(default=0)

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def win(self, side: str, cube: int = 1, ending: str = "single") -> None:
        """Enter a game; a cube above 1 is the loser's."""
        owner = {"a": "b", "b": "a"}[side]
        if cube > 1:
            self.tap(self.page.locator(f'[data-cube="{cube}"][data-owner={owner}]'))
        self.tap(self.page.locator(f"[data-win={side}][data-ending={ending}]"))

    def play(self, games: list[tuple[str, int]]) -> None:
        for side, cube in games:
            self.win(side, cube)

    def act(self, act: str) -> None:
        self.tap(self.page.locator(f"[data-act={act}]:visible"))


def expect_score(page: Page, a: int, b: int) -> None:
    points = page.locator(".half [data-points]")
    expect(points).to_have_text([str(a), str(b)])


def expect_net(page: Page, words: str) -> None:
    expect(page.locator("#keeper-net")).to_have_text(re.compile(words))


def expect_sent(page: Page, a: int, b: int) -> None:
    """Wait until the page shows this score and has sent it: "Sent" alone may still be about the game before."""
    expect_score(page, a, b)
    expect_net(page, "Sent")


def awake(page: Page) -> None:
    """Wait until the service worker has kept this page, and answers for it."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.evaluate(KEPT)
    wait_until(lambda: page.evaluate(IS_CONTROLLED), why="the service worker answers for this page")


def cut_off(page: Page) -> None:
    """Take the network away once the service worker is there: a browser complains of one that it cannot fetch."""
    awake(page)
    page.context.set_offline(True)
