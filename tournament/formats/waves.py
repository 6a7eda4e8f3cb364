"""A bracket of losers: the round in which each wave enters, who has a bye, and who meets whom.

A wave is the losers of one round of the bracket above. Entering at round e is worth as much as winning e - 1 matches,
so a loser takes as many lines as 2 to the power of e - 1, and the lines of all fill a power of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace


def steady_rounds(sizes: Sequence[int]) -> list[int]:
    """Return the round in which each wave enters if each later wave meets an equal number of survivors: 1, 2, 4, 6, ...

    Between two waves the survivors play a round among themselves.
    """
    return [1, *(2 * wave for wave in range(1, len(sizes)))]


def packed_rounds(sizes: Sequence[int]) -> list[int]:
    """Return the round in which each wave enters if none waits for survivors, so that the bracket ends early.

    The first waves may have to wait for each other. Of the ways to do so that end as early, counted in rounds of the
    bracket above, this has the fewest byes; the last wave enters as late as the lines allow.
    """
    choices = []
    for waiting in range(len(sizes)):
        enters = [max(1, wave + 1 - waiting) for wave in range(len(sizes))]
        rounds = _rounds(_lines(sizes, enters))
        while _lines(sizes, [*enters[:-1], enters[-1] + 1]) <= 2**rounds and sizes[-1]:
            enters[-1] += 1
        choices.append((waiting + rounds, 2**rounds - _lines(sizes, enters), enters))
    return min(choices)[2]


def _lines(sizes: Sequence[int], enters: Sequence[int]) -> int:
    return sum(size << (round - 1) for size, round in zip(sizes, enters, strict=True))


def _rounds(lines: int) -> int:
    return (lines - 1).bit_length()


@dataclass(frozen=True, slots=True)
class Berth:
    """A loser's place: ``place`` counts within a wave from 0, top to bottom. ``bye`` is a free first round."""

    wave: int
    place: int
    bye: bool


@dataclass(frozen=True, slots=True)
class Survivor:
    """The winner of meeting ``number`` of the previous round, counted from 0."""

    number: int


Side = Berth | Survivor | None
"""One side of a meeting; None is a bye."""


@dataclass(slots=True)
class Layout:
    """A bracket of losers: the meetings of each round, from top to bottom."""

    rounds: list[list[tuple[Side, Side]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, order=True)
class _Class:
    """Losers of one wave who enter in the same round; ``bye`` marks those with a bye in the round before."""

    round: int
    wave: int
    bye: bool


def lay_out(sizes: Sequence[int], enters: Sequence[int]) -> Layout:
    """Return the meetings of a bracket for waves of these sizes entering in these rounds; at least two losers in all.

    Where the lines do not fill a power of two, losers of the earliest round go free in it, those of the latest wave
    first; a round that nobody would play is left out. Losers of every wave are spread over the halves, quarters ... of
    the bracket as evenly as their number allows.
    """
    rounds, counts = _with_byes(sizes, enters)
    layout = Layout([[] for _ in range(rounds)])
    places = [iter(range(size)) for size in sizes]
    _split(layout, rounds, sorted(counts.items(), reverse=True), places)
    return layout


def spare_second_byes(layout: Layout, weights: Sequence[Sequence[float]]) -> None:
    """Give the byes to the losers of the first round with the least of ``weights``, which has one for each berth.

    Two exchange their places in the nearest part of the bracket where that helps: first those who could meet in the
    next round, then those who could meet in the one after it, and so on.
    """
    first = layout.rounds[0]
    part = list(range(len(first)))
    for number, meetings in enumerate(layout.rounds):
        if number:
            above = {
                side.number: index
                for index, sides in enumerate(meetings)
                for side in sides
                if isinstance(side, Survivor)
            }
            part = [above[index] for index in part]
        members: dict[int, list[int]] = {}
        for meeting, index in enumerate(part):
            members.setdefault(index, []).append(meeting)
        for group in members.values():
            _exchange(first, group, weights)


def _exchange(first: list[tuple[Side, Side]], group: Sequence[int], weights: Sequence[Sequence[float]]) -> None:
    """Exchange losers of these meetings until nobody there has a bye who weighs more than one who has none."""
    free: list[tuple[float, int, int, Berth]] = []
    busy: list[tuple[float, int, int, Berth]] = []
    for meeting in group:
        for place, side in enumerate(first[meeting]):
            if isinstance(side, Berth):
                weight = weights[side.wave][side.place]
                (free if first[meeting][1] is None else busy).append((weight, meeting, place, side))
    free.sort(key=lambda one: (-one[0], one[1]))
    busy.sort(key=lambda one: one[:3])
    for (weight, there, _, holder), (other_weight, here, place, other) in zip(free, busy, strict=False):
        if weight <= other_weight:
            return
        first[there] = (replace(other, bye=True), None)
        sides = list(first[here])
        sides[place] = replace(holder, bye=False)
        first[here] = (sides[0], sides[1])


def _with_byes(sizes: Sequence[int], enters: Sequence[int]) -> tuple[int, dict[_Class, int]]:
    """Return the number of rounds, and how many losers each class has once byes have filled the spare lines."""
    counts = {_Class(round, wave, False): sizes[wave] for wave, round in enumerate(enters) if sizes[wave]}
    lines = _lines(sizes, enters)
    rounds = _rounds(lines)
    spare = 2**rounds - lines
    while True:
        first = min(each.round for each in counts)
        here = sorted((each for each in counts if each.round == first), reverse=True)
        byes = spare >> (first - 1)
        if byes < sum(counts[each] for each in here):
            break
        for each in here:
            later = _Class(first + 1, each.wave, False)
            spare -= counts[each] << (first - 1)
            counts[later] = counts.get(later, 0) + counts.pop(each)
    for each in here:
        free = min(byes, counts[each])
        if free:
            byes -= free
            counts[each] -= free
            counts[_Class(first + 1, each.wave, True)] = free
    return rounds - first + 1, {
        _Class(each.round - first + 1, each.wave, each.bye): count for each, count in counts.items() if count
    }


def _split(layout: Layout, round: int, losers: Sequence[tuple[_Class, int]], places: Sequence[Iterator[int]]) -> Side:
    """Add the meetings of the part of the bracket that ends with ``round``; return the entrant who comes out of it."""
    each, count = losers[0]
    if count == 1 and len(losers) == 1:
        berth = Berth(each.wave, next(places[each.wave]), each.bye)
        return _add(layout, round, berth, None) if each.bye else berth
    upper, lower = _halves(losers)
    a = _split(layout, round - 1, upper, places)
    b = _split(layout, round - 1, lower, places)
    if isinstance(a, Berth) and isinstance(b, Survivor):
        a, b = b, a
    return _add(layout, round, a, b)


def _add(layout: Layout, round: int, a: Side, b: Side) -> Survivor:
    meetings = layout.rounds[round - 1]
    meetings.append((a, b))
    return Survivor(len(meetings) - 1)


def _halves(losers: Sequence[tuple[_Class, int]]) -> tuple[list[tuple[_Class, int]], list[tuple[_Class, int]]]:
    """Divide each class into halves that take equally many lines; the classes that take most are dealt first."""
    upper, lower = [], []
    ahead = 0
    for each, count in losers:
        behind = min(count, abs(ahead) >> (each.round - 1))
        above = (count - behind + 1) // 2 + (behind if ahead < 0 else 0)
        ahead += (2 * above - count) << (each.round - 1)
        if above:
            upper.append((each, above))
        if above < count:
            lower.append((each, count - above))
    return upper, lower
