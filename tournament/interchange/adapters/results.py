"""Results without their draw, as an event file of the profile ``results``: what every adapter ends in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from rules.errors import gettext_noop
from tournament.interchange.canonical import digest_of
from tournament.interchange.derive import ratings_of, standing_of
from tournament.interchange.faults import shown
from tournament.interchange.form import FIRST, FORMAT, MOST_PAIRINGS, MOST_PEOPLE, SMALL
from tournament.interchange.read import Unreadable
from tournament.interchange.sheets import derived, is_told

MAIN = "Main bracket"
SIDES = ("A", "B")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is named in the file: ``ids`` are issuer and value of each number that they have."""

    name: str
    nation: str = ""
    ids: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Meeting:
    """What the file says of a match, or of a bye, which has no ``b``.

    People are named by their index. ``outcome`` is that of a match, or ``bye``; ``score`` is None where only the
    ``winner`` is known. ``kept`` is what the file says besides, for ``x``.
    """

    a: int
    b: int | None
    outcome: str
    length: int
    round: int = 1
    bracket: str = MAIN
    winner: str | None = None
    score: tuple[int, int] | None = None
    at: datetime | None = None
    kept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the user says of a file that does not say it itself: name, match length, day of play."""

    name: str
    length: int | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What was read from a file: the name and place of the tournament, its days, its people and their matches."""

    name: str
    people: Sequence[Person]
    meetings: Sequence[Meeting]
    generator: str
    place: str = ""
    first_day: date | None = None
    last_day: date | None = None


