"""The prize pool: entry fees and re-entries, less the rake, and added money. Registration fees are never in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError

WHOLE = 10_000
"""All of it, in basis points: hundredths of a percent."""


@dataclass(frozen=True, slots=True)
class Rake:
    """``take`` gives what the organiser keeps of so much in fees, of so many entries, at ``value``."""

    name: str
    take: Callable[[int, int, int], int]


RAKES: dict[str, Rake] = {
    "none": Rake(gettext_noop("No rake"), lambda fees, entries, value: 0),
    "percent": Rake(gettext_noop("Percent of the fees"), lambda fees, entries, value: fees * value // WHOLE),
    "per-entry": Rake(gettext_noop("Fixed per entry"), lambda fees, entries, value: entries * value),
}
"""How the organiser keeps a part of the fees. A percentage is in basis points, rounded down: in the players' favour."""


def check_rake(slug: str) -> None:
    """Raises MoneyError for a rake that does not exist."""
    if slug not in RAKES:
        raise MoneyError("rake_unknown", gettext_noop("There is no rake “%(slug)s”."), slug=slug[:30])


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """What an entry and a re-entry cost, what is kept of it, and what is added: smallest units of one currency."""

    fee: int
    reentry_fee: int
    rake: str
    rake_value: int

    def check(self) -> None:
        """Raises MoneyError for a rake that does not exist, or one above the fee."""
        check_rake(self.rake)
        # Percent are held against the whole as well: those of a small fee are rounded down.
        for fee in {self.fee, self.reentry_fee, *((WHOLE,) if self.rake == "percent" else ())}:
            if RAKES[self.rake].take(fee, 1, self.rake_value) > fee:
                raise MoneyError("rake_above_fee", gettext_noop("The rake is more than an entry costs."))


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
    """The pool of so many first entries and so many re-entries. Raises MoneyError as :meth:`PoolTerms.check`."""
    terms.check()
    fees = terms.fee * entries + terms.reentry_fee * reentries
    rake = RAKES[terms.rake].take(fees, entries + reentries, terms.rake_value)
    return Pool(entries, reentries, fees, rake, added)
