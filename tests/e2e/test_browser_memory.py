"""What a browser keeps of pages is shown to nobody for whom it was not made."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.keeping import IS_CONTROLLED, open_match
from tests.processes import Site, wait_until

pytestmark = pytest.mark.browser

OFFLINE = "ERR_INTERNET_DISCONNECTED"
IS_KEPT = "path => caches.open('pages').then(shelf => shelf.match(path)).then(Boolean)"
IN_ORDER = "caches.open('pages').then(shelf => shelf.put('/barrier/', new Response('')))"
"""What a cache was told before this is done when this is done."""


def test_a_page_from_memory_is_loaded_anew_for_another_reader(desk: Page) -> None:
    back = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    desk.evaluate("window.notReloaded = true")
    desk.evaluate(back)
    assert desk.evaluate("window.notReloaded")
    desk.evaluate("localStorage.setItem('sixprime.reader', '')")
    with desk.expect_event("load"):
        desk.evaluate(back)
    assert not desk.evaluate("window.notReloaded")
    expect(desk.get_by_role("button", name="Sign out")).to_be_visible()


def test_after_signing_out_no_page_of_before_comes_back(desk: Page) -> None:
    desk.goto("/players/")
    expect(desk.get_by_role("button", name="Sign out")).to_be_visible()
    desk.get_by_role("button", name="Sign out").click()
    expect(desk.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    desk.go_back()
    expect(desk.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    expect(desk.get_by_role("button", name="Sign out")).to_have_count(0)


def test_a_phone_keeps_no_page_of_somebody_who_is_signed_in(desk: Page, live_site: Site, provoked: list[str]) -> None:
    provoked.append(OFFLINE)
    mine = open_match(live_site).mine["a"]
    for _each in range(2):
        desk.goto(mine)
        expect(desk.get_by_role("button", name="Sign out")).to_be_visible()
        desk.evaluate("navigator.serviceWorker.ready.then(() => true)")
        wait_until(lambda: desk.evaluate(IS_CONTROLLED), why="the service worker answers for this page")
        wait_until(lambda: desk.evaluate(IS_KEPT, urlsplit(mine).path), why="the page is kept")
    desk.evaluate(IN_ORDER)
    desk.context.set_offline(True)
    desk.goto(mine)
    expect(desk.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
