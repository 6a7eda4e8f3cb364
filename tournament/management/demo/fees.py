"""What the events of the demo cost and pay, in Danish kroner, and payments at its desk."""

from collections.abc import Collection
from datetime import datetime
from random import Random

from players.models import User
from tournament.draw.standings import store_standings
from tournament.models import Event
from tournament.money.accounts import Account
from tournament.money.ledger import take_ledger
from tournament.money.services import settle_accounts
from tournament.money.terms import MoneyTerms
from tournament.prizes import EACH_GROUP, PayoutPlan, PrizeTable, Share

KRONE = 100
"""A krone in the smallest unit of its currency."""

STEP = 10 * KRONE
"""Prizes are multiples of it."""

BY_ROUNDS = PayoutPlan((Share("", 10_000, PrizeTable()),), step=STEP)
ONE_IN_FOUR = PayoutPlan((Share("", 10_000, PrizeTable("template", "quarter")),), step=STEP)
THREE_BRACKETS = PayoutPlan(
    (
        Share("", 6_500, PrizeTable()),
        Share("C", 2_500, PrizeTable("percent", values=(6_000, 4_000))),
        Share("L", 1_000, PrizeTable("template", "winner")),
    ),
    step=STEP,
)
"""The main bracket, the consolation and the last chance."""

EACH_JACKPOT = PayoutPlan((Share(EACH_GROUP, 10_000, PrizeTable("template", "winner")),))


def terms_in_kroner(
    fee: int, payouts: PayoutPlan, *, registration: int = 0, rake_percent: int = 0, added: int = 0
) -> MoneyTerms:
    """Return the terms of an event with these amounts in kroner; a re-entry costs as much as an entry."""
    return MoneyTerms(
        currency="DKK",
        fee=fee * KRONE,
        reentry_fee=fee * KRONE,
        registration_fee=registration * KRONE,
        rake="percent" if rake_percent else "none",
        rake_value=rake_percent * 100,
        added=added * KRONE,
        payouts=payouts,
        auction=PrizeTable("template", "two"),
    )


def pay_fees(event: Event, entries: Collection[int], *, rng: Random, by: User, at: datetime) -> None:
    """Take in everything that these entries owe."""
    lines = [line for line in take_ledger(event.pk).entries if line.entry.id in entries]
    _settle(event, [account for line in lines for account in line.accounts if account.open], rng=rng, by=by, at=at)


def pay_prizes(event: Event, *, rng: Random, by: User, at: datetime) -> None:
    """Pay out every prize that has been won and not been paid."""
    store_standings(event.pk)
    _settle(event, [account for account in take_ledger(event.pk).payouts if account.open], rng=rng, by=by, at=at)


def _settle(event: Event, accounts: Collection[Account], *, rng: Random, by: User, at: datetime) -> None:
    if accounts:
        slugs, amount = [account.slug for account in accounts], sum(account.open for account in accounts)
        settle_accounts(event, accounts=slugs, amount=amount, key=f"{rng.getrandbits(128):032x}", by=by, at=at)
