"""A player reports from a phone: what is asked about comes back as it was typed, and a yes stores exactly that."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.keeping import awake, cut_off, open_match

pytestmark = pytest.mark.browser

A_PLAYERS_PAGE = """
from tests.builders import build_director, build_event
from tournament.entries.links import link_of
event = build_event(build_director("{director}-of-two"), players=2)
print(link_of(event.entries.order_by("pk")[0]))
"""
STORED = """
from tournament.models import Event
from tournament.models.team import matches_in
[match] = matches_in(Event.objects.latest("pk"))
print([(line.winner, line.cube, line.level, line.ending) for sheet in match.sheets.all() for line in sheet.lines.all()])
"""


def question(form: Locator) -> Locator:
    return form.get_by_role("alert").filter(has_text="Legal, but unlikely. Is this correct?")


def expect_typed(form: Locator, *, cube: str) -> None:
    """The form is open and holds the game; the reader's eyes are on the question."""
    expect(question(form)).to_be_in_viewport()
    expect(question(form)).to_be_focused()
    expect(form.get_by_role("radio").nth(1)).to_be_checked()
    expect(form.get_by_label("Cube")).to_have_value(cube)
    expect(form.get_by_label("Level")).to_have_value("3")
    expect(form.get_by_label("Ending")).to_have_value("resigned")


def test_a_phone_reports_an_unlikely_game_and_exactly_what_was_asked_about_is_stored(
    director, phone: Page, live_site, provoked
):
    provoked.append("status of 409")
    phone.goto(live_site.python(A_PLAYERS_PAGE.format(director=director)).strip())
    phone.get_by_text("Report game 1").click()
    form = phone.locator("form", has=phone.get_by_role("button", name="Report the game"))
    form.get_by_role("radio").nth(1).check()
    form.get_by_label("Cube").select_option("4")
    form.get_by_label("Level").select_option("backgammon")
    form.get_by_label("Ending").select_option("resigned")
    form.get_by_role("button", name="Report the game").click()
    expect_typed(form, cube="4")

    form.get_by_label("Cube").select_option("8")
    question(form).get_by_role("button", name="Yes, enter it").click()
    expect_typed(form, cube="8")
    assert live_site.python(STORED).strip() == "[]"

    form.get_by_label("Cube").select_option("4")
    form.get_by_role("button", name="Report the game").click()
    expect_typed(form, cube="4")
    question(form).get_by_role("button", name="Yes, enter it").click()
    expect(phone.get_by_text("Thank you. Your report has been sent.")).to_be_visible()
    assert live_site.python(STORED).strip() == "[('B', 4, 3, 'resigned')]"


def test_a_wrong_option_of_a_long_form_is_scrolled_to(desk, provoked):
    provoked.append("status of 400")
    desk.goto("/tournaments/new/")
    desk.get_by_label("Name", exact=True).fill("Long Night")
    desk.get_by_role("button", name="Create and enter players").click()
    expect(desk).to_have_url(re.compile(r"/entries/$"))
    desk.goto(f"{desk.url.rsplit('/', 3)[0]}/new/")
    desk.get_by_label("Name", exact=True).fill("Second")
    desk.get_by_text("Another format", exact=True).click()
    desk.locator("label[for=id_format-consolation]").click()
    field = desk.locator("#id_consolation-cut_off_round")
    field.fill("99")
    desk.get_by_role("button", name="Create the event and enter players").click()
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    expect(field).to_have_value("99")


A_CALLED_PLAYER = """
from tests.builders import build_director, build_event, fixture_of
from tournament.entries.codes import code_of
from tournament.hall.tables import add_tables
from django.utils import timezone
event = build_event(build_director("{director}-of-eight"), players=8)
add_tables(event.tournament, first=4, last=4, by=None, at=timezone.now())
fixture = fixture_of(event, "M1-1")
print(event.tournament.slug, event.slug, fixture.match_id, code_of(fixture.entry_a), fixture.entry_a.name, sep="|")
"""
CALL = """
from django.utils import timezone
from matches.models import Match
from tournament.hall.calling import call_match
call_match(Match.objects.get(pk={match}), by=None, at=timezone.now())
"""
COME = """
from django.utils import timezone
from matches.models import Match
from tournament.hall.director_calls import come_to_match
come_to_match(Match.objects.get(pk={match}), by=None, at=timezone.now())
"""


