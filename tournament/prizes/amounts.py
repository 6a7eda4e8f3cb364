"""Amounts: whole numbers of a currency's smallest unit, kept with their currency and never mixed with another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError

MAX_AMOUNT = 10**12
"""The largest amount that may be entered, in smallest units."""

TYPED = re.compile(r"(\d[\d\s]*)(?:[.,](\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency: its ``code`` in ISO 4217, and how many ``decimals`` its amounts have."""

    code: str
    decimals: int


CURRENCIES: dict[str, Currency] = {
    currency.code: currency
    for currency in (
        Currency("EUR", 2),
        Currency("DKK", 2),
        Currency("SEK", 2),
        Currency("NOK", 2),
        Currency("GBP", 2),
        Currency("USD", 2),
        Currency("CHF", 2),
        Currency("PLN", 2),
        Currency("CZK", 2),
        Currency("HUF", 2),
        Currency("RON", 2),
        Currency("BGN", 2),
        Currency("TRY", 2),
        Currency("GEL", 2),
        Currency("ILS", 2),
        Currency("CAD", 2),
        Currency("AUD", 2),
        Currency("NZD", 2),
        Currency("AED", 2),
        Currency("ISK", 0),
        Currency("JPY", 0),
        Currency("KWD", 3),
    )
}
"""The currencies that an event can use. Decimals: ISO 4217, list one."""


@dataclass(frozen=True, slots=True)
class Money:
    """An ``amount`` in smallest units of ``currency``. Adding another currency raises MoneyError."""

    amount: int
    currency: Currency

    def __add__(self, other: Money) -> Money:
        return Money(self.amount + self._same(other).amount, self.currency)

    def __sub__(self, other: Money) -> Money:
        return Money(self.amount - self._same(other).amount, self.currency)

    def _same(self, other: Money) -> Money:
        if other.currency != self.currency:
            raise MoneyError(
                "currencies_mixed",
                gettext_noop("%(one)s and %(other)s are different currencies and cannot be added up."),
                one=self.currency.code,
                other=other.currency.code,
            )
        return other


def find_currency(code: str) -> Currency:
    """Find the currency with this code. Raises MoneyError."""
    if code not in CURRENCIES:
        raise MoneyError(
            "currency_unknown",
            gettext_noop("There is no currency “%(currency)s”. Available: %(known)s."),
            currency=code[:8],
            known=", ".join(CURRENCIES),
        )
    return CURRENCIES[code]


def as_decimal(amount: int, currency: Currency) -> Decimal:
    """Return the amount as people write it: 12.50 for 1250 cents. Exact."""
    return Decimal(amount).scaleb(-currency.decimals)


def parse_amount(text: str, currency: Currency) -> int:
    """Read ``12``, ``12.5``, ``12,50`` or ``1 200`` as smallest units.

    Raises MoneyError for anything else, for too many decimals and for more than MAX_AMOUNT.
    """
    found = TYPED.fullmatch(text.strip())
    if found is None:
        raise MoneyError(
            "amount_unreadable", gettext_noop("“%(text)s” is not an amount: write it as 12 or 12.50."), text=text[:20]
        )
    whole, fraction = "".join(found[1].split()), found[2] or ""
    if len(fraction.rstrip("0")) > currency.decimals:
        raise MoneyError(
            "amount_too_fine",
            gettext_noop("“%(text)s” has too many decimals: an amount in %(currency)s has %(decimals)s at most."),
            text=text[:20],
            currency=currency.code,
            decimals=currency.decimals,
        )
    digits = whole + fraction.rstrip("0").ljust(currency.decimals, "0")
    if len(digits) > 18 or int(digits) > MAX_AMOUNT:
        raise MoneyError("amount_too_large", gettext_noop("“%(text)s” is too large an amount."), text=text[:20])
    return int(digits)
