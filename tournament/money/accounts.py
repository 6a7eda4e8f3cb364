"""Accounts, each holding what one person owes or is owed for one purpose, and the ledger of an event's accounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.models import EventMoney, Purpose
from tournament.prizes import Currency, Pool, Pot, PrizeTable
from tournament.snapshot import EntrySnapshot, EventSnapshot

INCOMING = {Purpose.REGISTRATION, Purpose.ENTRY, Purpose.SIDE, Purpose.LOT}


@dataclass(frozen=True, slots=True)
class Account:
    """What one person owes or is owed for one purpose: amounts above 0 come in, those below 0 go out.

    ``slug`` is its stable name, such as ``entry-12``, ``side-3-12``, ``prize-C-12``, ``lot-4``. ``due`` is None while
    the place that decides it is still played for.
    """

    slug: str
    purpose: Purpose
    name: str
    due: int | None
    paid: int = 0
    entry: EntrySnapshot | None = None
    place: int = 0
    place_to: int = 0

    @property
    def open(self) -> int:
        """The amount still to come in, or below 0 to go out; 0 while that is not decided."""
        return 0 if self.due is None else self.due - self.paid

    @property
    def prize(self) -> int | None:
        return None if self.due is None else -self.due

    @property
    def is_settled(self) -> bool:
        return self.due is not None and self.open == 0


@dataclass(frozen=True, slots=True)
class EntryAccounts:
    """The costs of an entry: registration, entry and side pools."""

    entry: EntrySnapshot
    accounts: tuple[Account, ...]

    @property
    def due(self) -> int:
        return sum(account.due or 0 for account in self.accounts)

    @property
    def paid(self) -> int:
        return sum(account.paid for account in self.accounts)

    @property
    def open(self) -> int:
        return self.due - self.paid


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes by place: ``prizes[0]`` is first place's. ``accounts`` are those of the winners, best first."""

    section: str
    title: str
    amount: int
    prizes: tuple[int, ...]
    accounts: tuple[Account, ...]

    @property
    def undecided(self) -> int:
        """The amount that nobody has won yet."""
        return self.amount - sum(account.prize or 0 for account in self.accounts)

    @property
    def playing(self) -> tuple[Account, ...]:
        """The accounts of places still being played for."""
        return tuple(account for account in self.accounts if account.prize is None)

    @property
    def lines(self) -> tuple[tuple[int, int, int], ...]:
        """For each line, its first place, its last place with the same prize, and that prize."""
        found: list[tuple[int, int, int]] = []
        for place, prize in enumerate(self.prizes, start=1):
            if found and found[-1][2] == prize:
                found[-1] = (found[-1][0], place, prize)
            else:
                found.append((place, place, prize))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class LedgerSidePool:
    id: int
    name: str
    fee: int
    table: PrizeTable
    members: tuple[EntrySnapshot, ...]
    prizes: PrizeList


@dataclass(frozen=True, slots=True)
class LedgerLot:
    id: int
    number: int
    entries: tuple[EntrySnapshot, ...]
    buyer: str
    price: int | None
    sales: int
    account: Account | None

    @property
    def name(self) -> str:
        return ", ".join(entry.name for entry in self.entries)


