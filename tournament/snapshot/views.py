"""What was made of the rows of an event for its last snapshot, so that only rows that have changed are shown anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from tournament.models import Entry, Fixture, Standing
from tournament.snapshot.event import StandingSnapshot
from tournament.snapshot.values import EntrySnapshot, FixtureSnapshot

R = TypeVar("R", Entry, Fixture, Standing)
V = TypeVar("V")


@dataclass(slots=True)
class Known(Generic[R, V]):
    """Values by the row that they were made of, and what else they depend on. A row that is read again is another.

    ``before`` are those of the last snapshot, which nobody changes any more, ``now`` those of the one being made.
    """

    before: Mapping[int, tuple[R, object, V]] = field(default_factory=dict)
    now: dict[int, tuple[R, object, V]] = field(default_factory=dict)

    def of(self, row: R, make: Callable[[R], V], beside: object = None) -> V:
        """Return the value made of this very row before, beside an equal value, or else make it."""
        found = self.before.get(row.pk)
        if found is None or found[0] is not row or found[1] != beside:
            found = (row, beside, make(row))
        self.now[row.pk] = found
        return found[2]


@dataclass(slots=True)
class Views:
    """The parts of a snapshot of one event in one language, with the rows that they were made of."""

    entries: Known[Entry, EntrySnapshot] = field(default_factory=Known)
    fixtures: Known[Fixture, FixtureSnapshot] = field(default_factory=Known)
    lines: Known[Standing, StandingSnapshot] = field(default_factory=Known)
    times: Known[Fixture, datetime | None] = field(default_factory=Known)

    def next(self) -> Views:
        """Return the views for the next snapshot, which begins with what this one has."""
        return Views(Known(self.entries.now), Known(self.fixtures.now), Known(self.lines.now), Known(self.times.now))
