"""From the button on a phone to the notification on it, over https, and from an address to its last e-mail."""

import json
from collections.abc import Iterator
from email.message import Message

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from tests.certificates import make_certificate
from tests.conftest import CHROMIUM, CHROMIUM_ARGUMENTS, PHONE
from tests.e2e.keeping import Thumb, awake, expect_net
from tests.processes import PATIENCE_SECONDS, Site, site, wait_until
from tests.tournament.alerts.mailing import Inbox, mail_server
from tests.tournament.alerts.pushing import Browser, PushService, push_service

pytestmark = [pytest.mark.browser, pytest.mark.cluster]

ADDRESS = "https://hall.example.org"
"""The site address of the hall, which the test reaches at one of its own."""
AN_EVENT = """
from tests.builders import build_director, build_event, fixture_of
from tournament.entries.links import link_of
event = build_event(build_director("{name}"), players=4)
fixture = fixture_of(event, "M1-1")
print(fixture.match_id, link_of(fixture.entry_a))
"""
CALL = """
from django.utils import timezone
from matches.models import Match
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
match = Match.objects.get(pk={match})
add_tables(match.fixture.stage.event.tournament, first=7, last=7, by=None, at=timezone.now())
call_match(match, table=7, by=None, at=timezone.now())
"""
FROM_THE_DESK = """
from django.utils import timezone
from matches.models import Match
from rules.score import Side
from tests.builders import claim
from tournament.hall.announcements import announce
from tournament.results.reports import report_result
now = {{"by": None, "at": timezone.now()}}
match = Match.objects.get(pk={match})
announce(match.fixture.stage.event.tournament, text="Supper at six.", **now)
report_result(match, claim=claim(final=(3, 5)), side=Side.B, **now)
"""
DRAWN = """
from matches.models import Match
from rules.score import Side
from tests.builders import fixture_of, win
event = Match.objects.get(pk={match}).fixture.stage.event
win(fixture_of(event, "M1-1").match, Side.A)
win(fixture_of(event, "M1-2").match, Side.A)
"""
OWN_KEYS = """
PushManager.prototype.subscribe = async (options) => {{
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const keys = {{ p256dh: bytes("{public_key}"), auth: bytes("{secret}") }};
  window.asked = options;
  return {{ endpoint: "https://{host}/phone", getKey: (name) => keys[name].buffer }};
}};
"""
"""What a browser gets of its push service; Chromium here has none."""
SHOWN = """async () => {
  const registered = await navigator.serviceWorker.ready;
  const found = await registered.getNotifications();
  return found.map(({ title, body, data, tag }) => ({ title, body, url: data.url, tag }));
}"""
PRESS = """async () => {
  const [notification] = await self.registration.getNotifications();
  self.clients.openWindow = async (address) => { self.opened = address; };
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
}"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushService]:
    with push_service(tmp_path_factory.mktemp("push")) as running:
        yield running


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    with mail_server() as running:
        yield running


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory, service: PushService, inbox: Inbox) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("secure")
    cert, key = make_certificate(folder, name="site")
    given = {"PAGE_PROCESSES": 1, "TLS_CERT": cert, "TLS_KEY": key, "SITE_ADDRESS": ADDRESS}
    push = {"PUSH_HOSTS": service.host, "SSL_CERT_FILE": service.certificate}
    mail = {"EMAIL_URL": inbox.url, "EMAIL_FROM": "club@example.org"}
    with site(folder / "var", **given, **push, **mail) as started:
        yield started


@pytest.fixture
def phone(secure: Site, browser: Chromium) -> Iterator[Page]:
    """A phone that trusts the certificate of the site, so that it takes a service worker, and may be notified."""
    arguments = [*CHROMIUM_ARGUMENTS, "--ignore-certificate-errors"]
    chromium = browser.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    context = chromium.new_context(base_url=secure.url, locale="en-GB", **PHONE)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    context.grant_permissions(["notifications"])
    yield context.new_page()
    chromium.close()


def test_a_phone_that_asks_is_told_of_its_table(secure: Site, service: PushService, phone: Page) -> None:
    match, link = secure.python(AN_EVENT.format(name="notified")).split()
    keys = Browser()
    phone.add_init_script(OWN_KEYS.format(public_key=keys.public_key, secret=keys.secret, host=service.host))
    phone.goto(link)
    phone.locator("#alerts > summary").tap()
    phone.get_by_label("My opponent reports our result").uncheck()
    phone.get_by_role("button", name="Notify this phone").tap()
    expect(phone.get_by_text("This phone will be notified.")).to_be_visible()
    assert phone.evaluate("window.asked.userVisibleOnly && window.asked.applicationServerKey.length") == 65

    secure.python(CALL.format(match=match))
    wait_until(lambda: service.got, why="the push service hears of the call")
    ((path, headers, body),) = service.got
    said = keys.read(body)
    assert (path, said["title"], said["url"]) == ("/phone", "Table 7", f"{link}#m{match}")
    assert said["body"].startswith("Main: play Player")
    assert headers["Authorization"].startswith("vapid t=")

    awake(phone)
    deliver(phone, secure.url, json.dumps(said))
    (shown,) = phone.evaluate(SHOWN)
    assert shown == {name: said[name] for name in ("title", "body", "url", "tag")}
    phone.goto("/")
    (worker,) = phone.context.service_workers
    worker.evaluate(PRESS)
    assert wait_until(lambda: worker.evaluate("self.opened"), why="the page opens") == f"{secure.url}{said['url']}"
    assert phone.evaluate(SHOWN) == []
    for nonsense in ("", "no json"):
        deliver(phone, secure.url, nonsense)
    assert phone.evaluate(SHOWN) == []


def deliver(page: Page, site_url: str, text: str) -> None:
    """Hand the text to the service worker, as a push service does."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict) -> None:
        found.extend(one["registrationId"] for one in event["registrations"] if one["scopeURL"] == f"{site_url}/")

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("true") and found, why="the browser names its service worker")
    session.send("ServiceWorker.deliverPushMessage", {"origin": site_url, "registrationId": found[0], "data": text})
    session.detach()


