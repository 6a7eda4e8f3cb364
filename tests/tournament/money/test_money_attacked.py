"""Money attacked: random sequences of sales, pools, terms, results, corrections and payments.

After every step the sums balance, nothing has moved without a reason once play has begun, and what was shown before a
change is what happened.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.models import Match, SheetState
from players.errors import Conflict, Refusal
from tests.breadth import few
from tests.builders import AT, build_director, build_event, build_money_terms, claim
from tests.fresh import ExampleTestCase
from tests.tournament.money.test_ledger import WINNER, differences, ledger_of
from tournament.corrections.undo import undo_step
from tournament.corrections.undo_money import UNDO_MONEY
from tournament.entries.attendance import leave_event
from tournament.events.services import finish_event, reopen_event
from tournament.models import Event, EventMoney, Lot, LotSale, Payment, SidePool, SidePoolMember
from tournament.models.team import matches_in
from tournament.money.accounts import Ledger
from tournament.money.calcutta import dissolve_lot, make_lot, make_lots, sell_lot, take_lot_back
from tournament.money.closing import Consent, MovesUnconfirmed, is_closed
from tournament.money.services import pay_part, reverse_payment, set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.results.enter import enter_result, void_result

ANYBODY: dict[str, Any] = {"by": None, "at": AT}
TWO = PrizeTable("percent", values=(7000, 3000))
FORMATS = ("single-elimination", "consolation", "round-robin", "swiss")


def dues(ledger: Ledger) -> dict[str, int]:
    """What is due on each account, 0 while that is not decided."""
    return {account.slug: account.due or 0 for account in ledger.accounts if account.due}


def balance(ledger: Ledger) -> int:
    """What is in the box beyond what is kept, still to be paid, still to come and not won by anybody: always 0."""
    lists = (*ledger.prize_lists, *(pool.prizes for pool in ledger.side_pools), ledger.pot)
    nobodys = sum(prizes.undecided for prizes in lists)
    undecided = sum(account.paid for account in ledger.accounts if account.due is None)
    expected = ledger.kept - ledger.pool.added + ledger.to_pay - ledger.to_come + nobodys + undecided
    return ledger.cash - expected


class Attack:
    """One event under attack. A step that does not apply does nothing; one that is refused changes nothing."""

    def __init__(self, format: str, players: int, seed: int) -> None:
        self.rng = random.Random(seed)
        options = {"rounds": 2} if format == "swiss" else {}
        self.event = build_event(
            build_director(f"director-{seed}"), players=players, format=format, options=options, seed=str(seed)
        )
        self.keys = self.moved = 0
        self.known: tuple[int, Ledger] | None = None
        self.is_held = False
        set_money(self.event, build_money_terms(payouts=PayoutPlan((Share("", 10_000, TWO),))), **ANYBODY)
        pool = open_side_pool(self.event, name="First", fee=2000, table=WINNER, **ANYBODY)
        for entry in self.some_of(self.event.entries.all()):
            join_side_pool(pool, entry=entry, **ANYBODY)

    def some_of(self, rows) -> list:
        found = list(rows)
        return self.rng.sample(found, self.rng.randint(0, len(found)))

    def one_of(self, rows):
        found = list(rows)
        return self.rng.choice(found) if found else None

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    def ledger(self) -> Ledger:
        """The ledger as it is now, read once for each version of the event."""
        version = Event.objects.values_list("version", flat=True).get(pk=self.event.pk)
        if self.known is None or self.known[0] != version:
            self.known = version, ledger_of(self.event)
        return self.known[1]

    def rows(self) -> list[object]:
        """All rows of the event's money, its log and its version, which a refused change leaves as they are."""
        event, of_event = self.event.pk, {"event": self.event}
        kept = [
            EventMoney.objects.filter(**of_event),
            SidePool.objects.filter(**of_event),
            SidePoolMember.objects.filter(pool__event=event).order_by("pk"),
            Lot.objects.filter(**of_event).order_by("number"),
            Lot.entries.through.objects.filter(lot__event=event).order_by("pk"),
            LotSale.objects.filter(lot__event=event).order_by("pk"),
            Payment.objects.filter(**of_event).order_by("pk"),
            Event.objects.filter(pk=event),
        ]
        return [*(list(rows.values_list()) for rows in kept), self.event.log.count()]

    def prepare(self, *steps: str) -> None:
        """Take the first steps, and only then hold the money of the event to its sums."""
        for step in steps:
            getattr(self, step)()
        assert balance(self.ledger()) == 0
        self.is_held = True

    def do(self, *steps: str) -> None:
        """Take the steps, and hold the money of the event to its sums after each."""
        for step in steps:
            getattr(self, step)()
            assert balance(self.ledger()) == 0
        assert differences(self.event) == []

    def change(self, service: Callable[..., object], *args: object, **kwargs: object) -> None:
        """Make a change of pools, lots or terms: refused, free, or after play has begun with the consent it needs."""
        if not self.is_held:
            service(*args, **kwargs, **ANYBODY)
            return
        before, rows = self.ledger(), self.rows()
        closed = is_closed(Event.objects.get(pk=self.event.pk))
        try:
            service(*args, **kwargs, **ANYBODY)
        except MovesUnconfirmed as unconfirmed:
            moves = unconfirmed.moves
        except Refusal:
            assert self.rows() == rows
            return
        else:
            assert not closed or dues(self.ledger()) == dues(before)
            return
        assert closed
        wrong = [Consent("A reason."), Consent("A reason.", "0" * 32), Consent("", moves.digest)]
        if consent := self.rng.choice([None, None, None, *wrong]):
            with pytest.raises(Refusal) as refused:
                service(*args, **kwargs, consent=consent, **ANYBODY)
            assert refused.value.code == ("confirm_moves" if consent.reason else "reason_missing")
        assert self.rows() == rows
        service(*args, **kwargs, consent=Consent("A reason.", moves.digest), **ANYBODY)
        self.compare(dues(before), moves, self.ledger())
        row = self.event.log.first()
        assert (row.detail["reason"], row.detail["moves"]) == ("A reason.", moves.as_dict()["accounts"])

    def compare(self, expected: dict[str, int], moves, after: Ledger) -> None:
        """Hold what happened to what was shown: by account, and in sum."""
        self.moved += len(moves.accounts)
        known = {account.slug: account for account in after.accounts}
        for move in moves.accounts:
            assert expected.get(move.account, 0) == (move.before or 0)
            expected[move.account] = move.after or 0
        for slug, move in {move.account: move for move in moves.accounts}.items():
            assert move.open == (known[slug].open if slug in known else 0)
        assert {slug: due for slug, due in expected.items() if due} == dues(after)
        for kept in moves.kept:
            assert kept.after == after.kept

    # Side pools, lots and terms

    def open_pool(self) -> None:
        self.change(open_side_pool, self.event, name=self.key(), fee=self.rng.choice([0, 333, 1000]), table=TWO)

    def join(self) -> None:
        pool, entry = self.one_of(self.event.side_pools.all()), self.one_of(self.event.entries.all())
        self.change(join_side_pool, pool, entry=entry)

    def leave(self) -> None:
        pool, entry = self.one_of(self.event.side_pools.all()), self.one_of(self.event.entries.all())
        self.change(leave_side_pool, pool, entry=entry)

    def lot(self) -> None:
        self.change(make_lot, self.event, entries=[entry.pk for entry in self.some_of(self.event.entries.all())])

    def lots(self) -> None:
        self.change(make_lots, self.event)

    def dissolve(self) -> None:
        if lot := self.one_of(self.event.lots.all()):
            self.change(dissolve_lot, lot)

    def sell(self) -> None:
        if lot := self.one_of(self.event.lots.all()):
            sold = {"buyer": self.rng.choice(["Cy", "Di"]), "price": self.rng.choice([1, 999, 5000])}
            self.change(sell_lot, lot, **sold, base=lot.sales.count())

    def take_back(self) -> None:
        if lot := self.one_of(self.event.lots.all()):
            self.change(take_lot_back, lot, base=lot.sales.count())

    def terms(self) -> None:
        changed = {"fee": self.rng.choice([0, 4000, 5000]), "added": self.rng.choice([0, 777])}
        changed |= self.rng.choice([{}, {"rake": "percent", "rake_value": 1250}])
        table = self.rng.choice([TWO, WINNER])
        self.change(
            set_money, self.event, build_money_terms(payouts=PayoutPlan((Share("", 10_000, table),)), **changed)
        )

    def undo(self) -> None:
        rows = [row for row in self.event.log.select_related("event")[:20] if row.verb in UNDO_MONEY]
        if row := self.one_of(rows):
            self.change(lambda **how: undo_step(row, **how))

    # Results

    def result(self) -> None:
        undecided = matches_in(self.event).exclude(sheets__state=SheetState.CONFIRMED)
        self.enter(self.one_of(undecided.order_by("pk")))

    def correction(self) -> None:
        self.enter(self.one_of(matches_in(self.event).order_by("pk")))

    def enter(self, match: Match | None) -> None:
        if match is None:
            return
        current = match.sheets.filter(state__in=["live", "confirmed"]).first()
        base = current.number if current else 0
        final = (5, self.rng.randrange(5)) if self.rng.random() < 0.5 else (self.rng.randrange(5), 5)
        self.or_not(enter_result, match, claim=claim(final=final, base=base, reason="Seen."), may_repair=True)

    def void(self) -> None:
        decided = matches_in(self.event).filter(sheets__state=SheetState.CONFIRMED).order_by("pk")
        if match := self.one_of(decided):
            base = match.sheets.get(state=SheetState.CONFIRMED).number
            self.or_not(void_result, match, base=base, reason="Wrong.", may_repair=True)

    def absence(self) -> None:
        if entry := self.one_of(self.event.entries.filter(left_at=None)):
            self.or_not(leave_event, entry, kind=self.rng.choice(["withdrawn", "no-show"]))

    def finish(self) -> None:
        self.or_not(finish_event, self.event)

    def reopen(self) -> None:
        self.or_not(reopen_event, self.event)

    def or_not(self, service: Callable[..., object], *args: object, **kwargs: object) -> None:
        with suppress(Conflict):
            service(*args, **kwargs, **ANYBODY)

    # Payments move cash, and never what is due.

    def settle(self) -> None:
        opened = [account for account in self.ledger().accounts if account.open]
        if chosen := self.some_of(opened):
            total = sum(account.open for account in chosen)
            self.pay(settle_accounts, accounts=[account.slug for account in chosen], amount=total)

    def part(self) -> None:
        if account := self.one_of(found for found in self.ledger().accounts if found.open):
            sign = 1 if account.open > 0 else -1
            amount = sign * self.rng.randint(1, abs(account.open))
            self.pay(pay_part, accounts=[account.slug], amount=amount, payer=self.rng.choice(["", "Ed"]))

    def pay(self, service: Callable[..., object], **kwargs: object) -> None:
        before = dues(self.ledger())
        service(self.event, **kwargs, key=self.key(), **ANYBODY)
        assert not self.is_held or dues(self.ledger()) == before

    def reverse(self) -> None:
        if payment := self.one_of(self.event.payments.filter(reverses=None, reversed_by=None)):
            before = dues(self.ledger())
            reverse_payment(payment, reason="Wrong.", key=self.key(), **ANYBODY)
            assert dues(self.ledger()) == before


