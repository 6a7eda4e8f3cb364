"""Money as tables: an event's cash book, dues, accounts and payouts, and a tournament's cash."""

from collections.abc import Callable, Iterable, Sequence

from tournament.exports.formats import Cell, Export
from tournament.money.accounts import CashBox, Ledger, cash_lines
from tournament.prizes import as_decimal


def _table(schema: str, ledger: Ledger, columns: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> Export:
    """Put the schema and the event before every row."""
    event = _event_id(ledger)
    return Export(schema, ("schema", "event_id", *columns), tuple((schema, event, *row) for row in rows))


def _event_id(ledger: Ledger) -> str:
    return f"{ledger.event.tournament_slug}/{ledger.event.slug}"


def export_payments(ledger: Ledger) -> Export:
    """Export the cash book: every payment of the event in order; amounts paid out are below 0."""
    columns = ("payment_id", "at", "purpose", "account", "name", "amount", "currency", "takes_back", "reason", "by")
    rows: list[tuple[Cell, ...]] = [
        (
            *(row.id, row.at, row.purpose.value, row.account, row.name),
            *(as_decimal(row.amount, ledger.currency), ledger.currency.code, row.reverses, row.reason, row.by),
        )
        for row in ledger.payments
    ]
    return _table("sixprime-payments-1", ledger, columns, rows)


def export_dues(ledger: Ledger) -> Export:
    """Export the dues: each entry's total cost, the amount received and the amount outstanding."""
    rows: list[tuple[Cell, ...]] = []
    for line in ledger.entries:
        sums = (as_decimal(units, ledger.currency) for units in (line.due, line.paid, line.open))
        rows.append((line.entry.id, line.entry.name, *sums, ledger.currency.code))
    return _table("sixprime-dues-1", ledger, ("entry_id", "name", "due", "paid", "open", "currency"), rows)


def export_accounts(ledger: Ledger) -> Export:
    """Export every account; outgoing amounts are below 0, and ``due`` is empty while a place can change."""
    columns = ("purpose", "account", "entry_id", "name", "due", "paid", "open", "currency")
    rows: list[tuple[Cell, ...]] = []
    for found in ledger.accounts:
        due = None if found.due is None else as_decimal(found.due, ledger.currency)
        paid, still = (as_decimal(units, ledger.currency) for units in (found.paid, found.open))
        who = (found.purpose.value, found.slug, found.entry.id if found.entry else None, found.name)
        rows.append((*who, due, paid, still, ledger.currency.code))
    return _table("sixprime-accounts-1", ledger, columns, rows)


def export_payouts(ledger: Ledger) -> Export:
    """Export the payout sheet: each winner, with what is due and paid; ``due`` is empty while the place can change."""
    columns = ("purpose", "account", "place", "place_to", "name", "due", "paid", "open", "currency")
    rows: list[tuple[Cell, ...]] = []
    for found in ledger.payouts:
        due = None if found.prize is None else as_decimal(found.prize, ledger.currency)
        paid, still = (as_decimal(-units, ledger.currency) for units in (found.paid, found.open))
        place = (found.purpose.value, found.slug, found.place, found.place_to, found.name)
        rows.append((*place, due, paid, still, ledger.currency.code))
    return _table("sixprime-payouts-1", ledger, columns, rows)


MONEY_EXPORTS: dict[str, Callable[[Ledger], Export]] = {
    "payments": export_payments,
    "payouts": export_payouts,
    "dues": export_dues,
    "accounts": export_accounts,
}
"""The money tables, by the name in their address."""


def export_cash(boxes: Iterable[CashBox]) -> Export:
    """Export a tournament's cash: a row for each event and purpose, in the event's currency.

    ``cash`` is what came in, or below 0 went out. The rows of a currency add up to what is in its box.
    """
    schema = "sixprime-cash-1"
    rows: list[tuple[Cell, ...]] = []
    for box in boxes:
        for ledger in box.ledgers:
            for line in cash_lines([ledger]):
                sums = (as_decimal(units, box.currency) for units in (line.cash, line.to_come, line.to_pay))
                what = (schema, _event_id(ledger), ledger.event.name, line.purpose.value)
                rows.append((*what, *sums, box.currency.code))
    columns = ("schema", "event_id", "event", "purpose", "cash", "to_come", "to_pay", "currency")
    return Export(schema, columns, tuple(rows))
