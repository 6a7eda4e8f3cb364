"""The account of a money session: two players, or a box against the others of a chouette, settled at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.score import Side
from rules.sheet import GameResult


@dataclass(frozen=True, slots=True)
class BoxResult:
    """A game of the box against one other player, both by their seats from 0; in ``game`` the box is side A."""

    box: int
    seat: int
    game: GameResult

    @property
    def for_box(self) -> int:
        """The points that the box won from this player; negative if it lost them."""
        return self.game.points if self.game.winner is Side.A else -self.game.points


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points for which one player, by seat, pays another at the end."""

    payer: int
    payee: int
    points: int


def account(results: Iterable[BoxResult], players: int) -> tuple[int, ...]:
    """Return the points that each player has won or lost so far, by seat; they add up to nothing."""
    totals = [0] * players
    for result in results:
        totals[result.box] += result.for_box
        totals[result.seat] -= result.for_box
    return tuple(totals)


def settle(totals: Sequence[int]) -> tuple[Transfer, ...]:
    """Return payments after which nobody owes anything: fewer than there are players, largest debts first.

    Raises ValueError if the totals do not add up to nothing.
    """
    if sum(totals):
        raise ValueError("What some players win, others lose.")
    left = dict(enumerate(totals))
    transfers = []
    while any(left.values()):
        payee = max(left, key=lambda seat: (left[seat], -seat))
        payer = min(left, key=lambda seat: (left[seat], seat))
        points = min(left[payee], -left[payer])
        transfers.append(Transfer(payer, payee, points))
        left[payee] -= points
        left[payer] += points
    return tuple(transfers)
