"""A tired treasurer: whatever happens to an event's money, all that came in is paid out, kept or in the cash box."""

import pytest

from rules.score import Side
from tests.builders import claim, fixture_of, open_matches, win
from tests.tournament.api.till import TWO, WINNER, field, percent
from tournament.money.ledger import take_ledger
from tournament.results.enter import enter_result


@pytest.mark.parametrize(
    ("currency", "rake", "value", "step"),
    [("EUR", "percent", 333, 1), ("JPY", "per-entry", 77, 7), ("KWD", "percent", 9999, 1000), ("JPY", "none", 0, 100)],
)
def test_odd_amounts_of_every_kind_of_currency_come_out_to_the_smallest_unit(till, currency, rake, value, step):
    desk = till(players=7)
    money = {"currency": currency, "fee": 1001, "registration_fee": 33, "rake": rake, "rake_value": value}
    desk.terms(**money, added=1, step=step, shares=[field(percent(5000, 2501, 1250, 1249))])
    desk.play()
    told = desk.finish()
    kept = {"none": 0, "percent": 7 * 1001 * value // 10_000, "per-entry": 7 * 77}[rake]
    assert (told["kept"], told["cash"]) == (7 * 33 + kept, 7 * 33 + kept - 1)


@pytest.mark.parametrize("amount", [1, 7, 9999])
def test_two_who_share_third_place_share_its_prizes_and_never_a_part_of_a_unit(till, amount):
    desk = till(players=8)
    desk.terms(fee=0, reentry_fee=0, added=amount, shares=[field(percent(3334, 3333, 1667, 1666))])
    desk.play()
    prizes = [winner["prize"] for winner in desk.call("get", f"events/{desk.event.pk}/prizes/")["lists"][0]["winners"]]
    assert sum(prizes) == amount
    assert max(prizes[2:], default=0) - min(prizes[2:], default=0) <= 1
    assert desk.finish()["cash"] == -amount


@pytest.mark.parametrize(
    ("format", "section"),
    [("round-robin", ""), ("swiss", ""), ("pools", "groups"), ("consolation", ""), ("double-elimination", "")],
)
def test_every_format_pays_all_of_its_pool(till, format, section):
    desk = till(players=9, format=format)
    desk.terms(fee=3333, added=101, shares=[field(percent(5001, 3001, 1998), section)])
    desk.play()
    told = desk.finish()
    assert (told["kept"], told["cash"]) == (0, -101)


def test_groups_that_are_not_played_are_reported_and_hold_the_pool_until_places_are_paid(till):
    desk = till(players=8, format="consolation")
    desk.terms(shares=[field(WINNER, "groups")])
    desk.play()
    told = desk.call("get", f"events/{desk.event.pk}/prizes/")
    assert told["problem"] == "This event is not played in groups: choose a payout for its places instead."
    assert desk.finish()["cash"] == told["pool"] == 40_000
    desk.terms()
    desk.settle_all()
    assert desk.cash()["cash"] == 0


@pytest.mark.parametrize("sections", [("C", "L"), ("D",)])
def test_the_part_of_a_bracket_that_nobody_plays_in_is_not_lost(till, sections):
    desk = till(players=4)
    rest = [field(WINNER, section, 1000) for section in sections]
    desk.terms(fee=1111, shares=[field(TWO, "", 10_000 - 1000 * len(rest)), *rest])
    desk.play()
    assert desk.finish()["cash"] == 0


def test_a_player_who_leaves_before_the_draw_gets_a_refund(till):
    desk = till(drawn=False)
    desk.terms(registration_fee=500)
    first = desk.entries()[0]
    desk.settle(f"entry-{first}", f"registration-{first}")
    desk.leave(first, "withdrawn")
    assert desk.open("entry", "registration") | {f"entry-{first}": -5000, f"registration-{first}": -500} == desk.open()
    desk.settle(f"entry-{first}", f"registration-{first}")
    assert desk.cash()["cash"] == 0
    desk.call("delete", f"entries/{first}/departure/")
    assert desk.open()[f"entry-{first}"] == 5000


def test_an_entry_that_has_paid_is_not_removed_before_the_refund(till):
    desk = till(drawn=False)
    desk.terms()
    first = desk.entries()[0]
    (paid,) = desk.settle(f"entry-{first}")
    desk.call("delete", f"entries/{first}/", code="entry_has_paid")
    desk.take_back(paid["id"])
    desk.call("delete", f"entries/{first}/")
    assert (desk.cash()["cash"], len(desk.entries())) == (0, 3)


def test_a_player_who_leaves_after_the_draw_gets_no_refund(till):
    desk = till(players=8)
    desk.terms()
    first = desk.entries()[0]
    desk.settle(f"entry-{first}")
    desk.leave(first, "withdrawn")
    assert f"entry-{first}" not in desk.open()
    desk.play()
    assert desk.finish()["cash"] == 0


@pytest.mark.parametrize("kind", ["disqualified", "no-show"])
def test_a_player_who_takes_no_prize_leaves_it_to_those_behind(till, kind):
    desk = till(players=4)
    desk.terms(shares=[field(percent(5000, 3000, 1000, 1000))])
    desk.leave(desk.entries()[1], kind, "Did not come.")
    desk.play()
    prizes = desk.call("get", f"events/{desk.event.pk}/prizes/")["lists"][0]
    assert sum(winner["prize"] for winner in prizes["winners"]) <= prizes["amount"]
    desk.settle_all()


def test_the_winner_is_disqualified_after_the_payout(till):
    desk = till(players=4)
    desk.terms()
    desk.play()
    desk.settle_all()
    (winner,) = desk.call("get", f"events/{desk.event.pk}/prizes/")["lists"][0]["winners"]
    (entry,) = (found.entry.id for found in take_ledger(desk.event.pk).payouts)
    desk.leave(entry, "disqualified", "Played with loaded dice.")
    opened = desk.open("prize")
    assert opened[f"prize-field-{entry}"] == winner["prize"] == 20_000
    assert sorted(opened.values()) == [-20_000, 20_000]
    assert desk.finish()["cash"] == 0


def test_an_entry_fee_is_taken_back_after_the_payout(till):
    desk = till()
    desk.terms()
    paid = desk.settle(*desk.open("entry"))
    desk.play()
    desk.settle_all()
    desk.take_back(paid[0]["id"])
    desk.take_back(paid[0]["id"], code="payment_reversed")
    told = desk.cash()
    assert (told["cash"], told["to_come"], told["to_pay"]) == (-5000, 5000, 0)
    assert desk.finish()["cash"] == 0


def test_a_payout_is_taken_back_and_the_row_that_did_so_stays(till):
    desk = till()
    desk.terms()
    desk.play()
    (out,) = desk.settle(*desk.open("prize"))
    back = desk.take_back(out["id"])
    desk.take_back(back["id"], code="payment_reversed")
    assert desk.open("prize") == {out["account"]: -20_000}
    assert desk.finish()["cash"] == 0


def test_a_result_is_corrected_after_the_payout(till):
    desk = till()
    desk.terms(shares=[field(TWO)])
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(desk.event, key).match, Side.A)
    desk.settle_all()
    enter_result(
        fixture_of(desk.event, "M2-1").match,
        claim=claim(final=(1, 5), base=1, reason="Swapped."),
        by=None,
        at=desk.event.created_at,
    )
    desk.hold()
    assert sorted(desk.open().values()) == [-6666, 6666]
    assert desk.finish()["cash"] == 0


