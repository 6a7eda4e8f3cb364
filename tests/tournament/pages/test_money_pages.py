"""The pages of money: directors take in and pay out with one tap, and everybody reads the prizes."""

import csv
import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.builders import AT, build_director, build_event, build_tournament, play_out
from tests.tournament.money.test_ledger import WINNER, give_money, ledger_of, settle
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.models import Event, EventMoney, Lot, Payment, SidePool
from tournament.money.calcutta import make_lots, sell_lot
from tournament.money.services import pay_part
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.pages.money.forms import MAX_VALUES
from tournament.prizes import PayoutPlan

pytestmark = pytest.mark.django_db

PRIVATE = ("money", "money-terms", "side-pools", "calcutta", "payout-sheet")


def address(event: Event, name: str, *more: object) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug, *more])


@pytest.fixture
def event(director) -> Event:
    """Eight players with main, consolation and last chance, a side pool of three, and a calcutta."""
    event = build_event(director, players=8, format="consolation", options={"last_chance": "full"})
    give_money(event, registration_fee=500)
    pool = open_side_pool(event, name="Side", fee=1000, table=WINNER, by=director, at=AT)
    for entry in event.entries.all()[:3]:
        join_side_pool(pool, entry=entry, by=director, at=AT)
    make_lots(event, by=director, at=AT)
    return event


TERMS = {
    "currency": "DKK",
    "fee": "250",
    "reentry_fee": "",
    "registration_fee": "50,50",
    "added": "1 000",
    "rake": "percent",
    "rake_value": "7.5",
    "step": "10",
    "rounding": "largest-remainder",
    "auction": "percent",
    "auction_values": "60 40",
    "auction_rake": "percent",
    "auction_rake_value": "2.50",
    "part_field": "75",
    "table_field": "percent",
    "values_field": "50 30 20",
    "part_C": "25",
    "table_C": "winner",
    "table_D": "winner",
    "table_L": "winner",
    "table_groups": "winner",
}


@pytest.mark.parametrize("name", PRIVATE)
def test_pages_of_money_are_for_directors(client, as_director, event, name):
    stranger = Client()
    stranger.force_login(build_director("stranger"))
    assert as_director.get(address(event, name)).status_code == 200
    assert client.get(address(event, name)).status_code == 302
    assert stranger.get(address(event, name)).status_code == 403


def test_everybody_reads_the_prizes_and_only_directors_the_payments(client, as_director, event):
    settle(event, f"entry-{event.entries.first().pk}")
    play_out(event)
    store_standings(event.pk)
    page = client.get(address(event, "prizes")).content.decode()
    assert "400.00\xa0EUR" in page
    assert client.get(address(event, "prizes") + "?fragment").status_code == 200
    history = "Paid: Player 1, 50.00 EUR"
    assert history not in client.get(address(event, "history")).content.decode()
    assert history in as_director.get(address(event, "event-log")).content.decode()


def test_an_event_without_money_shows_no_prizes(client, director):
    event = build_event(director, players=2)
    assert address(event, "prizes") not in client.get(address(event, "event")).content.decode()
    assert "no fees or prizes" in client.get(address(event, "prizes")).content.decode()


def test_terms_are_previewed_and_stored_as_typed(as_director, event):
    stored = EventMoney.objects.values().get(event=event)
    preview = as_director.post(address(event, "money-terms"), {**TERMS, "preview": "1"})
    assert "Preview: nothing has been saved yet" in preview.content.decode()
    assert "2,850.00\xa0DKK" in preview.content.decode()
    assert EventMoney.objects.values().get(event=event) == stored
    assert as_director.post(address(event, "money-terms"), TERMS).status_code == 302
    money = EventMoney.objects.get(event=event)
    assert (money.currency, money.fee, money.reentry_fee, money.registration_fee) == ("DKK", 25000, 25000, 5050)
    assert (money.rake_value, money.added, money.plan.step) == (750, 100_000, 1000)
    assert (money.auction_rake, money.auction_rake_value) == ("percent", 250)
    assert [(share.section, share.basis_points, share.table.values) for share in money.plan.shares] == [
        ("", 7500, (5000, 3000, 2000)),
        ("C", 2500, ()),
    ]
    form = as_director.get(address(event, "money-terms")).context["form"]
    assert {name: form[name].value() for name in TERMS if TERMS[name] and not name.startswith("table")} == {
        name: value.replace("1 000", "1000").replace("50,50", "50.50").replace("7.5", "7.50")
        for name, value in TERMS.items()
        if value and not name.startswith("table")
    }


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"fee": "much"}, "“much” is not an amount: write it as 12 or 12.50."),
        ({"fee": "12.505"}, "“12.505” has too many decimals: an amount in DKK has 2 at most."),
        ({"values_field": "50 30"}, "The percentages of a payout table must add up to 100; these add up to 80.00."),
        ({"part_C": "10"}, "The shares of the pool must add up to 100 percent."),
        ({"rake_value": "101"}, "The rake is more than an entry costs."),
        ({"auction_rake_value": "101"}, "The rake is more than the pot."),
    ],
)
def test_impossible_terms_are_refused_in_one_sentence(as_director, event, changed, sentence):
    answer = as_director.post(address(event, "money-terms"), {**TERMS, **changed})
    assert answer.status_code == 400
    assert sentence in answer.content.decode().replace("&#x27;", "'")
    assert EventMoney.objects.get(event=event).currency == "EUR"


