"""The audit of an event's money."""

from datetime import timedelta

import pytest

from tests.builders import AT, build_event, build_money_terms, open_matches, play_out
from tests.tournament.money.test_ledger import WINNER, differences, give_money, ledger_of, settle
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.events.services import finish_event
from tournament.hall.calling import call_match, recall_match, start_match
from tournament.models import Event, Payment, Standing
from tournament.money.calcutta import make_lots
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.services import reverse_payment, set_money
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool

pytestmark = pytest.mark.django_db


def change_with_reason(change, *args, at=AT, **kwargs):
    """Make the change after play has begun, having seen what it moves."""
    with pytest.raises(MovesUnconfirmed) as asked:
        change(*args, **kwargs, by=None, at=at)
    return change(*args, **kwargs, consent=Consent("Forgotten.", asked.value.moves.digest), by=None, at=at)


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


def test_the_audit_names_a_change_after_play_began_that_has_lost_its_reason(paid):
    """Each change to what an event costs and pays; payments need none, as they move nothing that is due."""
    pool = change_with_reason(open_side_pool, paid, name="Late", fee=500, table=WINNER)
    entry = paid.entries.first()
    change_with_reason(join_side_pool, pool, entry=entry)
    change_with_reason(leave_side_pool, pool, entry=entry)
    change_with_reason(make_lots, paid)
    change_with_reason(set_money, paid, build_money_terms(added=100))
    assert differences(paid) == []
    for verb in ("open_side_pool", "join_side_pool", "leave_side_pool", "make_lots", "set_money"):
        row = paid.log.filter(verb=verb).first()
        kept, row.detail = row.detail, {name: value for name, value in row.detail.items() if name != "reason"}
        row.save()
        assert [(found.what, found.stored) for found in audit_event(paid) if found.check == "money"] == [
            ("reason", "none")
        ]
        row.detail = kept
        row.save()
    assert differences(paid) == []


def test_the_audit_asks_for_the_reason_of_an_undone_step_only_once(paid):
    change_with_reason(make_lots, paid)
    row = paid.log.filter(verb="make_lots").get()
    change_with_reason(undo_step, row)
    assert paid.log.filter(verb="dissolve_lot").count() == paid.entries.count()
    assert differences(paid) == []


def test_before_play_the_audit_asks_for_no_reason(director):
    event = build_event(director, players=4)
    give_money(event)
    open_side_pool(event, name="Early", fee=500, table=WINNER, by=None, at=AT)
    leave_event(event.entries.first(), kind="no-show", by=None, at=AT)
    make_lots(event, by=None, at=AT)
    assert differences(event) == []


def test_the_audit_asks_for_a_reason_while_a_match_is_played(director):
    event = build_event(director, players=4)
    give_money(event)
    match = open_matches(event)[0]
    call_match(match, by=None, at=AT)
    start_match(match, by=None, at=AT)
    later = AT + timedelta(minutes=5)
    change_with_reason(make_lots, event, at=later)
    recall_match(match, by=None, at=later + timedelta(minutes=5))
    assert differences(event) == []
    row = event.log.get(verb="make_lots")
    row.detail.pop("reason")
    row.save()
    assert [found.what for found in audit_event(event)] == ["reason"]


def test_the_audit_finds_a_pool_that_is_not_paid_out_to_the_smallest_unit(paid):
    Standing.objects.filter(stage__event=paid, place=1).delete()
    money = [difference for difference in audit_event(paid) if difference.check == "money"]
    assert {difference.what for difference in money} == {"due to winners"}