MONEY = ("open_pool", "join", "leave", "lot", "lots", "dissolve", "sell", "take_back", "terms", "undo")
PLAY = ("result", "result", "correction", "void", "absence", "finish", "reopen")
CASH = ("settle", "settle", "part", "reverse")
BEGINNINGS = {
    "before play": (),
    "in play": ("lots", "sell", "result"),
    "played": ("lots", "sell", "sell", *["result"] * 10),
    "ended and paid": ("lots", "sell", "sell", *["result"] * 10, "finish", "settle", "settle"),
}


class MoneyAttacked(ExampleTestCase):
    @settings(max_examples=few(50))
    @given(
        format=st.sampled_from(FORMATS),
        players=st.integers(2, 5),
        seed=st.integers(0, 2**32),
        beginning=st.sampled_from(list(BEGINNINGS)),
        steps=st.lists(st.sampled_from(MONEY + PLAY + CASH), min_size=4, max_size=10),
    )
    def test_sums_balance_and_nothing_moves_without_a_reason(self, format, players, seed, beginning, steps):
        attack = Attack(format, players, seed)
        attack.prepare(*BEGINNINGS[beginning])
        attack.do(*steps)

    def test_the_changes_after_the_end_do_move_money(self):
        attack = Attack("single-elimination", 4, seed=1)
        attack.prepare(*BEGINNINGS["ended and paid"])
        attack.do(*MONEY, *MONEY)
        assert attack.moved > 10
