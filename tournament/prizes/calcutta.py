"""Calcutta: entries are auctioned in lots, and the pot of the prices pays the buyers by the places of the entries."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError
from tournament.prizes.places import Rank, number
from tournament.prizes.pool import RAKES, WHOLE, check_rake


@dataclass(frozen=True, slots=True)
class AuctionLot:
    """One entrant, or several that are sold together as a field; ``price`` is None until it is sold."""

    id: int
    entrants: frozenset[int]
    price: int | None


@dataclass(frozen=True, slots=True)
class Pot:
    """What the lots were sold for, and what the organiser keeps of it; ``amount`` is what the buyers are paid."""

    prices: int
    rake: int

    @property
    def amount(self) -> int:
        return self.prices - self.rake


def check_pot_rake(rake: str, value: int) -> None:
    """Raises MoneyError for a rake that does not exist, or one of more than the whole pot."""
    check_rake(rake)
    if rake == "percent" and value > WHOLE:
        raise MoneyError("rake_above_pot", gettext_noop("The rake is more than the pot."))


def auction_pot(lots: Collection[AuctionLot], *, rake: str, value: int) -> Pot:
    """The pot of the lots that were sold. A rake per entry is of every entry in them, and at most the pot."""
    sold = [lot for lot in lots if lot.price is not None]
    prices = sum(lot.price or 0 for lot in sold)
    entries = sum(len(lot.entrants) for lot in sold)
    return Pot(prices, min(prices, RAKES[rake].take(prices, entries, value)))


def rank_lots(lots: Iterable[AuctionLot], ranks: Iterable[Rank]) -> tuple[Rank, ...]:
    """The lots that were sold, by their ids, each ranked by the best of its entrants; equal ones share.

    A lot is settled when its best entrant is. What nobody bought is not in the calcutta.
    """
    placed = list(ranks)
    found = []
    for lot in lots:
        own = [rank for rank in placed if rank.who in lot.entrants]
        if lot.price is not None and own:
            best = min(own, key=lambda rank: (rank.place, rank.settled, rank.place_to))
            found.append(replace(best, who=lot.id))
    return number(found)
