"""The audit of an event's money."""

import pytest

from tests.builders import AT, build_event, play_out
from tests.tournament.money.test_ledger import differences, give_money, ledger_of, settle
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.models import Event, Payment, Standing
from tournament.money.services import reverse_payment

pytestmark = pytest.mark.django_db


@pytest.fixture
def knockout(director) -> Event:
    event = build_event(director, players=8, format="consolation", options={"last_chance": "full"})
    give_money(event)
    return event


@pytest.fixture
def paid(knockout) -> Event:
    """An event that has ended: all entries paid, one payment taken back, all prizes paid out."""
    entries = [f"entry-{entry.pk}" for entry in knockout.entries.all()]
    (first, *_others) = settle(knockout, *entries)
    reverse_payment(first, reason="", key="undo", by=None, at=AT)
    play_out(knockout)
    settle(knockout, *(account.slug for account in ledger_of(knockout).payouts))
    knockout.refresh_from_db()
    finish_event(knockout, by=None, at=AT)
    store_standings(knockout.pk)
    return knockout


def test_the_audit_of_money_finds_nothing_in_an_honest_event(paid):
    assert differences(paid) == []
    assert ledger_of(paid).cash == 7 * 5000 - 40_000


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"currency": "DKK"}, ["currency"]),
        ({"amount": 1}, ["takes back"]),
        ({"account": "entry-0"}, ["takes back"]),
    ],
)
def test_the_audit_names_a_payment_that_was_tampered_with(paid, changed, what):
    reversal = Payment.objects.get(reverses__isnull=False)
    Payment.objects.filter(pk=reversal.pk).update(**changed)
    assert [(difference.check, difference.what) for difference in audit_event(paid)] == [("money", w) for w in what]


def test_the_audit_names_payments_that_are_missing_or_were_never_logged(paid):
    Payment.objects.filter(reverses__isnull=False).delete()
    row = Payment.objects.last()
    Payment.objects.create(
        event=paid, purpose="entry", account="entry-1", name="X", amount=5, currency="EUR", key="x", at=row.at
    )
    assert [difference.what for difference in audit_event(paid)] == ["log", "payment"]


def test_the_audit_finds_a_pool_that_is_not_paid_out_to_the_smallest_unit(paid):
    Standing.objects.filter(stage__event=paid, place=1).delete()
    money = [difference for difference in audit_event(paid) if difference.check == "money"]
    assert {difference.what for difference in money} == {"due to winners"}
