"""Amounts, rounding, pools, tables and shares: sums are exact, equal ones get the same, currencies do not mix."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.prizes import (
    CURRENCIES,
    EACH_GROUP,
    ROUNDINGS,
    TEMPLATES,
    AuctionLot,
    Money,
    MoneyError,
    PayoutPlan,
    PoolTerms,
    PrizeTable,
    Rank,
    Share,
    apportion,
    as_decimal,
    auction_pot,
    check_pot_rake,
    parse_amount,
    prize_pool,
    rank_among,
    rank_lots,
    settle_ranks,
    share_prizes,
)
from tournament.prizes.places import pass_over
from tournament.prizes.pool import WHOLE

EUR, JPY, KWD = (CURRENCIES[code] for code in ("EUR", "JPY", "KWD"))
amounts = st.integers(0, 10**12)
weights = st.lists(st.integers(0, 1000), min_size=1, max_size=40).filter(any)
roundings = st.sampled_from(sorted(ROUNDINGS))


def refused(call, *args, **kwargs) -> str:
    with pytest.raises(MoneyError) as error:
        call(*args, **kwargs)
    assert str(error.value) == error.value.template % error.value.params
    return error.value.code


def test_amounts_of_one_currency_add_up_and_others_are_refused():
    assert Money(150, EUR) + Money(50, EUR) - Money(1, EUR) == Money(199, EUR)
    assert refused(lambda: Money(1, EUR) + Money(1, JPY)) == "currencies_mixed"
    assert refused(lambda: Money(1, EUR) - Money(1, JPY)) == "currencies_mixed"


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("12", EUR, 1200),
        ("12.5", EUR, 1250),
        (" 12,50 ", EUR, 1250),
        ("1 200,05", EUR, 120005),
        ("12.500", EUR, 1250),
        ("1200", JPY, 1200),
        ("1.005", KWD, 1005),
        ("0", EUR, 0),
    ],
)
def test_an_amount_is_read_as_people_write_it(text, currency, amount):
    assert parse_amount(text, currency) == amount


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "amount_unreadable"),
        ("-5", "amount_unreadable"),
        ("1e3", "amount_unreadable"),
        ("٣", "amount_unreadable"),
        ("12.505", "amount_too_fine"),
        ("9" * 30, "amount_too_large"),
        ("10000000000.01", "amount_too_large"),
    ],
)
def test_text_that_is_not_an_amount_is_refused(text, code):
    assert refused(parse_amount, text, EUR) == code


@given(amount=amounts, currency=st.sampled_from(sorted(CURRENCIES)))
def test_an_amount_written_is_read_back(amount, currency):
    found = CURRENCIES[currency]
    assert parse_amount(str(as_decimal(amount, found)), found) == amount


def test_decimals_are_those_of_the_currency():
    assert [as_decimal(1250, currency) for currency in (EUR, JPY, KWD)] == [
        Decimal("12.50"),
        Decimal("1250"),
        Decimal("1.250"),
    ]


@given(amount=amounts, weights=weights, step=st.integers(1, 10**6), rounding=roundings)
def test_shares_add_up_to_the_amount_and_are_multiples_of_the_step(amount, weights, step, rounding):
    shares = apportion(amount, weights, step=step, rounding=rounding)
    assert sum(shares) == amount
    assert min(shares) >= 0
    assert all(share % step == 0 for share in shares[1:])
    assert shares[0] % step == amount % step


@given(amount=amounts, weights=weights, step=st.integers(1, 10**6))
def test_with_largest_remainders_no_share_is_a_step_from_its_quota_and_more_weight_is_never_less(amount, weights, step):
    shares = apportion(amount, sorted(weights, reverse=True), step=step)
    assert list(shares) == sorted(shares, reverse=True)
    steps, whole = amount // step, sum(weights)
    for share, weight in list(zip(shares, sorted(weights, reverse=True), strict=True))[1:]:
        assert abs(share * whole - steps * step * weight) < step * whole


def test_each_rounding_gives_the_remainder_where_it_says():
    assert apportion(100, [1, 1, 1]) == (34, 33, 33)
    assert apportion(10, [5, 3, 3], rounding="largest-remainder") == (4, 3, 3)
    assert apportion(10, [5, 3, 3], rounding="rest-to-first") == (6, 2, 2)
    assert apportion(1234, [50, 30, 20], step=100) == (634, 400, 200)


@pytest.mark.parametrize("call", [(-1, [1]), (1, []), (1, [0, 0]), (1, [2, -1])])
def test_an_amount_that_cannot_be_divided_is_refused(call):
    assert refused(apportion, *call) == "shares_impossible"


def test_the_pool_is_fees_less_rake_plus_added_money():
    terms = PoolTerms(fee=5000, reentry_fee=3000, rake="percent", rake_value=1000)
    pool = prize_pool(terms, entries=31, reentries=4, added=20000)
    assert (pool.fees, pool.rake, pool.amount) == (167000, 16700, 170300)
    fixed = prize_pool(PoolTerms(5000, 3000, "per-entry", 500), entries=31, reentries=4)
    assert (fixed.fees, fixed.rake, fixed.amount) == (167000, 17500, 149500)
    odd = prize_pool(PoolTerms(333, 0, "percent", 1000), entries=1, reentries=0)
    assert (odd.rake, odd.amount) == (33, 300)


def test_a_rake_above_the_fee_is_refused():
    assert refused(PoolTerms(100, 100, "per-entry", 101).check) == "rake_above_fee"
    assert refused(PoolTerms(100, 0, "per-entry", 50).check) == "rake_above_fee"
    assert refused(PoolTerms(100, 100, "percent", WHOLE + 1).check) == "rake_above_fee"
    assert refused(PoolTerms(100, 100, "gift", 1).check) == "rake_unknown"


@given(amount=amounts, field=st.integers(1, 1024), step=st.integers(1, 5000), slug=st.sampled_from(sorted(TEMPLATES)))
def test_every_template_pays_the_whole_amount_and_a_better_place_never_less(amount, field, step, slug):
    prizes = PrizeTable("template", slug).prizes(
        amount, field=field, places=field, step=step, rounding="largest-remainder"
    )
    assert sum(prizes) == amount
    assert len(prizes) <= field
    assert list(prizes) == sorted(prizes, reverse=True)


def table(kind: str, *values: int) -> PrizeTable:
    return PrizeTable(kind, values=values)


def prizes(found: PrizeTable, amount: int, places: int = 8) -> tuple[int, ...]:
    return found.prizes(amount, field=places, places=places, step=1, rounding="largest-remainder")


def test_prizes_of_places_that_nobody_can_take_go_to_the_others():
    assert prizes(table("percent", 5000, 3000, 2000), 800, places=2) == (500, 300)
    assert prizes(table("fixed", 500, 300, 200), 1000, places=2) == (700, 300)


def test_fixed_amounts_are_paid_as_they_are_and_the_rest_to_the_first():
    assert prizes(table("fixed", 500, 300), 1040) == (740, 300)
    assert refused(prizes, table("fixed", 500, 300), 799) == "fixed_above_pool"


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (table("percent", 5000, 4999), "percent_not_whole"),
        (table("percent"), "table_empty"),
        (table("fixed", 0, 0), "table_empty"),
        (table("fixed", 5, -1), "table_empty"),
        (table("fixed", *[1] * 65), "table_empty"),
        (table("lottery", 1), "table_unknown"),
        (PrizeTable("template", "nowhere"), "template_unknown"),
    ],
)
def test_an_impossible_table_is_refused(found, code):
    assert refused(found.check) == code


def test_entrants_on_a_shared_place_share_the_sum_of_its_prizes():
    ranks = [Rank(1, 1, 1), Rank(2, 2, 2), Rank(3, 3, 4), Rank(4, 3, 4), Rank(5, 5, 8, settled=False)]
    assert share_prizes([500, 250, 125, 100], ranks) == {1: 500, 2: 250, 3: 113, 4: 112}
    assert share_prizes([500], [Rank(1, 1, 3), Rank(2, 1, 3), Rank(3, 1, 3)]) == {1: 167, 2: 167, 3: 166}


@given(prizes=st.lists(amounts, max_size=20), sizes=st.lists(st.integers(1, 6), min_size=1, max_size=10))
def test_shares_add_up_to_the_prizes_of_the_places_and_equals_differ_by_at_most_one_unit(prizes, sizes):
    ranks, first = [], 1
    for size in sizes:
        ranks += [Rank(first * 100 + index, first, first + size - 1) for index in range(size)]
        first += size
    paid = share_prizes(prizes, ranks)
    assert sum(paid.values()) == sum(prizes[: first - 1])
    for rank in ranks:
        equal = [paid[other.who] for other in ranks if other.place == rank.place]
        assert max(equal) - min(equal) <= 1


def settled(*ranks: Rank, still_in: set[int] = frozenset()) -> list[int]:
    return [rank.who for rank in settle_ranks(ranks, still_in) if rank.settled]


def test_a_place_is_settled_once_nobody_can_reach_or_leave_it():
    semifinal = [Rank(1, 1, 2), Rank(2, 1, 4), Rank(3, 1, 4), Rank(4, 3, 4), Rank(5, 5, 6), Rank(6, 5, 6)]
    assert settled(*semifinal, still_in={1, 2, 3}) == [5, 6]
    final = [Rank(1, 1, 2), Rank(2, 1, 2), Rank(3, 3, 4), Rank(4, 3, 4)]
    assert settled(*final, still_in={1, 2}) == [3, 4]
    assert settled(*(Rank(who, 1, 4) for who in range(1, 5)), still_in={1, 2, 3, 4}) == []
    assert settled(Rank(1, 1, 1), Rank(2, 2, 2)) == [1, 2]
    assert settled(Rank(1, 1, 2)) == []
    assert settled(Rank(1, 1, 3), Rank(2, 3, 3)) == []


def test_members_of_a_side_pool_are_ranked_among_themselves():
    field = [Rank(1, 1, 2, settled=False), Rank(2, 1, 2, settled=False), Rank(3, 3, 4), Rank(4, 3, 4), Rank(5, 5, 5)]
    assert rank_among(field, {3, 4, 5}) == (Rank(3, 1, 2), Rank(4, 1, 2), Rank(5, 3, 3))
    assert rank_among(field, {2, 4}) == (Rank(2, 1, 1, settled=False), Rank(4, 2, 2))


def test_a_lot_is_ranked_by_the_best_of_its_entrants_and_unsold_lots_are_out():
    field = [Rank(1, 1, 1), Rank(2, 2, 2), Rank(3, 3, 4), Rank(4, 3, 4)]
    lots = [
        AuctionLot(71, frozenset({1}), None),
        AuctionLot(72, frozenset({3, 4}), 500),
        AuctionLot(73, frozenset({2}), 900),
        AuctionLot(74, frozenset({9}), 100),
    ]
    assert rank_lots(lots, field) == (Rank(73, 1, 1), Rank(72, 2, 2))
    open_field = [Rank(1, 1, 2, settled=False), Rank(2, 1, 2, settled=False), Rank(3, 3, 3)]
    field_lot = [AuctionLot(72, frozenset({2, 3}), 1)]
    assert [rank.settled for rank in rank_lots(field_lot, open_field)] == [False]


@given(
    prices=st.lists(st.none() | st.integers(1, 10**12), max_size=12),
    rake=st.sampled_from(["none", "percent", "per-entry"]),
    value=st.integers(0, WHOLE),
)
def test_the_pot_and_its_rake_are_all_that_was_bid(prices, rake, value):
    lots = [AuctionLot(number, frozenset({number, -number - 1}), price) for number, price in enumerate(prices)]
    sold = [price for price in prices if price is not None]
    pot = auction_pot(lots, rake=rake, value=value)
    assert pot.prices == sum(sold) == pot.amount + pot.rake
    kept = {"none": 0, "percent": sum(sold) * value // WHOLE, "per-entry": min(sum(sold), 2 * len(sold) * value)}
    assert pot.rake == kept[rake]


@pytest.mark.parametrize(
    ("rake", "value", "code"), [("percent", 10_001, "rake_above_pot"), ("half", 0, "rake_unknown")]
)
def test_a_rake_above_the_pot_is_refused(rake, value, code):
    check_pot_rake("percent", 10_000)
    assert refused(check_pot_rake, rake, value) == code


PARTS = PayoutPlan(
    (Share("", 7000, PrizeTable()), Share("C", 2000, PrizeTable()), Share("L", 1000, PrizeTable())), step=500
)


def test_the_part_of_a_bracket_that_is_not_played_goes_to_the_first():
    def parts(sections):
        return [(share.section, amount) for share, amount in PARTS.amounts(100_000, sections)]

    assert parts({"M", "C", "L"}) == parts(None) == [("", 70_000), ("C", 20_000), ("L", 10_000)]
    assert parts({"M", "C"}) == [("", 80_000), ("C", 20_000)]


@given(pool=amounts, parts=st.lists(st.integers(1, 9), min_size=2, max_size=5), step=st.integers(1, 1000))
def test_the_parts_of_a_pool_add_up_to_it(pool, parts, step):
    points = apportion(WHOLE, parts)
    shares = tuple(Share(f"G{index}", part, PrizeTable()) for index, part in enumerate(points))
    plan = PayoutPlan(shares, step=step)
    plan.check()
    assert sum(amount for _share, amount in plan.amounts(pool, {"G1"})) == pool
    assert PayoutPlan.parse(plan.as_dict()) == plan


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (PayoutPlan((Share("", 9999, PrizeTable()),)), "parts_not_whole"),
        (PayoutPlan((Share("", 5000, PrizeTable()), Share("", 5000, PrizeTable()))), "section_twice"),
        (PayoutPlan((Share(EACH_GROUP, 5000, PrizeTable()), Share("", 5000, PrizeTable()))), "groups_and_more"),
        (PayoutPlan(step=0), "step_invalid"),
        (PayoutPlan(rounding="up"), "rounding_unknown"),
        (PayoutPlan(()), "section_twice"),
    ],
)
def test_an_impossible_plan_is_refused(plan, code):
    assert refused(plan.check) == code


def test_entrants_behind_those_without_a_prize_move_up_and_equals_stay_equal():
    ranks = [Rank(1, 1, 1), Rank(2, 2, 2), Rank(3, 3, 4), Rank(4, 3, 4), Rank(5, 5, 8, settled=False)]
    assert pass_over(ranks, {2}) == (Rank(1, 1, 1), Rank(3, 2, 3), Rank(4, 2, 3), Rank(5, 4, 7, settled=False))
    assert pass_over(ranks, {1, 3}) == (Rank(2, 1, 1), Rank(4, 2, 2), Rank(5, 3, 6, settled=False))
    assert pass_over(ranks, set()) == tuple(ranks)
