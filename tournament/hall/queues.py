"""The jackpots that are not full yet, and who waits for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.draw.chain import entrant_of, load_people
from tournament.formats import parse_options
from tournament.formats.groups import group_letters
from tournament.formats.jackpot import Jackpot, fill_brackets
from tournament.models import Entry, Event, Stage, Tournament


@dataclass(frozen=True, slots=True)
class Queue:
    """A jackpot of an event that is not full yet: its letters, its ``size``, and the names of those who wait for it."""

    event: str
    event_slug: str
    event_id: int
    letters: str
    size: int
    names: tuple[str, ...]


def read_queues(tournament: Tournament) -> tuple[Queue, ...]:
    """Read the jackpots that wait for more entrants in drawn events, in one query if there are none, else in three."""
    running = tournament.events.filter(finished_at__isnull=True)
    stages = Stage.objects.filter(event__in=running, number=1, format=Jackpot.slug, drawn_at__isnull=False)
    drawn = list(stages.select_related("event").order_by("event_id"))
    if not drawn:
        return ()
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry in load_people(Entry.objects.filter(event__in=[stage.event_id for stage in drawn])):
        if entry.is_drawn_in(1):
            entries[entry.event_id].append(entry)
    return tuple(queue for stage in drawn for queue in _queues_of(stage.event, stage, entries[stage.event_id]))


def _queues_of(event: Event, stage: Stage, entries: Sequence[Entry]) -> list[Queue]:
    size = int(parse_options(stage.format, stage.options).choice("size"))
    brackets = fill_brackets([entrant_of(entry) for entry in entries], size)
    return [
        Queue(
            event=event.name,
            event_slug=event.slug,
            event_id=event.pk,
            letters=group_letters(index),
            size=size,
            names=tuple(entrant.name for entrant in members),
        )
        for index, members in enumerate(brackets)
        if len(members) < size
    ]
