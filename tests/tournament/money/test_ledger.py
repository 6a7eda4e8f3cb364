"""The money of real events: dues follow from entries and standings, payments from rows that are only added."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import (
    AT,
    build_event,
    build_money_terms,
    build_tournament,
    claim,
    fixture_of,
    open_matches,
    play_out,
    win,
)
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry
from tournament.events.services import finish_event
from tournament.models import Event, Lot, Payment
from tournament.money.accounts import Account, Ledger
from tournament.money.calcutta import dissolve_lot, make_lot, make_lots, sell_lot, take_lot_back
from tournament.money.ledger import take_ledger, take_ledgers
from tournament.money.services import reverse_payment, set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.prizes import EACH_GROUP, PayoutPlan, PrizeTable, Share
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db

WINNER = PrizeTable("template", "winner")
THREE = PrizeTable("percent", values=(5000, 3000, 2000))
BRACKETS = PayoutPlan((Share("", 7000, THREE), Share("C", 2000, WINNER), Share("L", 1000, WINNER)))


def give_money(event: Event, *, payouts: PayoutPlan = BRACKETS, **terms: object) -> None:
    set_money(event, build_money_terms(payouts=payouts, **terms), by=None, at=AT)


def ledger_of(event: Event) -> Ledger:
    store_standings(event.pk)
    return take_ledger(event.pk)


def settle(event: Event, *slugs: str, key: str = "", amount: int | None = None) -> list[Payment]:
    known = {account.slug: account for account in ledger_of(event).accounts}
    due = sum(known[slug].open for slug in slugs if slug in known) if amount is None else amount
    payments, _is_new = settle_accounts(
        event, accounts=slugs, amount=due, key=key or f"key-{Payment.objects.count()}", by=None, at=AT
    )
    return payments


def account(event: Event, slug: str) -> Account:
    return next(found for found in ledger_of(event).accounts if found.slug == slug)


def code_of(call, *args, **kwargs) -> str:
    with pytest.raises(Refusal) as refusal:
        call(*args, **kwargs)
    return refusal.value.code


def differences(event: Event) -> list[str]:
    store_standings(event.pk)
    return [str(difference) for difference in audit_event(event)]


@pytest.fixture
def knockout(director) -> Event:
    event = build_event(director, players=8, format="consolation", options={"last_chance": "full"})
    give_money(event)
    return event


def test_an_event_without_money_has_an_empty_ledger(director):
    ledger = ledger_of(build_event(director, players=4))
    assert (ledger.pool.amount, ledger.cash, ledger.to_come, ledger.to_pay) == (0, 0, 0, 0)
    assert [account for account in ledger.accounts if account.open] == []


def test_main_consolation_and_last_chance_share_the_pool(knockout):
    play_out(knockout)
    ledger = ledger_of(knockout)
    assert ledger.pool.amount == 40_000
    assert {prizes.section: prizes.amount for prizes in ledger.prize_lists} == {"": 28_000, "C": 8_000, "L": 4_000}
    assert [prizes.undecided for prizes in ledger.prize_lists] == [0, 0, 0]
    main = {account.place: account.prize for account in ledger.prize_lists[0].accounts}
    assert main == {1: 14_000, 2: 8_400, 3: 2_800}
    assert sum(account.prize for account in ledger.payouts) == 40_000
    assert differences(knockout) == []


def test_a_prize_is_due_when_its_place_is_settled_and_not_before(knockout):
    ledger = ledger_of(knockout)
    assert {account.due for account in ledger.payouts} <= {None}
    while fixture_of(knockout, "M3-1").match is None:
        for match in open_matches(knockout):
            if match.fixture.bracket == "M":
                win(match, Side.A)
    due = {account.name: account.due for account in ledger_of(knockout).prize_lists[0].accounts}
    assert sorted(due.values(), key=str) == [-2800, -2800, None, None]
    finalist = fixture_of(knockout, "M3-1").entry_a_id
    assert code_of(settle, knockout, f"prize-field-{finalist}", amount=-14_000) == "place_open"


def test_one_tap_takes_in_everything_an_entry_owes_and_a_second_tap_nothing(director):
    event = build_event(director, players=4)
    give_money(event, registration_fee=1000, payouts=PayoutPlan())
    first = event.entries.first()
    pool = open_side_pool(event, name="Side", fee=2000, table=WINNER, by=None, at=AT)
    join_side_pool(pool, entry=first, by=None, at=AT)
    slugs = [f"registration-{first.pk}", f"entry-{first.pk}", f"side-{pool.pk}-{first.pk}"]
    paid = settle(event, *slugs, key="tap")
    again = settle(event, *slugs, key="tap", amount=8000)
    assert [row.pk for row in paid] == [row.pk for row in again]
    assert [(row.purpose, row.amount) for row in paid] == [("registration", 1000), ("entry", 5000), ("side", 2000)]
    ledger = ledger_of(event)
    assert (ledger.cash, ledger.to_come) == (8000, 3 * 6000)
    assert ledger.pool.amount == 20_000
    assert code_of(settle, event, *slugs, key="later", amount=0) == "nothing_open"
    assert code_of(settle, event, f"entry-{first.pk}", key="tap", amount=1) == "key_reused"
    assert code_of(settle, event, *slugs[:1], key="tap", amount=8000) == "key_reused"
    assert differences(event) == []


def test_an_amount_that_changed_meanwhile_is_not_taken(director):
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan())
    slug = f"entry-{event.entries.first().pk}"
    assert code_of(settle, event, slug, amount=4000) == "amount_changed"
    assert code_of(settle, event, "entry-999999999", amount=1) == "account_unknown"
    assert code_of(settle, event, amount=1) == "accounts_missing"
    assert Payment.objects.count() == 0


def test_a_payment_is_taken_back_once_by_another_payment(director):
    event = build_event(director, players=2, drawn=False)
    give_money(event, payouts=PayoutPlan())
    entry = event.entries.first()
    slug = f"entry-{entry.pk}"
    (payment,) = settle(event, slug)
    assert code_of(remove_entry, entry, by=None, at=AT) == "entry_has_paid"
    back, is_new = reverse_payment(payment, reason="wrong player", key="undo", by=None, at=AT)
    assert (back.amount, back.reverses_id, is_new) == (-5000, payment.pk, True)
    assert reverse_payment(payment, reason=" wrong  player", key="undo", by=None, at=AT) == (back, False)
    assert code_of(reverse_payment, payment, reason="", key="undo", by=None, at=AT) == "key_reused"
    for row in (payment, back):
        assert code_of(reverse_payment, row, reason="", key="other", by=None, at=AT) == "payment_reversed"
    assert account(event, slug).open == 5000
    assert differences(event) == []
    remove_entry(entry, by=None, at=AT)
    assert ledger_of(event).cash == 0
    assert differences(event) == []


def test_a_correction_after_the_payout_shows_what_each_has_to_return_or_is_still_due(director):
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan((Share("", 10_000, PrizeTable("percent", values=(7000, 3000))),)))
    match = fixture_of(event, "M1-1").match
    win(match, Side.A)
    winner, loser = (getattr(fixture_of(event, "M1-1"), f"entry_{side}_id") for side in "ab")
    settle(event, f"prize-field-{winner}", f"prize-field-{loser}")
    assert {found.open for found in ledger_of(event).payouts} == {0}
    enter_result(match, claim=claim(final=(0, 5), base=1, confirmed=True), by=None, at=AT)
    opened = {found.slug: found.open for found in ledger_of(event).payouts}
    assert opened == {f"prize-field-{winner}": 4000, f"prize-field-{loser}": -4000}
    assert differences(event) == []
    settle(event, *opened, amount=0)
    assert {found.open for found in ledger_of(event).payouts} == {0}
    assert ledger_of(event).cash == -10_000
    assert differences(event) == []


def test_shared_places_of_a_swiss_share_their_prizes_and_are_due_when_it_has_ended(director):
    event = build_event(director, players=8, format="swiss", options={"rounds": 3}, tiebreaks=[])
    give_money(event, payouts=PayoutPlan((Share("", 10_000, THREE),), step=500), added=333)
    play_out(event)
    assert {found.due for found in ledger_of(event).payouts} == {None}
    event.refresh_from_db()
    finish_event(event, by=None, at=AT)
    ledger = ledger_of(event)
    assert sum(found.prize for found in ledger.payouts) == ledger.pool.amount == 40_333
    shared = {}
    for found in ledger.payouts:
        shared.setdefault((found.place, found.place_to), []).append(found.prize)
    assert any(len(equal) > 1 for equal in shared.values())
    assert all(max(equal) - min(equal) <= 1 for equal in shared.values())
    assert differences(event) == []


def test_each_jackpot_is_paid_the_fees_of_its_own_entrants(director):
    event = build_event(director, players=4, format="jackpot", options={"size": "4"})
    give_money(event, reentry_fee=3000, payouts=PayoutPlan((Share(EACH_GROUP, 10_000, WINNER),)))
    play_out(event)
    again = [EntryLine(name=f"Player {number}", line=number) for number in (1, 2, 3, 4, 1)]
    add_entries(event, lines=again, by=None, at=AT)
    ledger = ledger_of(event)
    assert [prizes.amount for prizes in ledger.prize_lists] == [20_000, 12_000, 3_000]
    assert (ledger.pool.entries, ledger.pool.reentries, ledger.pool.amount) == (4, 5, 35_000)
    play_out(event)
    ledger = ledger_of(event)
    assert [found.prize for found in ledger.payouts] == [20_000, 12_000, None]
    assert differences(event) == []


def test_a_pair_is_one_entry(director):
    event = build_event(director, players=0, doubles=True, drawn=False)
    lines = [EntryLine(name=f"Ann {n} & Bo {n}", line=n) for n in range(1, 5)]
    add_entries(event, lines=lines, by=director, at=AT)
    give_money(event, payouts=PayoutPlan())
    ledger = ledger_of(event)
    assert (ledger.pool.amount, ledger.to_come) == (20_000, 20_000)
    assert ledger.entries[0].entry.name == "Ann 1 & Bo 1"


def test_a_side_pool_pays_its_best_member_and_refunds_those_who_left(knockout):
    pool = open_side_pool(knockout, name="Side", fee=1000, table=WINNER, by=None, at=AT)
    entries = list(knockout.entries.all())
    for entry in entries[:3]:
        join_side_pool(pool, entry=entry, by=None, at=AT)
    assert code_of(join_side_pool, pool, entry=entries[0], by=None, at=AT) == "member_already"
    settle(knockout, *(f"side-{pool.pk}-{entry.pk}" for entry in entries[:3]))
    leave_side_pool(pool, entry=entries[2], by=None, at=AT)
    assert code_of(leave_side_pool, pool, entry=entries[2], by=None, at=AT) == "member_gone"
    (left,) = ledger_of(knockout).others
    assert (left.slug, left.open) == (f"side-{pool.pk}-{entries[2].pk}", -1000)
    settle(knockout, left.slug)
    play_out(knockout)
    places = {line.entry.id: line.place for line in ledger_of(knockout).event.stage.standings}
    best = min(places[entry.pk] for entry in entries[:2])
    (view,) = ledger_of(knockout).side_pools
    assert {found.place_to - found.place for found in view.prizes.accounts} <= {0, 1}
    assert sum(found.prize for found in view.prizes.accounts) == 2000
    assert {places[found.entry.id] for found in view.prizes.accounts} == {best}
    assert differences(knockout) == []


def test_the_pot_of_a_calcutta_pays_the_buyer_of_the_best_lot(knockout):
    entries = list(knockout.entries.all())
    field = make_lot(knockout, entries=[entry.pk for entry in entries[4:]], by=None, at=AT)
    assert code_of(make_lot, knockout, entries=[entries[5].pk], by=None, at=AT) == "entry_in_a_lot"
    assert code_of(make_lot, knockout, entries=[], by=None, at=AT) == "lot_empty"
    assert len(make_lots(knockout, by=None, at=AT)) == 4
    assert code_of(make_lots, knockout, by=None, at=AT) == "entries_in_lots"
    lots = list(Lot.objects.order_by("number"))
    for number, lot in enumerate(lots, start=1):
        sell_lot(lot, buyer=f"Buyer {number}", price=1000 * number, base=0, by=None, at=AT)
    assert code_of(sell_lot, field, buyer="Late", price=1, base=0, by=None, at=AT) == "lot_changed"
    take_lot_back(lots[4], base=1, by=None, at=AT)
    assert code_of(dissolve_lot, lots[4], by=None, at=AT) == "lot_sold"
    settle(knockout, f"lot-{field.pk}")
    assert code_of(take_lot_back, field, base=1, by=None, at=AT) == "lot_paid"
    play_out(knockout)
    ledger = ledger_of(knockout)
    assert ledger.pot.amount == 1000 + 2000 + 3000 + 4000
    places = {line.entry.id: line.place for line in ledger.event.stage.standings}
    sold = {lot.buyer: min(places[entry.id] for entry in lot.entries) for lot in ledger.lots if lot.price}
    best = {buyer for buyer, place in sold.items() if place == min(sold.values())}
    assert {found.name.partition(" (")[0] for found in ledger.pot.accounts if found.prize} == best
    assert sum(found.prize for found in ledger.pot.accounts) == 10_000
    assert differences(knockout) == []


def test_fixed_prizes_above_the_pool_are_reported_and_nothing_is_due(director):
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan((Share("", 10_000, PrizeTable("fixed", values=(10_001,))),)))
    win(fixture_of(event, "M1-1").match, Side.A)
    ledger = ledger_of(event)
    assert ledger.problem == "The fixed prizes add up to more than the pool."
    assert ledger.payouts == ()


def test_a_currency_with_payments_cannot_be_changed(director):
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan())
    settle(event, f"entry-{event.entries.first().pk}")
    assert code_of(give_money, event, currency="DKK") == "currency_in_use"
    assert code_of(give_money, event, currency="XXX") == "currency_in_use"
    with pytest.raises(Conflict):
        give_money(event, currency="DKK")


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"currency": "XXX"}, "currency_unknown"),
        ({"fee": -1}, "amount_out_of_range"),
        ({"added": 10**12 + 1}, "amount_out_of_range"),
        ({"rake": "per-entry", "rake_value": 5001}, "rake_above_fee"),
        ({"payouts": PayoutPlan(step=0)}, "step_invalid"),
        ({"auction": PrizeTable("template", "nowhere")}, "template_unknown"),
    ],
)
def test_impossible_terms_are_refused(director, terms, code):
    event = build_event(director, players=2)
    assert code_of(give_money, event, **terms) == code
    event.refresh_from_db()
    assert not hasattr(event, "money")


def test_money_keeps_the_standings_that_were_computed(knockout):
    play_out(knockout)
    store_standings(knockout.pk)
    winner = next(account for account in take_ledger(knockout.pk).payouts if account.place == 1)
    settle_accounts(knockout, accounts=[winner.slug], amount=winner.open, key="k", by=None, at=AT)
    knockout.refresh_from_db()
    assert set(knockout.stages.values_list("standings_version", flat=True)) == {knockout.version}


def test_a_ledger_takes_the_same_queries_for_8_and_64_players_and_for_1_and_3_events(director):
    tournament = build_tournament(director, "Weekend")
    counts = []
    for players in (8, 64):
        event = build_event(director, players=players, tournament=tournament)
        give_money(event, payouts=PayoutPlan())
        make_lots(event, by=None, at=AT)
        pool = open_side_pool(event, name="Side", fee=1, table=WINNER, by=None, at=AT)
        for entry in event.entries.all()[: players // 2]:
            join_side_pool(pool, entry=entry, by=None, at=AT)
        settle(event, *(f"entry-{entry.pk}" for entry in event.entries.all()))
        with CaptureQueriesContext(connection) as queries:
            take_ledger(event.pk)
        counts.append(len(queries))
    with CaptureQueriesContext(connection) as queries:
        assert len(take_ledgers(Event.objects.filter(tournament=tournament))) == 2
    assert {*counts, len(queries)} == {counts[0]}


def test_a_disqualified_player_takes_no_prize_and_those_behind_move_up(director):
    event = build_event(director, players=4)
    give_money(event, payouts=PayoutPlan((Share("", 10_000, PrizeTable("percent", values=(6000, 3000, 1000))),)))
    win(fixture_of(event, "M1-1").match, Side.A)
    win(fixture_of(event, "M1-2").match, Side.A)
    final = fixture_of(event, "M2-1")
    win(final.match, Side.A)
    settle(event, f"prize-field-{final.entry_b_id}")
    leave_event(final.entry_b, kind="disqualified", reason="A second phone.", by=None, at=AT)
    thirds = sorted(fixture_of(event, key).entry_b_id for key in ("M1-1", "M1-2"))
    assert {found.entry.id: (found.place, found.place_to, found.prize) for found in ledger_of(event).payouts} == {
        final.entry_a_id: (1, 1, 12_000),
        **dict.fromkeys(thirds, (2, 3, 4000)),
    }
    assert account(event, f"prize-field-{final.entry_b_id}").open == 6000
    assert differences(event) == []


def test_a_no_show_who_goes_on_by_lot_takes_no_prize_but_one_who_played_before_keeps_theirs(director):
    event = build_event(director, players=4)
    give_money(event, payouts=PayoutPlan((Share("", 10_000, PrizeTable("percent", values=(6000, 4000))),)))
    win(fixture_of(event, "M1-1").match, Side.A)
    nobody = fixture_of(event, "M1-2")
    for entry in (nobody.entry_a, nobody.entry_b):
        leave_event(entry, kind="no-show", by=None, at=AT)
    first, second = (getattr(fixture_of(event, "M1-1"), f"entry_{side}_id") for side in "ab")
    assert {found.entry.id: found.prize for found in ledger_of(event).payouts} == {first: 12_000, second: 8000}
    leave_event(fixture_of(event, "M1-1").entry_b, kind="no-show", by=None, at=AT)
    assert {found.entry.id: found.prize for found in ledger_of(event).payouts} == {first: 12_000, second: 8000}
    assert differences(event) == []


def test_a_lot_that_was_dissolved_meanwhile_is_not_touched_again(director):
    event = build_event(director, players=4)
    seen = make_lots(event, by=None, at=AT)[0]
    dissolve_lot(Lot.objects.get(pk=seen.pk), by=None, at=AT)
    rows = event.log.count()
    for again in (
        lambda: dissolve_lot(seen, by=None, at=AT),
        lambda: take_lot_back(seen, base=0, by=None, at=AT),
        lambda: sell_lot(seen, buyer="Anna", price=100, base=0, by=None, at=AT),
    ):
        with pytest.raises(Conflict) as refused:
            again()
        assert refused.value.code == "lot_changed"
    assert event.log.count() == rows
