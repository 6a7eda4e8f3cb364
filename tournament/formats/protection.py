"""Keeping a player's entries, families, clubs and countries apart in round 1, as far as the field allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import add, sub

from rules.errors import gettext_noop
from tournament.formats.chance import Chance
from tournament.formats.errors import PlanError
from tournament.formats.plan import Entrant, Reason

Match = tuple[Entrant, Entrant | None]
"""Two who meet in round 1; None for a bye."""

Cost = tuple[int, ...]
"""What makes lines bad, the worst first: pairings of round 1 between entries of one player, those within a family, how
early entries of one player can meet later, then pairings within a club or country."""

ATTEMPTS = 20
"""How often the lines are drawn again while a player or a family still meets in round 1."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Something that two entrants may share, with the sentences for a swap because of it and a meeting despite it."""

    name: str
    of: Callable[[Entrant], str]
    exchanged: str
    meet: str


FAMILY = Tie(
    "family",
    lambda entrant: entrant.family,
    gettext_noop("Drawn at random, then swapped with another line so that members of a family do not meet in round 1."),
    gettext_noop("%(a)s and %(b)s are from the same family and meet in round 1: with this field it cannot be avoided."),
)
CLUB = Tie(
    "club",
    lambda entrant: entrant.club,
    gettext_noop("Drawn at random, then swapped with another line so that clubmates do not meet in round 1."),
    gettext_noop("%(a)s and %(b)s are from the same club and meet in round 1: with this field it cannot be avoided."),
)
COUNTRY = Tie(
    "country",
    lambda entrant: entrant.country,
    gettext_noop("Drawn at random, then swapped with another line so that compatriots do not meet in round 1."),
    gettext_noop(
        "%(a)s and %(b)s are from the same country and meet in round 1: with this field it cannot be avoided."
    ),
)

TIES: dict[str, tuple[Tie, ...]] = {
    "none": (FAMILY,),
    "club": (FAMILY, CLUB),
    "country": (FAMILY, COUNTRY),
    "club-country": (FAMILY, CLUB, COUNTRY),
}


@dataclass(frozen=True, slots=True)
class Apart:
    """The pairings of round 1 after the swaps; ``reasons`` by the number of the changed pairing, counted from 0."""

    matches: list[Match]
    reasons: dict[int, Reason]
    notes: tuple[Reason, ...]


