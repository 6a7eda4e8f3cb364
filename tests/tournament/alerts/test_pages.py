"""The part of a player's page that asks what to be told: by e-mail without a script, on the phone where https is."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_event, fixture_of
from tests.tournament.alerts.pushing import Browser
from tournament.entries.links import token_of
from tournament.entries.renew import renew_links
from tournament.exports.tables import EXPORTS
from tournament.hall.site import set_site_address
from tournament.models import Entry, Event, Subscription

pytestmark = pytest.mark.django_db

KINDS = ["table", "result"]


@pytest.fixture
def event(director, settings) -> Event:
    settings.EMAIL_HOST, settings.EMAIL_FROM = "127.0.0.1", "club@example.org"
    settings.PUSH_HOSTS = ["push.example.org"]
    event = build_event(director, players=4)
    set_site_address(event.tournament, address="https://play.example.org", by=None, at=AT)
    return event


@pytest.fixture
def entry(event) -> Entry:
    return fixture_of(event, "M1-1").entry_a


def path(name: str, entry: Entry, *more: object) -> str:
    return reverse(name, args=[token_of(entry), *more])


def page_of(client: Client, entry: Entry, **how: object) -> str:
    return client.get(path("my-entry", entry), **how).content.decode()


def browser_sent(**more: object) -> dict[str, object]:
    browser = Browser()
    keys = {"public_key": browser.public_key, "secret": browser.secret}
    return {"address": "https://push.example.org/x", **keys, "kinds": KINDS, "days_before": 2, **more}


def test_an_address_is_asked_for_with_a_form_and_shown_in_part(client, entry):
    sent = {"address": "anna@example.org", "kinds": KINDS, "days_before": 3}
    client.post(path("my-alerts", entry), sent)
    found = Subscription.objects.get()
    assert (found.kinds, found.days_before, found.confirmed_at) == (KINDS, 3, None)
    page = page_of(client, entry)
    assert ("a…@example.org" in page, "anna@example.org" in page, "not confirmed yet" in page) == (True, False, True)
    client.post(path("stop-my-alerts", entry, found.pk))
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"address": "anna"}, "Write an e-mail address"),
        ({"kinds": []}, "This field is required."),
        ({"kinds": ["other"]}, "Select a valid choice"),
        ({"days_before": 99}, "less than or equal to 7"),
    ],
)
def test_what_is_refused_comes_back_as_it_was_typed(client, entry, wrong, sentence):
    sent = {"address": "anna@example.org", "kinds": KINDS, "days_before": 3, **wrong}
    answer = client.post(path("my-alerts", entry), sent)
    page = answer.content.decode()
    assert (answer.status_code, sentence in page, f'value="{sent["address"]}"' in page) == (400, True, True)
    assert not Subscription.objects.exists()


def test_a_phone_is_offered_notifications_only_where_https_is(client, entry):
    plain, secure = page_of(client, entry), page_of(client, entry, secure=True)
    assert ("data-push=" in plain, "Notifications need an address that begins with https" in plain) == (False, True)
    assert ("data-push=" in secure, "alerts.js" in secure) == (True, True)


def test_a_script_subscribes_its_browser(client, entry):
    answer = client.post(path("my-alerts-browser", entry), browser_sent())
    assert (answer.status_code, answer.json()) == (200, {"detail": "This phone will be notified."})
    found = Subscription.objects.get()
    assert (found.channel, found.kinds, found.confirmed_at is None) == ("push", KINDS, False)
    page = page_of(client, entry)
    assert ("Notifications on a phone" in page, "push.example.org" in page) == (True, False)


UNKNOWN_SERVICE = "This browser uses a notification service that is not known here."
UNKNOWN_KEYS = "This browser has sent keys that cannot be used for notifications."


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"kinds": []}, "Choose at least one kind of alert."),
        ({"kinds": ["other"]}, "Choose at least one kind of alert."),
        ({"days_before": "x"}, "Days before a deadline: choose a number from 0 to 7."),
        ({"days_before": 8}, "Days before a deadline: choose a number from 0 to 7."),
        ({"address": "https://10.0.0.1/"}, UNKNOWN_SERVICE),
        ({"address": "https://push.example.org/" + "x" * 500}, UNKNOWN_SERVICE),
        ({"secret": "x"}, UNKNOWN_KEYS),
        ({"secret": "x" * 41}, UNKNOWN_KEYS),
        ({"public_key": ""}, UNKNOWN_KEYS),
        ({"public_key": "x" * 101}, UNKNOWN_KEYS),
    ],
)
def test_a_script_is_told_why_not(client, entry, wrong, told):
    answer = client.post(path("my-alerts-browser", entry), browser_sent(**wrong))
    assert (answer.status_code, answer.json()) == (400, {"detail": told})
    assert not Subscription.objects.exists()


def test_the_link_of_another_entry_ends_nothing(client, event, entry):
    client.post(path("my-alerts-browser", entry), browser_sent())
    other = fixture_of(event, "M1-2").entry_a
    client.post(path("stop-my-alerts", other, Subscription.objects.get().pk))
    assert Subscription.objects.count() == 1


def test_a_link_that_has_ended_asks_for_nothing_more(client, event, entry):
    pages = [path("my-alerts", entry), path("my-alerts-browser", entry), path("stop-my-alerts", entry, 1)]
    renew_links(event, entries=[entry.pk], by=None, at=AT)
    assert [client.post(page, browser_sent()).status_code for page in pages] == [410, 410, 410]


def test_another_site_cannot_send_these_forms(entry):
    client = Client(enforce_csrf_checks=True)
    for name in ("my-alerts", "my-alerts-browser"):
        assert client.post(path(name, entry), browser_sent()).status_code == 403


def test_addresses_are_in_no_export_and_no_answer_of_the_api(as_director, event, entry):
    as_director.post(path("my-alerts", entry), {"address": "anna@example.org", "kinds": KINDS, "days_before": 3})
    told = [
        as_director.get(reverse("download", args=[event.tournament.slug, event.slug, name, "json"])).content.decode()
        for name in EXPORTS
    ]
    told += [
        as_director.get(f"/api/v1/{page}/").content.decode()
        for page in (f"events/{event.pk}", f"events/{event.pk}/entries", f"tournaments/{event.tournament_id}/log")
    ]
    assert all("anna@" not in text for text in told)