def tidy(name: str) -> str:
    """Return the name with composed letters and single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def moment_of(day: date) -> datetime:
    """Return the moment that stands for a day whose time is not known: its first, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def slug_of(name: str) -> str:
    """Return an address made from a name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")[:50] or "results"


def as_document(results: Results, given: Given) -> dict[str, Any]:
    """Return the event file of these results. Raises Unreadable if no match or no day is known."""
    _check_size(results)
    days = [meeting.at.date() for meeting in results.meetings if meeting.at is not None]
    first = results.first_day or min(days, default=given.day)
    if first is None:
        raise Unreadable("date_missing", gettext_noop("The file does not say when it was played: give the day."))
    last = max([first, *days, *([results.last_day] if results.last_day else [])])
    name = tidy(results.name or given.name)
    pairings = _pairings(results, moment_of(first))
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": FIRST,
        "profile": "results",
        "generator": results.generator,
        "created": _text(max((meeting.at for meeting in results.meetings if meeting.at), default=moment_of(first))),
        "digest": "",
        "federations": [],
        "people": [_person(index, person) for index, person in enumerate(results.people)],
        "tournament": {
            "id": slug_of(name),
            "name": name,
            "place": results.place,
            "starts_on": first.isoformat(),
            "ends_on": last.isoformat() if last > first else None,
            "time_zone": "",
        },
        "events": [_event(name, results, pairings)],
        "ratings": [],
        "signatures": [],
    }
    document["ratings"] = ratings_of(document)
    return {**document, "digest": digest_of(document)}


def _check_size(results: Results) -> None:
    if not results.meetings:
        raise Unreadable("no_matches", gettext_noop("The file has no matches."))
    if len(results.meetings) > MOST_PAIRINGS or len(results.people) > MOST_PEOPLE:
        raise Unreadable(
            "too_many_matches", gettext_noop("The file has more than %(most)s matches."), most=MOST_PAIRINGS
        )


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _person(index: int, person: Person) -> dict[str, Any]:
    return {
        "id": f"p{index + 1}",
        "name": person.name,
        "nation": person.nation,
        "club": "",
        "visibility": "public",
        "ids": [{"issuer": issuer, "value": value} for issuer, value in person.ids],
        "memberships": [],
    }


def _event(name: str, results: Results, pairings: list[dict[str, Any]]) -> dict[str, Any]:
    brackets = list(dict.fromkeys(meeting.bracket for meeting in results.meetings))
    return {
        "id": "main",
        "name": name,
        "rated_for": [],
        "rules": {"profile": "wbgf", "crawford": True, "boards": 1, "doubles": False},
        "clock": None,
        "door": {"max_entries": None, "check_in": False, "late_minutes": None},
        "reports": {"phones": False, "confirm_minutes": None, "shows_chances": False},
        "starts_at": None,
        "finished_at": None,
        "tiebreaks": [],
        "entrants": [_entrant(index) for index in range(len(results.people))],
        "draw": {"algorithm": "sha256-lots", "public_source": "none", "chains": [], "closings": [], "urns": []},
        "stages": [
            {
                "number": 1,
                "format": "",
                "options": {},
                "qualifiers": None,
                "carry": "none",
                "edition": 0,
                "seed": "",
                "drawn_at": None,
                "draw_hash": "",
                "notes": [],
                "moves": [],
                "challenges": [],
                "play_offs": [],
                "brackets": [{"id": _bracket(brackets, one), "name": one} for one in brackets],
                "pairings": pairings,
                "standings": [],
            }
        ],
        "money": None,
    }


def _entrant(index: int) -> dict[str, Any]:
    return {
        "number": index + 1,
        "people": [f"p{index + 1}"],
        "team": "",
        "reentry": 0,
        "seed": None,
        "family": "",
        "presence": [1],
        "rating": None,
        "home_evening": None,
        "waiting": False,
        "checked_in_at": None,
        "left": None,
        "bye_taken": 0,
        "drawn_as": None,
    }


def _bracket(brackets: Sequence[str], name: str) -> str:
    """Return the id of a bracket: M for the first one, then B2, B3 and so on."""
    index = brackets.index(name)
    return f"B{index + 1}" if index else "M"


def _pairings(results: Results, at: datetime) -> list[dict[str, Any]]:
    brackets = list(dict.fromkeys(meeting.bracket for meeting in results.meetings))
    if len(brackets) > 999:
        raise Unreadable("too_many_brackets", gettext_noop("The file has more than %(most)s brackets."), most=999)
    numbers: Counter[tuple[str, int]] = Counter()
    rows = []
    for meeting in results.meetings:
        bracket = _bracket(brackets, meeting.bracket)
        numbers[bracket, meeting.round] += 1
        rows.append(_pairing(meeting, bracket, numbers[bracket, meeting.round], at))
    return rows


def _pairing(meeting: Meeting, bracket: str, number: int, at: datetime) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": f"{bracket}{meeting.round}-{number}",
        "bracket": bracket,
        "round": meeting.round,
        "number": number,
        "length": meeting.length,
        "a": meeting.a + 1,
        "b": None if meeting.b is None else meeting.b + 1,
        "a_from": "",
        "b_from": "bye" if meeting.b is None else "",
        "winner_to": None,
        "loser_to": None,
        "why": {"code": "", "template": "", "params": {}},
        "matches": [] if meeting.b is None else [_match(meeting, meeting.b, at)],
        **({"x": dict(meeting.kept)} if meeting.kept else {}),
    }
    return row | standing_of(row)


def _match(meeting: Meeting, b: int, day: datetime) -> dict[str, Any]:
    at = _text(meeting.at or day)
    has_sheet = meeting.outcome == "void" or (meeting.outcome == "played" and meeting.score is not None)
    sheet = {
        "source": "desk",
        "entered_at": at,
        "played_at": at,
        "games": [] if meeting.outcome == "void" else None,
        "final": None if meeting.outcome == "void" else list(meeting.score or ()),
        "awarded_to": None,
        "reason": "",
    }
    row: dict[str, Any] = {
        "board": 0,
        "a": [f"p{meeting.a + 1}"],
        "b": [f"p{b + 1}"],
        "length": meeting.length,
        "rules": "wbgf",
        "crawford": True,
        "start": [0, 0],
        "crawford_done": False,
        "waived": [],
        "penalties": [],
        "error_rates": None,
        "outcome": meeting.outcome,
        "sheet": sheet if has_sheet else None,
        "rulings": [],
        "advance": None,
        "record": None,
    }
    if is_told(row):
        return row | {"score": None, "winner": meeting.winner, "completed_at": at}
    return row | derived(row)


def whole(text: str, line: int, *, least: int = 0, most: int = SMALL) -> int:
    """Return the number in a field of a table. Raises Unreadable for anything but a whole number in this range."""
    digits = text.strip()
    if digits.isascii() and digits.isdigit() and len(digits) < 7 and least <= int(digits) <= most:
        return int(digits)
    raise Unreadable(
        "number_unreadable",
        gettext_noop("Line %(line)s: “%(value)s” is not a whole number from %(least)s to %(most)s."),
        line=line,
        value=shown(text),
        least=least,
        most=most,
    )
