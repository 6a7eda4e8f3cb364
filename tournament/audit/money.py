"""An event's money, added up again: pools are shared out to the smallest unit, and payments and reasons are logged."""

from collections.abc import Iterator

from matches.audit import Difference
from tournament.audit.audited import Audited
from tournament.models import Call, Event, LogEntry, Payment
from tournament.models.team import matches_in
from tournament.money.accounts import INCOMING, Ledger, PrizeList
from tournament.money.closing import CLOSED_VERBS
from tournament.money.ledger import take_ledger
from tournament.money.services import PAYMENT_VERBS

PLAY_VERBS = ("enter_result", "report_result", "walk_over", "ruling")
"""The steps with which play begins, except for a result entered because somebody is absent."""


def check_money(audited: Audited) -> Iterator[Difference]:
    """Check that pools are shared out to the smallest unit and the log explains all, once for the whole event."""
    if audited.stage.number > 1:
        return
    event = audited.event
    ledger, place = take_ledger(event.pk), f"{event.tournament.slug}/{event.slug}"
    yield from _audit_prizes(ledger, place)
    yield from _audit_payments(event, ledger, place)
    yield from _audit_balance(ledger, place)
    yield from _audit_reasons(event, place)


def _audit_prizes(ledger: Ledger, place: str) -> Iterator[Difference]:
    shared = sum(prizes.amount for prizes in ledger.prize_lists)
    if shared != ledger.pool.amount:
        yield Difference("money", place, "prize pool", str(shared), str(ledger.pool.amount))
    lists = [("prizes", prizes) for prizes in ledger.prize_lists]
    lists += [("side pool", pool.prizes) for pool in ledger.side_pools]
    for what, prizes in (*lists, ("calcutta", ledger.pot)):
        where = f"{place} {what} {prizes.title}".strip()
        if prizes.prizes and sum(prizes.prizes) != prizes.amount:
            yield Difference("money", where, "prizes", str(sum(prizes.prizes)), str(prizes.amount))
        yield from _audit_winners(ledger, prizes, where)


def _audit_winners(ledger: Ledger, prizes: PrizeList, where: str) -> Iterator[Difference]:
    """Check that winners are never due more than there is, and are due all of it once the event has ended."""
    due = prizes.amount - prizes.undecided
    is_over = ledger.event.finished_at is not None and ledger.event.standings_are_current and prizes.accounts
    if due > prizes.amount or (is_over and due != prizes.amount):
        yield Difference("money", where, "due to winners", str(due), str(prizes.amount))


def _audit_balance(ledger: Ledger, place: str) -> Iterator[Difference]:
    """Check that all money due in or added is kept or in a prize list, and that all cash is on accounts."""
    paid = sum(account.paid for account in ledger.accounts)
    if paid != ledger.cash:
        yield Difference("money", place, "paid on all accounts", str(paid), str(ledger.cash))
    lists = (*ledger.prize_lists, *(pool.prizes for pool in ledger.side_pools), ledger.pot)
    comes_in = sum(account.due or 0 for account in ledger.accounts if account.purpose in INCOMING) + ledger.pool.added
    goes = ledger.kept + sum(prizes.amount for prizes in lists)
    if comes_in != goes:
        yield Difference("money", place, "due to come in", str(comes_in), str(goes))


def _audit_reasons(event: Event, place: str) -> Iterator[Difference]:
    """Check that pools, lots and terms changed after play began, or while a match was played, only with a reason."""
    rows = list(event.log.filter(verb__in=(*CLOSED_VERBS, *PLAY_VERBS)).order_by("id"))
    calls = Call.objects.filter(match__in=matches_in(event), started_at__isnull=False)
    played = list(calls.values_list("started_at", "left_at"))
    # An undone step may take several rows, of which the last has the reason.
    undone = {(row.at, row.actor_id) for row in rows if "undoes" in row.detail and row.detail.get("reason")}
    has_begun = False
    for row in rows:
        if row.verb in PLAY_VERBS:
            has_begun = has_begun or not row.detail.get("absent")
            continue
        is_played = any(start and start < row.at and (end is None or row.at < end) for start, end in played)
        is_explained = row.detail.get("reason") or (row.at, row.actor_id) in undone
        if (has_begun or is_played) and not is_explained:
            yield Difference(
                "money", f"{place} log row {row.pk} ({row.verb})", "reason", "none", "one after play began"
            )


def _audit_payments(event: Event, ledger: Ledger, place: str) -> Iterator[Difference]:
    logged: set[int] = set()
    for detail in LogEntry.objects.filter(event=event, verb__in=PAYMENT_VERBS).values_list("detail", flat=True):
        logged.update(detail.get("payments", ()))
    rows = {row.pk: row for row in event.payments.all()}
    for row in rows.values():
        where = f"{place} payment {row.pk} ({row.account})"
        if row.currency != ledger.terms.currency:
            yield Difference("money", where, "currency", row.currency, ledger.terms.currency)
        if row.pk not in logged:
            yield Difference("money", where, "log", "no log row", "one for every payment")
        if row.reverses_id is not None:
            yield from _audit_reversal(row, rows.get(row.reverses_id), where)
    for missing in sorted(logged - rows.keys()):
        yield Difference("money", f"{place} payment {missing}", "payment", "missing", "logged")


def _audit_reversal(row: Payment, reversed_row: Payment | None, where: str) -> Iterator[Difference]:
    if reversed_row is None:
        yield Difference("money", where, "takes back", "a payment of another event", "one of this")
    elif (row.account, row.amount) != (reversed_row.account, -reversed_row.amount):
        expected = f"{reversed_row.account} {-reversed_row.amount}"
        yield Difference("money", where, "takes back", f"{row.account} {row.amount}", expected)
