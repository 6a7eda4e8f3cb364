"""What is to be told about an entry at a moment, read from how things stand: a call that was taken back is not told."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from django.utils import formats, timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournament.alerts.telling import Told
from tournament.entries.links import link_of
from tournament.formats.unplayed import Unplayed, unplayed_rule
from tournament.hall.announcements import current
from tournament.models import Announcement, Entry, Event, LogEntry, Offer, Subscription
from tournament.snapshot import (
    BoardSnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    StageSnapshot,
    take_snapshot,
)
from tournament.snapshot.deadlines import rule_sentence

WAKING = range(9, 21)
"""The hours of the tournament in which anybody is reminded of a deadline."""

MOVES_DEADLINE = ("move_deadline", "extend_deadline", "restore_deadline")

OPEN = (FixtureState.READY, FixtureState.LIVE)


class Reading:
    """How things stand: events and announcements, each read once for each language."""

    def __init__(self) -> None:
        self.snapshots: dict[tuple[int, str], EventSnapshot] = {}
        self.said: dict[int, list[Announcement]] = {}
        self._offers: dict[int, dict[tuple[int, str], list[Offer]]] = {}
        self._moves: dict[int, Counter[int]] = {}

    def snapshot(self, event_id: int) -> EventSnapshot:
        key = (event_id, get_language() or "")
        if key not in self.snapshots:
            self.snapshots[key] = take_snapshot(event_id)
        return self.snapshots[key]

    def offers(self, snapshot: EventSnapshot) -> Mapping[tuple[int, str], Sequence[Offer]]:
        """Return the offers to play by id of the stage and key of the fixture; asks only if they decide something."""
        if snapshot.id not in self._offers:
            self._offers[snapshot.id] = {}
            if any(unplayed_rule(stage.options).rule is Unplayed.OFFERED for stage in snapshot.stages):
                for offer in Offer.objects.filter(fixture__stage__event=snapshot.id).select_related("fixture"):
                    place = offer.fixture.stage_id, offer.fixture.key
                    self._offers[snapshot.id].setdefault(place, []).append(offer)
        return self._offers[snapshot.id]

    def moves(self, snapshot: EventSnapshot) -> Counter[int]:
        """Return how often the deadline of each match was moved, extended or restored; asks only if there are any."""
        if snapshot.id not in self._moves:
            self._moves[snapshot.id] = Counter()
            if any(fixture.deadline is not None for stage in snapshot.stages for fixture in stage.fixtures):
                rows = LogEntry.objects.filter(event=snapshot.id, verb__in=MOVES_DEADLINE)
                self._moves[snapshot.id] = Counter(row["match"] for row in rows.values_list("detail", flat=True))
        return self._moves[snapshot.id]

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
    for stage, fixture in _mine(snapshot, entry):
        matches = fixture.boards or (fixture,)
        for played in matches:
            if played.match_id is not None and played.state in OPEN:
                found += _about(subscription, kinds, snapshot, fixture, played, path)
                if "deadline" in kinds and fixture.deadline is not None:
                    offers = reading.offers(snapshot).get((stage.id, fixture.key), ())
                    moves = sum(reading.moves(snapshot)[one.match_id or 0] for one in matches)
                    found += _about_deadline(subscription, snapshot, fixture, played, offers, moves, path, at)
    if "hall" in kinds:
        for said in reading.announcements(entry.event, at):
            title = said.event.name if said.event is not None else entry.event.tournament.name
            found.append(Told(f"hall-{said.pk}", title, said.text, path))
    return found


def _mine(snapshot: EventSnapshot, entry: Entry) -> Iterator[tuple[StageSnapshot, FixtureSnapshot]]:
    for stage in snapshot.stages:
        for fixture in stage.fixtures:
            if entry.pk in fixture.entry_ids:
                yield stage, fixture


def _about(
    subscription: Subscription,
    kinds: set[str],
    snapshot: EventSnapshot,
    fixture: FixtureSnapshot,
    played: FixtureSnapshot | BoardSnapshot,
    path: str,
) -> Iterator[Told]:
    """Return what there is to tell about one open match of the entry, but for its deadline."""
    own, theirs = ("A", "B") if _is_a(subscription, fixture) else ("B", "A")
    name, page = _names(subscription, snapshot, fixture, played), f"{path}#m{played.match_id}"
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


def _is_a(subscription: Subscription, fixture: FixtureSnapshot) -> bool:
    return fixture.a.entry is not None and fixture.a.entry.id == subscription.entry_id


def _names(
    subscription: Subscription,
    snapshot: EventSnapshot,
    fixture: FixtureSnapshot,
    played: FixtureSnapshot | BoardSnapshot,
) -> dict[str, str]:
    opponent = played.b.label if _is_a(subscription, fixture) else played.a.label
    return {"opponent": opponent, "event": snapshot.name}


def _about_deadline(
    subscription: Subscription,
    snapshot: EventSnapshot,
    fixture: FixtureSnapshot,
    played: FixtureSnapshot | BoardSnapshot,
    offers: Sequence[Offer],
    moves: int,
    path: str,
    at: datetime,
) -> Iterator[Told]:
    """Return the reminder of the deadline, its latest of so many ``moves``, and offers of the opponent to play."""
    if fixture.deadline is None:
        return
    name, page, last = _names(subscription, snapshot, fixture, played), f"{path}#m{played.match_id}", fixture.deadline
    now, day = timezone.localtime(at), formats.date_format(last, "MONTH_DAY_FORMAT")
    if moves:
        body = _("%(event)s: the last day to play %(opponent)s is now %(day)s.") % {**name, "day": day}
        yield Told(f"moved-{played.match_id}-{moves}", _("A deadline has been moved"), body, page)
    if last - timedelta(days=subscription.days_before) <= now.date() <= last and now.hour in WAKING:
        body = _("%(event)s: play %(opponent)s by %(day)s.") % {**name, "day": day}
        told = f"{body} {rule_sentence(fixture.unplayed, last)}".strip()
        yield Told(f"deadline-{played.match_id}-{last}", _("A deadline is near"), told, page)
    if fixture.unplayed.rule is Unplayed.OFFERED:
        theirs = [one for one in offers if one.entry_id in fixture.entry_ids]
        for offer in (one for one in theirs if one.entry_id != subscription.entry_id):
            days = ", ".join(formats.date_format(date.fromisoformat(one), "MONTH_DAY_FORMAT") for one in offer.days)
            body = _("%(event)s: %(opponent)s says that you do not answer.") % name
            if days:
                body = _("%(event)s: %(opponent)s offers to play on %(days)s.") % {**name, "days": days}
            yield Told(f"offer-{offer.pk}-{played.match_id}", _("When do you play?"), body, page)
