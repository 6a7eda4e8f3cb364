"""Over a stream stands nothing but a card, where the address puts it; it follows its table."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

MAKE = """
from django.utils import timezone
from players.models import User
from tests.builders import build_event, build_tournament
from tournament.draw.make import make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.tables import add_tables
by, _new = User.objects.get_or_create(username="streamer")
event = build_event(by, players=0, drawn=False, tournament=build_tournament(by, "On a stream"))
names = ("Maximilian Oberhuber", "Friederike Skovgaard", "Henrik Bengtsson", "Thea Brandt Andersen")
lines = [EntryLine(name=name, line=line) for line, name in enumerate(names, start=1)]
add_entries(event, lines=lines, by=by, at=timezone.now())
make_draw(event, by=by, at=timezone.now())
add_tables(event.tournament, first=1, last=2, by=by, at=timezone.now())
"""
CALL = """
from django.utils import timezone
from tests.builders import open_matches
from tournament.hall.calling import call_match
from tournament.models import Event
match = open_matches(Event.objects.get(tournament__slug="on-a-stream"))[{number}]
call_match(match, table={table}, by=None, at=timezone.now())
print(match.side_a)
"""
DISPUTE = """
from django.utils import timezone
from rules.score import Side
from tests.builders import claim, open_matches
from tournament.models import Event
from tournament.results.reports import report_result
match = open_matches(Event.objects.get(tournament__slug="on-a-stream"))[0]
for side, final in ((Side.A, (5, 3)), (Side.B, (2, 5))):
    report_result(match, claim=claim(final=final), side=side, by=None, at=timezone.now())
"""
PLACE = """() => {
  const box = document.querySelector(".overlay-box").getBoundingClientRect();
  const clear = (element) => getComputedStyle(element).backgroundColor === "rgba(0, 0, 0, 0)";
  return {
    isRight: box.left > innerWidth / 2 && box.right <= innerWidth,
    isTop: box.top < innerHeight / 4,
    width: box.width,
    cut: [...document.querySelectorAll(".card-name")].filter((one) => one.scrollWidth > one.clientWidth).length,
    isClear: [document.documentElement, document.body, document.querySelector("main")].every(clear),
    seen: [...document.body.children].filter((one) => one.offsetParent !== null || one.matches("main")).length,
  };
}"""


def test_the_card_follows_its_table_on_a_transparent_ground(open_page, live_site):
    live_site.python(MAKE)
    page = open_page(viewport={"width": 1920, "height": 1080})
    page.goto("/t/on-a-stream/overlay/1/?position=top-right&size=100")
    expect(page.locator("[data-live-url]")).to_have_count(1)
    assert page.locator(".overlay-box").count() == 0
    name = live_site.python(CALL.format(number=0, table=1)).strip()
    expect(page.locator(".card-name").first).to_have_text(name)
    found = page.evaluate(PLACE)
    assert (found["isRight"], found["isTop"], found["isClear"], found["seen"]) == (True, True, True, 1)
    assert found["cut"] == 0
    page.goto("/t/on-a-stream/overlay/1/?position=bottom-left&size=200")
    again = page.evaluate(PLACE)
    assert (again["isRight"], again["isTop"]) == (False, False)
    assert again["width"] == pytest.approx(2 * found["width"], rel=0.01)
    assert again["cut"] == 0
    state = page.locator(".card-state")
    expect(state).to_be_hidden()
    live_site.python(DISPUTE)
    page.reload()
    expect(state).to_have_text("disputed")
    expect(state).to_be_visible()
    assert page.locator(".card-points").count() == 0