def test_a_payment_sent_twice_with_one_key_counts_once_and_another_amount_is_refused(till):
    desk = till()
    desk.terms()
    slug = f"entry-{desk.entries()[0]}"
    first = desk.settle(slug, key="tap")
    assert desk.settle(slug, key="tap", amount=5000) == first
    desk.settle(slug, key="tap", amount=4000, code="key_reused")
    desk.settle(slug, code="nothing_open")
    desk.settle("entry-0", code="account_unknown", amount=5)
    desk.settle(f"entry-{desk.entries()[1]}", amount=4999, code="amount_changed")


def test_the_fee_changes_after_some_have_paid(till):
    desk = till()
    desk.terms()
    first, second, *_rest = desk.entries()
    desk.settle(f"entry-{first}")
    desk.part(f"entry-{second}", 3000)
    desk.terms(fee=2000, reentry_fee=2000)
    opened = desk.open()
    assert (opened[f"entry-{first}"], opened[f"entry-{second}"]) == (-3000, -1000)
    desk.part(f"entry-{first}", -3001, code="amount_above_open")
    desk.part(f"entry-{first}", -1)
    desk.terms(fee=0, reentry_fee=0)
    desk.play()
    assert desk.finish()["cash"] == 0


@pytest.mark.parametrize("currency", ["DKK", "JPY"])
def test_a_currency_is_fixed_once_anything_was_paid_even_if_it_was_taken_back(till, currency):
    desk = till()
    desk.terms()
    desk.terms(currency=currency)
    desk.terms(currency="EUR")
    (paid,) = desk.settle(f"entry-{desk.entries()[0]}")
    desk.terms(currency=currency, code="currency_in_use")
    desk.take_back(paid["id"])
    desk.terms(currency=currency, code="currency_in_use")
    assert desk.cash()["currency"] == "EUR"


