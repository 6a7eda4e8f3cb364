"""The ranking of a whole event, from the standings of its stages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from tournament.snapshot.event import EventSnapshot, StandingSnapshot


class Placed(Protocol):
    """A line of the standings of a stage."""

    @property
    def place(self) -> int: ...


Line = TypeVar("Line", bound=Placed)


def last_lines(snapshot: EventSnapshot) -> Iterator[tuple[StandingSnapshot, ...]]:
    """Return the lines of each drawn stage for those who reached no later one; the last stage first."""
    return _last_of(_stages(snapshot), _entry)


def rank_whole(snapshot: EventSnapshot) -> tuple[StandingSnapshot, ...]:
    """Return everybody who was drawn, with their place in the event: those who went on come before the rest."""
    return tuple(
        replace(line, place=first, place_to=last) for line, first, last in whole_places(_stages(snapshot), _entry)
    )


def whole_places(
    stages: Sequence[Sequence[Line]], entry: Callable[[Line], Hashable]
) -> Iterator[tuple[Line, int, int]]:
    """Yield everybody's last line, with the first and the last of their places in the event.

    ``stages`` are the lines of each drawn stage in order, and ``entry`` says whose line it is.
    """
    before = 1
    for lines in _last_of(stages, entry):
        places = sorted(line.place for line in lines)
        for line in lines:
            first = before + places.index(line.place)
            yield line, first, first + places.count(line.place) - 1
        before += len(lines)


def _last_of(stages: Sequence[Sequence[Line]], entry: Callable[[Line], Hashable]) -> Iterator[tuple[Line, ...]]:
    seen: set[Hashable] = set()
    for lines in reversed(stages):
        yield tuple(line for line in lines if entry(line) not in seen)
        seen |= {entry(line) for line in lines}


def _stages(snapshot: EventSnapshot) -> list[tuple[StandingSnapshot, ...]]:
    return [stage.standings for stage in snapshot.stages if stage.drawn_at is not None]


def _entry(line: StandingSnapshot) -> int:
    return line.entry.id
