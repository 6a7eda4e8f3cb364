"""A director works on whole lists of entries: a file, the table of seeds, several removed, all checked in."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.test_club_night import create_event, paste
from tests.tournament.entries.workbooks import workbook

pytestmark = pytest.mark.browser

NAMES = ["Ada Byl", "Bo Carr", "Cy Dunn", "Di Eich", "Ed Foss"]
ROWS = [["Fornavn", "Efternavn", "Klub"], ["Åse", "Lund", "Odense"], ["Bo", "Carr", ""], ["Gus", "Holm", "Århus"]]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_lists_are_imported_seeded_and_thinned_out(desk, live_site, provoked):
    event = create_event(desk, tournament="List Night", event="Open")
    paste(desk, NAMES)

    desk.get_by_text("Import a CSV or XLSX file").click()
    desk.locator("#entry-file").set_input_files({"name": "list.xlsx", "mimeType": XLSX, "buffer": workbook(ROWS)})
    desk.get_by_role("button", name="Show what it would enter").click()
    expect(desk.locator("#fates tbody tr")).to_have_count(3)
    expect(desk.get_by_text("Left out: already entered")).to_be_visible()
    desk.get_by_role("button", name="Enter 2 rows").click()
    expect(desk.locator("table.entries").get_by_text("Åse Lund")).to_be_visible()

    desk.get_by_role("link", name="Edit seeds and families").click()
    desk.get_by_placeholder("Find a name").fill("ase")
    expect(desk.locator("#seeding tbody tr:visible")).to_have_count(1)
    desk.get_by_label("Seed of Åse Lund").fill("1")
    desk.get_by_placeholder("Find a name").fill("")
    provoked.append("status of 400")
    desk.get_by_label("Seed of Gus Holm").fill("1")
    desk.get_by_label("Family of Gus Holm").fill("Holm")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("#seeding [aria-invalid=true]").first).to_be_focused()
    expect(desk.get_by_label("Family of Gus Holm")).to_have_value("Holm")
    desk.get_by_label("Seed of Gus Holm").fill("2")
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_text("Entries changed: 2.")).to_be_visible()

    desk.goto(f"{event}entries/")
    expect(desk.locator("[data-live-state]").first).to_have_attribute("data-live-state", "live")
    for name in ("Cy Dunn", "Ed Foss"):
        desk.get_by_label(f"Select {name}").check()
    desk.evaluate("document.activeElement.blur()")
    live_site.python(
        "from django.utils import timezone;"
        "from tournament.entries.attendance import check_in; from tournament.models import Entry;"
        "check_in(Entry.objects.get(player__name='Ada Byl', event__tournament__name='List Night'),"
        " by=None, at=timezone.now())"
    )
    expect(desk.get_by_role("button", name="Check in all (6)")).to_be_visible()
    expect(desk.get_by_label("Select Cy Dunn")).to_be_checked()
    desk.get_by_role("button", name="Remove selected").click()
    expect(desk.get_by_role("heading", name="Remove 2 entries?")).to_be_visible()
    desk.get_by_role("button", name="Remove", exact=True).click()
    expect(desk.get_by_text("Entries removed: 2.")).to_be_visible()
    desk.get_by_role("button", name=re.compile("^Check in all")).click()
    expect(desk.locator("tr.is-in")).to_have_count(5)
