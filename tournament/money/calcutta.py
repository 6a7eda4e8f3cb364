"""Calcutta: entries are auctioned in lots, and the pot of the prices pays the buyers by the places of the entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tournament.money.payouts import Rank, number


@dataclass(frozen=True, slots=True)
class Lot:
    """One entrant, or several that are sold together as a field; ``price`` is None until it is sold."""

    id: int
    entrants: frozenset[int]
    price: int | None


def rank_lots(lots: Iterable[Lot], ranks: Iterable[Rank]) -> tuple[Rank, ...]:
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
