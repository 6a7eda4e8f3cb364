"""Somebody else writes for long: a form says so, is sent again by itself, and loses nothing that was typed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_club_night import NAMES, create_event, draw
from tests.e2e.test_weekend import add_tables, press, sums
from tests.processes import Site

pytestmark = pytest.mark.browser


@contextmanager
def held(site: Site) -> Iterator[Callable[[], None]]:
    """Hold the lock of the database until the end, or until what this yields is called."""
    other = sqlite3.connect(Path(site.env["VAR_DIR"], "sixprime.sqlite3"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other.close
    finally:
        other.close()


def send_list(page: Page) -> None:
    if not page.locator("#entry-list").is_visible():
        page.get_by_text("Paste a list", exact=True).first.click()
    page.locator("#entry-list").fill("\n".join(NAMES))
    page.get_by_role("button", name="Enter the list").click()


def test_a_form_and_an_act_at_the_desk_are_sent_again_by_themselves(desk, live_site, provoked):
    provoked.append("status of 409")
    event = create_event(desk, tournament="Busy", event="Open")
    hall = event.removesuffix("open/")
    add_tables(desk, hall, last=8)
    desk.goto(f"{event}entries/")
    with held(live_site) as let_go:
        send_list(desk)
        expect(desk.get_by_text("Busy, trying again")).to_be_visible()
        let_go()
        expect(desk.get_by_text(f"Entries added: {len(NAMES)}.")).to_be_visible()
    draw(desk)
    desk.goto(f"{hall}desk/")
    with held(live_site) as let_go:
        press(desk, "a")
        expect(desk.locator("#said")).to_contain_text("Busy, trying again")
        let_go()
        sums(desk, ready=0, called=4, playing=0)


def test_without_a_script_everything_typed_is_sent_again_by_a_button(desk, live_site, open_page, provoked):
    provoked.append("status of 409")
    event = create_event(desk, tournament="Busy and plain", event="Open")
    plain = open_page(java_script_enabled=False, storage_state=desk.context.storage_state())
    plain.goto(f"{event}entries/")
    with held(live_site) as let_go:
        send_list(plain)
        expect(plain.get_by_text("Everything that you typed is kept on this page.")).to_be_visible()
        let_go()
        plain.get_by_role("button", name="Send again").click()
        expect(plain.get_by_text(f"Entries added: {len(NAMES)}.")).to_be_visible()
