"""What the desk shows of each running event but for its calls, kept by each process until the event changes.

Of an event in which only single fixtures have changed since, only these are read again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from threading import Lock

from django.utils.translation import get_language

from players.statements import Statement
from tournament.changes.versions import Versions, read_versions, writing_depth
from tournament.hall.open_matches import (
    NOTHING_ENTERED,
    Rows,
    changed_rows,
    coming_rows,
    in_order,
    is_open,
    open_rows,
    read_entered,
    ways_to_the_end,
)
from tournament.hall.queues import Queue, read_queues
from tournament.hall.values import DeskMatch, OpenCall, desk_match, with_call
from tournament.models import Call, Seat, Tournament

MOST_EVENTS = 100


@dataclass(frozen=True, slots=True)
class RunningEvent:
    """The open matches of an event as they are without their calls, and its jackpots that are not full yet."""

    matches: tuple[DeskMatch, ...]
    queues: tuple[Queue, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An event as it was read at this version: the rows of its open and of its coming pairings, by fixture."""

    version: int
    opened: Mapping[int, Rows]
    coming: Mapping[int, Rows]
    shown: RunningEvent


Key = tuple[int, str]
"""An event, and the language in which its disputes are told."""

_kept: OrderedDict[Key, _Kept] = OrderedDict()
_lock = Lock()


def read_running(tournament: Tournament, versions: Versions | None = None) -> tuple[RunningEvent, ...]:
    """Return what the desk shows of the running events, the first made first; only what has changed is read.

    ``versions`` are those of now, if they have just been read. Not for use in a transaction that has changed an event:
    what it keeps must be what others see.
    """
    language = get_language()
    read_now = versions or read_versions(tournament.pk)
    running, whole = read_now.running(), read_now.whole()
    with _lock:
        known = {event: kept for event in running if (kept := _kept.get((event, language))) is not None}
    events = {event: kept for event, kept in known.items() if kept.version == running[event]}
    if len(events) < len(running):
        is_kept = not writing_depth()
        behind = {
            event: kept for event, kept in known.items() if is_kept and whole[event] <= kept.version < running[event]
        }
        read = {event: _brought_up(kept, event, running[event]) for event, kept in behind.items()}
        anew = {event: running[event] for event in running if event not in events and event not in read}
        read |= _read(tournament, anew, read_now.with_queues, known)
        if is_kept:
            _keep(read, language)
        events |= read
    return tuple(events[event].shown for event in sorted(running))


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


def _keep(read: Mapping[int, _Kept], language: str) -> None:
    with _lock:
        for event, kept in read.items():
            _kept[event, language] = kept
            _kept.move_to_end((event, language))
        while len(_kept) > MOST_EVENTS:
            _kept.popitem(last=False)


def _read(
    tournament: Tournament, versions: Mapping[int, int], with_queues: Collection[int], known: Mapping[int, _Kept]
) -> dict[int, _Kept]:
    """Read the events with these versions, in as many queries for one as for many; jackpots only ``with_queues``.

    ``known`` are events as they were before: a match that has not changed is the same value as there.
    """
    if not versions:
        return {}
    only = next(iter(versions)) if len(versions) == 1 else None
    rows = [row for row in open_rows(tournament, only) if row["event_id"] in versions]
    coming = [row for row in coming_rows(tournament, only) if row["event_id"] in versions]
    matches = _matches(rows, coming, rows, [kept.shown for kept in known.values()])
    queues = read_queues([event for event in versions if event in with_queues])
    return {
        event: _Kept(
            version,
            _by_fixture(row for row in rows if row["event_id"] == event),
            _by_fixture(row for row in coming if row["event_id"] == event),
            RunningEvent(
                tuple(match for match in matches if match.event_id == event),
                tuple(queue for queue in queues if queue.event_id == event),
            ),
        )
        for event, version in versions.items()
    }


def _brought_up(kept: _Kept, event: int, version: int) -> _Kept:
    """Return the event at this version, since which only single fixtures have changed: these are read."""
    changed = changed_rows(event, kept.version)
    opened, coming = dict(kept.opened), dict(kept.coming)
    for row in changed:
        opened.pop(row["id"], None)
        coming.pop(row["id"], None)
    now = [row for row in changed if is_open(row)]
    opened |= _by_fixture(now)
    coming |= _by_fixture(row for row in changed if row["played_id"] is None)
    rows = in_order(chain.from_iterable(opened.values()))
    matches = _matches(rows, [*chain.from_iterable(coming.values())], now, [kept.shown])
    return _Kept(version, opened, coming, replace(kept.shown, matches=tuple(matches)))


def _by_fixture(rows: Iterable[dict]) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(row)
    return found


def _matches(rows: Rows, coming: Rows, changed: Rows, former: Sequence[RunningEvent]) -> list[DeskMatch]:
    """Return the matches of these rows, of which only the ``changed`` ones may differ from the ``former`` but in rest.

    One that has not changed is the same value as before.
    """
    before = {match.id: match for event in former for match in event.matches}
    entered = read_entered(changed)
    anew = {row["played_id"] for row in changed}
    rests = ways_to_the_end(rows, coming)
    found = []
    for row in rows:
        played, rest = row["played_id"], rests[row["played_id"]]
        known = before.get(played)
        if known is None or played in anew:
            match = desk_match(row, entered.get(played, NOTHING_ENTERED), rest=rest)
        else:
            match = known if known.rest == rest else replace(known, rest=rest)
        found.append(known if known is not None and match == known else match)
    return found
