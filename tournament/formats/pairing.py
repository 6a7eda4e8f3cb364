"""Pairing one round of a Swiss so that the rules are broken as little as possible.

The rules, each above all that follow; the first cannot be broken:

1. Two who share a person never meet. If that leaves somebody without an opponent, they have a bye.
2. Nobody meets an opponent again.
3. Nobody has another bye before everyone who is here has had as many. Where a bye is worth a life, or the director
   wants it so, this rule comes before the second.
4. Byes go to the worst record.
5. Records are as equal as possible: the sum of the squared differences is least.
6. What keeps two apart, such as a club: as few such pairs as possible, by each word in its order.
7. Within a record, opponents are as :class:`Within` says. A player without an opponent of the same record is the last
   of it, and meets the first of the next.

The order of 3 to 5 is that of MoreSwiss (moreswiss.com): no second bye until everyone had one, byes to the worst
record, records as similar as possible.

The round is the matching of least cost among all pairs (:mod:`tournament.formats.matching`). In a field of more than
:data:`DENSE` players it is the least among candidates, who are chosen group by group: for each player those who fit
best, and more of them wherever the result reaches to the edge of what was looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tournament.formats.matching import Costs, Edge, cheapest_matching

DENSE = 128
"""The largest field in which every possible pair is a candidate; in a larger one the nearest pairs are."""

BREADTH = 16
"""How many opponents of the same record are candidates for each player of a large field, to begin with."""

MOST_CANDIDATES = 200_000
"""The most pairs that are weighed for the sake of a better round: as many as a few seconds allow."""


class Within(StrEnum):
    """How players with the same record, numbered 1, 2, 3 ... from the top, are paired with each other."""

    FOLD = "fold"
    """The first meets the last, the second the last but one."""
    SLIDE = "slide"
    """The first meets the first of the lower half, the second its second."""
    NEIGHBOURS = "neighbours"
    """The first meets the second, the third the fourth."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player to be paired: ``score`` is their record (more is better), ``rank`` their place among equals, from 1.

    ``met`` are the ids of all opponents so far, one for each meeting. ``apart`` are words, the most important first,
    that the player should share with no opponent where that can be avoided; empty words do not count.
    """

    id: int
    score: int
    rank: int
    byes: int = 0
    met: tuple[int, ...] = ()
    persons: frozenset[int] = frozenset()
    apart: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairedRound:
    """The pairs by id, the better record first and from the top down, followed by the players with a bye."""

    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]


@lru_cache(maxsize=32)
def pair_round(
    players: tuple[Contender, ...], within: Within, most: int | None = None, *, byes_first: bool = False
) -> PairedRound:
    """Pair everyone in ``players`` or give them a bye, following the rules of this module.

    At most ``most`` pairs are made; without it as many as possible. With ``byes_first`` rule 3 comes before rule 2.
    """
    best_first = sorted(players, key=lambda player: (-player.score, player.rank, player.id))
    field = _Field(best_first, within, byes_first=byes_first)
    count = len(players)
    byes = count % 2 if most is None else max(count % 2, count - 2 * most)
    found = field.match_near(byes) if count > DENSE else None
    while found is None:
        found, unpaired = field.match(field.everyone(), byes)
        byes += unpaired
    pairs = sorted((a, b) for a, b in found if b < count)
    free = sorted(a for a, b in found if b >= count)
    ids = [player.id for player in field.players]
    order = sorted(pairs, key=lambda pair: (-field.players[pair[0]].score, -field.players[pair[1]].score, pair))
    return PairedRound(tuple((ids[a], ids[b]) for a, b in order), tuple(ids[a] for a in free))


class _Field:
    """All players in a round, best first, in groups of equal score, and the cost of pairing any two of them."""

    def __init__(self, players: Sequence[Contender], within: Within, *, byes_first: bool) -> None:
        self.players = players
        self.within = within
        self.byes_first = byes_first
        self.met = [frozenset(player.met) for player in players]
        self.groups: list[range] = []
        self.group_of: list[int] = []
        first = 0
        for index in range(1, len(players) + 1):
            if index == len(players) or players[index].score != players[first].score:
                self.group_of += [len(self.groups)] * (index - first)
                self.groups.append(range(first, index))
                first = index
        self.common = [0] * len(players)
        for group in self.groups:
            self._mark_common(group)
        self.kinds = [{self.common[index] for index in group} for group in self.groups]
        self.looked = [0] * len(players)
        self.reach: dict[tuple[int, tuple[int, int]], int] = {}
        # In a group of odd size the last one moves on to the next group, whose first one is then taken.
        self.inner = [range(group.start + group.start % 2, group.stop - group.stop % 2) for group in self.groups]

    def _mark_common(self, group: range) -> None:
        """In each player's bits, mark the words that more than a quarter of their ``group`` share."""
        for bit, words in enumerate(zip(*(self.players[index].apart for index in group), strict=True)):
            for word, count in Counter(words).items():
                if word and 4 * count > len(group):
                    for index, mine in zip(group, words, strict=True):
                        self.common[index] |= (mine == word) << bit

    def match(self, edges: list[Edge], byes: int) -> tuple[set[tuple[int, int]] | None, int]:
        """Return the cheapest matching with this many byes, or None, and how many players are left unpaired."""
        count = len(self.players)
        rest = [(index, count + bye, costs) for index, costs in self._bye_costs(byes) for bye in range(byes)]
        apart = len(self.players[0].apart) if self.players else 0
        pairs = (count - byes) // 2
        limits = [*self._in_order(pairs, byes), byes, *[pairs] * (1 + apart), pairs + byes]
        found, unpaired = cheapest_matching(count + byes, edges + rest, limits)
        return (None, unpaired) if unpaired else (found, 0)

    def _bye_costs(self, byes: int) -> list[tuple[int, Costs]]:
        if not byes:
            return []
        fewest = min(player.byes for player in self.players)
        worst = self.players[-1].score
        none = (0,) * (1 + len(self.players[0].apart))
        costs = []
        for index, player in enumerate(self.players):
            above_last = self.groups[self.group_of[index]][-1] - index
            first = self._in_order(0, player.byes - fewest)
            costs.append((index, (*first, player.score - worst, *none, above_last**2)))
        return costs

    def _in_order(self, again: int, byes: int) -> tuple[int, int]:
        """Return what belongs to rule 2, rematches, and to rule 3, further byes, in the order of the two."""
        return (byes, again) if self.byes_first else (again, byes)

    def costs(self, a: int, b: int) -> Costs:
        """Return the cost, by each rule, of pairing ``a`` with ``b``, who is further down."""
        one, other = self.players[a], self.players[b]
        again = one.met.count(other.id) if other.id in self.met[a] else 0
        alike = tuple([1 if word and word == same else 0 for word, same in zip(one.apart, other.apart, strict=True)])
        return (*self._in_order(again, 0), 0, (one.score - other.score) ** 2, *alike, self._misplaced(a, b) ** 2)

    def _misplaced(self, a: int, b: int) -> int:
        """Return how many places ``b`` is from where ``a`` would look for an opponent."""
        group = self.group_of[a]
        if group != self.group_of[b]:
            return self.groups[group][-1] - a + b - self.groups[self.group_of[b]][0]
        inner = self.inner[group]
        match self.within:
            case Within.FOLD:
                return abs(a + b - inner.start - inner.stop + 1)
            case Within.SLIDE:
                return abs(b - a - len(inner) // 2)
            case Within.NEIGHBOURS:
                return b - a - 1

    def may_meet(self, a: int, b: int) -> bool:
        """Whether the two have no person in common."""
        return self.players[a].persons.isdisjoint(self.players[b].persons)

    def everyone(self) -> list[Edge]:
        """Return every pair of players who may meet."""
        count = len(self.players)
        return [(a, b, self.costs(a, b)) for a in range(count) for b in range(a + 1, count) if self.may_meet(a, b)]

    def match_near(self, byes: int) -> set[tuple[int, int]] | None:
        """Return the cheapest matching among near opponents; None if none has this many byes and no rematch.

        The search is widened wherever it reaches to the edge of what was looked at.
        """
        breadth = BREADTH
        while breadth < len(self.players):
            edges = self.near(breadth)
            found, _ = self.match(edges, byes)
            if found and (self.is_inside(found, breadth) or 4 * len(edges) > MOST_CANDIDATES):
                return found
            breadth *= 4
        return None

    def near(self, breadth: int) -> list[Edge]:
        """Return each player's best-fitting new opponents, ``breadth`` of each kind."""
        self.reach.clear()
        chosen: set[tuple[int, int]] = set()
        for a in range(len(self.players)):
            chosen.update((min(a, b), max(a, b)) for b in self._best_in_group(a, breadth))
        for above, below in self._near_groups(breadth):
            last, first = self.groups[above][-breadth:], self.groups[below][:breadth]
            chosen.update((a, b) for a in last for b in first if self._is_new(a, b))
        return [(a, b, self.costs(a, b)) for a, b in sorted(chosen)]

    def is_inside(self, pairs: set[tuple[int, int]], breadth: int) -> bool:
        """Whether no pair is in the outer half of what :meth:`near` considered: a wider search would hardly help."""
        for a, b in pairs:
            if b >= len(self.players):
                continue
            above, below = self.groups[self.group_of[a]], self.groups[self.group_of[b]]
            if above == below:
                edge, place = min(self._reach(a, b), self._reach(b, a)), self._misplaced(a, b)
            else:
                edge, place = breadth, max(above[-1] - a, b - below[0])
            if 2 * place > edge:
                return False
        return True

    def _reach(self, a: int, b: int) -> int:
        """Return the distance, in places, within which every player of the kind of ``b`` was considered for ``a``."""
        return self.reach.get((a, self._kind(a, b)), self.looked[a])

    def _kind(self, a: int, b: int) -> tuple[int, int]:
        """Return, as bits, which words the two share, and which words of ``b`` are common in the group of ``b``."""
        return _shared(self.players[a].apart, self.players[b].apart), self.common[b]

    def _is_new(self, a: int, b: int) -> bool:
        return self.players[b].id not in self.met[a] and self.may_meet(a, b)

    def _near_groups(self, breadth: int) -> Iterator[tuple[int, int]]:
        """Iterate over each group paired with those below it, as far down as its players need to look."""
        for above in range(len(self.groups)):
            for below in range(above + 1, len(self.groups)):
                yield above, below
                if self.groups[below].stop - self.groups[above].stop > breadth:
                    break

    def _best_in_group(self, a: int, breadth: int) -> Iterator[int]:
        """Return the players nearest to where ``a`` looks for an opponent, ``breadth`` of each kind.

        Kinds, because where most players share a word the few others are wanted by all, and may be far.
        """
        common = self.common[a]
        wanted = {(0, flags) for flags in self.kinds[self.group_of[a]] if not flags & common} or {(0, 0)}
        found: Counter[tuple[int, int]] = Counter()
        self.looked[a] = len(self.players)
        for looked, b in enumerate(self._outward(a)):
            if looked == 8 * breadth or not wanted:
                self.looked[a] = self._misplaced(min(a, b), max(a, b))
                return
            if not self._is_new(a, b):
                continue
            kind = self._kind(a, b)
            found[kind] += 1
            if found[kind] <= breadth:
                yield b
                if found[kind] == breadth:
                    self.reach[a, kind] = self._misplaced(min(a, b), max(a, b))
                    wanted.discard(kind)

    def _outward(self, a: int) -> Iterator[int]:
        """Iterate over the others in the group of ``a``, outwards from where ``a`` looks for an opponent."""
        group, inner = self.groups[self.group_of[a]], self.inner[self.group_of[a]]
        centre = inner.start + inner.stop - 1 - a if self.within is Within.FOLD else a
        half = len(inner) // 2 if self.within is Within.SLIDE else 0
        for step in range(len(group) + 1):
            near = [half + step, half - step] if 0 < step < half else [half + step]
            for b in sorted({centre + sign * distance for distance in near for sign in (1, -1)}):
                if b in group and b != a:
                    yield b


def _shared(words: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Return which words two players have in common, as bits: one for the position of each word."""
    return sum([1 << bit for bit, word in enumerate(words) if word and word == others[bit]])