def test_one_tap_on_the_desk_pays_everything_an_entry_owes(as_director, event):
    entry, pool = event.entries.first(), SidePool.objects.get()
    tap = {
        "key": "tap-1",
        "amount": 6500,
        "account": [f"registration-{entry.pk}", f"entry-{entry.pk}", f"side-{pool.pk}-{entry.pk}"],
    }
    for said in ("Paid: Player 1, 65.00 EUR", "Sent twice, paid once: Player 1, 65.00 EUR"):
        answer = as_director.post(address(event, "settle", "desk"), tap, follow=True)
        assert answer.redirect_chain == [(address(event, "money"), 302)]
        assert [str(message) for message in answer.context["messages"]] == [said]
    assert [payment.amount for payment in Payment.objects.all()] == [500, 5000, 1000]
    payment = Payment.objects.first()
    for _twice in range(2):
        back = address(event, "take-payment-back", payment.pk)
        answer = as_director.post(back, {"key": "back-1", "reason": "no cash"}, follow=True)
        assert "Payment reversed: Player 1, 5.00 EUR" in answer.content.decode()
    assert ledger_of(event).cash == 6000
    answer = as_director.post(address(event, "settle", "desk"), {**tap, "key": "tap-2"}, follow=True)
    assert "The amount is now 5.00 EUR, not 65.00. Check it and try again." in answer.content.decode()


def test_entries_that_owe_come_first_and_the_amount_taken_is_shown(as_director, event):
    first = event.entries.order_by("pk").first()
    tap = {"key": "tap-1", "amount": 5000, "account": f"entry-{first.pk}"}
    said = as_director.post(address(event, "settle", "desk"), tap, follow=True).content.decode()
    assert f"Paid: {first}, 50.00 EUR" in said
    settle(event, f"registration-{first.pk}", f"side-{SidePool.objects.get().pk}-{first.pk}")
    lines = as_director.get(address(event, "money")).context["lines"]
    assert [bool(line.open) for line in lines] == [True] * 7 + [False]
    assert lines[-1].entry.id == first.pk


def test_an_amount_that_was_paid_is_written_as_on_the_pages(as_director, event):
    lot = Lot.objects.first()
    sell_lot(lot, buyer="Cy", price=123_450, base=0, by=None, at=AT)
    tap = {"key": "tap", "amount": 123_450, "account": f"lot-{lot.pk}"}
    answer = as_director.post(address(event, "settle", "desk"), tap, follow=True)
    assert [str(message) for message in answer.context["messages"]] == ["Paid: Cy, 1,234.50 EUR"]


def test_the_desk_has_every_account_with_an_open_amount(as_director, event):
    lot, other, *_lots = Lot.objects.order_by("number")
    for one in (lot, other):
        sell_lot(one, buyer=f"Buyer {one.number}", price=6000, base=0, by=None, at=AT)
    settle(event, f"lot-{other.pk}")
    pay_part(event, accounts=[f"lot-{lot.pk}"], amount=1500, payer="Uncle Bo", key="part", by=None, at=AT)
    entry = event.entries.first()
    pay_part(event, accounts=[f"entry-{entry.pk}"], amount=2000, payer="", key="entry", by=None, at=AT)
    answer = as_director.get(address(event, "money"))
    ledger, page = answer.context["ledger"], answer.content.decode()
    for account in ledger.accounts:
        assert (f'name="account" value="{account.slug}"' in page) == bool(account.open)
    assert "Uncle Bo 15.00" in page
    assert "entry 50.00, paid 20.00" in page
    pay_part(event, accounts=[f"lot-{lot.pk}"], amount=4500, payer="Aunt Di", key="rest", by=None, at=AT)
    calcutta = as_director.get(address(event, "calcutta")).content.decode()
    assert "Uncle Bo 15.00" in calcutta
    assert "Aunt Di 45.00" in calcutta
    assert "Buyer 2 60.00" not in calcutta


