"""The money terms of an event: every face takes all of them, and what no event can have is refused."""

from dataclasses import fields

import pytest

from players.errors import Refusal
from tests.builders import AT, build_event, build_money_terms
from tournament.api.money.serializers import MoneySerializer
from tournament.models import EventMoney, LogEntry
from tournament.money.services import preview_money, set_money
from tournament.money.terms import MoneyTerms, columns_of
from tournament.pages.money.forms import MoneyForm
from tournament.prizes import MAX_AMOUNT, PayoutPlan, PrizeTable, Share

NAMES = sorted(field.name for field in fields(MoneyTerms))
OF_PLAN = {"shares", "step", "rounding"}
"""What the API names one by one of the payouts."""
HALVES = (Share("", 5000, PrizeTable("template", "winner")), Share("C", 5000, PrizeTable("template", "winner")))
OTHER = {
    "currency": "DKK",
    "fee": 30_000,
    "reentry_fee": 20_000,
    "registration_fee": 1000,
    "rake": "percent",
    "rake_value": 500,
    "added": 7000,
    "payouts": PayoutPlan(HALVES, 100, "rest-to-first"),
    "auction": PrizeTable("percent", values=(6000, 4000)),
    "auction_rake": "per-entry",
    "auction_rake_value": 300,
}
"""Every term, each another one than an event has by itself."""


def test_an_event_has_the_terms_that_it_was_given_and_the_log_names_each_that_changed(director):
    event = build_event(director, players=2, drawn=False)
    assert sorted(OTHER) == NAMES
    set_money(event, MoneyTerms(**OTHER), by=None, at=AT)
    stored = columns_of(EventMoney.objects.get(event=event))
    assert stored == {**OTHER, "payouts": OTHER["payouts"].as_dict(), "auction": OTHER["auction"].as_dict()}
    changes = LogEntry.objects.get(verb="set_money").detail["changes"]
    assert changes == {name: [None, value] for name, value in stored.items()}


def test_the_api_and_the_form_take_every_term():
    assert {*MoneySerializer().fields} == {*NAMES, *OF_PLAN} - {"payouts"}
    assert {*NAMES} - {"payouts"} <= {*MoneyForm().fields}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"fee": -1}, "amount_out_of_range"),
        ({"auction_rake_value": MAX_AMOUNT + 1}, "amount_out_of_range"),
        ({"currency": "XXX"}, "currency_unknown"),
        ({"rake": "half"}, "rake_unknown"),
        ({"rake": "percent", "rake_value": 10_001}, "rake_above_fee"),
        ({"rake": "per-entry", "rake_value": 5001}, "rake_above_fee"),
        ({"payouts": PayoutPlan(HALVES[:1])}, "parts_not_whole"),
        ({"auction": PrizeTable("template", "lots")}, "template_unknown"),
        ({"auction_rake": "half"}, "rake_unknown"),
        ({"auction_rake": "percent", "auction_rake_value": 10_001}, "rake_above_pot"),
    ],
)
def test_terms_that_no_event_can_have_are_refused_and_nothing_is_stored(director, changed, code):
    event = build_event(director, players=2, drawn=False)
    for step in (set_money, preview_money):
        with pytest.raises(Refusal) as refused:
            step(event, build_money_terms(**changed), by=None, at=AT)
        assert refused.value.code == code
    assert not EventMoney.objects.exists()


def test_a_preview_stores_nothing(director):
    event = build_event(director, players=2, drawn=False)
    assert preview_money(event, build_money_terms(fee=700), by=None, at=AT).ledger.pool.amount == 1400
    assert not EventMoney.objects.exists()
