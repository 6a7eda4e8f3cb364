"""What the score keeper says: to an objection, about unlikely games, on a narrow phone, in the time of the hall."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import PHONE
from tests.e2e.keeping import GAMES, IS_CONTROLLED, Thumb, expect_net, expect_score, expect_sent, open_match
from tests.processes import wait_until

pytestmark = pytest.mark.browser

OFFLINE = "ERR_INTERNET_DISCONNECTED"
NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
ZONE = """
from matches.models import Match
from tournament.models.team import find_fixture
print(find_fixture(Match.objects.get(pk={match})).entry_a.event.tournament.zone)
"""
REASONS = """
from matches.models import Match
from matches.history import load_history
for sheet in Match.objects.get(pk={match}).sheets.filter(state="disputed"):
    print(sheet.objector, [change.reason for change in sheet.changes.all()])
"""
KEPT_KEEPER = """async (path) => {
    const shelf = await caches.open("pages");
    while (!(await shelf.match(path))) await new Promise((again) => setTimeout(again, 50));
}"""


@pytest.fixture
def kept(live_site):
    return open_match(live_site)


def report_all(phone: Page, kept, side: str) -> None:
    phone.goto(kept.keeper(side))
    thumb = Thumb(phone)
    thumb.play(GAMES)
    thumb.act("agree")


def test_the_button_says_what_it_sends_and_the_limit_is_told_in_the_time_of_the_hall(live_site, open_page):
    kept = open_match(live_site, "confirm_minutes=60")
    phone = open_page(**PHONE, timezone_id="Pacific/Kiritimati")
    phone.goto(kept.keeper("a"))
    Thumb(phone).play(GAMES)
    with phone.expect_response(
        lambda answer: answer.request.method == "PUT" and '"agree":true' in answer.request.post_data
    ) as sent:
        phone.get_by_role("button", name="Report 7–4").tap()
    zone = ZoneInfo(live_site.python(ZONE.format(match=kept.match)).strip())
    at = datetime.fromisoformat(sent.value.json()["confirm_by"]).astimezone(zone)
    expect(phone.locator("#keeper-end")).to_contain_text(f"It counts at {at:%H:%M} unless")


def test_an_objection_takes_a_reason_and_both_are_told_what_has_become_of_it(kept, open_page):
    ada, bo = open_page(**PHONE), open_page(**PHONE)
    report_all(ada, kept, "a")
    expect_net(ada, "Sent")
    bo.goto(kept.keeper("b"))
    bo.get_by_role("button", name="That is wrong").tap()
    bo.get_by_label("What is wrong?").fill("Game 3 was mine")
    bo.get_by_role("button", name="Tell the director").tap()
    expect(bo.get_by_text("The director has been told that this is wrong")).to_be_visible()
    expect_net(bo, "Disputed")
    expect(bo.get_by_role("button", name="I agree after all")).to_be_visible()
    expect(bo.get_by_role("button", name="That is wrong")).to_be_hidden()
    expect(ada.locator("#keeper-end")).to_contain_text("Player 2 says that your report is wrong.")
    expect_net(ada, "Disputed")
    assert "Game 3 was mine" in kept.site.python(REASONS.format(match=kept.match))


def test_what_is_unlikely_is_asked_about_before_it_is_sent(kept, phone, provoked):
    provoked.append("status of 409")
    phone.goto(kept.keeper("a"))
    thumb = Thumb(phone)
    thumb.win("a", 2, "backgammon")
    thumb.win("b")
    expect_sent(phone, 6, 1)
    thumb.win("a")
    thumb.act("agree")
    question = phone.locator("#keeper-asked")
    expect(question).to_contain_text("Is this correct?")
    expect(question.locator("li")).to_have_count(1)
    expect(question).to_be_in_viewport()
    assert kept.last("a") == ("reported", 2)
    phone.get_by_role("button", name="It is correct").tap()
    expect(question).to_be_hidden()
    expect_net(phone, "Sent")
    assert kept.last("a") == ("reported", 3)


def test_a_question_ends_with_the_game_that_it_is_about(kept, phone, provoked):
    provoked.append("status of 409")
    phone.goto(kept.keeper("a"))
    thumb = Thumb(phone)
    thumb.win("a", 2, "backgammon")
    thumb.win("b")
    thumb.win("a")
    thumb.act("agree")
    expect(phone.locator("#keeper-asked")).to_be_visible()
    thumb.act("undo")
    expect(phone.locator("#keeper-asked")).to_be_hidden()
    expect_score(phone, 6, 1)
    expect_net(phone, "Sent")
    assert kept.last("a") == ("reported", 2)


def test_a_narrow_phone_says_which_side_is_its_own_and_who_drops_and_breaks_no_row_of_cubes(kept, open_page):
    phone = open_page(**NARROW)
    phone.goto(kept.keeper("b"))
    expect(phone.locator(".half.is-b")).to_contain_text("You")
    expect(phone.locator(".half.is-a")).not_to_contain_text("You")
    drop = phone.locator("[data-win=a][data-ending=drop]")
    expect(drop).to_have_text("Player 2 drops: +1")
    expect(drop).to_have_accessible_name("Player 2 drops: +1 for Player 1")
    cubes = phone.locator("[data-cubes=a] .cube, [data-cubes=b] .cube")
    boxes = cubes.evaluate_all("cubes => cubes.map((cube) => cube.getBoundingClientRect().toJSON())")
    assert len(boxes) == 6
    assert len({round(box["y"]) for box in boxes}) == 1
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_phone_that_opened_its_own_page_answers_a_sheet_without_a_network(kept, open_page, provoked):
    provoked += [OFFLINE, "409 (Conflict)"]
    ada, bo = open_page(**PHONE), open_page(**PHONE)
    ada.goto(kept.keeper("a"))
    bo.goto(kept.mine["b"])
    for phone, path in ((ada, kept.keeper("a")), (bo, kept.keeper("b"))):
        phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
        phone.evaluate(KEPT_KEEPER, re.sub(r"^https?://[^/]+", "", path))
        wait_until(lambda phone=phone: phone.evaluate(IS_CONTROLLED), why="the service worker answers for this page")
        phone.context.set_offline(True)
    Thumb(ada).play(GAMES)
    Thumb(ada).act("agree")
    Thumb(ada).act("show-qr")
    bo.goto(ada.locator("#keeper-qr svg").get_attribute("data-address"))
    expect(bo.locator("[data-part=names]")).to_have_text("Player 1 – Player 2")
    expect(bo.locator("[data-part=score]")).to_have_text("7–4")
    bo.get_by_role("button", name="That is right").tap()
    expect(bo.get_by_text("Let the other player or the desk scan this code.")).to_be_visible()
    bo.context.set_offline(False)
    expect(bo.locator("[data-part=state]")).to_contain_text("Delivered")
    expect(bo.get_by_text("Let the other player or the desk scan this code.")).to_be_hidden()
    assert "confirmed" in {state for _side, state, _games in kept.sheets()}
    bo.get_by_role("link", name="My page").tap()
    expect(bo).to_have_url(re.compile(re.escape(re.sub(r"^https?://[^/]+", "", kept.mine["b"]))))