def test_terms_that_were_changed_after_their_preview_are_previewed_again(as_director, event):
    path = address(event, "money-terms")
    question = as_director.post(path, {**TERMS, "preview": "1"}).context["question"]
    before = ledger_of(event).terms.fee
    other = as_director.post(path, {**TERMS, "fee": "77", "previewed": question})
    assert (other.status_code, ledger_of(event).terms.fee) == (200, before)
    assert as_director.post(path, {**TERMS, "fee": "77", "previewed": other.context["question"]}).status_code == 302
    assert ledger_of(event).terms.fee == 7700


def test_parts_without_money_are_folded_away(as_director, director, event):
    def sections(of: Event) -> tuple[list[str], list[str]]:
        context = as_director.get(address(of, "money-terms")).context
        return [part.section for part in context["parts"]], [part.section for part in context["more_parts"]]

    assert sections(event) == (["", "C", "L"], ["D", "groups"])
    plain = build_event(director, players=2, tournament=event.tournament, name="Plain")
    assert sections(plain) == ([""], ["C", "D", "L", "groups"])
    pools = build_event(director, players=6, tournament=event.tournament, name="Pools", format="pools")
    assert sections(pools) == (["", "groups"], ["C", "D", "L"])
    lives = build_event(director, players=4, tournament=event.tournament, name="Buy-ins", format="buy-in")
    assert sections(lives) == (["", "B"], ["C", "D", "L", "groups"])
    refused = as_director.post(address(plain, "money-terms"), {**TERMS, "values_D": "5" * (MAX_VALUES + 1)})
    assert [part.section for part in refused.context["parts"]] == ["", "C", "D"]


def test_a_reentry_that_costs_the_same_goes_with_the_fee(as_director, event):
    as_director.post(address(event, "money-terms"), TERMS)
    form = as_director.get(address(event, "money-terms")).context["form"]
    assert form["reentry_fee"].value() == ""
    as_director.post(address(event, "money-terms"), {**TERMS, "reentry_fee": "200"})
    form = as_director.get(address(event, "money-terms")).context["form"]
    assert form["reentry_fee"].value() == "200"


def test_a_place_that_is_still_being_played_for_has_no_line_to_sign(as_director, event):
    names = [str(entry) for entry in event.entries.all()]
    settle(event, *(account.slug for line in ledger_of(event).entries for account in line.accounts))
    store_standings(event.pk)
    page = as_director.get(address(event, "payout-sheet")).content.decode()
    assert [name for name in names if f">{name}<" in page] == []
    assert "not decided yet" in page
    play_out(event)
    store_standings(event.pk)
    page = as_director.get(address(event, "payout-sheet")).content.decode()
    (winner, *_others) = ledger_of(event).prize_lists[0].accounts
    assert f">{winner.name}<" in page
    assert "not decided yet" not in page


@pytest.mark.parametrize("sent", [{}, {"key": "k", "amount": "x"}, {"key": "k", "amount": 5}, {"amount": 5}])
def test_an_empty_tap_is_refused(as_director, event, sent):
    assert as_director.post(address(event, "settle", "desk"), sent, follow=True).status_code in {200, 400}
    assert Payment.objects.count() == 0


def test_lots_are_sold_and_taken_back_on_the_auction_page(as_director, event):
    lot = Lot.objects.first()
    sell, back, dissolve = (address(event, "sell-lot", lot.pk, action) for action in ("sell", "take-back", "dissolve"))
    as_director.post(sell, {"buyer": "Cy", "price": "120,50", "base": "0"})
    assert [(sale.buyer, sale.price) for sale in lot.sales.all()] == [("Cy", 12050)]
    answer = as_director.post(sell, {"buyer": "Di", "price": "130", "base": "0"}, follow=True)
    assert "Somebody else has since changed this lot." in answer.content.decode()
    as_director.post(back, {"base": "1"})
    assert ledger_of(event).pot.amount == 0
    for bad in ({}, {"base": "x"}, {"base": "2", "buyer": "Cy"}, {"base": "2", "buyer": "Cy", "price": "0"}):
        assert as_director.post(sell, bad).status_code == 400
    as_director.post(dissolve, follow=True)
    assert lot.sales.count() == 2