def test_an_event_is_deleted_with_money_in_it_and_restored(till):
    desk = till()
    desk.terms(rake="percent", rake_value=1000)
    desk.settle(*desk.open("entry"))
    before = desk.cash()
    tournament = f"tournaments/{desk.event.tournament_id}/cash/"
    desk.call("post", f"events/{desk.event.pk}/delete/", {"name": desk.event.name})
    for path in ("cash/", "prizes/", "money/"):
        desk.call("get", f"events/{desk.event.pk}/{path}", code="not_found")
    desk.call(
        "post", f"events/{desk.event.pk}/payments/", {"key": "k", "accounts": ["x"], "amount": 1}, code="not_found"
    )
    assert desk.api.get(tournament).json() == []
    desk.call("post", f"events/{desk.event.pk}/restore/")
    assert desk.cash() == before
    desk.play()
    assert desk.finish()["cash"] == 2000


def test_fixed_prizes_above_the_pool_pay_nobody_until_there_is_enough(till):
    desk = till()
    desk.terms(shares=[field({"kind": "fixed", "values": [15_000, 5001]})])
    desk.play()
    prizes = desk.call("get", f"events/{desk.event.pk}/prizes/")
    assert (prizes["problem"], prizes["lists"][0]["winners"]) == (
        "The fixed prizes add up to more than the pool.",
        [],
    )
    desk.settle(*desk.open())
    assert desk.cash()["cash"] == 20_000
    desk.terms(shares=[field({"kind": "fixed", "values": [15_000, 5001]})], added=1)
    assert desk.finish()["cash"] == -1


def test_a_reentry_pays_its_own_fee_and_no_registration(till):
    desk = till(players=4, format="jackpot", options={"size": 4})
    desk.terms(fee=1000, reentry_fee=333, registration_fee=50, rake="per-entry", rake_value=33)
    name = desk.event.entries.first().player.name
    while matches := open_matches(desk.event):
        win(matches[0], Side.B)
    desk.call("post", f"events/{desk.event.pk}/entries/", {"name": name})
    assert sorted(desk.open("entry").values()) == [333, *[1000] * 4]
    assert list(desk.open("registration").values()) == [50] * 4
    desk.settle(*desk.open("entry", "registration"))
    assert desk.cash()["kept"] == 4 * 50 + 5 * 33


