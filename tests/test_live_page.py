"""Pages that follow their event, in Chromium, against the running site."""

import uuid

import pytest
from playwright.sync_api import expect

from tests.desks import Desk, open_desk
from tests.processes import Site, wait_until

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(live_site: Site) -> Desk:
    return open_desk(live_site, name=f"Live {uuid.uuid4().hex[:8]}", players=4)


def enter(desk: Desk, site: Site, *, match: int = 0, final: tuple[int, int] = (5, 3), base: int = 0) -> None:
    assert desk.enter(site.url, desk.matches[match], key=uuid.uuid4().hex, final=final, base=base).status == 201


def watch(page, path: str) -> None:
    """Open the page, wait until it follows its event, and mark the document: a reload would lose the mark."""
    page.goto(path)
    page.wait_for_selector("[data-live-state=live]")
    page.evaluate("window.notReloaded = true")


def test_page_shows_a_result_that_was_entered_elsewhere(phone, live_site: Site, desk: Desk) -> None:
    watch(phone, desk.path)
    before = phone.inner_text("#live")
    enter(desk, live_site)
    expect(phone.locator("#live")).not_to_have_text(before, use_inner_text=True)
    phone.wait_for_selector("#group-done")
    assert phone.evaluate("window.notReloaded")


def test_standings_follow_when_celery_has_computed_them(page, live_site: Site, desk: Desk) -> None:
    watch(page, f"{desk.path}standings/")
    before = page.inner_text("#live")
    enter(desk, live_site)
    enter(desk, live_site, match=1)
    expect(page.locator("#live")).not_to_have_text(before, use_inner_text=True)
    newest = live_site.python(
        f"from tournament.models import Event; e = Event.objects.get(pk={desk.event}); print(e.version)"
    )
    assert int(newest) > 2
    assert page.evaluate("window.notReloaded")


def test_page_asks_again_while_the_stream_is_out_of_reach(page, live_site: Site, desk: Desk, provoked) -> None:
    provoked.append("ERR_FAILED")
    page.route(f"{live_site.live_url}/**", lambda route: route.abort())
    page.goto(desk.path)
    page.wait_for_selector("[data-live-state=reconnecting]")
    enter(desk, live_site)
    page.wait_for_selector("#group-done")
    page.unroute(f"{live_site.live_url}/**")
    page.wait_for_selector("[data-live-state=live]")


def test_page_asks_again_for_news_whose_answer_was_lost(page, live_site: Site, desk: Desk, provoked) -> None:
    """The stream goes on meanwhile, and has nothing more to tell."""
    provoked += ["ERR_FAILED", "htmx:"]
    page.route("**/*fragment*", lambda route: route.abort())
    watch(page, desk.path)
    page.evaluate(HEAR, desk.event)
    with page.expect_event("requestfailed"):
        enter(desk, live_site)
    wait_until(
        lambda: page.evaluate("window.heard.size === 2 && window.newest[0] === window.newest[1]"), why="both are heard"
    )
    page.unroute("**/*fragment*")
    page.wait_for_selector("#group-done")
    assert page.evaluate("window.notReloaded")


def test_a_page_whose_event_is_deleted_says_so(page, live_site: Site, desk: Desk, provoked) -> None:
    provoked.append("404")
    watch(page, desk.path)
    live_site.python(
        f"from django.utils import timezone; from tournament.models import Event; "
        f"Event.objects.filter(pk={desk.event}).update(deleted_at=timezone.now())"
    )
    page.wait_for_selector("h1:has-text('Not found')")


def test_page_asks_again_while_the_stream_neither_opens_nor_fails(page, live_site: Site, desk: Desk) -> None:
    held = []
    page.route(f"{live_site.live_url}/**", lambda route: held.append(route))
    page.goto(desk.path)
    page.wait_for_selector("[data-live-state=reconnecting]")
    enter(desk, live_site)
    page.wait_for_selector("#group-done")
    held.pop().continue_()
    page.wait_for_selector("[data-live-state=live]")


HEAR = """(event) => {
  window.changes = 0;
  document.body.addEventListener("event-changed", () => window.changes++);
  window.heard = new Set();
  const stream = new EventSource(`${document.body.dataset.liveUrl}/events/${event}`);
  stream.addEventListener("version", (message) => {
    window.newest = JSON.parse(message.data).versions.split("."); // of the event, of its standings, of the hall
    window.heard.add(window.newest[0]);
  });
}"""


def test_a_visitor_who_is_typing_is_not_interrupted(page, live_site: Site, desk: Desk) -> None:
    """Two results come in; by the second, the page has long heard of the first."""
    watch(page, desk.path)
    page.evaluate("document.querySelector('#live').append(document.createElement('input'))")
    page.fill("#live > input", "half a na")
    page.evaluate(HEAR, desk.event)
    wait_until(lambda: page.evaluate("window.heard.size === 1"), why="the page hears of the event")
    for match in (0, 1):
        enter(desk, live_site, match=match)
        wait_until(lambda heard=match + 2: page.evaluate("window.heard.size") == heard, why="the result is heard of")
    assert page.evaluate("window.changes") == 0
    assert page.input_value("#live > input") == "half a na"
    page.evaluate("document.activeElement.blur()")
    page.wait_for_selector("#group-done")


def test_the_content_policy_allows_the_documentation_of_the_api(page) -> None:
    page.goto("/api/v1/docs/")
    page.wait_for_selector(".opblock-tag")
