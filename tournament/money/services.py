"""An event's costs and payments: taken in, paid out, and reversed by further payments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import MAX_REASON
from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, changes_between, record_change
from tournament.draw.standings import store_standings
from tournament.models import Event, EventMoney, Payment
from tournament.money.accounts import Account, Ledger
from tournament.money.closing import GIVEN, NOT_ASKED, Consent, MovesUnconfirmed, moving_money
from tournament.money.ledger import take_ledger
from tournament.money.moves import Moves
from tournament.money.terms import MoneyTerms, check_terms, columns_of, set_terms
from tournament.prizes import as_decimal, find_currency

MAX_ACCOUNTS = 1100
PAYMENT_VERBS = ("settle_accounts", "reverse_payment")
"""The verbs that add payments, as named in their log rows."""


def record_money(event: Event, *, verb: str, by: User | None, at: datetime, **detail: object) -> None:
    """Record a change to the money: standings that were current remain so, as no result has changed."""
    before = event.version
    record_change(event, verb=verb, by=by, at=at, **detail)
    event.stages.filter(drawn_at__isnull=False, standings_version=before).update(standings_version=event.version)


@transaction.atomic
def set_money(
    event: Event, terms: MoneyTerms, *, consent: Consent = NOT_ASKED, by: User | None, at: datetime
) -> EventMoney:
    """Set the event's costs and prizes.

    Raises Refusal for terms that no event can have, and Conflict for another currency once something was paid. After
    play has begun terms that differ need ``consent``, as :func:`tournament.money.closing.moving_money` asks for it.
    """
    event, at = begin_step(event, at)
    money = EventMoney.objects.filter(event=event).first() or EventMoney(event=event)
    if money.pk and money.currency != terms.currency and event.payments.exists():
        raise Conflict(
            "currency_in_use",
            _("Payments have been made in %(currency)s, so the currency cannot change.") % {"currency": money.currency},
        )
    check_terms(terms)
    before = columns_of(money) if money.pk else {}
    set_terms(money, terms)
    changes = changes_between(before, columns_of(money))
    with moving_money(event, consent if changes else GIVEN, terms=changes) as told:
        money.save()
    record_money(event, verb="set_money", by=by, at=at, changes=changes, terms=columns_of(money), **told)
    return money


@dataclass(frozen=True, slots=True)
class TermsPreview:
    """The ledger as it would be under other terms; after play has begun also what they would move."""

    ledger: Ledger
    moves: Moves | None


@transaction.atomic
def preview_money(event: Event, terms: MoneyTerms, *, by: User | None, at: datetime) -> TermsPreview:
    """Return what these terms would change, by trying them out. Raises as :func:`set_money` does."""
    moves = None
    with transaction.atomic():
        try:
            set_money(event, terms, by=by, at=at)
        except MovesUnconfirmed as unconfirmed:
            moves = unconfirmed.moves
            set_money(event, terms, consent=GIVEN, by=by, at=at)
        ledger = take_ledger(event.pk)
        transaction.set_rollback(True)
    return TermsPreview(ledger, moves)


@transaction.atomic
def settle_accounts(
    event: Event, *, accounts: Sequence[str], amount: int, key: str, by: User | None, at: datetime
) -> tuple[list[Payment], bool]:
    """Settle these accounts: the outstanding amount on each came in, or went out, as one payment.

    ``amount`` is the sum that the person at the desk saw: above 0 it comes in, below 0 it goes out. The same ``key``,
    accounts and amount again give the same payments, and False. Raises Refusal for an account that does not exist;
    Conflict if the key was used for anything else, if the amount has changed, if nothing is open, or if a place is
    still played for.
    """
    event, at = begin_step(event, at)
    asked: dict[str, object] = {"accounts": list(accounts), "amount": amount}
    earlier = _earlier(event, key, asked)
    if earlier:
        return earlier, False
    ledger, found = _open_accounts(event, accounts)
    due = sum(account.open for account in found)
    if due != amount:
        money = ledger.currency
        raise Conflict(
            "amount_changed",
            _("The amount is now %(due)s %(currency)s, not %(amount)s. Check it and try again.")
            % {"due": as_decimal(due, money), "amount": as_decimal(amount, money), "currency": money.code},
        )
    parts = [(account, account.open) for account in found]
    return _add_payments(event, ledger, parts, asked, key=key, by=by, at=at), True


@transaction.atomic
def pay_part(
    event: Event, *, accounts: Sequence[str], amount: int, payer: str, key: str, by: User | None, at: datetime
) -> tuple[list[Payment], bool]:
    """Take in part of the amount open on these accounts, or pay it out if below 0, starting with the first account.

    ``payer`` is the person who paid or was paid, if not the one the account is of: one of several who bought a lot. The
    rest stays open. The same ``key``, accounts, amount and payer again give the same payments, and False. Raises as
    :func:`settle_accounts`, and Conflict if less is open than the amount.
    """
    event, at = begin_step(event, at)
    payer = " ".join(payer.split())
    asked: dict[str, object] = {"accounts": list(accounts), "amount": amount, "payer": payer}
    earlier = _earlier(event, key, asked)
    if earlier:
        return earlier, False
    ledger, found = _open_accounts(event, accounts)
    sign = 1 if (amount or sum(account.open for account in found)) > 0 else -1
    parts, rest = [], abs(amount)
    for account in found:
        part = min(rest, max(0, sign * account.open))
        parts.append((account, sign * part))
        rest -= part
    if not amount or rest:
        due = sum(max(0, sign * account.open) for account in found)
        raise Conflict(
            "amount_above_open",
            _("%(due)s %(currency)s is outstanding: a part payment must be above 0 and no more than that.")
            % {"due": as_decimal(due, ledger.currency), "currency": ledger.currency.code},
        )
    return _add_payments(event, ledger, parts, asked, payer=payer, key=key, by=by, at=at), True


def _earlier(event: Event, key: str, asked: dict[str, object]) -> list[Payment]:
    """Return the payments with this key. Raises Conflict if the log shows that it was used for a different request."""
    earlier = list(event.payments.filter(key=key))
    if earlier:
        rows = event.log.filter(verb="settle_accounts", at=earlier[0].at)
        details = [row.detail for row in rows if earlier[0].pk in row.detail.get("payments", ())]
        if not details or details[0].get("asked") != asked:
            raise Conflict("key_reused", _("This key has already been used for another payment."))
    return earlier


def _open_accounts(event: Event, accounts: Sequence[str]) -> tuple[Ledger, list[Account]]:
    """Return the ledger and the accounts with these names, of which at least one has an outstanding amount."""
    wanted = list(dict.fromkeys(accounts))
    if not 1 <= len(wanted) <= MAX_ACCOUNTS:
        raise Refusal("accounts_missing", _("Choose what is being paid."))
    store_standings(event.pk)
    ledger = take_ledger(event.pk)
    known = {account.slug: account for account in ledger.accounts}
    found = [_require_account(known, slug) for slug in wanted]
    if not any(account.open for account in found):
        raise Conflict("nothing_open", _("Nothing is outstanding: everything has already been paid."))
    return ledger, found


def _add_payments(
    event: Event,
    ledger: Ledger,
    parts: Sequence[tuple[Account, int]],
    asked: dict[str, object],
    *,
    payer: str = "",
    key: str,
    by: User | None,
    at: datetime,
) -> list[Payment]:
    """Add a payment for every part that is not 0; the log row keeps the original request."""
    money = ledger.currency
    payments = Payment.objects.bulk_create(
        Payment(
            event=event,
            purpose=account.purpose,
            account=account.slug,
            entry_id=account.entry.id if account.entry else None,
            name=(payer or account.name)[:200],
            amount=amount,
            currency=money.code,
            key=key,
            line=line,
            by=by,
            at=at,
        )
        for line, (account, amount) in enumerate((account, amount) for account, amount in parts if amount)
    )
    names = list(dict.fromkeys(payment.name for payment in payments))
    paid = sum(payment.amount for payment in payments)
    details = {"names": names, "amount": str(as_decimal(paid, money)), "currency": money.code}
    ids = [row.pk for row in payments]
    record_money(event, verb="settle_accounts", by=by, at=at, **details, payments=ids, asked=asked)
    return payments


def _require_account(known: dict[str, Account], slug: str) -> Account:
    account = known.get(slug)
    if account is None:
        raise Refusal("account_unknown", _("There is nothing to pay under “%(account)s”.") % {"account": slug[:60]})
    if account.due is None:
        raise Conflict(
            "place_open", _("The place of %(name)s can still change: nothing can be paid yet.") % {"name": account.name}
        )
    return account


@transaction.atomic
def reverse_payment(payment: Payment, *, reason: str, key: str, by: User | None, at: datetime) -> tuple[Payment, bool]:
    """Reverse a payment with another one, which reopens what it had settled.

    The same ``key`` and reason again give the same row, and False. Raises Conflict if the key was used for anything
    else, if the payment has already been reversed, or is a reversal itself.
    """
    event, at = begin_step(payment.event, at)
    reason = " ".join(reason.split())[:MAX_REASON]
    earlier = event.payments.filter(key=key).first()
    if earlier is not None:
        if (earlier.reverses_id, earlier.reason) != (payment.pk, reason):
            raise Conflict("key_reused", _("This key has already been used for another payment."))
        return earlier, False
    current = event.payments.get(pk=payment.pk)
    if current.reverses_id is not None or event.payments.filter(reverses=current).exists():
        raise Conflict("payment_reversed", _("This payment has already been reversed."))
    reversal = Payment.objects.create(
        event=event,
        purpose=current.purpose,
        account=current.account,
        entry_id=current.entry_id,
        name=current.name,
        amount=-current.amount,
        currency=current.currency,
        reverses=current,
        reason=reason,
        key=key,
        by=by,
        at=at,
    )
    details = {
        "names": [current.name],
        "amount": str(as_decimal(current.amount, find_currency(current.currency))),
        "currency": current.currency,
        "reason": reason,
    }
    record_money(event, verb="reverse_payment", by=by, at=at, **details, payments=[reversal.pk])
    return reversal, True
