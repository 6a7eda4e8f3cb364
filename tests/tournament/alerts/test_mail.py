"""E-mails: an address is asked first, each mail can be ended, and without a mail server none is offered."""

import socket
from datetime import timedelta
from email.message import Message

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from django.utils import translation

from config.mail import read_mail
from players.errors import Conflict, Refusal
from tests.builders import AT, build_event, fixture_of
from tests.tournament.alerts.mailing import mail_server
from tournament.alerts import mail
from tournament.alerts.mail import offers_mail
from tournament.alerts.send import AGAIN, UNCONFIRMED, ask, forget_ended, send_alerts
from tournament.alerts.subscribe import QUESTIONS_A_DAY, confirm_mail, subscribe_mail
from tournament.alerts.telling import KINDS
from tournament.entries.links import token_of
from tournament.hall.announcements import announce
from tournament.hall.calling import call_match
from tournament.hall.site import set_site_address
from tournament.models import Alert, Entry, Event, Subscription

pytestmark = pytest.mark.django_db

WHO = {"by": None, "at": AT}
SITE = "https://play.example.org"


@pytest.fixture
def inbox(settings):
    with mail_server() as inbox:
        use(settings, inbox.url)
        yield inbox


def use(settings, url: str) -> None:
    for name, value in read_mail(url, "club@example.org", settings.VAR_DIR / "mails").items():
        setattr(settings, name, value)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    set_site_address(event.tournament, address=SITE, **WHO)
    return event


@pytest.fixture
def entry(event) -> Entry:
    found = Entry.objects.select_related("player", "partner", "event__tournament")
    return found.get(pk=fixture_of(event, "M1-1").entry_a_id)


def subscribe(entry: Entry, address: str = "anna@example.org") -> Subscription:
    return subscribe_mail(entry, address=address, kinds=list(KINDS), days_before=2, at=AT)


def send(event: Event) -> None:
    send_alerts(event.tournament_id, clock=lambda: AT)


def link_in(message: Message) -> str:
    """The path of the first address in the text."""
    return next(line for line in message.get_content().splitlines() if line.startswith(SITE)).removeprefix(SITE)


def test_an_address_gets_nothing_but_a_question_before_it_is_confirmed(event, entry, inbox):
    found = subscribe(entry)
    ask(found.pk)
    call_match(fixture_of(event, "M1-1").match, **WHO)
    send(event)
    (question,) = inbox.got
    assert (question["To"], question["From"]) == ("anna@example.org", "club@example.org")
    page = link_in(question)
    client = Client(enforce_csrf_checks=True)
    assert client.get(page).status_code == 200
    found.refresh_from_db()
    assert found.confirmed_at is None
    assert client.post(page).status_code == 200
    found.refresh_from_db()
    assert found.confirmed_at is not None
    send(event)
    assert len(inbox.got) == 1
    announce(event.tournament, text="Supper at six.", **WHO)
    for _time in range(2):
        send(event)
    _question, said = inbox.got
    assert "Supper at six." in said.get_content()
    assert link_in(said) == reverse("my-entry", args=[token_of(entry)])