def test_a_phone_that_refuses_is_told_how_to_change_that(secure: Site, phone: Page) -> None:
    """Chromium refuses by itself, as it has no push service here."""
    _match, link = secure.python(AN_EVENT.format(name="refused")).split()
    phone.goto(link)
    phone.locator("#alerts > summary").tap()
    phone.get_by_role("button", name="Notify this phone").tap()
    expect(phone.get_by_text("This browser does not allow notifications from here.")).to_be_visible()


def test_a_phone_that_has_only_accepted_a_warning_is_told_what_it_cannot_do(secure: Site, browser: Chromium) -> None:
    """Under a certificate that it does not trust it takes no service worker: it keeps no page, and gets no push."""
    match, link = secure.python(AN_EVENT.format(name="untrusting")).split()
    context = browser.new_context(base_url=secure.url, locale="en-GB", ignore_https_errors=True, **PHONE)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    phone = context.new_page()
    phone.goto(link)
    phone.locator("#alerts > summary").tap()
    phone.get_by_role("button", name="Notify this phone").tap()
    expect(phone.get_by_text("This phone does not trust the certificate")).to_be_visible()
    phone.goto(f"{link}{match}/")
    expect(phone.get_by_text("Keep this page open.")).to_be_visible()
    Thumb(phone).win("a")
    expect_net(phone, "Sent")
    context.set_offline(True)
    Thumb(phone).win("b")
    expect_net(phone, "Keep this page open")
    expect(phone.locator("#keeper-show-qr")).to_be_hidden()
    context.close()


def test_an_address_is_asked_then_told_and_then_left_in_peace(secure: Site, inbox: Inbox, phone: Page) -> None:
    match, link = secure.python(AN_EVENT.format(name="written-to")).split()
    phone.goto(link)
    phone.locator("#alerts > summary").tap()
    phone.get_by_label("E-mail address").fill("anna@example.org")
    phone.get_by_role("button", name="Send me e-mails").tap()
    expect(phone.get_by_text("An e-mail is on its way")).to_be_visible()
    (question,) = mails(inbox, 1)
    assert "Confirm your e-mail address" in question["Subject"]
    phone.goto(page_in(question))
    phone.get_by_role("button", name="Confirm the address").tap()
    expect(phone.get_by_text("Your address is confirmed.")).to_be_visible()

    secure.python(CALL.format(match=match))
    (_question, called) = mails(inbox, 2)
    assert called["Subject"].startswith("Table 7 · Main")
    assert page_in(called) == f"{link}#m{match}"
    secure.python(FROM_THE_DESK.format(match=match))
    told = {message["Subject"].split(" · ")[0] for message in mails(inbox, 4)[2:]}
    assert told == {"Friday Club", "Is this result right?"}
    secure.python(DRAWN.format(match=match))
    drawn = mails(inbox, 5)[-1]
    assert drawn["Subject"].startswith("Your next match")

    phone.goto(drawn["List-Unsubscribe"].strip(" <>").removeprefix(ADDRESS))
    phone.get_by_role("button", name="Stop the e-mails").tap()
    expect(phone.get_by_text("Your address has been deleted.")).to_be_visible()
    phone.goto(link)
    phone.locator("#alerts > summary").tap()
    expect(phone.get_by_text("a…@example.org")).to_have_count(0)


def mails(inbox: Inbox, count: int) -> list[Message]:
    wait_until(lambda: len(inbox.got) >= count, why=f"{count} mails arrive")
    assert len(inbox.got) == count
    return inbox.got


def page_in(message: Message) -> str:
    """The path of the first address in the text."""
    lines = message.get_content().splitlines()
    return next(line for line in lines if line.startswith(ADDRESS)).removeprefix(ADDRESS)
