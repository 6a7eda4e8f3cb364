"""A player keeps the score on a phone: twelve taps, lost networks, lost answers, two versions."""

import json
import sys

import pytest
from playwright.sync_api import Route, expect

from tests.conftest import PHONE
from tests.e2e.keeping import GAMES, Thumb, awake, cut_off, expect_net, expect_score, expect_sent, open_match
from tests.processes import answers, running, site, wait_until

pytestmark = pytest.mark.browser

OFFLINE = "ERR_INTERNET_DISCONNECTED"


@pytest.fixture
def kept(live_site):
    return open_match(live_site)


def test_from_the_qr_code_to_the_reported_result_in_twelve_taps(kept, phone):
    phone.goto(kept.mine["a"])
    thumb = Thumb(phone)
    thumb.tap(phone.get_by_role("link", name="Keep score"))
    expect_score(phone, 0, 0)
    thumb.play(GAMES)
    expect_score(phone, 7, 4)
    thumb.act("agree")
    expect(phone.get_by_text("Reported: Player 1 wins 7–4.")).to_be_visible()
    assert thumb.taps <= 12
    assert kept.last("a") == ("reported", 5)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_phone_offers_only_what_the_rules_allow_and_says_so(kept, phone):
    phone.goto(kept.keeper("a"))
    thumb = Thumb(phone)
    expect(phone.locator('[data-cube="8"]')).to_have_count(2)
    thumb.tap(phone.locator('[data-cube="2"][data-owner=b]'))
    expect(phone.get_by_text("Cube at 2, owned by Player 2")).to_be_visible()
    expect(phone.locator("[data-win=a][data-ending=drop]")).to_be_disabled()
    thumb.tap(phone.locator("[data-win=a][data-ending=backgammon]"))
    expect(phone.locator("#keeper-phase")).to_have_text("Game 2 · Crawford game: nobody may double")
    expect(phone.locator("[data-cube]")).to_have_count(1)
    expect(phone.locator("[data-win=b][data-ending=drop]")).to_be_hidden()
    thumb.win("b")
    expect(phone.locator("#keeper-phase")).to_contain_text("the cube is in play again")
    for _game in range(2):
        thumb.act("undo")
    expect_score(phone, 0, 0)
    expect(phone.locator("#keeper-undo")).to_be_hidden()


def test_the_network_is_cut_in_the_middle(kept, phone, provoked):
    provoked.append(OFFLINE)
    phone.goto(kept.keeper("a"))
    thumb = Thumb(phone)
    thumb.play(GAMES[:2])
    expect_sent(phone, 2, 2)
    cut_off(phone)
    thumb.play(GAMES[2:])
    expect_net(phone, "Kept on this phone")
    thumb.act("agree")
    expect_net(phone, "when the network is back")
    assert kept.last("a")[1] == 2
    phone.context.set_offline(False)
    expect_net(phone, "Sent")
    assert kept.last("a") == ("reported", 5)


def test_a_claim_whose_answer_was_lost_goes_again_under_its_key_before_the_next(kept, open_page, provoked):
    provoked.append("ERR_FAILED")
    phone = open_page(**PHONE, service_workers="block")
    keys = []

    def lose_the_first_answer(route: Route) -> None:
        if route.request.method != "PUT":
            route.continue_()
            return
        keys.append((json.loads(route.request.post_data)["key"], len(json.loads(route.request.post_data)["games"])))
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    phone.route("**/sheet/", lose_the_first_answer)
    phone.goto(kept.keeper("a"))
    thumb = Thumb(phone)
    thumb.win("a")
    thumb.win("b")
    expect_sent(phone, 1, 1)
    first, again, second = keys[0], keys[1], keys[-1]
    assert first == again
    assert second[0] != first[0]
    assert (first[1], second[1]) == (1, 2)
    assert [len(games) for _side, _state, games in kept.sheets()] == [1, 2]


