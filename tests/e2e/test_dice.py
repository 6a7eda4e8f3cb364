"""Dice for a draw: a director types them in, a player repeats them on a phone, and the draw follows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import create_event, paste

pytestmark = pytest.mark.browser

DICE = "3516 4213 5264"
LINK = """
from tournament.entries.links import link_of
from tournament.models import Event
print(link_of(Event.objects.get(tournament__name={name!r}).entries.get(number=2)))
"""


def test_dice_by_two_people_on_a_laptop_and_a_phone_and_then_the_draw(desk: Page, phone: Page, live_site, provoked):
    provoked.append("status of 409")
    entries = f"{create_event(desk, tournament='Dice Night')}entries/"
    desk.goto(entries.replace("entries/", "settings/"))
    desk.get_by_text("Start, rules and clock", exact=True).click()
    desk.get_by_label("Public value of the draw", exact=True).select_option("dice thrown in the hall")
    desk.get_by_role("button", name="Save", exact=True).first.click()
    desk.goto(entries)
    paste(desk, ["Ada Byl", "Bo Carr", "Cy Dunn", "Di Eich"])
    panel = desk.get_by_role("region", name="Public value of the draw")
    panel.get_by_role("button", name="Close entries").click()
    expect(panel.get_by_text("Entries are closed.")).to_be_visible()
    expect(desk.get_by_role("button", name="Enter the list")).to_have_count(0)
    private = live_site.python(LINK.format(name="Dice Night")).strip()
    phone.goto(private)
    expect(phone.get_by_text("The dice are thrown in the hall.")).to_be_visible()
    expect(phone.get_by_label("Dice, in the order in which they lie")).to_have_count(0)

    panel.get_by_label("Dice, in the order in which they lie").fill(DICE)
    panel.get_by_role("button", name="Save the dice").click()
    expect(desk.get_by_text("Saved. Now another person types in the same dice.")).to_be_visible()
    phone.reload()
    field = phone.get_by_label("Dice, in the order in which they lie")
    field.fill("351642135265")
    phone.get_by_role("button", name="Save the dice").click()
    expect(phone.get_by_text("These are not the dice that the first person typed in.").first).to_be_visible()
    expect(field).to_have_value("351642135265")
    field.fill("351642135264")
    phone.get_by_role("button", name="Save the dice").click()
    expect(phone.get_by_text("Thank you. These are the dice of the draw.")).to_be_visible()

    desk.reload()
    expect(panel.get_by_text("351642135264")).to_be_visible()
    panel.get_by_role("button", name="Make the draw").click()
    expect(desk.get_by_role("heading", name="Ready to play")).to_be_visible()
    desk.get_by_role("link", name=re.compile("^Bracket")).first.click()
    desk.get_by_text("Technical details").click()
    expect(desk.get_by_text("351642135264").first).to_be_visible()
