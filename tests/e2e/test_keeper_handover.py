"""A score sheet is handed over without a network, and the score is kept at an address that is not secure."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.certificates import make_certificate
from tests.conftest import CHROMIUM, CHROMIUM_ARGUMENTS, PHONE
from tests.e2e.conftest import PASSWORD
from tests.e2e.keeping import GAMES, Thumb, awake, cut_off, expect_net, expect_score, expect_sent, open_match
from tests.processes import PATIENCE_SECONDS, site

pytestmark = pytest.mark.browser

OFFLINE = "ERR_INTERNET_DISCONNECTED"


def sign_in(page: Page, name: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").tap()
    page.get_by_role("button", name="Sign out").wait_for()


@pytest.fixture
def kept(live_site):
    return open_match(live_site)


def test_a_sheet_goes_from_phone_to_phone_without_a_network_and_counts_once_one_has_it(kept, open_page, provoked):
    provoked += [OFFLINE, "409 (Conflict)"]  # Ada's claim on its way is older than what Bo delivers for her
    ada, bo = open_page(**PHONE), open_page(**PHONE)
    for phone, side in ((ada, "a"), (bo, "b")):
        phone.goto(kept.keeper(side))
        expect_net(phone, "Ready")
        cut_off(phone)
    thumb = Thumb(ada)
    thumb.play(GAMES)
    thumb.act("agree")
    thumb.act("show-qr")
    shown = ada.locator("#keeper-qr svg").get_attribute("data-address")

    bo.goto(shown)
    expect(bo.locator("[data-part=names]")).to_have_text("Player 1 – Player 2")
    expect(bo.locator("[data-part=score]")).to_have_text("7–4")
    bo.get_by_role("button", name="That is right").tap()
    expect(bo.get_by_role("heading", name="Signed by both of you")).to_be_visible()
    expect(bo.locator("[data-part=state]")).to_contain_text("when the network is back")
    assert kept.sheets() == []

    bo.context.set_offline(False)
    expect(bo.locator("[data-part=state]")).to_contain_text("Delivered")
    assert "confirmed" in {state for _side, state, _games in kept.sheets()}
    ada.context.set_offline(False)
    expect(ada.locator("#keeper-end")).to_contain_text("The result counts")


def test_a_sheet_that_is_wrong_is_not_signed(kept, open_page, provoked):
    provoked.append(OFFLINE)
    ada, bo = open_page(**PHONE), open_page(**PHONE)
    for phone, side in ((ada, "a"), (bo, "b")):
        phone.goto(kept.keeper(side))
        expect_score(phone, 0, 0)
    cut_off(ada)
    Thumb(ada).play(GAMES)
    Thumb(ada).act("show-qr")
    bo.goto(ada.locator("#keeper-qr svg").get_attribute("data-address"))
    bo.get_by_role("button", name="That is wrong").tap()
    bo.get_by_role("link", name="Keep score").tap()
    expect_score(bo, 0, 0)
    assert kept.sheets() == []


def test_the_desk_scans_a_sheet_and_the_director_confirms_its_games(kept, open_page, provoked):
    provoked.append(OFFLINE)
    ada, desk = open_page(**PHONE), open_page(**PHONE)
    sign_in(desk, kept.director)
    ada.goto(kept.keeper("a"))
    cut_off(ada)
    Thumb(ada).play(GAMES)
    Thumb(ada).act("agree")
    Thumb(ada).act("show-qr")
    desk.goto(ada.locator("#keeper-qr svg").get_attribute("data-address"))
    expect(desk.locator("[data-part=state]")).to_contain_text("Delivered")
    expect(desk.locator("[data-part=names]")).to_have_text("Player 1 – Player 2")
    expect(desk.locator("[data-part=games] li")).to_have_count(5)
    assert kept.last("a") == ("reported", 5)

    desk.get_by_role("link", name="Open the match").tap()
    desk.locator(".report").get_by_text("5 games").tap()
    expect(desk.locator(".report .sheet tbody tr")).to_have_count(5)
    desk.get_by_role("button", name="Confirm this report").tap()
    expect(desk.get_by_text("Correct the result")).to_be_visible()
    assert kept.last("a") == ("confirmed", 5)


@contextmanager
def in_the_hall(browser, url: str, *arguments: str) -> Iterator[Page]:
    """A phone at an address that is not this computer's own, where browsers offer less without https."""
    rules = "--host-resolver-rules=MAP hall.example 127.0.0.1"
    chromium = browser.browser_type.launch(executable_path=CHROMIUM, args=[*CHROMIUM_ARGUMENTS, rules, *arguments])
    context = chromium.new_context(base_url=url.replace("127.0.0.1", "hall.example"), locale="en-GB", **PHONE)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    yield context.new_page()
    chromium.close()


@pytest.fixture
def hall_phone(browser, live_site):
    with in_the_hall(browser, live_site.url) as phone:
        yield phone


def test_with_a_certificate_of_its_own_the_hall_has_all_of_it(tmp_path, browser):
    certificate, key = make_certificate(tmp_path)
    with (
        site(tmp_path / "var", TLS_CERT=certificate, TLS_KEY=key) as secure,
        in_the_hall(browser, secure.url, "--ignore-certificate-errors") as phone,
    ):
        kept = open_match(secure)
        phone.goto(kept.keeper("a"))
        assert phone.url.startswith("https://hall.example")
        awake(phone)
        context = phone.context
        context.set_offline(True)
        Thumb(phone).play(GAMES[:2])
        expect_score(phone, 2, 2)
        expect_net(phone, "Kept on this phone")
        phone.close()
        reopened = context.new_page()
        reopened.goto(kept.keeper("a"))
        expect_score(reopened, 2, 2)
        context.set_offline(False)
        expect_net(reopened, "Sent")
        assert kept.last("a")[1] == 2


def test_everything_but_the_service_worker_is_there_at_plain_http(kept, hall_phone):
    hall_phone.goto(kept.keeper("a"))
    missing = hall_phone.evaluate(
        "[isSecureContext, 'serviceWorker' in navigator, 'randomUUID' in crypto, 'subtle' in crypto]"
    )
    assert missing == [False, False, False, False]
    expect(hall_phone.get_by_text("Keep this page open.")).to_be_visible()
    thumb = Thumb(hall_phone)
    thumb.play(GAMES[:2])
    expect_sent(hall_phone, 2, 2)
    hall_phone.context.set_offline(True)
    thumb.play(GAMES[2:])
    thumb.act("agree")
    expect_net(hall_phone, "Keep this page open")
    assert (
        hall_phone.evaluate("Object.keys(localStorage).filter(name => name.startsWith('sixprime:sheets:')).length") == 1
    )
    hall_phone.context.set_offline(False)
    expect_net(hall_phone, "Sent")
    assert kept.last("a") == ("reported", 5)


def test_a_tab_at_plain_http_finds_its_games_again(kept, hall_phone):
    hall_phone.goto(kept.keeper("a"))
    context = hall_phone.context
    context.set_offline(True)
    Thumb(hall_phone).play(GAMES[:2])
    expect_score(hall_phone, 2, 2)
    expect_net(hall_phone, "Keep this page open")
    hall_phone.close()
    context.set_offline(False)
    reopened = context.new_page()
    reopened.goto(kept.keeper("a"))
    expect_score(reopened, 2, 2)
    expect_net(reopened, "Sent")
    assert kept.last("a")[1] == 2