def test_every_mail_is_plain_text_in_the_subscribers_language_and_can_be_ended(event, entry, inbox):
    with translation.override("de"):
        found = subscribe(entry)
    confirm_mail(found, at=AT)
    call_match(fixture_of(event, "M1-1").match, **WHO)
    send(event)
    (said,) = inbox.got
    assert (said.get_content_type(), "Spiele jetzt gegen" in said.get_content()) == ("text/plain", True)
    assert said["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    page = said["List-Unsubscribe"].strip(" <>").removeprefix(SITE)
    assert page in said.get_content()
    client = Client(enforce_csrf_checks=True)
    client.get(page)
    assert Subscription.objects.count() == 1
    for _time in range(2):
        assert client.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Subscription.objects.count() == 0


def test_a_link_of_one_mail_confirms_or_ends_nothing_else(event, entry, inbox, client):
    found = subscribe(entry)
    ask(found.pk)
    asking = link_in(inbox.got[0])
    token = asking.split("/")[2]
    for page in (reverse("confirm-alerts", args=[token[:-1] + "~"]), reverse("confirm-alerts", args=["x"])):
        assert client.post(page).status_code == 404
    client.post(reverse("stop-alerts", args=[token]))
    found.delete()
    assert client.post(asking).status_code == 404
    other = subscribe(entry, "bo@example.org")
    assert client.post(asking).status_code == 404
    other.refresh_from_db()
    assert other.confirmed_at is None


def test_an_address_that_is_refused_for_good_is_deleted_and_another_is_tried_again(event, entry, inbox):
    gone, full = subscribe(entry, "gone@example.org"), subscribe(entry, "full@example.org")
    for one in (gone, full):
        confirm_mail(one, at=AT)
    inbox.refused = {"gone@example.org": "550 No such user", "full@example.org": "452 Full"}
    announce(event.tournament, text="Supper.", **WHO)
    send(event)
    assert [one.address for one in Subscription.objects.all()] == ["full@example.org"]
    inbox.refused = {}
    send_alerts(event.tournament_id, clock=lambda: AT + timedelta(minutes=3))
    assert [message["To"] for message in inbox.got] == ["full@example.org"]


def test_a_mail_server_that_says_nothing_is_not_waited_for_twice(event, entry, settings, monkeypatch, inbox):
    monkeypatch.setattr(mail, "SECONDS", 0.2)
    for name in ("anna", "bo"):
        confirm_mail(subscribe(entry, f"{name}@example.org"), at=AT)
    announce(event.tournament, text="Supper.", **WHO)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use(settings, f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        send(event)
    assert [(one.subscription.address, one.tries) for one in Alert.objects.filter(tries__gt=0)] == [
        ("anna@example.org", 1)
    ]
    use(settings, inbox.url)
    monkeypatch.undo()
    send_alerts(event.tournament_id, clock=lambda: AT + AGAIN)
    assert sorted(message["To"] for message in inbox.got) == ["anna@example.org", "bo@example.org"]


def test_an_address_that_is_never_confirmed_is_deleted(entry, inbox):
    subscribe(entry)
    forget_ended(at=AT + UNCONFIRMED)
    assert Subscription.objects.count() == 1
    forget_ended(at=AT + UNCONFIRMED + timedelta(seconds=1))
    assert Subscription.objects.count() == 0


@pytest.mark.parametrize(
    "address", ["", "anna", "a b@example.org", "anna@example.org\nBcc: x@example.org", "ånna@x.org"]
)
def test_what_is_no_address_is_refused(entry, inbox, address):
    with pytest.raises(Refusal) as refusal:
        subscribe(entry, address)
    assert (refusal.value.code, Subscription.objects.count()) == ("mail_address_invalid", 0)


def test_nobody_is_flooded_through_a_link(entry, inbox):
    for number in range(QUESTIONS_A_DAY):
        subscribe(entry, f"{number}@example.org").delete()
    with pytest.raises(Conflict) as refused:
        subscribe(entry)
    assert (refused.value.code, Subscription.objects.count()) == ("mail_asked_too_often", 0)


def test_without_a_mail_server_or_a_site_address_none_is_offered(event, entry, settings, client):
    page = reverse("my-entry", args=[token_of(entry)])
    event.tournament.refresh_from_db()
    assert (offers_mail(event.tournament), "Send me e-mails" in client.get(page).content.decode()) == (False, False)
    with pytest.raises(Conflict) as refused:
        subscribe(entry)
    assert refused.value.code == "mail_not_offered"
    settings.EMAIL_HOST, settings.EMAIL_FROM = "127.0.0.1", "club@example.org"
    assert (offers_mail(event.tournament), "Send me e-mails" in client.get(page).content.decode()) == (True, True)
    set_site_address(event.tournament, address="", **WHO)
    entry.event.tournament.refresh_from_db()
    assert not offers_mail(entry.event.tournament)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp+tls://a%40b:c%2Fd@mail.example.org", ("mail.example.org", 587, "a@b", "c/d", True, False)),
        ("smtps://mail.example.org", ("mail.example.org", 465, "", "", False, True)),
        ("smtp://10.0.0.2:2525", ("10.0.0.2", 2525, "", "", False, False)),
        ("", ("", 25, "", "", False, False)),
    ],
)
def test_the_mail_server_is_one_address(url, expected, tmp_path):
    read = read_mail(url, "club@example.org", tmp_path / "mails")
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    assert tuple(read[f"EMAIL_{name}"] for name in names) == expected


@pytest.mark.parametrize(
    ("url", "sender"),
    [("mail.example.org", "a@b"), ("http://mail.example.org", "a@b"), ("smtp://x:y@h:z", "a@b"), ("smtp://h", "")],
)
def test_a_mail_server_that_cannot_be_meant_stops_the_program(url, sender, tmp_path):
    with pytest.raises(ImproperlyConfigured):
        read_mail(url, sender, tmp_path / "mails")
