"""A tired treasurer with side pools and a calcutta: money is won, given back, or held if nobody may win it."""

import pytest

from tests.tournament.api.till import TWO, percent
from tournament.money.ledger import take_ledger


@pytest.mark.parametrize("members", [0, 1, 2, 3])
def test_a_side_pool_pays_its_best_member_and_nobody_else(till, members):
    desk = till(players=8)
    desk.terms()
    desk.side_pool(*desk.entries()[:members], fee=333, table=percent(5000, 3000, 2000))
    desk.play()
    assert desk.finish()["cash"] == 0


def test_a_side_pool_that_no_member_may_win_is_held_and_given_back_by_leaving(till):
    desk = till(players=8)
    desk.terms()
    first, second, *_rest = desk.entries()
    pool = desk.side_pool(first, second, fee=333)
    for entry in (first, second):
        desk.leave(entry, "disqualified", "Both of them.")
    desk.play()
    assert desk.finish()["cash"] == 666
    for entry in (first, second):
        desk.call("delete", f"side-pools/{pool}/members/{entry}/")
    assert sorted(desk.open().values()) == [-333, -333]
    desk.settle_all()
    assert desk.cash()["cash"] == 0


def test_a_member_leaves_a_side_pool_after_it_was_won_and_paid(till):
    desk = till(players=8)
    desk.terms()
    entries = desk.entries()
    pool = desk.side_pool(*entries[:3], fee=1000)
    desk.play()
    desk.settle_all()
    (won,) = (found.entry.id for found in take_ledger(desk.event.pk).side_pools[0].prizes.accounts)
    desk.call("delete", f"side-pools/{pool}/members/{won}/")
    opened = desk.open()
    assert (opened[f"side-prize-{pool}-{won}"], opened[f"side-{pool}-{won}"]) == (3000, -1000)
    desk.settle_all()
    assert desk.cash()["cash"] == 0


def test_an_outsider_buys_the_winner_and_another_one_a_field(till):
    desk = till(players=4)
    desk.terms(auction=TWO, auction_rake="percent", auction_rake_value=1250)
    first, second, third, fourth = desk.entries()
    desk.lot(first, price=3333)
    desk.lot(second, third, fourth, price=1)
    desk.play()
    told = desk.finish()
    assert (told["kept"], told["cash"]) == (3334 * 1250 // 10_000,) * 2


def test_a_lot_is_paid_in_parts_and_stays_until_all_is_given_back(till):
    desk = till()
    desk.terms()
    lot = desk.lot(desk.entries()[0], price=1000)
    (paid,) = desk.part(f"lot-{lot}", 1)
    desk.call("put", f"lots/{lot}/sale/", {"buyer": "Di", "price": 5, "base": 1}, code="lot_paid")
    desk.call("post", f"lots/{lot}/sale/back/", {"base": 1}, code="lot_paid")
    desk.call("delete", f"lots/{lot}/", code="lot_sold")
    desk.part(f"lot-{lot}", 1000, code="amount_above_open")
    desk.take_back(paid["id"])
    desk.call("post", f"lots/{lot}/sale/back/", {"base": 1})
    desk.part(f"lot-{lot}", 1, code="account_unknown")
    desk.call("put", f"lots/{lot}/sale/", {"buyer": "Di", "price": 5, "base": 2})
    desk.play()
    assert desk.finish()["cash"] == 0


def test_a_lot_is_taken_back_after_it_won_and_was_paid_out(till):
    desk = till()
    desk.terms()
    lot = desk.lot(*desk.entries(), price=1000)
    desk.play()
    desk.settle(f"lot-prize-{lot}")
    desk.call("post", f"lots/{lot}/sale/back/", {"base": 1})
    assert desk.open()[f"lot-prize-{lot}"] == 1000
    assert desk.finish()["cash"] == 0


@pytest.mark.parametrize("kind", ["disqualified", "no-show"])
def test_the_pot_is_held_if_nobody_in_a_sold_lot_may_take_a_prize(till, kind):
    desk = till(players=8)
    desk.terms()
    first = desk.entries()[0]
    desk.lot(first, price=777)
    desk.leave(first, kind, "Gone.")
    desk.play()
    assert desk.finish()["cash"] == 777


def test_the_entries_of_a_sold_lot_are_taken_out(till):
    desk = till(drawn=False, players=5)
    desk.terms(auction_rake="per-entry", auction_rake_value=50)
    first = desk.entries()[0]
    lot = desk.lot(first, price=777)
    desk.settle(f"lot-{lot}")
    desk.call("delete", f"entries/{first}/")
    assert desk.call("get", f"events/{desk.event.pk}/prizes/")["calcutta_rake"] == 0
    desk.call("post", f"events/{desk.event.pk}/draw/")
    desk.play()
    assert desk.finish()["cash"] == 777
