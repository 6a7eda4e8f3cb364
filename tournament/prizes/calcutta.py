"""Calcutta: entries are auctioned in lots, and the pot is paid to the buyers by the places of their entries."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError
from tournament.prizes.places import Rank, number
from tournament.prizes.pool import RAKES, WHOLE, check_rake


@dataclass(frozen=True, slots=True)
class AuctionLot:
    """One entrant, or several sold together as a field; ``price`` is None until the lot is sold."""

    id: int
    entrants: frozenset[int]
    price: int | None


@dataclass(frozen=True, slots=True)
class Pot:
    """The sum of the prices, and the organiser's rake; ``amount`` is what the buyers are paid."""

    prices: int
    rake: int

    @property
    def amount(self) -> int:
        return self.prices - self.rake


POT_RAKES: dict[str, str] = {
    "none": gettext_noop("No rake"),
    "percent": gettext_noop("Percentage of the sales"),
    "per-entry": gettext_noop("Fixed per entry sold"),
}
"""The kinds of rake, as a calcutta names them: its pot comes from sales, not from fees."""


def check_pot_rake(rake: str, value: int) -> None:
    """Check a rake of the pot. Raises MoneyError if it does not exist, or takes more than the whole pot."""
    check_rake(rake)
    if rake == "percent" and value > WHOLE:
        raise MoneyError("rake_above_pot", gettext_noop("The rake is more than the pot."))


def auction_pot(lots: Collection[AuctionLot], *, rake: str, value: int) -> Pot:
    """Compute the pot from the lots sold; a rake per entry counts every entry in them, up to the whole pot."""
    sold = [lot for lot in lots if lot.price is not None]
    prices = sum(lot.price or 0 for lot in sold)
    entries = sum(len(lot.entrants) for lot in sold)
    return Pot(prices, min(prices, RAKES[rake].take(prices, entries, value)))


def rank_lots(lots: Iterable[AuctionLot], ranks: Iterable[Rank]) -> tuple[Rank, ...]:
    """Rank the lots sold, by id: each has the rank of its best entrant, and equal lots share a place.

    A lot is settled when its best entrant is. A lot that nobody bought is not in the calcutta.
    """
    placed = list(ranks)
    found = []
    for lot in lots:
        own = [rank for rank in placed if rank.who in lot.entrants]
        if lot.price is not None and own:
            best = min(own, key=lambda rank: (rank.place, rank.settled, rank.place_to))
            found.append(replace(best, who=lot.id))
    return number(found)
