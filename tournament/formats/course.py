"""A bracket as it goes on: pairings are added in order, and each knows who came through the ones before."""

from __future__ import annotations

from collections import Counter

from tournament.formats.drawing import settle, sole_entrant
from tournament.formats.plan import Draw, Entrant, LoserOf, Pairing, Reason, Seat, WinnerOf, feed_of


class Course:
    """The pairings so far, who won and lost them, and the outcomes that do not belong to those who sit there."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.pairings: dict[str, Pairing] = {}
        self.winners: dict[str, Entrant] = {}
        self.losers: dict[str, Entrant] = {}
        self.stale: list[str] = []

    def add(self, bracket: str, round: int, number: int, slots: tuple[Seat, Seat], length: int, why: Reason) -> Pairing:
        """The pairing of ``slots``, each filled if what it waits for is decided. A bye is on side B.

        Raises PlanError if its outcome is of a bye, or of others than the draw itself has put here.
        """
        key = f"{bracket}{round}-{number}"
        a, b = (self._seat(slot) for slot in slots)
        pairing = Pairing(key, bracket, round, number, a, b, length, feed_of(slots[0]), feed_of(slots[1]), why)
        self.pairings[key] = pairing
        outcome = self.draw.outcomes.get(key)
        settled = settle(pairing, outcome)
        free = sole_entrant(pairing)
        if settled:
            self.winners[key], self.losers[key] = settled
        elif free:
            self.winners[key] = free
        elif outcome:
            self.stale.append(key)
        return pairing

    def _seat(self, slot: Seat) -> Seat:
        match slot:
            case WinnerOf(key):
                return self.winners.get(key) or slot
            case LoserOf(key):
                return self.losers.get(key) or slot
        return slot

    def records(self) -> tuple[Counter[int], Counter[int]]:
        """How often each entrant came through a pairing, byes included, and how often each lost one."""
        won = Counter(winner.id for winner in self.winners.values())
        lost = Counter(loser.id for loser in self.losers.values())
        return won, lost
