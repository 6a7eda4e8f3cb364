"""What keeps a match waiting: one of its players who is busy with another match, and where."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from tournament.snapshot import Wait


class Meeting(Protocol):
    """Two sides and where they meet: ``place`` in the draw of ``event``, and ``table`` if they sit at one.

    It ``is_only_called`` while nobody has said that they play.

    ``persons_a`` and ``persons_b`` are the ids of the players on each side, who are named ``a`` and ``b``.
    """

    @property
    def place(self) -> str: ...

    @property
    def event(self) -> str: ...

    @property
    def event_id(self) -> int: ...

    @property
    def table(self) -> int | None: ...

    @property
    def is_only_called(self) -> bool: ...

    @property
    def a(self) -> str: ...

    @property
    def b(self) -> str: ...

    @property
    def persons_a(self) -> frozenset[int]: ...

    @property
    def persons_b(self) -> frozenset[int]: ...


def find_wait(
    a: str, persons_a: frozenset[int], b: str, persons_b: frozenset[int], seated: Mapping[int, Meeting]
) -> Wait | None:
    """Return for whom a match of these sides waits first, and where that player sits; None if all are free.

    ``seated`` is by person.
    """
    waits = []
    for name, persons in ((a, persons_a), (b, persons_b)):
        for person in sorted(persons & seated.keys()):
            other = seated[person]
            who = _who(name, persons, person, other)
            where = (other.place, other.event, other.event_id, other.table, other.is_only_called)
            waits.append(Wait(person, who, *where))
    return replace(waits[0], others=tuple(waits[1:])) if waits else None


def _who(name: str, persons: frozenset[int], person: int, other: Meeting) -> str:
    """Return the name of the entry that plays elsewhere, or of the one player of a pair who is in the other match."""
    there = (other.a, other.persons_a) if person in other.persons_a else (other.b, other.persons_b)
    return min((name, persons), there, key=lambda side: len(side[1]))[0]
