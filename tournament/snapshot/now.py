"""The snapshot of an event as it is now, made of what this process keeps: only what has changed is shown anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock

from django.utils.translation import get_language

from players.statements import Statement
from tournament.changes.versions import writing_depth
from tournament.draw.kept import chain_now
from tournament.models import Event, Stage, Standing
from tournament.snapshot.event import EventSnapshot
from tournament.snapshot.read import event_values, events_to_show, grouped, take_snapshots, view_event
from tournament.snapshot.views import Views

MOST_SHOWN = 12
"""The largest number of events and languages of which the last snapshot is kept."""

Lines = Mapping[int, Sequence[Standing]]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What was shown last: the standings of each stage with their versions, and the parts of the snapshot.

    ``reading`` is that of the chain, and ``ended`` says whether the event had ended.
    """

    created_at: datetime
    whole_version: int
    reading: object = None
    ended: bool = False
    snapshot: EventSnapshot | None = None
    versions: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    lines: Lines = field(default_factory=dict)
    views: Views = field(default_factory=Views)


_shown: OrderedDict[tuple[int, str, str], _Shown] = OrderedDict()
_lock = Lock()


def take_snapshot(event_id: int) -> EventSnapshot:
    """Return the event's current state, in at most twelve queries whatever its size; in two if nothing has changed.

    Raises Event.DoesNotExist.
    """
    event = None if writing_depth() else next(iter(_EVENT.find(Event, event_id)), None)
    if event is None or event.has_teams:
        for snapshot in take_snapshots(Event.objects.filter(pk=event_id)):
            return snapshot
        raise Event.DoesNotExist
    key = (event.pk, get_language(), event.tournament.time_zone)
    with _lock:
        before = _shown.get(key)
    if before is None or (before.created_at, before.whole_version) != (event.created_at, event.whole_version):
        before = _Shown(event.created_at, event.whole_version)
    chain, ended, entries_closed = chain_now(event), event.finished_at is not None, vars(event)["entries_closed"]
    versions = {stage.pk: (stage.standings_version, stage.standings_matches) for stage in chain.stages}
    is_same = chain.reading is before.reading and (before.ended, before.versions) == (ended, versions)
    if is_same and before.snapshot is not None:
        return replace(before.snapshot, **event_values(event, entries_closed=entries_closed))
    lines, views = _lines_now(chain.stages, before), before.views.next()
    snapshot = view_event(chain, lines, entries_closed=entries_closed, views=views)
    shown = _Shown(event.created_at, event.whole_version, chain.reading, ended, snapshot, versions, lines, views)
    with _lock:
        _shown[key] = shown
        _shown.move_to_end(key)
        while len(_shown) > MOST_SHOWN:
            _shown.popitem(last=False)
    return snapshot


_EVENT = Statement(lambda pk: events_to_show(Event.objects.filter(pk=pk)))


def _lines_now(stages: Sequence[Stage], before: _Shown) -> Lines:
    """Return the lines of each stage's standings in order, reading those that are not known yet."""
    stale = [stage.pk for stage in stages if before.versions.get(stage.pk, (0, 0))[0] != stage.standings_version]
    lines: dict[int, Sequence[Standing]] = {pk: found for pk, found in before.lines.items() if pk not in stale}
    if not stale:
        return lines
    stored = Standing.objects.filter(stage__in=stale)
    known = {line.pk: line for pk in stale for line in before.lines.get(pk, ())}
    if not known:
        return lines | grouped(stored, "stage_id")
    order = list(stored.values_list("pk", "stage_id"))
    known |= Standing.objects.in_bulk([pk for pk, _stage in order if pk not in known])
    found: dict[int, list[Standing]] = {pk: [] for pk in stale}
    for pk, stage in order:
        if pk in known:  # or else it was replaced in the meantime, and the next version has it
            found[stage].append(known[pk])
    return lines | found


def forget_snapshots() -> None:
    """Throw away what was shown."""
    with _lock:
        _shown.clear()
