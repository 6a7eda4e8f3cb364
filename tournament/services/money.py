"""What an event costs, and every payment: taken in, paid out, and taken back by another one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, in_words
from players.models import User
from tournament.accounts import Account, Ledger
from tournament.ledger import take_ledger
from tournament.models import Event, EventMoney, Payment
from tournament.money import MAX_AMOUNT, MoneyError, PayoutPlan, PrizeTable, as_decimal, find_currency
from tournament.services.change import changes_between, lock_event, record_change
from tournament.services.standings import store_standings

MAX_ACCOUNTS = 1100
PAYMENT_VERBS = ("settle_accounts", "reverse_payment")
"""What adds payments; its log rows name them."""


def record_money(event: Event, *, verb: str, by: User | None, at: datetime, **detail: object) -> None:
    """As :func:`record_change`; standings that were those of the event still are, as no result has changed."""
    before = event.version
    record_change(event, verb=verb, by=by, at=at, **detail)
    event.stages.filter(drawn_at__isnull=False, standings_version=before).update(standings_version=event.version)


@transaction.atomic
def set_money(
    event: Event,
    *,
    currency: str,
    fee: int,
    reentry_fee: int,
    registration_fee: int,
    rake: str,
    rake_value: int,
    added: int,
    payouts: PayoutPlan,
    auction: PrizeTable,
    by: User | None,
    at: datetime,
) -> EventMoney:
    """The event costs and pays this. Raises Refusal, and Conflict for another currency once something was paid."""
    event = lock_event(event)
    amounts = (fee, reentry_fee, registration_fee, rake_value, added)
    if min(amounts) < 0 or max(amounts) > MAX_AMOUNT:
        raise Refusal("amount_out_of_range", _("An amount is from 0 to %(limit)s.") % {"limit": MAX_AMOUNT})
    money = EventMoney.objects.filter(event=event).first() or EventMoney(event=event)
    if money.pk and money.currency != currency and event.payments.exists():
        raise Conflict(
            "currency_in_use",
            _("Payments in %(currency)s have been made: the currency stays.") % {"currency": money.currency},
        )
    before = _told(money) if money.pk else {}
    money.currency, money.fee, money.reentry_fee, money.registration_fee = currency, fee, reentry_fee, registration_fee
    money.rake, money.rake_value, money.added = rake, rake_value, added
    money.payouts, money.auction = payouts.as_dict(), auction.as_dict()
    try:
        find_currency(currency)
        money.pool_terms.check()
        payouts.check()
        auction.check()
    except MoneyError as error:
        raise Refusal(error.code, in_words(error)) from error
    money.save()
    record_money(event, verb="set_money", by=by, at=at, changes=changes_between(before, _told(money)))
    return money


@transaction.atomic
def preview_money(event: Event, *, by: User | None, at: datetime, **terms: Any) -> Ledger:
    """The ledger as it would be on these terms: they are set, and undone. Raises what :func:`set_money` raises."""
    with transaction.atomic():
        set_money(event, **terms, by=by, at=at)
        ledger = take_ledger(event.pk)
        transaction.set_rollback(True)
    return ledger


def _told(money: EventMoney) -> dict[str, object]:
    names = ("currency", "fee", "reentry_fee", "registration_fee", "rake", "rake_value", "added", "payouts", "auction")
    return {name: getattr(money, name) for name in names}


@transaction.atomic
def settle_accounts(
    event: Event, *, accounts: Sequence[str], amount: int, key: str, by: User | None, at: datetime
) -> tuple[list[Payment], bool]:
    """Nothing is open on these accounts: what was open came in, or went out, as a payment each.

    ``amount`` is what the person at the desk saw: above 0 it comes in, below 0 it goes out. The same ``key`` and
    accounts again give the same payments, and False. Raises Refusal for an account that does not exist; Conflict if
    the amount is another one meanwhile, if nothing is open, or if a place is still played for.
    """
    event = lock_event(event)
    wanted = list(dict.fromkeys(accounts))
    earlier = list(event.payments.filter(key=key))
    if earlier:
        if not {row.account for row in earlier} <= set(wanted) or sum(row.amount for row in earlier) != amount:
            raise Conflict("key_reused", _("This key was used for another payment."))
        return earlier, False
    if not 1 <= len(wanted) <= MAX_ACCOUNTS:
        raise Refusal("accounts_missing", _("Say what is paid."))
    store_standings(event.pk)
    ledger = take_ledger(event.pk)
    known = {account.slug: account for account in ledger.accounts}
    found = [_require_account(known, slug) for slug in wanted]
    money = ledger.currency
    due = sum(account.open for account in found)
    if not any(account.open for account in found):
        raise Conflict("nothing_open", _("Nothing is open here: it has been paid already."))
    if due != amount:
        raise Conflict(
            "amount_changed",
            _("Meanwhile it is %(due)s %(currency)s, not %(amount)s. Look again.")
            % {"due": as_decimal(due, money), "amount": as_decimal(amount, money), "currency": money.code},
        )
    payments = Payment.objects.bulk_create(
        Payment(
            event=event,
            purpose=account.purpose,
            account=account.slug,
            entry_id=account.entry.id if account.entry else None,
            name=account.name[:200],
            amount=account.open,
            currency=money.code,
            key=key,
            line=line,
            by=by,
            at=at,
        )
        for line, account in enumerate(account for account in found if account.open)
    )
    names = list(dict.fromkeys(payment.name for payment in payments))
    told = {"names": names, "amount": str(as_decimal(due, money)), "currency": money.code}
    record_money(event, verb="settle_accounts", by=by, at=at, **told, payments=[row.pk for row in payments])
    return payments, True


def _require_account(known: dict[str, Account], slug: str) -> Account:
    account = known.get(slug)
    if account is None:
        raise Refusal("account_unknown", _("There is nothing to pay under “%(account)s”.") % {"account": slug[:60]})
    if account.due is None:
        raise Conflict(
            "place_open", _("The place of %(name)s can still change: nothing is paid yet.") % {"name": account.name}
        )
    return account


@transaction.atomic
def reverse_payment(payment: Payment, *, reason: str, key: str, by: User | None, at: datetime) -> tuple[Payment, bool]:
    """Another payment takes this one back; what it settled is open again. The same ``key`` again gives the same row.

    Raises Conflict if it was taken back already, or takes one back itself.
    """
    event = lock_event(payment.event)
    earlier = event.payments.filter(key=key).first()
    if earlier is not None:
        if earlier.reverses_id != payment.pk:
            raise Conflict("key_reused", _("This key was used for another payment."))
        return earlier, False
    current = event.payments.get(pk=payment.pk)
    if current.reverses_id is not None or event.payments.filter(reverses=current).exists():
        raise Conflict("payment_reversed", _("This payment has been taken back already."))
    taken_back = Payment.objects.create(
        event=event,
        purpose=current.purpose,
        account=current.account,
        entry_id=current.entry_id,
        name=current.name,
        amount=-current.amount,
        currency=current.currency,
        reverses=current,
        reason=" ".join(reason.split())[:200],
        key=key,
        by=by,
        at=at,
    )
    told = {
        "names": [current.name],
        "amount": str(as_decimal(current.amount, find_currency(current.currency))),
        "currency": current.currency,
        "reason": taken_back.reason,
    }
    record_money(event, verb="reverse_payment", by=by, at=at, **told, payments=[taken_back.pk])
    return taken_back, True
