"""Dividing a field into groups, and merging the places in the groups into places in the whole field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import islice

from rules.errors import gettext_noop
from tournament.formats.advance import Run
from tournament.formats.chance import Chance
from tournament.formats.drawing import check_persons, drawn_order
from tournament.formats.hand import Swapped, swap_seats
from tournament.formats.options import PROTECT, Seeding
from tournament.formats.plan import Draw, Entrant, Placing, Reason, Section

Marks = Callable[[Entrant], tuple[Hashable, ...]]

PROTECTED: dict[str, tuple[Marks, ...]] = {
    "none": (),
    "club": (lambda entrant: (entrant.club,),),
    "country": (lambda entrant: (entrant.country,),),
    "club-country": (lambda entrant: (entrant.club,), lambda entrant: (entrant.country,)),
}
"""By the choices of ``PROTECT``: what entrants of one group should not have in common, the weightiest first."""


def group_letters(index: int) -> str:
    """Return the letters that name a group, whose ``index`` counts from 0: A, B, ... Z, AA, AB, ..."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def deal_groups(draw: Draw, count: int, chance: Chance) -> tuple[list[list[Entrant]], list[Reason]]:
    """Deal the field into ``count`` groups that differ in size by at most one; notes say who could not be kept apart.

    They are dealt row by row, there and back like a snake: in a draw by seeds the first ``count`` are each the best of
    a group. Then entrants change places until no further change helps: first nobody is in a group with themselves, then
    with their family, then with their club or country as the draw's option says. Seeded entrants change only within
    their row. Raises PlanError if a person would still be in a group twice.
    """
    order = drawn_order(draw, chance)
    groups: list[list[Entrant]] = [[] for _ in range(count)]
    for row, start in enumerate(range(0, len(order), count)):
        for place, entrant in enumerate(order[start : start + count]):
            groups[place if row % 2 == 0 else count - 1 - place].append(entrant)
    table = _Table(groups, _marks(draw), is_seeded=draw.options.seeding is Seeding.SEEDED)
    table.keep_apart(chance)
    for group in groups:
        check_persons(group)
    return groups, table.notes()


def deal_by_hand(
    draw: Draw, groups: Sequence[Sequence[Entrant]], notes: Sequence[Reason]
) -> tuple[list[list[Entrant]], list[Reason], Swapped]:
    """Return the groups and notes after the director's swaps, and what these moved."""
    sizes = [len(group) for group in groups]
    swapped = swap_seats([entrant for group in groups for entrant in group], draw.moves, partial(_is_twice, sizes))
    if not swapped.causes:
        return [list(group) for group in groups], [*notes, *swapped.notes], swapped
    dealt = _in_groups([entrant for entrant in swapped.seats if entrant], sizes)
    table = _Table(dealt, _marks(draw), is_seeded=False)
    return dealt, [*table.notes(), *swapped.notes], swapped


def _in_groups(entrants: Sequence[Entrant], sizes: Sequence[int]) -> list[list[Entrant]]:
    rest = iter(entrants)
    return [list(islice(rest, size)) for size in sizes]


def _is_twice(sizes: Sequence[int], seats: Sequence[Entrant | None]) -> bool:
    """Whether a person is in one of the groups more than once."""
    groups = _in_groups([entrant for entrant in seats if entrant], sizes)
    persons = [[person for entrant in group for person in entrant.persons] for group in groups]
    return any(len(set(group)) < len(group) for group in persons)


def _marks(draw: Draw) -> list[Marks]:
    """Return the kinds of marks that no two in a group should share: persons, the family, and what the option adds."""
    return [
        lambda entrant: tuple(sorted(entrant.persons)),
        lambda entrant: (entrant.family,),
        *PROTECTED[draw.options.choice(PROTECT.name)],
    ]