def test_a_late_entry_makes_the_pool_larger_and_a_waiting_one_does_not(till):
    desk = till(players=5)
    desk.terms()
    pool = f"events/{desk.event.pk}/prizes/"
    assert desk.call("get", pool)["pool"] == 25_000
    desk.call("post", f"events/{desk.event.pk}/entries/", {"name": "Late Comer"})
    assert desk.call("get", pool)["pool"] == 30_000
    desk.play()
    assert desk.finish()["cash"] == 0


def test_a_waiting_entry_owes_nothing_until_it_moves_up(till):
    desk = till(players=4, drawn=False)
    desk.terms()
    desk.call("put", f"events/{desk.event.pk}/door/", {"max_entries": 4, "check_in": False, "late_minutes": None})
    waiting = desk.call("post", f"events/{desk.event.pk}/entries/", {"name": "Waits"})["id"]
    desk.settle(f"entry-{waiting}", amount=5000, code="account_unknown")
    desk.leave(desk.entries()[0], "withdrawn")
    desk.settle(f"entry-{waiting}")
    assert desk.cash()["cash"] == 5000


def test_a_replaced_player_leaves_the_payment_to_the_one_who_plays(till):
    desk = till(drawn=False)
    desk.terms()
    first = desk.entries()[0]
    desk.settle(f"entry-{first}")
    desk.call("put", f"entries/{first}/replacement/", {"name": "Somebody Else"})
    told = {one["account"]: (one["name"], one["open"]) for one in desk.cash()["accounts"]}
    assert told[f"entry-{first}"] == ("Somebody Else", 0)
    assert desk.cash()["payments"][0]["name"] != "Somebody Else"


def test_the_draw_is_taken_back_after_all_have_paid(till):
    desk = till()
    desk.terms()
    desk.settle(*desk.open())
    desk.call("delete", f"events/{desk.event.pk}/draw/")
    assert (desk.open(), desk.cash()["cash"]) == ({}, 20_000)
    desk.call("post", f"events/{desk.event.pk}/draw/")
    desk.play()
    assert desk.finish()["cash"] == 0


def test_a_place_that_can_still_change_is_not_paid(till):
    desk = till(players=4)
    desk.terms()
    place = next(one["account"] for one in desk.cash()["accounts"] if one["due"] is None)
    desk.settle(place, amount=-20_000, code="place_open")
    desk.part(place, -1, code="place_open")


IMPOSSIBLE = [
    ({"fee": 10**12 + 1}, "invalid"),
    ({"fee": 0.5}, "invalid"),
    ({"fee": True}, "invalid"),
    ({"rake": "per-entry", "rake_value": 5001}, "rake_above_fee"),
    ({"rake": "percent", "rake_value": 10_001}, "rake_above_fee"),
    ({"auction_rake": "percent", "auction_rake_value": 10**12}, "rake_above_pot"),
    ({"shares": [field(percent(5000, 4999))]}, "percent_not_whole"),
    ({"shares": [field(WINNER, "groups", 5000), field(WINNER, "", 5000)]}, "groups_and_more"),
    ({"step": 0}, "invalid"),
    ({"shares": [field({"kind": "fixed", "values": []})]}, "table_empty"),
    ({"shares": [field({"kind": "percent", "values": [10**12] * 64})]}, "percent_not_whole"),
]


def test_impossible_terms_are_refused_in_one_sentence(till):
    desk = till()
    desk.terms()
    for changed, code in IMPOSSIBLE:
        desk.terms(code=code, **changed)
    desk.play()
    assert desk.finish()["cash"] == 0


def test_the_largest_amounts_are_added_up_as_the_smallest(till):
    desk = till(players=8)
    desk.terms(fee=10**12, registration_fee=10**12, added=10**12, step=10**9)
    desk.lot(desk.entries()[0], price=10**12)
    desk.side_pool(*desk.entries(), fee=10**12)
    desk.play()
    assert desk.finish()["cash"] == 7 * 10**12
