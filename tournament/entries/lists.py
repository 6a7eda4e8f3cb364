"""Lists of players, pairs or teams as pasted or exported. Pure: text in, lines out."""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from players.errors import Refusal

MAX_TEXT = 200_000
TEAM_TITLES = {"team", "hold", "lag", "mannschaft"}
COLUMNS = {
    "name": {"name", "player", "navn", "spiller", "namn", "spelare", "spieler", *TEAM_TITLES},
    "members": {"members", "medlemmer", "medlemmar", "mitglieder"},
    "club": {"club", "klub", "klubb", "verein"},
    "country": {"country", "land", "nation", "federation"},
    "seed": {"seed", "rank", "seedning", "setzplatz", "seeding"},
}
NUMBERING = re.compile(r"^\s*\d{1,3}[.)]\s+")
WITH_CLUB = re.compile(r"^(.*?)\s*\(([^()]*)\)$")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A player, pair or team to enter. ``line`` counts from 1 in the typed text, for messages.

    A team has its ``members`` in the order of the boards, or all in ``name``, as :func:`parse_team` reads it.
    """

    name: str
    club: str = ""
    country: str = ""
    seed: int | None = None
    player_id: int | None = None
    line: int = 1
    members: tuple["EntryLine", ...] = ()


def line_from(data: Mapping[str, Any]) -> EntryLine:
    """Return the line with the fields in ``data``, as stored in JSON."""
    return EntryLine(**{**data, "members": tuple(line_from(member) for member in data["members"])})


def parse_team(line: EntryLine) -> EntryLine:
    """Read ``Team name: Anna, Bo, Carl (Odense)`` as a team with its members in board order.

    A member without a club in brackets after the name has the club of the line; all have its country.
    """
    name, _colon, text = line.name.partition(":")
    return replace(line, name=name.strip(), members=parse_members(text, line)) if not line.members else line


def parse_members(text: str, line: EntryLine) -> tuple[EntryLine, ...]:
    """Read the members of the team in ``line``: names separated by commas or line breaks, each with a club if known."""
    found = []
    for part in re.split(r"[,\n]", text):
        if part.strip():
            written = WITH_CLUB.match(part.strip())
            name, club = written.groups() if written else (part.strip(), line.club)
            found.append(EntryLine(name=name, club=club, country=line.country, line=line.line))
    return tuple(found)


def parse_pasted(text: str) -> list[EntryLine]:
    """Read one name per line, ignoring any numbering. Tabs or semicolons separate name, club and country."""
    _check_size(text)
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in re.split(r"[\t;]", NUMBERING.sub("", line))]
        name, club, country = [*cells, "", ""][:3]
        lines.append(EntryLine(name=name, club=club, country=country, line=number))
    return lines


def parse_csv(data: bytes) -> list[EntryLine]:
    """Read the rows of a CSV file whose header includes at least a name column.

    Comma, semicolon or tab; UTF-8 with or without a mark, or Windows-1252 as older spreadsheets write it.
    The members of a team follow its name and a colon, or have a column of their own.
    Raises Refusal if there is no name column or a seed is not a number.
    """
    if len(data) > MAX_TEXT:
        raise Refusal("list_too_large", _("The list is too large for an event."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    text = text.replace("\0", "")
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise Refusal("csv_unreadable", _("The file cannot be read as CSV.")) from error
    if not rows:
        raise Refusal("entries_empty", _("The list contains no players."))
    columns = _columns_of(rows[0][1])
    lines = []
    for number, row in rows[1:]:
        if len(rows[0][1]) == 1 and row and ":" in row[0]:
            row = [delimiter.join(row)]  # a team whose members were written without quotes
        cells = {field: row[index].strip() for field, index in columns.items() if index < len(row)}
        if any(cells.values()):
            lines.append(
                EntryLine(
                    name=_with_members(cells),
                    club=cells.get("club", ""),
                    country=cells.get("country", ""),
                    seed=_seed_of(cells.get("seed", ""), number),
                    line=number,
                )
            )
    return lines


def _with_members(cells: dict[str, str]) -> str:
    name, members = cells.get("name", ""), cells.get("members", "")
    return f"{name}: {members}" if members else name


def _columns_of(header: list[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, title in enumerate(header):
        for field, titles in COLUMNS.items():
            if title.strip().casefold() in titles:
                columns.setdefault(field, index)
    if "name" not in columns:
        raise Refusal("csv_without_name", _("The first line of the file must name its columns, one of them “name”."))
    return columns


def _seed_of(text: str, line: int) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Refusal("seed_invalid", _("Line %(line)s: “%(seed)s” is not a seed.") % {"line": line, "seed": text[:20]})
    return int(text)


def _check_size(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise Refusal("list_too_large", _("The list is too large for an event."))
