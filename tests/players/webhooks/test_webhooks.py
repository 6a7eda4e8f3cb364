"""Webhooks: stored with what they tell of, signed, sent until taken, and never to a private network."""

import hmac
import json
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import transaction

from players.errors import Conflict, Forbidden, Refusal
from players.models import Delivery, Webhook
from players.webhooks.address import is_private_name, is_public, read_address
from players.webhooks.endpoints import end_webhook, make_webhook, send_again
from players.webhooks.outbox import tell
from players.webhooks.send import (
    KEEP_DEAD,
    LEASE,
    MOST_AT_ONCE,
    PAUSES,
    deliver_due,
    forget_deliveries,
    waiting_webhooks,
)
from tests.builders import AT
from tests.players.registry.people import Registry, build_registry
from tests.tournament.alerts.pushing import push_service

pytestmark = pytest.mark.django_db
EVENTS = ["list.published", "export.made"]


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.fixture
def service(tmp_path, monkeypatch, settings):
    """A program of the federation that listens with https on this computer, which the operator has allowed."""
    with push_service(tmp_path) as service:
        monkeypatch.setenv("SSL_CERT_FILE", str(service.certificate))
        settings.WEBHOOK_HOSTS = [service.host]
        yield service


def listen(registry: Registry, service, **given: object) -> tuple[Webhook, str]:
    told = {"address": f"https://{service.host}/hook", "events": EVENTS, "by": registry.officer, "at": AT}
    return make_webhook(registry.federation, **{**told, **given})


def publish(registry: Registry, number: int = 1) -> None:
    tell(registry.federation, "list.published", {"number": number}, at=AT)


def deliver(webhook: Webhook, after: timedelta = timedelta()) -> int:
    return deliver_due(webhook.pk, clock=lambda: AT + after)


def test_what_is_told_is_signed_and_sent_once(registry, service):
    webhook, secret = listen(registry, service)
    publish(registry)
    tell(registry.federation, "event.ended", {}, at=AT)  # it did not ask for that
    assert [deliver(webhook), deliver(webhook)] == [1, 0]
    [(path, headers, body)] = service.got
    delivery = Delivery.objects.get()
    assert json.loads(body) == {
        "id": str(delivery.message),
        "event": "list.published",
        "at": AT.isoformat().replace("+00:00", "Z"),
        "federation": "DBGF",
        "data": {"number": 1},
    }
    moment = int(AT.timestamp())
    proof = hmac.new(secret.encode(), f"{moment}.".encode() + body, sha256).hexdigest()
    assert headers["Sixprime-Signature"] == f"t={moment},v1={proof}"
    assert (path, headers["Sixprime-Delivery"], headers["Sixprime-Event"]) == (
        "/hook",
        str(delivery.message),
        "list.published",
    )
    assert (delivery.delivered_at, delivery.next_at, delivery.attempts) == (AT, None, 1)


def test_what_is_undone_is_never_told(registry, service):
    listen(registry, service)
    with transaction.atomic():
        publish(registry)
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()


def test_pauses_grow_until_it_is_given_up_and_an_officer_sends_it_again(registry, service):
    webhook, _secret = listen(registry, service)
    publish(registry)
    service.answers = [500, 302, *[503] * len(PAUSES)]
    after = timedelta()
    for pause in PAUSES:
        assert deliver(webhook, after) == 0
        assert waiting_webhooks(at=AT + after + pause - timedelta(seconds=1)) == []
        after += pause
        assert waiting_webhooks(at=AT + after) == [webhook.pk]
    assert deliver(webhook, after) == 0
    dead = Delivery.objects.get()
    assert (dead.is_dead, dead.fault, len(service.got)) == (True, "status 503", len(PAUSES) + 1)
    service.answers = []
    send_again(dead, by=registry.officer, at=AT + after)
    assert deliver(webhook, after) == 1
    assert {headers["Sixprime-Delivery"] for _path, headers, _body in service.got} == {str(dead.message)}
    with pytest.raises(Conflict, match="has been delivered"):
        send_again(dead, by=registry.officer, at=AT + after)


def test_one_that_answers_nothing_stops_the_others_for_now(registry, service):
    webhook, _secret = listen(registry, service)
    publish(registry, 1)
    publish(registry, 2)
    service.answers = [500]
    assert [deliver(webhook), len(service.got)] == [0, 1]
    assert [deliver(webhook), len(service.got)] == [1, 2]


