"""The promise that byes are shared: the last round of a Swiss is weighed again, by that rule and rematches alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from tournament.formats.matching import Edge, cheapest_matching
from tournament.formats.plan import Draw, Entrant, Plan
from tournament.formats.swiss_rounds import BYES, FAIR, SWISS


def check_byes(draw: Draw, plan: Plan) -> list[str]:
    """Check that in the last round nobody has another bye before everyone who is there has had as many.

    A bye that spares a rematch may come earlier, unless the option ``byes`` forbids that too.
    """
    last = max((pairing.round for pairing in plan.pairings if pairing.bracket == SWISS), default=0)
    if not last:
        return []
    round = _Round(draw, plan, last)
    if not round.ahead:
        return []
    fewest_ahead, rematches = round.fairest()
    if fewest_ahead == round.ahead:
        return []
    if draw.options.own.get(BYES.name) == FAIR:
        return [f"round {last}: another bye before everyone has had as many"]
    return [f"round {last}: another bye that spares no rematch"] if rematches <= round.rematches else []


class _Round:
    """One round of a Swiss.

    ``ahead`` is by how many byes those who have one in this round were ahead of the others, ``rematches`` how often
    those who meet in it have met before.
    """

    def __init__(self, draw: Draw, plan: Plan, number: int) -> None:
        self.byes = Counter(draw.earlier_byes)
        self.met = Counter(frozenset((outcome.winner, outcome.loser)) for outcome in draw.earlier)
        pairings = [pairing for pairing in plan.pairings if pairing.round == number]
        for pairing in plan.pairings:
            if pairing.round < number and pairing.is_bye:
                self.byes.update(pairing.entrant_ids)
            elif pairing.round < number:
                self.met[pairing.entrant_ids] += 1
        there = {id for pairing in pairings for id in pairing.entrant_ids}
        self.here: list[Entrant] = [entrant for entrant in draw.entrants if entrant.id in there]
        self.fewest = min(self.byes[id] for id in there)
        self.free = [id for pairing in pairings if pairing.is_bye for id in pairing.entrant_ids]
        self.ahead = sum(self.byes[id] - self.fewest for id in self.free)
        self.rematches = sum(self.met[pairing.entrant_ids] for pairing in pairings if not pairing.is_bye)

    def fairest(self) -> tuple[int, int]:
        """Return the least that ``ahead`` could be with as many byes, and then the fewest ``rematches``."""
        count, pairs = len(self.here), (len(self.here) - len(self.free)) // 2
        edges: list[Edge] = [
            (a, b, (0, self.met[frozenset((one.id, other.id))]))
            for (a, one), (b, other) in combinations(enumerate(self.here), 2)
            if one.persons.isdisjoint(other.persons)
        ]
        edges += [
            (a, count + bye, (self.byes[one.id] - self.fewest, 0))
            for a, one in enumerate(self.here)
            for bye in range(len(self.free))
        ]
        costs = {(a, b): cost for a, b, cost in edges}
        found, _unpaired = cheapest_matching(count + len(self.free), edges, [len(self.free), pairs])
        return sum(costs[pair][0] for pair in found), sum(costs[pair][1] for pair in found)
