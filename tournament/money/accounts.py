"""Accounts: what one person owes or is owed for one purpose, and the ledger that holds those of an event."""

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
        """What still has to come in, or below 0 go out; nothing while that is not decided."""
        return 0 if self.due is None else self.due - self.paid

    @property
    def prize(self) -> int | None:
        return None if self.due is None else -self.due

    @property
    def is_settled(self) -> bool:
        return self.due is not None and self.open == 0


@dataclass(frozen=True, slots=True)
class EntryAccounts:
    """What an entry costs: registration, entry and side pools."""

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
    """``amount`` by places: ``prizes[0]`` is that of first place. ``accounts`` are those of the winners, best first."""

    section: str
    title: str
    amount: int
    prizes: tuple[int, ...]
    accounts: tuple[Account, ...]

    @property
    def undecided(self) -> int:
        """What nobody has won yet."""
        return self.amount - sum(account.prize or 0 for account in self.accounts)

    @property
    def playing(self) -> tuple[Account, ...]:
        """The accounts of places that are still played for."""
        return tuple(account for account in self.accounts if account.prize is None)

    @property
    def lines(self) -> tuple[tuple[int, int, int], ...]:
        """Place, last place with the same prize, prize."""
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
    """``problem`` says why there is no prize list, if the terms do not fit what came in."""

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
    """Accounts with payments but nothing due any more: after a correction, or of a member who left."""
    payments: tuple[LedgerPayment, ...]

    @property
    def payouts(self) -> tuple[Account, ...]:
        """The accounts of everybody who is paid something."""
        lists = (*self.prize_lists, *(pool.prizes for pool in self.side_pools), self.pot)
        return tuple(account for prizes in lists for account in prizes.accounts)

    @property
    def accounts(self) -> tuple[Account, ...]:
        bought = tuple(lot.account for lot in self.lots if lot.account)
        return (*(a for entry in self.entries for a in entry.accounts), *bought, *self.payouts, *self.others)

    @property
    def cash(self) -> int:
        """What is in the cash box of this event."""
        return sum(payment.amount for payment in self.payments)

    @property
    def settled_entries(self) -> int:
        return sum(not line.open for line in self.entries)

    @property
    def came_in(self) -> int:
        """What was taken in, less what was given back."""
        return sum(payment.amount for payment in self.payments if payment.purpose in INCOMING)

    @property
    def went_out(self) -> int:
        """What was paid out, less what was returned: 0 or below."""
        return self.cash - self.came_in

    @property
    def kept(self) -> int:
        """What the house keeps: registration fees, and the rake of the fees and of the pot."""
        accounts = (account for entry in self.entries for account in entry.accounts)
        fees = sum(account.due or 0 for account in accounts if account.purpose == Purpose.REGISTRATION)
        return fees + self.pool.rake + self.auction.rake

    @property
    def to_come(self) -> int:
        """What still has to come in."""
        return sum(max(0, account.open) for account in self.accounts)

    @property
    def to_pay(self) -> int:
        """What still has to go out, as far as it is decided."""
        return sum(max(0, -account.open) for account in self.accounts)


@dataclass(frozen=True, slots=True)
class CashLine:
    """What came in for one purpose, or below 0 went out, and what still has to come in or go out."""

    purpose: Purpose
    cash: int
    to_come: int
    to_pay: int


def cash_lines(ledgers: Sequence[Ledger]) -> tuple[CashLine, ...]:
    """Return the cash of the ledgers, which are of one currency, by purpose, leaving out purposes without any."""
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
    """The ledgers of a tournament's events in one currency, which is never added up with another."""

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
    """Put the ledgers into boxes by currency, in the order in which the currencies come."""
    found: dict[str, list[Ledger]] = {}
    for ledger in ledgers:
        found.setdefault(ledger.terms.currency, []).append(ledger)
    return [CashBox(own[0].currency, tuple(own)) for own in found.values()]