def keep_apart(matches: Sequence[Match], protect: str, group: Callable[[Entrant], int | None], chance: Chance) -> Apart:
    """Swap entrants so that those with something in common do not meet in round 1.

    Entries of one player never meet there and sit in different halves where they can; families, and those whom
    ``protect`` names, are kept apart as far as exchanges can, and a note tells of each exception. Only entrants of one
    ``group`` change places; None stays. Where nobody meets who should not, nothing is changed and ``chance`` is
    not asked. Raises PlanError where two entries of one player cannot but meet.
    """
    lines = _Lines(matches, TIES[protect], group)
    drawn = list(lines.seats)
    lines.improve(chance)
    lines.refuse_meeting_oneself()
    changed = {line // 2: lines.causes[line] for line, entrant in enumerate(drawn) if lines.seats[line] is not entrant}
    reasons = {number: _why(cause, is_bye=lines.seats[2 * number + 1] is None) for number, cause in changed.items()}
    return Apart(lines.matches(), reasons, tuple(lines.notes()))


def meetings_of(matches: Sequence[Match], protect: str) -> tuple[Reason, ...]:
    """Return the notes on those in ``matches`` who meet although they have something in common."""
    return tuple(_Lines(matches, TIES[protect], lambda entrant: None).notes())


class _Lines:
    """The lines of round 1, two for each pairing, and what the entrants on them have in common."""

    def __init__(self, matches: Sequence[Match], ties: Sequence[Tie], group: Callable[[Entrant], int | None]) -> None:
        self.seats: list[Entrant | None] = [entrant for match in matches for entrant in match]
        self.ties = ties
        self.groups = [None if entrant is None else group(entrant) for entrant in self.seats]
        self.rounds = (len(self.seats) - 1).bit_length()
        self.line = {entrant.id: line for line, entrant in enumerate(self.seats) if entrant}
        self.others = _other_entries([entrant for entrant in self.seats if entrant])
        self.causes: dict[int, Tie | None] = {}

    def matches(self) -> list[Match]:
        return [(a, b) for a, b in zip(self.seats[::2], self.seats[1::2], strict=True) if a is not None]

    def improve(self, chance: Chance) -> None:
        """Swap entrants for as long as that improves the lines."""
        least = self._least()
        if self._cost() <= least:
            return
        self._climb(chance, least, 1)
        best, seats, causes = self._cost(), self.seats, self.causes
        for attempt in range(2, ATTEMPTS + 2):
            if best[:2] <= least[:2]:
                break
            self._draw_anew(chance, attempt)
            self._climb(chance, least, attempt)
            if self._cost() < best:
                best, seats, causes = self._cost(), self.seats, self.causes
        self._sit(seats)
        self.causes = causes

    def _least(self) -> Cost:
        """Return a lower bound on the cost of the lines: a pairing holds one of a family, club or country for free."""
        entrants = [entrant for entrant in self.seats if entrant]
        pairings = len(self.seats) // 2
        least = []
        for tie in self.ties:
            sizes = Counter(name for entrant in entrants if (name := tie.of(entrant)))
            least.append(sum(max(0, size - pairings) for size in sizes.values()))
        return 0, least[0], 0, *least[1:]

    def _cost(self) -> Cost:
        return self._cost_of(range(len(self.seats)))

    def _cost_of(self, lines: Iterable[int]) -> Cost:
        """Return how much the entrants on ``lines`` add to the cost."""
        pairings = {line // 2 for line in lines}
        seen: set[int] = set()
        early = 0
        for line in lines:
            entrant = self.seats[line]
            if entrant and entrant.id in self.others:
                seen.add(entrant.id)
                early += sum(self._early(line, other) for other in self.others[entrant.id] if other not in seen)
        shared = [sum(self._shares(tie, pairing) for pairing in pairings) for tie in self.ties]
        return sum(map(self._meets_itself, pairings)), shared[0], early, *shared[1:]

    def _early(self, line: int, other: int) -> int:
        """Return how many rounds before the final the two can meet."""
        return self.rounds - (line ^ self.line[other]).bit_length()

    def _meets_itself(self, pairing: int) -> bool:
        a, b = self._pair(pairing)
        return a is not None and b is not None and b.id in self.others.get(a.id, ())

    def _shares(self, tie: Tie, pairing: int) -> bool:
        a, b = self._pair(pairing)
        return a is not None and b is not None and tie.of(a) == tie.of(b) != ""

    def _pair(self, pairing: int) -> tuple[Entrant | None, Entrant | None]:
        return self.seats[2 * pairing], self.seats[2 * pairing + 1]

    def _climb(self, chance: Chance, least: Cost, attempt: int) -> None:
        """Keep swapping entrants for as long as some swap involving an entrant with a clash improves the lines."""
        order = [line for line, group in enumerate(self.groups) if group is not None]
        chance.shuffle(order, lambda line: _again(f"line {line + 1}", attempt))
        total = self._cost()
        improved = True
        while improved:
            improved = False
            for line in order:
                cost = self._cost_of([line])
                over = [here and all_ > bound for here, all_, bound in zip(cost, total, least, strict=True)]
                change = self._exchange(line, order, self._cause(over)) if any(over) else None
                if change:
                    total = tuple(map(add, total, change))
                    improved = True

    def _exchange(self, line: int, order: Sequence[int], cause: Tie | None) -> Cost | None:
        """Swap the entrant on ``line`` with the first in ``order`` for whom that helps; return the change in cost."""
        for other in order:
            if self.groups[other] != self.groups[line] or (cause and self._would_share(cause, line, other)):
                continue
            before = self._cost_of([line, other])
            self._swap(line, other)
            after = self._cost_of([line, other])
            if after < before:
                self.causes[line] = self.causes[other] = cause
                return tuple(map(sub, after, before))
            self._swap(line, other)
        return None

    def _would_share(self, tie: Tie, line: int, other: int) -> bool:
        """Whether either of the two entrants would share the tie with their new opponent after a swap."""
        a, b = self.seats[line], self.seats[other]
        with_a, with_b = self.seats[line ^ 1], self.seats[other ^ 1]
        return (a is not None and with_b is not None and tie.of(a) == tie.of(with_b)) or (
            b is not None and with_a is not None and tie.of(b) == tie.of(with_a)
        )

    def _cause(self, over: Sequence[int]) -> Tie | None:
        """Return the tie behind the first item of ``over`` that is true or above 0; None for one player's entries."""
        worst = next(index for index, count in enumerate(over) if count)
        return None if worst in (0, 2) else self.ties[max(worst - 2, 0)]

    def _swap(self, line: int, other: int) -> None:
        self.seats[line], self.seats[other] = self.seats[other], self.seats[line]
        for changed in (line, other):
            if entrant := self.seats[changed]:
                self.line[entrant.id] = changed

    def _draw_anew(self, chance: Chance, attempt: int) -> None:
        """Redraw the lines of every group, recording the worst clash that the last attempt left as the cause."""
        cause = self._cause(self._cost())
        self.causes = dict.fromkeys(range(len(self.seats)), cause)
        seats = list(self.seats)
        for group in sorted({group for group in self.groups if group is not None}):
            lines = [line for line, other in enumerate(self.groups) if other == group]
            drawn = [entrant for line in lines if (entrant := seats[line])]
            chance.shuffle(drawn, lambda entrant: _again(entrant.lot_name, attempt))
            for line, entrant in zip(lines, drawn, strict=True):
                seats[line] = entrant
        self._sit(seats)

    def _sit(self, seats: Sequence[Entrant | None]) -> None:
        self.seats = list(seats)
        self.line = {entrant.id: line for line, entrant in enumerate(self.seats) if entrant}

    def refuse_meeting_oneself(self) -> None:
        """Raise PlanError if two entries of the same player meet in round 1."""
        for pairing in range(len(self.seats) // 2):
            a, b = self._pair(pairing)
            if a and b and self._meets_itself(pairing):
                raise PlanError(
                    "player_meets_self",
                    gettext_noop("%(a)s and %(b)s have a player in common and would have to meet in round 1."),
                    a=a.name,
                    b=b.name,
                )

    def notes(self) -> Iterator[Reason]:
        """List the ties left in round 1: each pairing once, under its worst tie."""
        for pairing in range(len(self.seats) // 2):
            a, b = self._pair(pairing)
            tie = next((tie for tie in self.ties if self._shares(tie, pairing)), None)
            if a and b and tie:
                yield Reason(f"{tie.name}_meets", tie.meet, (("a", a.name), ("b", b.name)))


def _again(name: str, attempt: int) -> str:
    """Return the name for which a further lot is drawn; the first attempt has the name itself."""
    return f"{name} again {attempt}" if attempt > 1 else name


def _other_entries(entrants: Sequence[Entrant]) -> dict[int, set[int]]:
    """Map each entrant who shares a person with other entrants to the ids of those entrants."""
    of_person: dict[int, list[int]] = {}
    for entrant in entrants:
        for person in entrant.persons:
            of_person.setdefault(person, []).append(entrant.id)
    others: dict[int, set[int]] = {}
    for ids in of_person.values():
        for entrant_id in ids if len(ids) > 1 else ():
            others.setdefault(entrant_id, set()).update(other for other in ids if other != entrant_id)
    return others


def _why(cause: Tie | None, *, is_bye: bool) -> Reason:
    if is_bye:
        return Reason(
            "bye_exchanged",
            gettext_noop("Bye: drawn at random for another player, then moved here to keep entrants apart in round 1."),
        )
    if cause is None:
        return Reason(
            "exchanged_for_player",
            gettext_noop("Drawn at random, then swapped with another line to keep the same player's entries apart."),
        )
    return Reason(f"exchanged_for_{cause.name}", cause.exchanged)
