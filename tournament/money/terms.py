"""An event's money terms: what it costs and how it is paid out, checked in one place."""

from dataclasses import dataclass, fields

from django.utils.translation import gettext as _

from players.errors import Refusal, in_words
from tournament.models import EventMoney
from tournament.prizes import (
    MAX_AMOUNT,
    MoneyError,
    PayoutPlan,
    PoolTerms,
    PrizeTable,
    check_pot_rake,
    find_currency,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyTerms:
    """An event's costs and prizes, as :class:`tournament.models.EventMoney` stores them."""

    currency: str
    fee: int
    reentry_fee: int
    registration_fee: int
    rake: str
    rake_value: int
    added: int
    payouts: PayoutPlan
    auction: PrizeTable
    auction_rake: str = "none"
    auction_rake_value: int = 0


COLUMNS = tuple(field.name for field in fields(MoneyTerms))
JSON_COLUMNS = frozenset({"payouts", "auction"})
"""The terms stored as a JSON object each."""


def set_terms(money: EventMoney, terms: MoneyTerms) -> None:
    """Set these checked terms on the row, without saving it."""
    for name in COLUMNS:
        value = getattr(terms, name)
        setattr(money, name, value.as_dict() if name in JSON_COLUMNS else value)


def columns_of(money: EventMoney) -> dict[str, object]:
    """Return the terms in stored form, by column name."""
    return {name: getattr(money, name) for name in COLUMNS}


def check_terms(terms: MoneyTerms) -> None:
    """Raise Refusal for terms that no event can have."""
    amounts = (
        *(terms.fee, terms.reentry_fee, terms.registration_fee, terms.rake_value, terms.added),
        terms.auction_rake_value,
    )
    if min(amounts) < 0 or max(amounts) > MAX_AMOUNT:
        raise Refusal("amount_out_of_range", _("An amount must be from 0 to %(limit)s.") % {"limit": MAX_AMOUNT})
    try:
        find_currency(terms.currency)
        PoolTerms(terms.fee, terms.reentry_fee, terms.rake, terms.rake_value).check()
        terms.payouts.check()
        terms.auction.check()
        check_pot_rake(terms.auction_rake, terms.auction_rake_value)
    except MoneyError as error:
        raise Refusal(error.code, in_words(error)) from error
