"""What a round of a Swiss costs and the least it can cost, computed from the rules again and without shortcuts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations

from rustworkx import PyGraph, max_weight_matching

from tournament.formats.pairing import Contender, PairedRound, Within, pair_round

Cost = tuple[int, ...]


class Table:
    """The players from the best record to the worst, equal ones by rank, and the cost of pairing any two of them."""

    def __init__(self, players: Sequence[Contender], within: Within, byes_first: bool = False) -> None:
        self.players = sorted(players, key=lambda player: (-player.score, player.rank))
        self.within = within
        self.byes_first = byes_first
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        for index, player in enumerate(self.players):
            self.first.setdefault(player.score, index)
            self.last[player.score] = index

    def pair_cost(self, a: int, b: int) -> Cost:
        """Rematches, two for what byes cost, squared difference of records, each word shared, squared misplacement.

        With ``byes_first`` rematches come after the first cost of byes. The one at ``a`` is before the one at ``b``.
        """
        one, other = self.players[a], self.players[b]
        words = [int(word != "" and word == same) for word, same in zip(one.apart, other.apart, strict=True)]
        again = one.met.count(other.id)
        first = (0, again) if self.byes_first else (again, 0)
        return (*first, 0, (one.score - other.score) ** 2, *words, self.misplaced(a, b) ** 2)

    def misplaced(self, a: int, b: int) -> int:
        """How far the opponent of ``a`` is from the one that ``a`` would have if nobody had met anybody."""
        score, other = self.players[a].score, self.players[b].score
        if score != other:
            return (self.last[score] - a) + (b - self.first[other])
        top = self.first[score] + self.first[score] % 2
        bottom = self.last[score] - (self.last[score] + 1) % 2
        match self.within:
            case Within.FOLD:
                return (a - top) - (bottom - b)
            case Within.SLIDE:
                return (b - a) - (bottom - top + 1) // 2
            case Within.NEIGHBOURS:
                return (b - a) - 1

    def bye_cost(self, a: int) -> Cost:
        """As :meth:`pair_cost`, for a bye."""
        player = self.players[a]
        fewest = min(other.byes for other in self.players)
        worst = self.players[-1].score
        words = [0] * len(player.apart)
        ahead = player.byes - fewest
        first = (ahead, 0) if self.byes_first else (0, ahead)
        return (*first, player.score - worst, 0, *words, (self.last[player.score] - a) ** 2)

    def may_meet(self, a: int, b: int) -> bool:
        return self.players[a].persons.isdisjoint(self.players[b].persons)


def add(costs: Sequence[Cost]) -> Cost:
    return reduce(lambda sums, cost: tuple(map(sum, zip(sums, cost, strict=True))), costs)


def cost_of(players: Sequence[Contender], within: Within, paired: PairedRound, *, byes_first: bool = False) -> Cost:
    """The number of byes in ``paired``, then the cost of pairs and byes by each rule. Fails unless it is a round."""
    table = Table(players, within, byes_first)
    at = {player.id: index for index, player in enumerate(table.players)}
    sides = [id for pair in paired.pairs for id in pair] + list(paired.byes)
    assert sorted(sides) == sorted(at)
    pairs = [(at[a], at[b]) for a, b in paired.pairs]
    assert all(a < b and table.may_meet(a, b) for a, b in pairs)
    costs = [table.pair_cost(a, b) for a, b in pairs] + [table.bye_cost(at[free]) for free in paired.byes]
    return (len(paired.byes), *add(costs))


def best_by_trying(players: Sequence[Contender], within: Within, *, byes_first: bool = False) -> Cost:
    """The least cost of all possible rounds; only for a handful of players."""
    rounds = all_rounds(Table(players, within, byes_first), tuple(range(len(players))))
    return min((byes, *add(costs)) for byes, costs in rounds)


def all_rounds(table: Table, free: tuple[int, ...]) -> Iterator[tuple[int, list[Cost]]]:
    if not free:
        yield 0, []
        return
    a, *rest = free
    for byes, costs in all_rounds(table, tuple(rest)):
        yield byes + 1, [table.bye_cost(a), *costs]
    for b in rest:
        if table.may_meet(a, b):
            for byes, costs in all_rounds(table, tuple(index for index in rest if index != b)):
                yield byes, [table.pair_cost(a, b), *costs]


def best_of_all_pairs(players: Sequence[Contender], within: Within, *, byes_first: bool = False) -> Cost:
    """The least cost, found by one matching of all who may meet; a bye is one more partner for everybody."""
    table = Table(players, within, byes_first)
    count, byes = len(players), len(players) % 2
    edges = [(pair, table.pair_cost(*pair)) for pair in combinations(range(count), 2) if table.may_meet(*pair)]
    edges += [((a, count), table.bye_cost(a)) for a in range(count) if byes]
    weights = [1]
    for rule in range(len(edges[0][1]) - 1, 0, -1):
        weights.insert(0, weights[0] * (1 + max(cost[rule] for _, cost in edges) * (count // 2 + 1)))
    sums = [sum(map(int.__mul__, cost, weights)) for _, cost in edges]
    dearest = max(sums)
    graph: PyGraph[None, int] = PyGraph()
    graph.add_nodes_from([None] * (count + byes))
    graph.add_edges_from([(*pair, dearest - total) for (pair, _), total in zip(edges, sums, strict=True)])
    costs = dict(edges)
    found = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    assert 2 * len(found) == count + byes
    return (byes, *add([costs[min(pair), max(pair)] for pair in found]))


def after_rounds(
    count: int, rounds: int, within: Within, rng: random.Random, *, luck: int = 100
) -> tuple[Contender, ...]:
    """A field after so many rounds that were paired by :func:`pair_round`.

    ``luck`` is how many matches of a hundred the lot decides; the stronger player wins the others. Numbers of clubs
    and of absent players, and whether the order is drawn again for each round, are random too.
    """
    clubs = rng.choice((0, 2, count // 12 + 1, count // 4 + 1))
    away = rng.choice((0, 0, count // 10))
    is_drawn_anew = rng.random() < 0.5
    score, byes = dict.fromkeys(range(count), 0), dict.fromkeys(range(count), 0)
    met: dict[int, list[int]] = {id: [] for id in range(count)}
    words = {
        id: (f"club {rng.randrange(clubs)}", rng.choice("DDDDSN")) if clubs and rng.random() < 0.8 else ("", "")
        for id in range(count)
    }
    ranks = list(range(count))
    for number in range(rounds + 1):
        if is_drawn_anew:
            rng.shuffle(ranks)
        missing = set(rng.sample(range(count), away)) if number < rounds else set()
        players = tuple(
            Contender(id, score[id], ranks[id], byes[id], tuple(met[id]), frozenset({id}), words[id])
            for id in range(count)
            if id not in missing
        )
        if number == rounds:
            return players
        paired = pair_round(players, within)
        for a, b in paired.pairs:
            met[a].append(b)
            met[b].append(a)
            score[rng.choice((a, b)) if rng.randrange(100) < luck else min(a, b)] += 1
        for free in paired.byes:
            byes[free] += 1
            score[free] += 1
    raise AssertionError