class _Table:
    """Who sits in which group, and how often each mark occurs there."""

    def __init__(self, groups: list[list[Entrant]], marks: Sequence[Marks], *, is_seeded: bool) -> None:
        self.groups = groups
        self.is_seeded = is_seeded
        self.marks = {
            entrant.id: tuple(tuple(mark for mark in level(entrant) if mark != "") for level in marks)
            for group in groups
            for entrant in group
        }
        self.levels = len(marks)
        self.counts: list[list[Counter[Hashable]]] = [
            [Counter(mark for entrant in group for mark in self.marks[entrant.id][level]) for group in groups]
            for level in range(self.levels)
        ]

    def keep_apart(self, chance: Chance) -> None:
        """Swap entrants, trying partners in random order, until no swap reduces the number of shared marks."""
        places = [(group, row) for group, members in enumerate(self.groups) for row in range(len(members))]
        chance.shuffle(places, lambda place: f"group {group_letters(place[0])} place {place[1] + 1}")
        while sum(self._move(place, places) for place in places):
            pass

    def _better_groups(self, here: int, row: int) -> set[int]:
        """Return the groups in which a mark of the entrant in this place is rarer: elsewhere a swap gains nothing."""
        marks = self.marks[self.groups[here][row].id]
        return {
            there
            for level, counts in enumerate(self.counts)
            for mark in marks[level]
            if counts[here][mark] > 1
            for there in range(len(self.groups))
            if counts[there][mark] < counts[here][mark] - 1
        }

    def _move(self, place: tuple[int, int], places: Sequence[tuple[int, int]]) -> bool:
        """Swap the entrant in this place with another if that helps; return whether it did."""
        better = self._better_groups(*place)
        useless: set[tuple[int, object]] = set()
        for other in places if better else ():
            kind = (other[0], self.marks[self.groups[other[0]][other[1]].id])
            if other[0] not in better or kind in useless or not self._may_change(place, other):
                continue
            if self._gain(place, other) > (0,) * self.levels:
                self._exchange(place, other)
                return True
            useless.add(kind)
        return False

    def _may_change(self, place: tuple[int, int], other: tuple[int, int]) -> bool:
        if not self.is_seeded or place[1] == other[1]:
            return True
        return all(self.groups[group][row].seed is None for group, row in (place, other))

    def _gain(self, place: tuple[int, int], other: tuple[int, int]) -> tuple[int, ...]:
        """Return how many fewer entrants would share a mark in their group after the swap, level by level."""
        (here, _), (there, _) = place, other
        mine, theirs = (self.marks[self.groups[group][row].id] for group, row in (place, other))
        gains = []
        for level in range(self.levels):
            gain = 0
            counts = self.counts[level]
            for mark in mine[level]:
                if mark not in theirs[level]:
                    gain += counts[here][mark] - 1 - counts[there][mark]
            for mark in theirs[level]:
                if mark not in mine[level]:
                    gain += counts[there][mark] - 1 - counts[here][mark]
            gains.append(gain)
        return tuple(gains)

    def _exchange(self, place: tuple[int, int], other: tuple[int, int]) -> None:
        (here, row), (there, other_row) = place, other
        a, b = self.groups[here][row], self.groups[there][other_row]
        for level in range(self.levels):
            for entrant, old, new in ((a, here, there), (b, there, here)):
                self.counts[level][old].subtract(self.marks[entrant.id][level])
                self.counts[level][new].update(self.marks[entrant.id][level])
        self.groups[here][row], self.groups[there][other_row] = b, a

    def notes(self) -> list[Reason]:
        """List the groups that contain several entrants from the same family, club or country."""
        notes = []
        for counts in self.counts[1:]:
            marks = {str(mark) for counter in counts for mark, count in counter.items() if count > 1}
            for mark in sorted(marks):
                shared = [group_letters(group) for group, counter in enumerate(counts) if counter[mark] > 1]
                notes.append(
                    Reason(
                        "not_kept_apart",
                        gettext_noop(
                            "%(who)s: several entrants could not be kept apart and share a group (%(groups)s)."
                        ),
                        (("who", mark), ("groups", ", ".join(shared))),
                    )
                )
        return notes


def wins_and_losses(run: Run) -> tuple[Counter[int], Counter[int]]:
    """Count how many pairings each entrant has won, byes included, and how many each has lost.

    A void pairing is neither won nor lost.
    """
    won, lost = (
        Counter(sitter.id for sitter in sitters if isinstance(sitter, Entrant)) for sitters in (run.winners, run.losers)
    )
    return won, lost


def places_of_the_field(sections: Sequence[Section]) -> tuple[Placing, ...]:
    """Return places in the whole field from those in ``sections``: all who came first share the top places, and so on.

    Every section has placings. A smaller section has nobody in the last places.
    """
    sizes = [len(section.entrants) for section in sections]
    above = [0]
    for place in range(1, max(sizes, default=0) + 1):
        above.append(above[-1] + sum(size >= place for size in sizes))
    placings = [
        Placing(placing.entrant, above[placing.place - 1] + 1, above[placing.place_to], placing.why)
        for section in sections
        for placing in section.placings or ()
    ]
    return tuple(sorted(placings, key=lambda placing: (placing.place, placing.place_to, placing.entrant)))
