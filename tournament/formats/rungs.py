"""The rungs of a challenge ladder: the first order, what decided challenges make of it, and who may challenge whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.formats.chance import chance_in
from tournament.formats.drawing import drawn_order
from tournament.formats.lots import DRAW
from tournament.formats.plan import Draw

SWAP, INSERT = "swap", "insert"
"""What a won challenge does: the two change rungs, or the winner moves in above the loser."""


def first_rungs(draw: Draw) -> list[int]:
    """Return the entrants, by id, as they stand before any challenge: from top to bottom.

    Those who came after the draw stand below all others, in the order in which they entered.
    """
    drawn = tuple(entrant for entrant in draw.entrants if entrant.presence[0] == 1)
    late = sorted((entrant.number or entrant.id, entrant.id) for entrant in draw.entrants if entrant not in drawn)
    order = drawn_order(replace(draw, entrants=drawn), chance_in(draw, DRAW)) if drawn else []
    return [entrant.id for entrant in order] + [id for _number, id in late]


def rungs_of(draw: Draw) -> list[int]:
    """Return the entrants, by id, from the top rung to the bottom, after all challenges that are decided.

    Challenges take effect in the order of their numbers. Nobody has two open ones, so two that were open together are
    between four different players, and then the order in which they are decided makes no difference.
    """
    rungs = first_rungs(draw)
    inserts = draw.options.choice("taking") == INSERT
    for challenge in sorted(draw.challenges, key=lambda challenge: challenge.number):
        outcome = draw.outcomes.get(challenge.key)
        if outcome is None or outcome.is_void or outcome.winner != challenge.challenger:
            continue
        low, high = rungs.index(challenge.challenger), rungs.index(challenge.challenged)
        if low < high:
            continue  # the result of an earlier challenge was corrected: the winner stands higher already
        if inserts:
            rungs.insert(high, rungs.pop(low))
        else:
            rungs[low], rungs[high] = rungs[high], rungs[low]
    return rungs


@dataclass(frozen=True, slots=True)
class Reach:
    """Who may challenge whom at one moment, all by id.

    ``rungs`` go from top to bottom, ``most`` is how many rungs above a player may challenge. ``busy`` are those who
    have an open challenge, ``gone`` those who have left: their rungs do not count. ``resting`` are the pairs who have
    met too recently.
    """

    rungs: Sequence[int]
    most: int
    busy: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    resting: frozenset[frozenset[int]] = frozenset()

    def above(self, challenger: int) -> list[int]:
        """Return those near enough above the challenger, from top to bottom, whether or not they are free."""
        here = [id for id in self.rungs if id not in self.gone]
        if challenger not in here:
            return []
        rung = here.index(challenger)
        return here[max(rung - self.most, 0) : rung]

    def of(self, challenger: int) -> list[int]:
        """Return those whom the challenger may challenge now, from top to bottom."""
        if challenger in self.busy:
            return []
        return [
            id
            for id in self.above(challenger)
            if id not in self.busy and frozenset((id, challenger)) not in self.resting
        ]
