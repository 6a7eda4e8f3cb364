"""Tables of matches with one line each, as CSV: what the adapters for plain results and for Challonge share."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from rules.errors import gettext_noop
from tournament.interchange.adapters.results import Given, Meeting, Person, moment_of, tidy
from tournament.interchange.faults import shown
from tournament.interchange.read import MOST_BYTES, Unreadable

DELIMITERS = ",;\t"
MOST_NAME = 80

Row = Mapping[str, str]
"""A line of a table: the fields by name, each without the spaces around it, and empty if it is not there."""


def decoded(data: bytes) -> str:
    """Return the text of the file. Raises Unreadable unless it is UTF-8 within limits."""
    if len(data) > MOST_BYTES:
        raise Unreadable("file_too_large", gettext_noop("The file is larger than %(most)s MB."), most=MOST_BYTES >> 20)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("file_not_text", gettext_noop("The file is not UTF-8 text.")) from error


def rows_of(data: bytes, names: Mapping[str, tuple[str, ...]], needed: tuple[str, ...]) -> Iterator[tuple[int, Row]]:
    """Yield each line of the table with its number, after the header: the fields by the names that are known.

    ``names`` are the headings under which each field may stand, in lower case; other columns are left alone. Raises
    Unreadable if a needed column is missing.
    """
    text = decoded(data)
    header = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=header.count)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise Unreadable("file_not_csv", gettext_noop("The file is not a table in CSV.")) from error
    headings = [" ".join(one.replace("_", " ").lower().split()) for one in table[0]] if table else []
    columns = {
        name: next((headings.index(one) for one in aliases if one in headings), None) for name, aliases in names.items()
    }
    for name in needed:
        if columns[name] is None:
            raise Unreadable(
                "column_missing",
                gettext_noop("The first line has no column “%(name)s”."),
                name=names[name][0],
            )
    for line, fields in enumerate(table[1:], start=2):
        if any(field.strip() for field in fields):
            yield (
                line,
                {
                    name: fields[index].strip() if index is not None and index < len(fields) else ""
                    for name, index in columns.items()
                },
            )


class Names:
    """The people of a table, each named by an index in the order in which they are met."""

    def __init__(self) -> None:
        self.people: list[Person] = []
        self._known: dict[str, int] = {}

    def of(self, text: str, line: int) -> int:
        """Return the index of the person of this name. Raises Unreadable for no name and for a long one."""
        name = tidy(text)
        if not 1 <= len(name) <= MOST_NAME or not name.isprintable():
            raise Unreadable(
                "name_unreadable",
                gettext_noop("Line %(line)s: “%(name)s” is not a name of 1 to %(most)s letters."),
                line=line,
                name=shown(name),
                most=MOST_NAME,
            )
        if name not in self._known:
            self._known[name] = len(self.people)
            self.people.append(Person(name))
        return self._known[name]


def played_at(text: str, line: int, given: Given) -> datetime | None:
    """Return the moment in a field: ISO 8601, in UTC unless it says otherwise. Raises Unreadable."""
    if not text:
        return moment_of(given.day) if given.day else None
    try:
        at = datetime.fromisoformat(text)
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        at = None
    if at is None or not 2000 <= at.year < 2200:
        raise Unreadable(
            "date_unreadable",
            gettext_noop("Line %(line)s: “%(value)s” is not a date such as 2026-03-06."),
            line=line,
            value=shown(text),
        )
    return at


def decided(
    meeting: Meeting, line: int, *, length: int | None, given: Given, score: tuple[int, int] | None, winner: str | None
) -> Meeting:
    """Return the meeting with its length, score and winner, which must agree. Raises Unreadable.

    Without a length that the file or the user says, a match that was played went to the points of its winner.
    """
    known = length or given.length or (max(score) if score and meeting.outcome == "played" else None)
    if known is None and meeting.outcome in ("bye", "void"):
        known = 1
    if not known:
        raise Unreadable("length_missing", gettext_noop("Line %(line)s: the match length is not known."), line=line)
    if score and meeting.outcome == "played":
        if max(score) != known or min(score) >= known:
            raise Unreadable(
                "score_not_final",
                gettext_noop("Line %(line)s: %(a)s–%(b)s is not the end of a match to %(length)s points."),
                line=line,
                a=score[0],
                b=score[1],
                length=known,
            )
        by_score = "A" if score[0] > score[1] else "B"
        if winner not in (None, by_score):
            raise Unreadable(
                "winner_other_than_score", gettext_noop("Line %(line)s: the winner has fewer points."), line=line
            )
        return replace(meeting, length=known, score=score, winner=by_score)
    if winner is None and meeting.outcome in ("played", "forfeit", "walkover"):
        raise Unreadable("winner_unknown", gettext_noop("Line %(line)s: nobody is named as the winner."), line=line)
    kept = {**meeting.kept, "score": list(score)} if score else meeting.kept
    return replace(meeting, length=known, winner=winner, kept=kept)


def winner_side(text: str, row: Row, line: int) -> str | None:
    """Return the side that a field names, by its number or its name. Raises Unreadable for anybody else."""
    if not text:
        return None
    sides = {"1": "A", "2": "B", tidy(row["player1"]): "A", tidy(row["player2"]): "B"}
    if (side := sides.get(tidy(text))) is None:
        raise Unreadable(
            "winner_of_others",
            gettext_noop("Line %(line)s: “%(name)s” does not play in this match."),
            line=line,
            name=shown(text),
        )
    return side
