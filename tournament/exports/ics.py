"""The events of a tournament as a calendar (RFC 5545): times in UTC, lines folded."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from tournament.models import Event, Tournament

MEDIA_TYPE = "text/calendar; charset=utf-8"
OCTETS = 75
"""A line is no longer than this, without its end; what is more goes on in the next, which begins with a space."""


def write_calendar(tournament: Tournament, events: Iterable[Event], *, site: str, at: datetime) -> bytes:
    """Return the calendar made ``at`` this moment: the days of the tournament, and each event that has a start.

    When an event ends is not known before, so it has no end. The ids stay the same whatever changes, and no other site
    has them: they say when the tournament was created, to the microsecond.
    """
    made = f"{tournament.created_at.astimezone(UTC):%Y%m%dT%H%M%S%fZ}"
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sixprime//Tournaments//EN", f"NAME:{escape(tournament.name)}"]
    last = tournament.ends_on or tournament.starts_on
    lines += [
        *_begin(
            f"{made}-tournament-{tournament.pk}",
            at,
            tournament.name,
            tournament.place,
            f"{site}{tournament.get_absolute_url()}",
        ),
        f"DTSTART;VALUE=DATE:{tournament.starts_on:%Y%m%d}",
        f"DTEND;VALUE=DATE:{last + timedelta(days=1):%Y%m%d}",
        "END:VEVENT",
    ]
    for event in events:
        if event.starts_at is not None:
            name, address = f"{tournament.name}: {event.name}", f"{site}{event.get_absolute_url()}"
            lines += [*_begin(f"{made}-event-{event.pk}", at, name, tournament.place, address)]
            lines += [f"DTSTART:{utc(event.starts_at)}", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return b"".join(folded(line) for line in lines)


def _begin(uid: str, at: datetime, name: str, place: str, address: str) -> Iterator[str]:
    yield from ("BEGIN:VEVENT", f"UID:{uid}@sixprime", f"DTSTAMP:{utc(at)}", f"SUMMARY:{escape(name)}")
    if place:
        yield f"LOCATION:{escape(place)}"
    yield f"URL:{address}"


def utc(at: datetime) -> str:
    """Return the moment as calendars write it, such as 20260306T190000Z."""
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escape(text: str) -> str:
    """Return the text with the characters escaped that separate values."""
    for character in ("\\", ";", ","):
        text = text.replace(character, f"\\{character}")
    return "\\n".join(text.splitlines())


def folded(line: str) -> bytes:
    """Return the line folded at 75 octets, never within a character, with its end."""
    pieces, piece = [], b""
    for character in line:
        octets = character.encode()
        if len(piece) + len(octets) > OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += octets
    return b"\r\n".join([*pieces, piece]) + b"\r\n"
