"""What the desk shows of each running event but for its calls, kept by each process until the event changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from django.utils.translation import get_language

from players.statements import Statement
from tournament.changes.versions import read_versions, writing_depth
from tournament.hall.open_matches import NOTHING_ENTERED, coming_rows, open_rows, read_entered, ways_to_the_end
from tournament.hall.queues import Queue, read_queues
from tournament.hall.values import DeskMatch, OpenCall, desk_match, with_call
from tournament.models import Call, Seat, Tournament

MOST_EVENTS = 100


@dataclass(frozen=True, slots=True)
class RunningEvent:
    """The open matches of an event as they are without their calls, and its jackpots that are not full yet."""

    matches: tuple[DeskMatch, ...]
    queues: tuple[Queue, ...]


Key = tuple[int, str]
"""An event, and the language in which its disputes are told."""

_kept: OrderedDict[Key, tuple[int, RunningEvent]] = OrderedDict()
_lock = Lock()


def read_running(tournament: Tournament) -> tuple[RunningEvent, ...]:
    """Return what the desk shows of the running events, the first made first; only those that changed are read.

    Not for use in a transaction that has changed an event: what it keeps must be what others see.
    """
    language = get_language()
    read_now = read_versions(tournament.pk)
    versions = read_now.running()
    with _lock:
        known = {event: _kept.get((event, language)) for event in versions}
    events = {event: kept[1] for event, kept in known.items() if kept is not None and kept[0] == versions[event]}
    changed = [event for event in versions if event not in events]
    if changed and writing_depth():
        events |= _read(tournament, changed, read_now.with_queues)
    elif changed:
        read = _read(tournament, changed, read_now.with_queues)
        with _lock:
            for event, found in read.items():
                _kept[event, language] = versions[event], found
                _kept.move_to_end((event, language))
            while len(_kept) > MOST_EVENTS:
                _kept.popitem(last=False)
        events |= read
    return tuple(events[event] for event in sorted(versions))


def read_calls(tournament: Tournament) -> dict[int, OpenCall]:
    """Read the open calls in the hall, by match."""
    calls = _CALLS.rows(tournament.pk)
    return {match: OpenCall(match, table, called, started, by or "") for match, table, called, started, by in calls}


_CALLS = Statement(
    lambda tournament: (
        Call.objects.filter(pk__in=Seat.objects.filter(tournament=tournament, left_at=None).values("call"))
        .filter(left_at=None)
        .order_by("pk")
        .values_list("match_id", "table__number", "called_at", "started_at", "by__username")
    )
)


def called_in(running: Iterable[RunningEvent], calls: Mapping[int, OpenCall]) -> list[DeskMatch]:
    """Return the open matches of the events with their calls."""
    return [
        with_call(match, calls[match.id]) if match.id in calls else match
        for event in running
        for match in event.matches
    ]


def forget_running() -> None:
    """Forget everything that is kept."""
    with _lock:
        _kept.clear()


def _read(tournament: Tournament, events: Sequence[int], with_queues: Collection[int]) -> Mapping[int, RunningEvent]:
    """Read the events, in the same number of queries for one as for many; jackpots only ``with_queues``."""
    only = events[0] if len(events) == 1 else None
    rows = [row for row in open_rows(tournament, only) if row["event_id"] in events]
    rests = ways_to_the_end(rows, [row for row in coming_rows(tournament, only) if row["event_id"] in events])
    entered = read_entered(rows)
    queues = read_queues([event for event in events if event in with_queues])
    matches = [
        desk_match(row, entered.get(row["played_id"], NOTHING_ENTERED), rest=rests[row["played_id"]]) for row in rows
    ]
    return {
        event: RunningEvent(
            tuple(match for match in matches if match.event_id == event),
            tuple(queue for queue in queues if queue.event_id == event),
        )
        for event in events
    }
