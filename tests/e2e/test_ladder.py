"""A ladder of four: a challenge made on the player's phone, played, and the rungs changed."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import NAMES, create_event, enter_final, open_first_ready_match, paste
from tests.e2e.test_second_lives import end

pytestmark = pytest.mark.browser

LINK_OF = """
from tournament.entries.links import link_of
from tournament.models import Entry
print(link_of(Entry.objects.get(player__name={name!r}, event__tournament__name={tournament!r})))
"""


def rungs(page: Page) -> list[str]:
    return page.locator("ol.ladder li strong").all_inner_texts()


def test_a_player_challenges_from_a_phone_wins_and_takes_the_rung(desk, phone, live_site):
    event = create_event(desk, tournament="Club Ladder", format="Challenge ladder")
    paste(desk, NAMES[:4])
    desk.get_by_role("button", name=re.compile("^Make the draw for")).click()
    expect(desk.get_by_role("heading", name="Ladder")).to_be_visible()
    before = rungs(desk)
    assert sorted(before) == NAMES[:4]
    top, second, third, last = before

    phone.goto(live_site.python(LINK_OF.format(name=last, tournament="Club Ladder")).strip())
    expect(phone.get_by_text("You stand on rung 4.")).to_be_visible()
    expect(phone.get_by_role("button", name=re.compile("^Challenge "))).to_have_count(3)
    phone.get_by_role("button", name=f"Challenge {second}").click()
    expect(phone.get_by_text("Your challenge has been made. You can play at once.")).to_be_visible()
    expect(phone.get_by_text(f"You have challenged {second}. The last day to play is")).to_be_visible()

    expect(desk.get_by_text(f"challenged by {last}, by")).to_be_visible()
    ready = desk.locator("section", has=desk.get_by_role("heading", name="Ready to play"))
    ready.get_by_text("Why?").click()
    expect(ready.get_by_text("the player named first challenged the other one, who stood higher")).to_be_visible()
    desk.reload()
    desk.locator("#new-challenge summary").click()
    desk.get_by_label("Challenger, and the player challenged").select_option(label=f"{third} → {top}")
    desk.get_by_role("button", name="Enter the challenge").click()
    expect(desk.get_by_text(f"challenges {top}, by")).to_be_visible()

    while desk.get_by_role("heading", name="Ready to play").count():
        open_first_ready_match(desk, event)
        is_phones = last in desk.locator("h1").inner_text()
        enter_final(desk, *((5, 1) if is_phones else (1, 5)))
        expect(desk.get_by_role("heading", name="Correct the result")).to_be_visible()
        desk.goto(event)
    assert rungs(desk) == [top, last, third, second]

    phone.reload()
    expect(phone.get_by_text("You stand on rung 2.")).to_be_visible()
    expect(phone.get_by_role("button", name=re.compile("^Challenge "))).to_have_count(1)
    end(desk, event)
    phone.goto(f"{event}standings/")
    expect(phone.locator("table.standings tbody tr")).to_have_count(4)
    for name, row in zip([top, last, third, second], phone.locator("table.standings tbody tr").all(), strict=True):
        expect(row).to_contain_text(name)