def test_the_server_is_killed_and_started_again(tmp_path, browser, provoked):
    with site(tmp_path / "var") as first:
        kept = open_match(first)
        context = browser.new_context(base_url=first.url, locale="en-GB", **PHONE)
        phone = context.new_page()
        phone.goto(kept.keeper("a"))
        thumb = Thumb(phone)
        thumb.play(GAMES[:2])
        expect_sent(phone, 2, 2)
        first.running.process.kill()
        first.running.process.wait()
        first.running.stop()
        wait_until(lambda: not answers(f"{first.url}/healthz"), why="the page servers have ended with their parent")
        thumb.play(GAMES[2:])
        thumb.act("agree")
        expect_net(phone, "when the network is back")
        with running([sys.executable, "-m", "config.serve"], env=first.env, log=tmp_path / "again.log") as again:
            again.says("Stop with Ctrl-C.")
            expect_net(phone, "Sent")
            expect(phone.get_by_text("Reported: Player 1 wins 7–4.")).to_be_visible()
            assert kept.last("a") == ("reported", 5)
        context.close()


def test_the_tab_is_closed_and_opened_without_a_network(kept, phone, provoked):
    provoked.append(OFFLINE)
    phone.goto(kept.keeper("a"))
    awake(phone)
    context = phone.context
    context.set_offline(True)
    Thumb(phone).play(GAMES[:3])
    expect_score(phone, 4, 2)
    phone.close()
    reopened = context.new_page()
    reopened.goto(kept.keeper("a"))
    expect_score(reopened, 4, 2)
    context.set_offline(False)
    expect_net(reopened, "Sent")
    assert kept.last("a")[1] == 3


def test_a_phone_keeps_no_page_for_another_link(kept, phone, provoked):
    provoked.append(OFFLINE)
    phone.goto(kept.keeper("a"))
    cut_off(phone)
    phone.goto(kept.keeper("b"))
    expect(phone.get_by_role("heading", name="No network")).to_be_visible()
    expect(phone.locator("#kept-pages a").first).to_be_visible()


def test_two_phones_that_disagree_and_then_agree(kept, open_page):
    ada, bo = open_page(**PHONE), open_page(**PHONE)
    ada.goto(kept.keeper("a"))
    bo.goto(kept.keeper("b"))
    Thumb(ada).play([("a", 2), ("a", 1)])
    expect(bo.locator("#keeper-theirs")).to_contain_text("Player 1 has 3–0")
    Thumb(bo).play([("a", 2), ("b", 1)])
    expect(bo.locator("#keeper-theirs")).to_contain_text("you differ from game 2")
    expect(ada.locator("#keeper-theirs")).to_contain_text("Player 2 has 2–1: you differ from game 2")
    ada.get_by_text("Side by side").tap()
    expect(ada.locator("#keeper-theirs table")).to_contain_text("Player 2 +1")
    Thumb(ada).act("take-theirs")
    expect(bo.locator("#keeper-theirs")).to_contain_text("agreed to game 2")
    for phone in (ada, bo):
        Thumb(phone).win("a", 4, "gammon")
    Thumb(ada).act("agree")
    expect(bo.get_by_role("button", name="I agree: the match is over")).to_be_visible()
    Thumb(bo).act("agree")
    for phone in (ada, bo):
        expect(phone.locator("#keeper-end")).to_contain_text("The result counts")
    assert "confirmed" in {state for _side, state, _games in kept.sheets()}


def test_two_phones_with_one_link_see_both_versions_and_choose(kept, open_page, provoked):
    provoked += [OFFLINE, "status of 409"]
    one, other = open_page(**PHONE), open_page(**PHONE)
    for phone in (one, other):
        phone.goto(kept.keeper("a"))
        expect_score(phone, 0, 0)
    cut_off(other)
    Thumb(one).win("a")
    expect_sent(one, 1, 0)
    Thumb(other).win("b", 2)
    other.context.set_offline(False)
    conflict = other.locator("#keeper-conflict")
    expect(conflict).to_contain_text("There are two versions of your score")
    expect(conflict).to_contain_text("Player 1 +1")
    expect(conflict).to_contain_text("Player 2 +2")
    Thumb(other).act("keep-own")
    expect_net(other, "Sent")
    expect_score(other, 0, 2)
    expect_score(one, 0, 2)


def test_with_phones_out_of_play_the_whole_sheet_is_reported_after_the_match(live_site, phone):
    kept = open_match(live_site, "phones=False")
    phone.goto(kept.keeper("a"))
    expect(phone.get_by_text("Report after the match.")).to_be_visible()
    expect(phone.locator("#keeper-game")).to_be_hidden()
    thumb = Thumb(phone)
    thumb.act("report-now")
    thumb.play(GAMES)
    assert kept.sheets() == []
    thumb.act("agree")
    expect_net(phone, "Sent")
    assert kept.last("a") == ("reported", 5)