def test_a_badge_leads_to_the_own_page_which_follows_the_call_and_calls_the_director(director, phone: Page, live_site):
    made = live_site.python(A_CALLED_PLAYER.format(director=director)).strip().splitlines()[-1]
    tournament, event, match, code, name = made.split("|")
    phone.goto(f"/t/{tournament}/{event}/me/")
    phone.get_by_label("Your name").select_option(name)
    phone.get_by_label("Code on your badge").fill(code.lower())
    phone.get_by_role("button", name="This is me").click()
    expect(phone.locator("#now")).to_contain_text("Next: ")
    live_site.python(CALL.format(match=match))
    expect(phone.locator("#now")).to_contain_text("at table 4")
    phone.get_by_role("button", name="Call the director to table 4").click()
    expect(phone.get_by_text("The director was called at")).to_be_visible()
    live_site.python(COME.format(match=match))
    expect(phone.get_by_text("The director is coming.")).to_be_visible()
    expect(phone.locator("main > .messages")).to_have_count(0, timeout=10_000)
    own = phone.url
    phone.goto(f"/t/{tournament}/tables/4/here/")
    expect(phone).to_have_url(own)
    phone.goto("/")
    expect(phone.locator("[data-my-links] a")).to_have_attribute("href", re.compile("^/e/"))


def test_a_phone_follows_a_player_whose_match_then_comes_first(director, phone: Page, live_site):
    made = live_site.python(A_CALLED_PLAYER.format(director=f"{director}-fan")).strip().splitlines()[-1]
    tournament, event, *_rest = made.split("|")
    phone.goto(f"/t/{tournament}/{event}/")
    last = phone.locator("#group-ready ~ ul.pairings > li").last
    key, name = last.get_attribute("id"), last.get_attribute("data-names").split("|")[0]
    phone.get_by_label("Find a name").fill(name)
    phone.get_by_role("button", name=f"Follow {name}").click()
    phone.get_by_label("Find a name").fill("")
    expect(phone.locator("#group-ready ~ ul.pairings > li").first).to_have_attribute("id", key)
    phone.reload()
    expect(phone.locator("#group-ready ~ ul.pairings > li").first).to_have_attribute("id", key)
    phone.get_by_role("button", name=f"{name} ×").click()
    expect(phone.locator(".is-followed")).to_have_count(0)


def test_without_a_network_the_page_says_since_when_and_repeats_no_message(phone: Page, live_site, provoked):
    provoked.append("ERR_INTERNET_DISCONNECTED")
    kept = open_match(live_site)
    phone.goto(kept.keeper("a"))
    awake(phone)
    phone.goto(kept.mine["a"])
    expect(phone.locator("[data-live-state=live]")).to_be_visible()
    expect(phone.locator("[data-stale]")).to_be_hidden()
    phone.get_by_role("button", name="Call the director").click()
    expect(phone.locator("main > .messages")).to_contain_text("The director has been called.")
    cut_off(phone)
    expect(phone.locator("[data-stale]")).to_contain_text(re.compile(r"No network\.\s+Last update: \d\d:\d\d"))
    phone.reload()
    expect(phone.locator("[data-stale]")).to_be_visible()
    expect(phone.locator("main > .messages")).to_have_count(0)
    phone.get_by_role("link", name="The score keeper on this phone").tap()
    expect(phone).to_have_url(re.compile(kept.keeper("a")))
    phone.get_by_role("link", name="My page").tap()
    expect(phone.locator("[data-stale]")).to_be_visible()
    phone.context.set_offline(False)
    expect(phone.locator("[data-stale]")).to_be_hidden(timeout=15_000)
