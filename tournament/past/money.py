"""An event's money as it stood at any moment: the event at that time, with later log rows unwound."""

from dataclasses import replace

from players.rows import with_rows
from tournament.models import Entry, Event, EventMoney, LogEntry, Lot, Payment, SidePool, SidePoolMember, Tournament
from tournament.money.accounts import CashBox, Ledger, into_boxes
from tournament.money.ledger import ledger_from, with_money
from tournament.past.event import Moment, events_at, snapshot_at

MONEY_VERBS = (
    *("set_money", "settle_accounts", "reverse_payment", "remove_entry"),
    *("open_side_pool", "join_side_pool", "leave_side_pool", "make_lots", "dissolve_lot", "sell_lot"),
)
"""The verbs that change money: their rows are unwound, newest first."""


def ledger_at(event_id: int, moment: Moment) -> Ledger:
    """Return the ledger as it stood then, in a number of queries that does not depend on the event's size.

    Raises Event.DoesNotExist.
    """
    snapshot = snapshot_at(event_id, moment)
    (event,) = with_money(Event.everything.filter(pk=event_id))
    past = _Past(event)
    for row in moment.later(event.log.filter(verb__in=MONEY_VERBS)):
        past.unwind(row)
    past.put_into(event)
    return ledger_from(replace(snapshot, has_money=past.terms is not None), event)


def boxes_at(tournament: Tournament, moment: Moment) -> list[CashBox]:
    """Return the tournament's cash as it stood then, by currency: that of its events at the time."""
    return into_boxes(ledger_at(event_id, moment) for event_id in events_at(tournament, moment))


class _Past:
    """An event's money rows on their way back in time.

    They are loaded by :func:`tournament.money.ledger.with_money`.
    """

    def __init__(self, event: Event) -> None:
        self.terms: EventMoney | None = getattr(event, "money", None)
        self.payments: dict[int, Payment] = {row.pk: row for row in event.payments.all()}
        self.pools: dict[int, SidePool] = {pool.pk: pool for pool in event.side_pools.all()}
        self.members = {pool.pk: {row.entry_id for row in pool.members.all()} for pool in self.pools.values()}
        self.lots: dict[int, Lot] = {lot.number: lot for lot in event.lots.all()}
        self.entries = {lot.pk: {entry.pk for entry in lot.entries.all()} for lot in self.lots.values()}
        self.sales = {lot.pk: list(lot.sales.all()) for lot in self.lots.values()}

    def unwind(self, row: LogEntry) -> None:
        """Revert the money to its state before the row was written."""
        detail = row.detail
        match row.verb:
            case "set_money":
                self._unwind_terms(detail.get("changes", {}))
            case "settle_accounts" | "reverse_payment":
                for payment in detail.get("payments", ()):
                    self.payments.pop(payment, None)
            case "open_side_pool":
                self.pools.pop(detail.get("side_pool", 0), None)
            case "join_side_pool":
                self.members.get(detail.get("side_pool", 0), set()).discard(detail.get("entry", 0))
            case "leave_side_pool":
                self.members.get(detail.get("side_pool", 0), set()).add(detail.get("entry", 0))
            case "make_lots":
                for number in detail.get("lots", ()):
                    self.lots.pop(number, None)
            case "dissolve_lot":
                lot = Lot(pk=-row.pk, number=detail["lot"])
                self.lots[lot.number] = lot
                self.entries[lot.pk], self.sales[lot.pk] = set(detail.get("entries", ())), []
            case "sell_lot" if detail["lot"] in self.lots:
                self.sales[self.lots[detail["lot"]].pk].pop()
            case "remove_entry":
                for gone in detail.get("kept", ()):
                    for pool in gone.get("side_pools", detail.get("side_pools", ())):
                        self.members.get(pool, set()).add(gone["id"])
                    for number in gone.get("lots", detail.get("lots", ())):
                        if number in self.lots:
                            self.entries[self.lots[number].pk].add(gone["id"])

    def _unwind_terms(self, changes: dict[str, list[object]]) -> None:
        if self.terms is None:
            return
        for name, (before, _after) in changes.items():
            setattr(self.terms, name, before)
        # Before the first terms there were none: every row of terms has a currency.
        if not self.terms.currency:
            self.terms = None

    def put_into(self, event: Event) -> None:
        """Give the event these rows, as if it had been loaded with them."""
        for pool in self.pools.values():
            with_rows(
                pool, "members", (SidePoolMember(pool=pool, entry_id=entry) for entry in sorted(self.members[pool.pk]))
            )
        for lot in self.lots.values():
            with_rows(lot, "entries", (Entry(pk=entry) for entry in sorted(self.entries[lot.pk])))
            with_rows(lot, "sales", self.sales[lot.pk])
        event._state.fields_cache["money"] = self.terms
        with_rows(event, "payments", self.payments.values())
        with_rows(event, "side_pools", self.pools.values())
        with_rows(event, "lots", [self.lots[number] for number in sorted(self.lots)])
