"""Everyone can use every page: axe finds nothing in light or dark, a phone of 320 px shows it whole, keys reach it."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PASSWORD
from tests.processes import PATIENCE_SECONDS, Site, site

pytestmark = pytest.mark.browser

ALSO = {"label-content-name-mismatch": {"enabled": True}}
"""Rules that axe leaves off by itself: a name holds the words that are seen, so that it can be said aloud."""
LIGHT = {"resultTypes": ["violations"], "rules": ALSO}
DARK = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
VIOLATIONS = """async options => (await axe.run(options)).violations.map(
  ({id, nodes}) => `${id}: ${nodes.length} x ${nodes[0].html.slice(0, 160)}`)"""
FACTS = """() => ({
  headings: document.querySelectorAll('h1').length,
  language: document.documentElement.lang,
  title: document.title,
  moving: document.getAnimations().filter(one => one.playState === 'running'
    && one.effect.getComputedTiming().duration > 50).map(one => one.animationName || one.transitionProperty),
})"""
TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return null;
  const wide = [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > room + 1);
  return wide.slice(0, 4).map(one => one.tagName + '.' + one.getAttribute('class')).join(' ');
}"""
FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  if (/^(date|time|datetime-local)$/.test(one.type)) return ['', true];  // the browser marks a part inside
  const seen = [one, one.parentElement, one.querySelector('*'), ...(one.labels || [])].filter(Boolean);
  const shown = seen.some(part => {
    const style = getComputedStyle(part);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'
      || (style.stroke !== 'none' && part instanceof SVGElement);
  });
  return [one.outerHTML.slice(0, 120), shown];
}"""


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, list[str]]]]:
    """A site of its own in which everything is going on, and its pages by who sees them."""
    with site(tmp_path_factory.mktemp("everyone") / "var") as started:
        found = started.python("from tests.e2e.everywhere import describe; describe()")
        yield started, json.loads(found.splitlines()[-1])


@pytest.fixture
def visit(browser, everywhere: tuple[Site, dict[str, list[str]]]):
    contexts = []

    def visit_as(name: str, **options: object) -> Page:
        context = browser.new_context(
            base_url=everywhere[0].url,
            locale="en-GB",
            reduced_motion="reduce",
            viewport={"width": 1280, "height": 800},
            **options,
        )
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        contexts.append(context)
        page = context.new_page()
        if name != "visitor":
            page.goto("/accounts/login/")
            page.get_by_label("User name").fill(name)
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("main").get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name="Sign out").wait_for()
        return page

    yield visit_as
    for context in contexts:
        context.close()


def violations(page: Page, options: dict) -> list[str]:
    return page.evaluate(VIOLATIONS, options)


def faults_of(page: Page, address: str) -> list[str]:
    """Everything that keeps somebody from using the page, as sentences."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    answer = page.goto(address)
    if answer is None or answer.status != 200:
        return [f"answered {answer and answer.status}"]
    page.evaluate(Axe().axe_script)
    faults = violations(page, LIGHT)
    facts = page.evaluate(FACTS)
    faults += [f"{facts['headings']} h1"] if facts["headings"] != 1 else []
    faults += [] if facts["title"].strip() else ["no title"]
    faults += [f"moves although less motion is asked for: {facts['moving']}"] if facts["moving"] else []
    page.emulate_media(color_scheme="dark")
    faults += [f"dark {fault}" for fault in violations(page, DARK)]
    page.set_viewport_size({"width": 320, "height": 700})
    wide = page.evaluate(TOO_WIDE)
    return faults + ([f"scrolls sideways at 320 px: {wide}"] if wide else [])


@pytest.mark.parametrize("who", ["visitor", "director", "invited"])
def test_every_page_can_be_used_by_everyone(who: str, visit, everywhere) -> None:
    page = visit(who)
    pages = everywhere[1][who]
    assert len(pages) > (0 if who == "invited" else 50)
    faults = {address: found for address in pages if (found := faults_of(page, address))}
    assert faults == {}, "\n".join(f"{address}\n    {'; '.join(found)}" for address, found in faults.items())


@pytest.mark.parametrize("who", ["visitor", "director"])
def test_the_focus_is_seen_wherever_the_tab_key_brings_it(who: str, visit, everywhere) -> None:
    page = visit(who)
    kinds = {address.rstrip("/").rsplit("/", 1)[-1]: address for address in everywhere[1][who] if "?" not in address}
    unseen = []
    for address in kinds.values():
        page.goto(address)
        for _ in range(25):
            page.keyboard.press("Tab")
            focused = page.evaluate(FOCUSED)
            if focused is None:
                break
            if not focused[1]:
                unseen.append((address, focused[0]))
    assert unseen == []


def test_the_language_is_chosen_with_keys_alone(visit) -> None:
    page = visit("visitor")
    page.goto("/")
    menu = page.locator(".site-side details.menu summary")
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.lang") == "da"
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "da")
