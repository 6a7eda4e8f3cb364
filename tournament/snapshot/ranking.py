"""The ranking of a whole event, from the standings of its stages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tournament.snapshot.event import EventSnapshot, StandingSnapshot


def last_lines(snapshot: EventSnapshot) -> Iterator[tuple[StandingSnapshot, ...]]:
    """Return the lines of each drawn stage for those who reached no later one; the last stage first."""
    seen: set[int] = set()
    for stage in reversed(snapshot.stages):
        if stage.drawn_at is not None:
            yield tuple(line for line in stage.standings if line.entry.id not in seen)
            seen |= {line.entry.id for line in stage.standings}


def rank_whole(snapshot: EventSnapshot) -> tuple[StandingSnapshot, ...]:
    """Return everybody who was drawn, with their place in the event: who went on from a stage comes before the rest."""
    found: list[StandingSnapshot] = []
    for lines in last_lines(snapshot):
        before, places = len(found) + 1, sorted(line.place for line in lines)
        for line in lines:
            first = before + places.index(line.place)
            found.append(replace(line, place=first, place_to=first + places.count(line.place) - 1))
    return tuple(found)
