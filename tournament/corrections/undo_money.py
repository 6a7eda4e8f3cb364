"""Undoing a step of side pools, lots and terms: its opposite, with consent to all that it moves once play has begun."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from players.models import User
from tournament.models import Entry, Event, EventMoney, LogEntry, Lot, SidePool
from tournament.money.calcutta import dissolve_lot, make_lot, sell_lot, take_lot_back
from tournament.money.closing import GIVEN
from tournament.money.services import set_money
from tournament.money.side_pools import join_side_pool, leave_side_pool
from tournament.money.terms import COLUMNS, MoneyTerms, columns_of
from tournament.prizes import PayoutPlan, PrizeTable

UndoMoney = Callable[[Event, LogEntry, User | None, datetime], bool]
"""Undoes the step of a log row; returns False if something later depends on it."""


def _member(event: Event, row: LogEntry) -> tuple[SidePool, Entry] | None:
    pool = event.side_pools.filter(pk=row.detail.get("side_pool")).first()
    entry = event.entries.filter(pk=row.detail.get("entry")).first()
    return (pool, entry) if pool is not None and entry is not None else None


def _undo_joining(event: Event, row: LogEntry, by: User | None, at: datetime) -> bool:
    found = _member(event, row)
    if found is not None:
        leave_side_pool(found[0], entry=found[1], consent=GIVEN, by=by, at=at)
    return found is not None


def _undo_leaving(event: Event, row: LogEntry, by: User | None, at: datetime) -> bool:
    found = _member(event, row)
    if found is not None:
        join_side_pool(found[0], entry=found[1], consent=GIVEN, by=by, at=at)
    return found is not None


def _undo_making(event: Event, row: LogEntry, by: User | None, at: datetime) -> bool:
    numbers = row.detail.get("lots", [])
    lots = list(event.lots.filter(number__in=numbers))
    for lot in lots:
        dissolve_lot(lot, consent=GIVEN, by=by, at=at)
    return 0 < len(numbers) == len(lots)


def _undo_dissolving(event: Event, row: LogEntry, by: User | None, at: datetime) -> bool:
    entries = row.detail.get("entries", [])
    if not entries or event.entries.filter(pk__in=entries).count() < len(entries):
        return False
    make_lot(event, entries=entries, consent=GIVEN, by=by, at=at)
    return True


def _undo_sale(event: Event, row: LogEntry, by: User | None, at: datetime) -> bool:
    """Sell the lot to the buyer before, or take it back if there was none."""
    lot = Lot.objects.filter(event=event, number=row.detail.get("lot")).first()
    sales = list(lot.sales.order_by("number")) if lot is not None else []
    if lot is None or not sales or sales[-1].number != row.detail.get("sale"):
        return False
    before = sales[-2] if len(sales) > 1 else None
    if before is not None and before.price is not None:
        sell_lot(lot, buyer=before.buyer, price=before.price, base=len(sales), consent=GIVEN, by=by, at=at)
    else:
        take_lot_back(lot, base=len(sales), consent=GIVEN, by=by, at=at)
    return True


def _undo_terms(event: Event, row: LogEntry, by: User | None, at: datetime) -> bool:
    changes = row.detail.get("changes", {})
    money = EventMoney.objects.filter(event=event).first()
    now = columns_of(money) if money is not None else {}
    if not changes or any(now.get(name) != after for name, (_before, after) in changes.items()):
        return False
    terms: dict[str, Any] = {name: changes[name][0] if name in changes else now[name] for name in COLUMNS}
    terms |= {"payouts": PayoutPlan.parse(terms["payouts"]), "auction": PrizeTable.parse(terms["auction"])}
    set_money(event, MoneyTerms(**terms), consent=GIVEN, by=by, at=at)
    return True


UNDO_MONEY: dict[str, UndoMoney] = {
    "set_money": _undo_terms,
    "join_side_pool": _undo_joining,
    "leave_side_pool": _undo_leaving,
    "make_lots": _undo_making,
    "dissolve_lot": _undo_dissolving,
    "sell_lot": _undo_sale,
}
"""The function that undoes a log row about money, by verb. A payment is reversed by another one instead."""


def is_undoable(row: LogEntry) -> bool:
    """Whether the row about money can be undone: the first terms of an event cannot, as there are none before them."""
    first_terms = row.verb == "set_money" and row.detail.get("changes", {}).get("currency", [""])[0] is None
    return row.verb in UNDO_MONEY and not first_terms
