"""A player's day as a calendar file (RFC 5545): called matches, the event's start, breaks, last days to play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils.translation import gettext as _

from tournament.mine.places import opponent_in
from tournament.rehearsal.pace import Pause
from tournament.snapshot import EventSnapshot, FixtureState

LONGEST = 75
"""The octets of a line, without its end (RFC 5545, 3.1)."""

OPEN = (FixtureState.READY, FixtureState.LIVE)
START = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Appointment:
    """Something in the calendar; ``key`` is stable, so that a calendar that reads again changes it in place."""

    key: str
    summary: str
    starts: datetime | date
    ends: datetime | date
    place: str = ""


def appointments_of(
    snapshot: EventSnapshot, entry_id: int, *, pauses: Sequence[Pause], minutes_a_point: float, place: str
) -> list[Appointment]:
    """Return the entry's day, in no order. A match lasts as long as matches of its length do in this hall."""
    found = []
    if snapshot.starts_at is not None:
        summary = _("%(event)s begins") % {"event": snapshot.name}
        found.append(
            Appointment(f"event-{snapshot.id}", summary, snapshot.starts_at, snapshot.starts_at + START, place)
        )
    for pause in pauses:
        key = f"break-{snapshot.tournament_id}-{int(pause.starts_at.timestamp())}"
        found.append(Appointment(key, pause.name, pause.starts_at, pause.ends_at, place))
    for fixture in (one for stage in snapshot.stages for one in stage.fixtures if entry_id in one.entry_ids):
        opponent = opponent_in(fixture, entry_id)
        if fixture.deadline is not None and fixture.state in OPEN:
            summary = _("Last day to play %(name)s") % {"name": opponent}
            day = fixture.deadline
            found.append(Appointment(f"deadline-{snapshot.id}-{fixture.key}", summary, day, day + timedelta(days=1)))
        for match in fixture.boards or (fixture,):
            if match.call is None or match.match_id is None:
                continue
            starts = match.call.started_at or match.call.called_at
            where = _("Table %(table)s") % {"table": match.call.table} if match.call.table is not None else place
            summary = _("Match against %(name)s") % {"name": opponent}
            lasts = timedelta(minutes=minutes_a_point * match.length)
            found.append(Appointment(f"match-{match.match_id}", summary, starts, starts + lasts, where))
    return found


def write_calendar(name: str, appointments: Iterable[Appointment], *, at: datetime) -> str:
    """Write the calendar, with times in UTC, texts escaped and lines folded."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sixprime//EN", f"X-WR-CALNAME:{_escape(name)}"]
    for one in appointments:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{one.key}@sixprime",
            f"DTSTAMP:{_utc(at)}",
            f"DTSTART{_when(one.starts)}",
            f"DTEND{_when(one.ends)}",
            f"SUMMARY:{_escape(one.summary)}",
            *([f"LOCATION:{_escape(one.place)}"] if one.place else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _when(moment: datetime | date) -> str:
    if isinstance(moment, datetime):
        return f":{_utc(moment)}"
    return f";VALUE=DATE:{moment:%Y%m%d}"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    """Escape a text (RFC 5545, 3.3.11); control characters, which no calendar takes, become spaces."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    escaped = "\\n".join(escaped.splitlines())
    return "".join(letter if letter.isprintable() else " " for letter in escaped)


def _fold(line: str) -> str:
    """Fold a line so that none is longer than 75 octets, between characters."""
    parts, used = [""], 0
    for letter in line:
        size = len(letter.encode())
        if used + size > LONGEST:
            parts.append(" ")
            used = 1
        parts[-1] += letter
        used += size
    return "\r\n".join(parts)
