"""Lists of players, pairs or teams as pasted, or as a file has them. Pure: text or bytes in, lines out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.tables import MAX_TEXT, Rows
from tournament.entries.files import ENTRIES, find_header

NUMBERING = re.compile(r"^\s*\d{1,3}[.)]\s+")
WITH_CLUB = re.compile(r"^(.*?)\s*\(([^()]*)\)$")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A player, pair or team to enter. ``line`` counts from 1 in the typed text, for messages; 0 is no list at all.

    A team has its ``members`` in the order of the boards, or all in ``name``, as :func:`parse_team` reads it.
    ``bad_seed`` is what stands in place of a seed and is none: such a line cannot be entered.
    """

    name: str
    club: str = ""
    country: str = ""
    seed: int | None = None
    player_id: int | None = None
    line: int = 0
    members: tuple["EntryLine", ...] = ()
    bad_seed: str = ""


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
    """Read the rows of a CSV file whose header names its columns, as :func:`parse_file` does.

    Raises Refusal if there is no name column or a seed is not a number.
    """
    lines = lines_of(ENTRIES.read_csv(data))
    for line in lines:
        require_seed(line)
    return lines


def parse_file(data: bytes) -> list[EntryLine]:
    """Read the rows of a CSV or XLSX file whose header names its columns, in any language of the site.

    The members of a team follow its name and a colon, or have a column of their own, as a partner may have.
    Raises Refusal if the file cannot be read, is too large or has no column of names.
    """
    return lines_of(ENTRIES.read_table(data))


def lines_of(rows: Rows) -> list[EntryLine]:
    """Return a line for each row below the header. Raises Refusal without any row, or without a header."""
    if not rows:
        raise Refusal("entries_empty", _("The list contains no players."))
    at, columns = find_header(rows)
    lines = []
    for number, row in rows[at + 1 :]:
        if len(rows[at][1]) == 1 and row and ":" in row[0]:
            row = [", ".join(row)]  # a team whose members were written without quotes
        cells = {field: row[index].strip() for field, index in columns.items() if index < len(row)}
        if any(cells.values()):
            lines.append(_line_of(cells, number))
    return lines


def refusal_of_line(line: EntryLine, code: str, why: str) -> Refusal:
    """Return the refusal of the line: ``why``, after its number in the list if it is in one."""
    return Refusal(code, _("Line %(line)s: %(why)s") % {"line": line.line, "why": why} if line.line else why)


def require_seed(line: EntryLine) -> None:
    """Raise Refusal if the line has something in place of a seed that is none."""
    if line.bad_seed:
        raise refusal_of_line(line, "seed_invalid", _("“%(seed)s” is not a seed.") % {"seed": line.bad_seed[:20]})


def _line_of(cells: Mapping[str, str], number: int) -> EntryLine:
    name = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
    if cells.get("members"):
        name = f"{name}: {cells['members']}"
    elif cells.get("partner"):
        name = f"{name} & {cells['partner']}"
    written = cells.get("seed", "")
    is_seed = written.isascii() and written.isdecimal() and len(written) < 6
    return EntryLine(
        name=name,
        club=cells.get("club", ""),
        country=cells.get("country", ""),
        seed=int(written) if is_seed else None,
        line=number,
        bad_seed="" if is_seed else written,
    )


def _check_size(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise Refusal("list_too_large", _("The list is too large."))