def test_a_run_is_bounded(registry, service):
    webhook, _secret = listen(registry, service)
    for number in range(MOST_AT_ONCE + 1):
        publish(registry, number)
    assert [deliver(webhook), deliver(webhook)] == [MOST_AT_ONCE, 1]


def test_a_delivery_belongs_to_one_worker_at_a_time_and_is_sent_again_if_that_is_lost(registry, service):
    webhook, _secret = listen(registry, service)
    publish(registry)
    Delivery.objects.update(attempts=1, next_at=AT + LEASE)  # as a worker leaves it that was killed while sending
    assert [deliver(webhook), deliver(webhook, LEASE)] == [0, 1]
    Delivery.objects.update(delivered_at=None, next_at=None)
    forget_deliveries(at=AT + KEEP_DEAD + timedelta(seconds=1))
    assert not Delivery.objects.exists()


def test_an_ended_webhook_is_told_nothing_more(registry, service):
    webhook, _secret = listen(registry, service)
    publish(registry)
    end_webhook(webhook, by=registry.officer, at=AT)
    publish(registry)
    assert (deliver(webhook), service.got, Delivery.objects.count()) == (0, [], 1)
    with pytest.raises(Conflict, match="ended"):
        send_again(Delivery.objects.get(), by=registry.officer, at=AT)
    assert waiting_webhooks(at=AT) == []


def test_a_name_that_leads_to_a_private_network_is_met_when_it_is_sent(registry, service, settings):
    webhook, _secret = listen(registry, service)
    settings.WEBHOOK_HOSTS = []
    publish(registry)
    assert deliver(webhook) == 0
    assert (Delivery.objects.get().fault, service.got) == ("no public address", [])


def test_a_name_that_leads_nowhere_is_told_apart_from_a_private_one_by_nobody(registry, service, settings):
    webhook, _secret = listen(registry, service)
    settings.WEBHOOK_HOSTS = []
    Webhook.objects.update(address="https://nowhere.invalid/hook")
    publish(registry)
    assert deliver(webhook) == 0
    assert (Delivery.objects.get().fault, service.got) == ("no public address", [])


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("http://example.org/", "webhook_address_unreadable"),
        ("https://", "webhook_address_unreadable"),
        ("https://user@example.org/", "webhook_address_unreadable"),
        ("https://example.org/#a", "webhook_address_unreadable"),
        ("https://example.org:x/", "webhook_address_unreadable"),
        ("https://exämple.org/", "webhook_address_unreadable"),
        (f"https://example.org/{'x' * 300}", "webhook_address_unreadable"),
        ("https://127.0.0.1/", "webhook_address_private"),
        ("https://[::1]/", "webhook_address_private"),
        ("https://[fec0::1]/", "webhook_address_private"),
        ("https://localhost/", "webhook_address_private"),
        ("https://printer.local/", "webhook_address_private"),
        ("https://redis/", "webhook_address_private"),
    ],
)
def test_an_address_that_nothing_is_sent_to_is_refused(registry, address, code):
    with pytest.raises(Refusal) as refused:
        make_webhook(registry.federation, address=address, events=EVENTS, by=registry.officer, at=AT)
    assert (refused.value.code, Webhook.objects.count()) == (code, 0)


def test_private_addresses_are_known_however_they_are_written():
    private = ["10.1.2.3", "169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "fe80::1%eth0"]
    private += ["fec0::1", "feff:ffff::1%eth0", "0.0.0.0", "224.0.0.1", "100.64.0.1", "fd00::1"]  # noqa: S104 - nothing listens
    assert [address for address in private if is_public(address)] == []
    assert [is_public(address) for address in ("93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822")] == [
        True
    ] * 3
    assert [is_private_name(name) for name in ("example.org", "hook.example.org.")] == [False] * 2
    assert read_address("https://example.org:8443/a?b=1") is not None


def test_officers_alone_make_and_end_webhooks(registry, service):
    for user in (registry.manager, registry.member, registry.stranger):
        with pytest.raises(Forbidden):
            listen(registry, service, by=user)
    webhook, _secret = listen(registry, service)
    with pytest.raises(Forbidden):
        end_webhook(webhook, by=registry.manager, at=AT)
    for wrong in ([], ["unknown"], ["export.made"] * 2):
        with pytest.raises(Refusal):
            listen(registry, service, address="https://example.org/", events=wrong)
    with pytest.raises(Conflict):
        listen(registry, service)