def test_a_field_is_made_of_the_ticked_entries(as_director, director):
    event = build_event(director, players=5, drawn=False)
    first, second, *_others = event.entries.values_list("pk", flat=True)
    as_director.post(address(event, "calcutta"), {"entry": [first, second]})
    as_director.post(address(event, "calcutta"), {})
    assert [lot.entries.count() for lot in event.lots.all()] == [2, 1, 1, 1]


def test_members_join_and_leave_a_side_pool(as_director, event):
    as_director.post(address(event, "side-pools"), {"name": "Beginners", "fee": "10", "table": "winner"})
    pool = SidePool.objects.get(name="Beginners")
    entry = event.entries.first()
    for action, members in (("join", 1), ("leave", 0), ("join", 1)):
        answer = as_director.post(address(event, "side-member", pool.pk, entry.pk, action))
        assert answer.url == f"{address(event, 'side-pools')}#pool-{pool.pk}"
        assert pool.members.filter(left_at__isnull=True).count() == members
    twice = as_director.post(address(event, "side-pools"), {"name": "Beginners", "fee": "10", "table": "winner"})
    assert twice.status_code == 400


def test_a_whole_event_is_paid_on_the_pages_and_its_csv_adds_up(as_director, event, director):
    settle(event, *(a.slug for line in ledger_of(event).entries for a in line.accounts))
    play_out(event)
    store_standings(event.pk)
    for number, found in enumerate(ledger_of(event).payouts):
        as_director.post(
            address(event, "settle", "sheet"), {"key": f"p{number}", "amount": found.open, "account": found.slug}
        )
    ledger = ledger_of(event)
    assert (ledger.to_pay, ledger.cash) == (0, 8 * 500)
    payments = list(
        csv.DictReader(io.StringIO(as_director.get(address(event, "money-csv", "payments")).content.decode()))
    )
    assert sum(float(row["amount"]) for row in payments) == 40.0
    payouts = list(
        csv.DictReader(io.StringIO(as_director.get(address(event, "money-csv", "payouts")).content.decode()))
    )
    assert sum(float(row["due"]) for row in payouts) == 430.0
    assert {row["open"] for row in payouts} == {"0.00"}
    assert as_director.get(address(event, "money-csv", "nothing")).status_code == 404
    assert [str(difference) for difference in audit_event(Event.objects.get(pk=event.pk))] == []


def test_the_cash_of_a_tournament_keeps_currencies_apart(as_director, director):
    tournament = build_tournament(director, "Weekend")
    for currency in ("EUR", "JPY", "EUR"):
        event = build_event(director, players=2, tournament=tournament)
        give_money(event, currency=currency, payouts=PayoutPlan())
        settle(event, *(f"entry-{entry.pk}" for entry in event.entries.all()))
    page = as_director.get(reverse("cash", args=[tournament.slug]))
    boxes = {box.currency.code: box.cash for box in page.context["boxes"]}
    assert boxes == {"EUR": 20_000, "JPY": 10_000}
    text = page.content.decode()
    assert "200.00\xa0EUR" in text
    assert "10,000\xa0JPY" in text
    assert Client().get(reverse("cash", args=[tournament.slug])).status_code == 302


@pytest.mark.parametrize("name", [*PRIVATE, "prizes", "cash"])
def test_pages_of_money_take_the_same_queries_for_8_and_64_players(as_director, director, name):
    counts = []
    for players in (8, 64):
        event = build_event(director, players=players, tournament=build_tournament(director))
        give_money(event, payouts=PayoutPlan())
        pool = open_side_pool(event, name="Side", fee=1, table=WINNER, by=None, at=AT)
        for entry in event.entries.all()[: players // 2]:
            join_side_pool(pool, entry=entry, by=None, at=AT)
        make_lots(event, by=None, at=AT)
        settle(event, *(f"entry-{entry.pk}" for entry in event.entries.all()))
        path = reverse("cash", args=[event.tournament.slug]) if name == "cash" else address(event, name)
        with CaptureQueriesContext(connection) as queries:
            assert as_director.get(path).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
