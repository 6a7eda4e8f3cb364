"""A session in each language: two players find their event, one reports, the other confirms, and all read their own."""

import json
import uuid
from collections.abc import Callable

import pytest
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, expect

from tests.conftest import PHONE
from tests.processes import Site

pytestmark = pytest.mark.browser

LOCALES = {"en": "en-GB", "da": "da-DK", "sv": "sv-SE", "nb": "nn-NO", "de": "de-AT"}
"""What a browser of each language asks for; nynorsk is answered in bokmål."""
DAY = {"en": "6 March 2026", "da": "6. marts 2026", "sv": "6 mars 2026", "nb": "6. mars 2026", "de": "6. März 2026"}
A_FINAL = """
import json
from tests.builders import build_director, build_event, build_tournament
from tournament.entries.links import link_of
director = build_director({name!r})
event = build_event(director, players=2, tournament=build_tournament(director, {name!r}))
print(json.dumps([event.get_absolute_url(), *(link_of(entry) for entry in event.entries.order_by("pk"))]))
"""


@pytest.mark.parametrize("language", LOCALES)
def test_a_match_is_reported_and_confirmed_in_every_language(
    language: str, open_page: Callable, live_site: Site
) -> None:
    name = f"words-{uuid.uuid4().hex[:8]}"
    event, *links = json.loads(live_site.python(A_FINAL.format(name=name)).splitlines()[-1])
    one, other = (open_page(**PHONE, locale=LOCALES[language]) for _link in links)

    one.goto("/")
    one.get_by_role("link", name=name).first.click()
    expect(one.get_by_text(DAY[language]).first).to_be_visible()
    one.goto(f"{event}pairings/")
    speaks(one, language)
    one.goto(links[0])
    speaks(one, language)
    report = one.locator("form[action$='/report/final/']")
    if not report.is_visible():
        one.locator("details", has=report).locator("summary").first.click()
    report.locator("[name=final_a]").fill("5")
    report.locator("[name=final_b]").fill("3")
    report.locator("button[type=submit]").last.click()
    expect(one.get_by_text(words(language, "Thank you. Your report has been sent."))).to_be_visible()

    other.goto(links[1])
    speaks(other, language)
    confirm = other.locator("form[action*='/confirm/'] button[type=submit]").first
    expect(confirm).to_have_text(words(language, "That is right"))
    confirm.click()
    other.goto(f"{event}standings/")
    expect(other.locator("main").get_by_text("Player 1").first).to_be_visible()
    speaks(other, language)


def speaks(page: Page, language: str) -> None:
    """The page is in the language, and its menu of languages says so."""
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("link", name=words(language, "Players"), exact=True).first).to_be_visible()


def words(language: str, text: str) -> str:
    with translation.override(language):
        return gettext(text)
