"""What is to be told about an entry at a moment, read from how things stand: a call that was taken back is not told."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils import formats, timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournament.alerts.telling import Told
from tournament.entries.links import link_of
from tournament.hall.announcements import current
from tournament.models import Announcement, Entry, Event, Subscription
from tournament.snapshot import BoardSnapshot, EventSnapshot, FixtureSnapshot, FixtureState, take_snapshot

WAKING = range(9, 21)
"""The hours of the tournament in which anybody is reminded of a deadline."""

OPEN = (FixtureState.READY, FixtureState.LIVE)


class Reading:
    """How things stand: events and announcements, each read once for each language."""

    def __init__(self) -> None:
        self.snapshots: dict[tuple[int, str], EventSnapshot] = {}
        self.said: dict[int, list[Announcement]] = {}

    def snapshot(self, event_id: int) -> EventSnapshot:
        key = (event_id, get_language() or "")
        if key not in self.snapshots:
            self.snapshots[key] = take_snapshot(event_id)
        return self.snapshots[key]

    def announcements(self, event: Event, at: datetime) -> list[Announcement]:
        if event.pk not in self.said:
            self.said[event.pk] = list(current(event.tournament, event, at))
        return self.said[event.pk]


def due(subscription: Subscription, *, at: datetime, reading: Reading | None = None) -> list[Told]:
    """Return everything that there is to tell this subscriber now, in the language and time zone that are set.

    What has been told already is among it, under the same subject. With a ``reading`` it is as of that.
    """
    reading = reading or Reading()
    entry, kinds = subscription.entry, set(subscription.kinds)
    snapshot, path = reading.snapshot(entry.event_id), link_of(entry)
    found: list[Told] = []
    for fixture in _mine(snapshot, entry):
        for played in fixture.boards or (fixture,):
            if played.match_id is not None and played.state in OPEN:
                found += _about(subscription, kinds, snapshot, fixture, played, path, at)
    if "hall" in kinds:
        for said in reading.announcements(entry.event, at):
            title = said.event.name if said.event is not None else entry.event.tournament.name
            found.append(Told(f"hall-{said.pk}", title, said.text, path))
    return found


def _mine(snapshot: EventSnapshot, entry: Entry) -> Iterator[FixtureSnapshot]:
    for stage in snapshot.stages:
        for fixture in stage.fixtures:
            if entry.pk in fixture.entry_ids:
                yield fixture


def _about(
    subscription: Subscription,
    kinds: set[str],
    snapshot: EventSnapshot,
    fixture: FixtureSnapshot,
    played: FixtureSnapshot | BoardSnapshot,
    path: str,
    at: datetime,
) -> Iterator[Told]:
    """Return what there is to tell about one open match of the entry."""
    is_a = fixture.a.entry is not None and fixture.a.entry.id == subscription.entry_id
    own, theirs = ("A", "B") if is_a else ("B", "A")
    opponent = played.b.label if is_a else played.a.label
    name = {"opponent": opponent, "event": snapshot.name}
    page = f"{path}#m{played.match_id}"
    call = played.call
    if "table" in kinds and call is not None and call.started_at is None:
        where = _("Table %(table)s") % {"table": call.table} if call.table else _("Your match is called")
        subject = f"table-{played.match_id}-{int(call.called_at.timestamp())}-{call.table or 0}"
        yield Told(subject, where, _("%(event)s: play %(opponent)s now.") % name, page)
    if "round" in kinds and call is None and played.state is FixtureState.READY:
        length = ngettext("%(count)s point", "%(count)s points", played.length) % {"count": played.length}
        body = _("%(event)s: you play %(opponent)s, %(length)s.") % {**name, "length": length}
        yield Told(f"round-{played.match_id}", _("Your next match"), body, page)
    if "result" in kinds and not any(report.side == own for report in played.reports):
        for report in played.reports:
            if report.side == theirs and report.sheet.score.over and not report.is_disputed:
                subject = f"result-{played.match_id}-{report.sheet.number}"
                body = _("%(event)s: %(opponent)s has reported your match. Confirm it, or say what is wrong.") % name
                yield Told(subject, _("Is this result right?"), body, page)
    if "deadline" in kinds and fixture.deadline is not None:
        now = timezone.localtime(at)
        first = fixture.deadline - timedelta(days=subscription.days_before)
        if first <= now.date() <= fixture.deadline and now.hour in WAKING:
            day = formats.date_format(fixture.deadline, "MONTH_DAY_FORMAT")
            body = _("%(event)s: play %(opponent)s by %(day)s.") % {**name, "day": day}
            yield Told(f"deadline-{played.match_id}-{fixture.deadline}", _("A deadline is near"), body, page)
