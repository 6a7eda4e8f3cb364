"""A calcutta with a rake, and lots paid by several buyers together: all that was bid is paid out or kept."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Conflict
from tests.builders import AT, build_event, play_out
from tests.tournament.money.test_ledger import account, code_of, differences, give_money, ledger_of, settle
from tournament.models import Event, Lot, Payment
from tournament.money.calcutta import make_lots, sell_lot, take_lot_back
from tournament.money.services import pay_part, reverse_payment, settle_accounts
from tournament.prizes import PayoutPlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    """Four players, each a lot that was sold for 33.33."""
    event = build_event(director, players=4)
    give_money(event, payouts=PayoutPlan(), auction_rake="percent", auction_rake_value=750)
    for lot in make_lots(event, by=None, at=AT):
        sell_lot(lot, buyer=f"Buyer {lot.number}", price=3333, base=0, by=None, at=AT)
    return event


def part(event: Event, slug: str, amount: int, *, key: str = "", payer: str = "") -> list[Payment]:
    key = key or f"part-{Payment.objects.count()}"
    return pay_part(event, accounts=[slug], amount=amount, payer=payer, key=key, by=None, at=AT)[0]


def test_the_rake_of_the_pot_stays_with_the_house_and_the_rest_is_won(event):
    settle(event, *(found.slug for found in ledger_of(event).accounts if found.due))
    play_out(event)
    ledger = ledger_of(event)
    assert (ledger.auction.prices, ledger.auction.rake, ledger.pot.amount) == (13_332, 999, 12_333)
    assert [found.prize for found in ledger.pot.accounts] == [12_333]
    settle(event, *(found.slug for found in ledger.payouts if found.open))
    assert (ledger_of(event).cash, ledger_of(event).kept) == (999, 999)
    assert differences(event) == []


def test_a_rake_per_entry_is_never_more_than_the_pot(event):
    give_money(event, payouts=PayoutPlan(), auction_rake="per-entry", auction_rake_value=500)
    assert (ledger_of(event).auction.rake, ledger_of(event).pot.amount) == (2000, 11_332)
    give_money(event, payouts=PayoutPlan(), auction_rake="per-entry", auction_rake_value=5000)
    assert (ledger_of(event).auction.rake, ledger_of(event).pot.amount) == (13_332, 0)
    assert code_of(give_money, event, auction_rake="percent", auction_rake_value=10_001) == "rake_above_pot"
    assert code_of(give_money, event, auction_rake="percent", auction_rake_value=-1) == "amount_out_of_range"
    assert differences(event) == []


def test_only_a_sold_lot_is_taken_back(director):
    event = build_event(director, players=2)
    (lot, _other) = make_lots(event, by=None, at=AT)
    assert code_of(take_lot_back, lot, base=0, by=None, at=AT) == "lot_not_sold"
    sell_lot(lot, buyer="Anna", price=100, base=0, by=None, at=AT)
    take_lot_back(lot, base=1, by=None, at=AT)
    assert code_of(take_lot_back, lot, base=2, by=None, at=AT) == "lot_not_sold"
    sell_lot(lot, buyer="Bo", price=200, base=2, by=None, at=AT)
    assert lot.sales.count() == 3


def test_two_buyers_pay_a_lot_together_and_share_what_it_wins(event):
    lot = Lot.objects.first()
    slug = f"lot-{lot.pk}"
    (first,) = part(event, slug, 1667, payer="Anna")
    assert (first.name, account(event, slug).open) == ("Anna", 1666)
    assert code_of(take_lot_back, lot, base=1, by=None, at=AT) == "lot_paid"
    assert code_of(part, event, slug, 1667) == "amount_above_open"
    assert [row.name for row in part(event, slug, 1666, payer="  Bo  ")] == ["Bo"]
    assert code_of(part, event, slug, 1) == "nothing_open"
    reverse_payment(first, reason="a wrong note", key="back", by=None, at=AT)
    assert account(event, slug).open == 1667
    assert code_of(part, event, slug, -1) == "amount_above_open"
    part(event, slug, 1667, payer="Anna")
    play_out(event)
    (won,) = ledger_of(event).pot.accounts
    part(event, won.slug, -6167, payer="Anna")
    part(event, won.slug, -6166, payer="Bo")
    assert account(event, won.slug).open == 0
    assert differences(event) == []


def test_a_part_payment_settles_the_first_account_first_and_the_same_key_pays_once(director):
    event = build_event(director, players=4)
    give_money(event, registration_fee=1000, payouts=PayoutPlan())
    entry = event.entries.first().pk
    slugs = [f"registration-{entry}", f"entry-{entry}"]
    sent = {"accounts": slugs, "amount": 2500, "payer": "", "key": "once", "by": None, "at": AT}
    rows, is_new = pay_part(event, **sent)
    assert ([(row.account, row.amount) for row in rows], is_new) == ([(slugs[0], 1000), (slugs[1], 1500)], True)
    assert pay_part(event, **sent) == (rows, False)
    assert code_of(pay_part, event, **{**sent, "amount": 2600}) == "key_reused"
    assert code_of(pay_part, event, **{**sent, "accounts": ["entry-0"], "key": "other"}) == "account_unknown"
    for amount in (0, 3501, -1):
        assert code_of(pay_part, event, **{**sent, "amount": amount, "key": "other"}) == "amount_above_open"
    assert account(event, slugs[1]).open == 3500
    assert differences(event) == []


def test_two_payers_of_the_same_part_are_not_taken_for_one(event):
    slug = f"lot-{Lot.objects.first().pk}"
    part(event, slug, 1000, key="k", payer="Anna")
    assert part(event, slug, 1000, key="k", payer="Anna")[0].name == "Anna"
    assert code_of(part, event, slug, 1000, key="k", payer="Bo") == "key_reused"
    assert account(event, slug).open == 2333


ASKED = {
    "settled": (settle_accounts, {}),
    "a part": (pay_part, {"payer": ""}),
    "by Anna": (pay_part, {"payer": "Anna"}),
    "by the buyer": (pay_part, {"payer": "Buyer 1"}),
}


@pytest.mark.parametrize("first", ASKED)
def test_a_key_stands_for_the_first_request_sent_with_it(event, first):
    lot, other, *_lots = Lot.objects.order_by("number")
    slug = f"lot-{lot.pk}"
    own = {"accounts": [slug], "amount": account(event, slug).open, "key": "k", "by": None, "at": AT}
    assert account(event, slug).name == "Buyer 1"
    pay, more = ASKED[first]
    rows, _is_new = pay(event, **own, **more)
    for name, (again, others) in ASKED.items():
        sent = {**own, **others, "at": AT + timedelta(minutes=1)}
        if name == first:
            assert again(event, **sent) == (rows, False)
        else:
            assert code_of(again, event, **sent) == "key_reused"
        assert code_of(again, event, **{**sent, "accounts": [slug, f"lot-{other.pk}"]}) == "key_reused"
    assert code_of(reverse_payment, rows[0], reason="", key="k", by=None, at=AT) == "key_reused"
    (back, _is_new) = reverse_payment(rows[0], reason="", key="back", by=None, at=AT)
    for pay, more in ASKED.values():
        assert code_of(pay, event, **{**own, "amount": back.amount, "key": "back"}, **more) == "key_reused"
    assert [row.amount for row in event.payments.all()] == [own["amount"], -own["amount"]]


def test_a_part_payment_of_nothing_is_refused_with_what_is_open(event):
    slug = f"lot-{Lot.objects.first().pk}"
    with pytest.raises(Conflict, match=r"^33\.33 EUR is outstanding"):
        part(event, slug, 0)


def test_nothing_is_paid_for_a_place_that_is_still_being_played_for(event):
    slug = next(found.slug for found in ledger_of(event).payouts if found.due is None)
    assert code_of(part, event, slug, -1) == "place_open"


def test_a_part_payment_is_typed_beside_the_button_and_the_rest_stays_open(event, director):
    client = Client()
    client.force_login(director)
    names = [event.tournament.slug, event.slug]
    lot = Lot.objects.first()
    page = client.get(reverse("calcutta", args=names)).content.decode()
    assert f'action="{reverse("pay-part", args=[*names, "calcutta"])}"' in page
    line = f"lot-{lot.pk}"
    sent = {"key": "k", "amount": "3333", "account": line, "tap": line, "part": "10,50", "payer": "Anna"}
    assert client.post(reverse("pay-part", args=[*names, "calcutta"]), sent).url == reverse("calcutta", args=names)
    assert [(row.name, row.amount) for row in Payment.objects.all()] == [("Anna", 1050)]
    page = client.get(reverse("calcutta", args=names)).content.decode()
    assert "Collect 22.83" in page
    assert "<dt>Rake</dt><dd>9.99\xa0EUR</dd>" in page
    in_part = reverse("pay-part", args=[*names, "desk"])
    for bad, status in (
        *[({"part": "x"}, 400), ({"part": ""}, 409), ({"part": "22.84"}, 409)],
        *[({"key": ""}, 400), ({"account": "lot-0"}, 302)],
    ):
        answer = client.post(in_part, {**sent, "key": "k2", **bad})
        assert (bad, answer.status_code, Payment.objects.count()) == (bad, status, 1)
    assert (
        "22.83 EUR is outstanding: a part payment must be above 0 and no more than that."
        in client.post(in_part, {**sent, "key": "k3", "part": "50"}, follow=True).content.decode()
    )
