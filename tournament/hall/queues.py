"""The jackpots that are not full yet, and who waits for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournament.draw.chain import entrant_of, load_people
from tournament.formats import parse_options
from tournament.formats.groups import group_letters
from tournament.formats.jackpot import Jackpot, fill_brackets
from tournament.formats.options import Options
from tournament.formats.plan import Entrant
from tournament.models import Entry, Event, Stage
from tournament.snapshot import EntrySnapshot, EventSnapshot


@dataclass(frozen=True, slots=True)
class Queue:
    """A jackpot of an event that is not full yet: its letters, its ``size``, and the names of those who wait for it."""

    event: str
    event_slug: str
    event_id: int
    letters: str
    size: int
    names: tuple[str, ...]


def read_queues(events: Collection[int]) -> tuple[Queue, ...]:
    """Read the jackpots that wait for more entrants in these events, in two queries; in none without events."""
    if not events:
        return ()
    stages = Stage.objects.filter(event__in=events, number=1, format=Jackpot.slug, drawn_at__isnull=False)
    drawn = list(stages.select_related("event").order_by("event_id"))
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry in load_people(Entry.objects.filter(event__in=[stage.event_id for stage in drawn])):
        if entry.is_drawn_in(1):
            entries[entry.event_id].append(entry)
    return tuple(queue for stage in drawn for queue in _queues_of(stage.event, stage, entries[stage.event_id]))


def queues_in(event: EventSnapshot) -> tuple[Queue, ...]:
    """Return the jackpots of the event that wait for more entrants, without any query."""
    stage = event.stages[0]
    if stage.format != Jackpot.slug or stage.drawn_at is None or event.finished_at is not None:
        return ()
    return _queues(event.name, event.slug, event.id, stage.options, map(_entrant_in, event.entries))


def _entrant_in(entry: EntrySnapshot) -> Entrant:
    """Return the entry as a jackpot sees it."""
    persons = {entry.player_id, entry.partner_id, *(member.player_id for member in entry.members)} - {None}
    return Entrant(entry.id, entry.name, persons=frozenset(persons))  # type: ignore[arg-type]


def _queues_of(event: Event, stage: Stage, entries: Sequence[Entry]) -> tuple[Queue, ...]:
    options = parse_options(stage.format, stage.options)
    return _queues(event.name, event.slug, event.pk, options, map(entrant_of, entries))


def _queues(name: str, slug: str, event_id: int, options: Options, entrants: Iterable[Entrant]) -> tuple[Queue, ...]:
    size = int(options.choice("size"))
    return tuple(
        Queue(
            event=name,
            event_slug=slug,
            event_id=event_id,
            letters=group_letters(index),
            size=size,
            names=tuple(entrant.name for entrant in members),
        )
        for index, members in enumerate(fill_brackets(list(entrants), size))
        if len(members) < size
    )