@dataclass(frozen=True, slots=True)
class LedgerPayment:
    id: int
    account: str
    purpose: Purpose
    name: str
    amount: int
    reason: str
    by: str
    at: datetime
    reverses: int | None
    is_reversed: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """An event's ledger; ``problem`` says why there is no prize list, if the terms do not fit the takings."""

    event: EventSnapshot
    terms: EventMoney
    currency: Currency
    pool: Pool
    problem: str
    entries: tuple[EntryAccounts, ...]
    prize_lists: tuple[PrizeList, ...]
    side_pools: tuple[LedgerSidePool, ...]
    lots: tuple[LedgerLot, ...]
    auction: Pot
    pot: PrizeList
    others: tuple[Account, ...]
    """Accounts with payments but nothing due any longer: after a correction, or of a member who has left."""
    payments: tuple[LedgerPayment, ...]

    @property
    def payouts(self) -> tuple[Account, ...]:
        """The accounts of everybody due a payment."""
        lists = (*self.prize_lists, *(pool.prizes for pool in self.side_pools), self.pot)
        return tuple(account for prizes in lists for account in prizes.accounts)

    @property
    def accounts(self) -> tuple[Account, ...]:
        bought = tuple(lot.account for lot in self.lots if lot.account)
        return (*(a for entry in self.entries for a in entry.accounts), *bought, *self.payouts, *self.others)

    @property
    def cash(self) -> int:
        """The cash in this event's cash box."""
        return sum(payment.amount for payment in self.payments)

    @property
    def settled_entries(self) -> int:
        return sum(not line.open for line in self.entries)

    @property
    def came_in(self) -> int:
        """The takings, less refunds."""
        return sum(payment.amount for payment in self.payments if payment.purpose in INCOMING)

    @property
    def went_out(self) -> int:
        """The amount paid out, less what was returned: 0 or below."""
        return self.cash - self.came_in

    @property
    def kept(self) -> int:
        """The house's income: registration fees, and the rake from the fees and the pot."""
        accounts = (account for entry in self.entries for account in entry.accounts)
        fees = sum(account.due or 0 for account in accounts if account.purpose == Purpose.REGISTRATION)
        return fees + self.pool.rake + self.auction.rake

    @property
    def to_come(self) -> int:
        """The amount still to come in."""
        return sum(max(0, account.open) for account in self.accounts)

    @property
    def to_pay(self) -> int:
        """The amount still to go out, as far as it is decided."""
        return sum(max(0, -account.open) for account in self.accounts)


@dataclass(frozen=True, slots=True)
class CashLine:
    """The cash received, or below 0 paid out, for one purpose, and the amount still to come in or go out."""

    purpose: Purpose
    cash: int
    to_come: int
    to_pay: int


def cash_lines(ledgers: Sequence[Ledger]) -> tuple[CashLine, ...]:
    """Return the cash of the ledgers, all in one currency, by purpose, omitting purposes without any."""
    cash, to_come, to_pay = Counter[Purpose](), Counter[Purpose](), Counter[Purpose]()
    for ledger in ledgers:
        for payment in ledger.payments:
            cash[payment.purpose] += payment.amount
        for account in ledger.accounts:
            to_come[account.purpose] += max(0, account.open)
            to_pay[account.purpose] += max(0, -account.open)
    lines = (CashLine(purpose, cash[purpose], to_come[purpose], to_pay[purpose]) for purpose in Purpose)
    return tuple(line for line in lines if line.cash or line.to_come or line.to_pay)


@dataclass(frozen=True, slots=True)
class CashBox:
    """The ledgers of a tournament's events in one currency; different currencies are never added together."""

    currency: Currency
    ledgers: tuple[Ledger, ...]

    @property
    def cash(self) -> int:
        return sum(ledger.cash for ledger in self.ledgers)

    @property
    def came_in(self) -> int:
        return sum(ledger.came_in for ledger in self.ledgers)

    @property
    def went_out(self) -> int:
        return sum(ledger.went_out for ledger in self.ledgers)

    @property
    def to_come(self) -> int:
        return sum(ledger.to_come for ledger in self.ledgers)

    @property
    def to_pay(self) -> int:
        return sum(ledger.to_pay for ledger in self.ledgers)

    @property
    def lines(self) -> tuple[CashLine, ...]:
        return cash_lines(self.ledgers)


def into_boxes(ledgers: Iterable[Ledger]) -> list[CashBox]:
    """Put the ledgers into boxes by currency, in order of the currencies' first appearance."""
    found: dict[str, list[Ledger]] = {}
    for ledger in ledgers:
        found.setdefault(ledger.terms.currency, []).append(ledger)
    return [CashBox(own[0].currency, tuple(own)) for own in found.values()]
