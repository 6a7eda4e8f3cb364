"""The prize pool: entry and re-entry fees, less the rake, plus added money. Registration fees are never in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError

WHOLE = 10_000
"""The whole, in basis points: hundredths of a percent."""


@dataclass(frozen=True, slots=True)
class Rake:
    """A kind of rake: ``take(fees, entries, value)`` is what the organiser keeps."""

    name: str
    take: Callable[[int, int, int], int]


RAKES: dict[str, Rake] = {
    "none": Rake(gettext_noop("No rake"), lambda fees, entries, value: 0),
    "percent": Rake(gettext_noop("Percentage of the fees"), lambda fees, entries, value: fees * value // WHOLE),
    "per-entry": Rake(gettext_noop("Fixed per entry"), lambda fees, entries, value: entries * value),
}
"""The kinds of rake. A percentage is in basis points, and rounded down: in the players' favour."""


def check_rake(slug: str) -> None:
    """Check that there is a rake of this kind. Raises MoneyError."""
    if slug not in RAKES:
        raise MoneyError("rake_unknown", gettext_noop("There is no rake “%(slug)s”."), slug=slug[:30])


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """What an entry and a re-entry cost, and the rake: in smallest units of one currency, or in basis points."""

    fee: int
    reentry_fee: int
    rake: str
    rake_value: int

    def check(self) -> None:
        """Check the rake. Raises MoneyError if it does not exist, or is more than the fee."""
        check_rake(self.rake)
        # A percentage is checked against the whole as well, as that of a small fee is rounded down.
        for fee in (self.fee, *((WHOLE,) if self.rake == "percent" else ())):
            if RAKES[self.rake].take(fee, 1, self.rake_value) > fee:
                raise MoneyError("rake_above_fee", gettext_noop("The rake is more than an entry costs."))
        if RAKES[self.rake].take(self.reentry_fee, 1, self.rake_value) > self.reentry_fee:
            raise MoneyError("rake_above_fee", gettext_noop("The rake is more than a re-entry costs."))


@dataclass(frozen=True, slots=True)
class Pool:
    """Where a prize pool comes from; ``amount`` is what is paid out."""

    entries: int
    reentries: int
    fees: int
    rake: int
    added: int

    @property
    def amount(self) -> int:
        return self.fees - self.rake + self.added


def prize_pool(terms: PoolTerms, *, entries: int, reentries: int, added: int = 0) -> Pool:
    """Compute the pool from the number of entries and re-entries. Raises MoneyError as :meth:`PoolTerms.check` does."""
    terms.check()
    fees = terms.fee * entries + terms.reentry_fee * reentries
    rake = RAKES[terms.rake].take(fees, entries + reentries, terms.rake_value)
    return Pool(entries, reentries, fees, rake, added)
