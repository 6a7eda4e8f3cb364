"""What a phone has said is not lost: answers that are none, a yes without a network, results that were taken back."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

from tests.conftest import PHONE
from tests.e2e.keeping import GAMES, Thumb, awake, cut_off, expect_net, expect_score, open_match

pytestmark = pytest.mark.browser

OFFLINE = "ERR_INTERNET_DISCONNECTED"
AT_THE_DESK = """
from django.utils import timezone
from matches.models import Match
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import claim
from tournament.results.enter import enter_result, void_result
match = Match.objects.get(pk={match})
{act}(match, by=None, at=timezone.now(), {said})
"""


@pytest.fixture
def kept(live_site):
    return open_match(live_site)


def at_the_desk(kept, act: str, said: str) -> None:
    kept.site.python(AT_THE_DESK.format(match=kept.match, act=act, said=said))


def report_all(phone: Page, kept, side: str) -> None:
    phone.goto(kept.keeper(side))
    thumb = Thumb(phone)
    thumb.play(GAMES)
    thumb.act("agree")
    expect_net(phone, "Sent")


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to the hotel</h1>"},
        {"status": 200, "content_type": "application/json", "body": '{"match": 1'},
        {"status": 403, "content_type": "text/html", "body": "Sign in first"},
        {"status": 200, "content_type": "application/json", "body": "{}"},
    ],
    ids=["portal", "half", "forbidden", "other"],
)
def test_what_is_no_answer_of_the_server_is_none_and_the_claim_goes_again_under_its_key(
    kept, open_page, provoked, answer
):
    provoked.append("status of 403")
    phone = open_page(**PHONE, service_workers="block")
    keys, answers = [], [answer]

    def stand_between(route: Route) -> None:
        if route.request.method != "PUT":
            route.continue_()
            return
        keys.append(json.loads(route.request.post_data)["key"])
        if answers:
            route.fulfill(**answers[0])
        else:
            route.continue_()

    phone.route("**/sheet/", stand_between)
    phone.goto(kept.keeper("a"))
    Thumb(phone).win("a", 2)
    expect_net(phone, "when the network is back")
    answers.clear()
    expect_net(phone, "Sent")
    assert len(keys) > 1
    assert set(keys) == {keys[0]}
    assert kept.last("a") == ("reported", 1)


def test_a_sheet_handed_over_is_not_delivered_to_the_page_of_a_hotel(kept, open_page, provoked):
    ada, anybody = open_page(**PHONE), open_page(**PHONE, service_workers="block")
    ada.goto(kept.keeper("a"))
    provoked.append(OFFLINE)
    cut_off(ada)
    Thumb(ada).play(GAMES)
    Thumb(ada).act("show-qr")
    anybody.route("**/handed-over/", lambda route: route.fulfill(status=200, body="<h1>Welcome</h1>"))
    anybody.goto(ada.locator("#keeper-qr svg").get_attribute("data-address"))
    state = anybody.locator("[data-part=state]")
    expect(state).to_contain_text("when the network is back")
    anybody.unroute("**/handed-over/")
    expect(state).to_contain_text("Delivered")
    assert kept.last("a") == ("reported", 5)


def test_a_yes_without_a_network_is_kept_and_sent_later_also_from_a_page_that_was_opened_again(
    kept, open_page, provoked
):
    provoked.append(OFFLINE)
    ada, bo = open_page(**PHONE), open_page(**PHONE)
    report_all(ada, kept, "a")
    bo.goto(kept.keeper("b"))
    expect(bo.locator("[data-act=confirm]")).to_be_visible()
    cut_off(bo)
    Thumb(bo).act("confirm")
    expect_net(bo, "when the network is back")
    expect(bo.locator("[data-act=confirm]")).to_be_hidden()
    bo.close()
    again = bo.context.new_page()
    bo.context.set_offline(False)
    again.goto(kept.keeper("b"))
    expect(again.locator("#keeper-end")).to_contain_text("The result counts")
    expect(ada.locator("#keeper-end")).to_contain_text("The result counts")


def test_a_result_of_the_desk_is_the_score_and_once_it_is_taken_back_the_phone_asks_to_report_again(kept, phone):
    report_all(phone, kept, "a")
    at_the_desk(kept, "enter_result", "claim=claim(final=(3, 7), confirmed=True)")
    expect_score(phone, 3, 7)
    expect(phone.locator("#keeper-end")).to_contain_text("The result counts")
    at_the_desk(kept, "void_result", 'base=match.sheets.get(state="confirmed").number, reason="Swapped."')
    expect_score(phone, 7, 4)
    expect(phone.locator("#keeper-end")).not_to_contain_text("Reported")
    Thumb(phone).act("agree")
    expect(phone.locator("#keeper-end")).to_contain_text("Reported")
    assert kept.last("a") == ("reported", 5)


def test_games_of_the_desk_that_were_undone_do_not_come_back(kept, phone):
    at_the_desk(kept, "enter_result", "claim=claim(games=(GameResult(Side.A, 2),))")
    phone.goto(kept.keeper("a"))
    expect_score(phone, 2, 0)
    Thumb(phone).act("undo")
    expect_net(phone, "Ready")
    with phone.expect_response("**/sheet/"):
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("#keeper-theirs")).to_be_visible()
    expect_score(phone, 0, 0)


def test_two_pages_of_one_phone_keep_one_score(kept, phone, provoked):
    provoked.append(OFFLINE)
    phone.goto(kept.keeper("a"))
    expect_net(phone, "Ready")
    awake(phone)  # a page that is opened while the service worker claims the others stays without one
    context = phone.context
    second = context.new_page()
    second.goto(kept.keeper("a"))
    expect_net(second, "Ready")
    cut_off(second)
    Thumb(second).play(GAMES[:2])
    expect_score(second, 2, 2)
    expect_net(second, "when the network is back")
    second.close()
    expect_score(phone, 2, 2)
    context.set_offline(False)
    expect_net(phone, "Sent")
    assert kept.last("a")[1] == 2


def test_a_phone_that_can_store_nothing_keeps_the_score_on_its_page(kept, phone):
    phone.add_init_script(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }"
    )
    phone.goto(kept.keeper("a"))
    Thumb(phone).play(GAMES[:2])
    expect_score(phone, 2, 2)
    expect_net(phone, "Sent")
    assert kept.last("a")[1] == 2


WORKER = """
([address, status]) => new Promise((resolve) => {
  const request = { method: "GET", url: address, mode: "navigate" };
  const event = { request, waitUntil: () => {}, respondWith: resolve };
  self.fetch = async () => new Response("answer of the network", { status });
  handlers.fetch(event);
}).then((answer) => answer.text())
"""


@pytest.mark.parametrize(("status", "text"), [(502, "kept"), (500, "kept"), (200, "answer of the network")])
def test_behind_a_proxy_whose_server_is_down_the_page_that_was_kept_opens(open_page, status, text):
    page = open_page(service_workers="block", bypass_csp=True)
    page.goto("/handed/")
    page.evaluate(
        """() => {
          self.app = { version: "1", files: [], pages: [], offline: "/offline/" };
          self.handlers = {};
          self.addEventListener = (name, handler) => { handlers[name] = handler; };
          return caches.open("pages").then((shelf) => shelf.put("/e/made-up/1/", new Response("kept")));
        }"""
    )
    page.add_script_tag(content=Path(settings.BASE_DIR, "static/js/service-worker.js").read_text())
    assert page.evaluate(WORKER, [f"{page.evaluate('location.origin')}/e/made-up/1/", status]) == text
