"""A file with a list, as programs for tables write it: bytes in, numbered rows of text out. Pure."""

import codecs
import csv
import io
import unicodedata
from collections.abc import Sequence

from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.entries.workbook import read_workbook

Rows = Sequence[tuple[int, list[str]]]
"""The rows of a table, each with its number in the file, counted from 1."""

MAX_FILE = 1_000_000
"""The largest file that is read, in bytes."""

MAX_TEXT = 200_000
"""The longest list that is read, in characters."""

HEADER_WITHIN = 10
"""The header is among this many first rows: some files have a title above it."""

DELIMITERS = ",;\t"
OLD_WORKBOOK = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of an XLS file, the workbooks of spreadsheets before 2007."""

COLUMNS = {
    "name": {
        *("name", "player", "full name", "player 1", "name 1", "team"),
        *("navn", "spiller", "fulde navn", "fullt navn", "spiller 1", "navn 1", "hold", "lag"),
        *("namn", "spelare", "fullständigt namn", "spelare 1", "namn 1"),
        *("spieler", "vollständiger name", "spieler 1", "mannschaft"),
    },
    "first": {"first name", "firstname", "given name", "forename", "fornavn", "förnamn", "vorname"},
    "last": {
        *("last name", "lastname", "surname", "family name", "efternavn", "etternavn", "efternamn"),
        *("nachname", "familienname"),
    },
    "partner": {
        *("partner", "makker", "medspiller", "medspelare", "mitspieler", "partnerin"),
        *("player 2", "name 2", "spiller 2", "navn 2", "spelare 2", "namn 2", "spieler 2"),
    },
    "members": {"members", "medlemmer", "medlemmar", "mitglieder"},
    "club": {"club", "klub", "klubb", "verein"},
    "country": {"country", "country code", "land", "landekode", "landskod", "ländercode", "nation", "federation"},
    "seed": {"seed", "rank", "seedning", "setzplatz", "seeding"},
}
"""The titles of the columns that a list may have, in the languages of the site."""


def read_table(data: bytes) -> Rows:
    """Return the rows of a CSV or XLSX file. Raises Refusal if it is neither, or too large."""
    if data.startswith(OLD_WORKBOOK):
        raise Refusal("file_unknown", _("This file is neither CSV nor XLSX. Save the list as one of them."))
    if not data.startswith(b"PK"):
        return read_csv(data)
    if len(data) > MAX_FILE:
        raise _too_large()
    sheets = [list(enumerate(sheet, start=1)) for sheet in read_workbook(data)]
    filled = [sheet for sheet in sheets if any(any(row) for _number, row in sheet)]
    with_header = (sheet for sheet in filled if any(_is_header(row) for _number, row in sheet[:HEADER_WITHIN]))
    return next(with_header, filled[0] if filled else [])


def read_csv(data: bytes) -> Rows:
    """Return the rows of a CSV file.

    Comma, semicolon or tab; UTF-8 or UTF-16, with a mark or without, or Windows-1252 as older spreadsheets write it.
    """
    if len(data) > MAX_FILE:
        raise _too_large()
    text = _decode(data)
    if "\0" in text:
        raise Refusal("csv_unreadable", _("The file cannot be read as CSV."))
    if len(text) > MAX_TEXT:
        raise _too_large()
    delimiter = _delimiter_of(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise Refusal("csv_unreadable", _("The file cannot be read as CSV.")) from error


def find_header(rows: Rows) -> tuple[int, dict[str, int]]:
    """Return the index of the row that names the columns, and the index of each column that is known.

    A surname may stand in a column called only “Name”, beside one of given names. Raises Refusal without a name column.
    """
    for at, (_number, row) in enumerate(rows[:HEADER_WITHIN]):
        if _is_header(row):
            columns = _columns_of(row)
            if "first" in columns and "last" not in columns and "name" in columns:
                columns["last"] = columns.pop("name")
            return at, columns
    raise Refusal("csv_without_name", _("The first line of the file must name its columns, one of them “name”."))


def _columns_of(header: Sequence[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, title in enumerate(header):
        plain = " ".join(unicodedata.normalize("NFC", title).casefold().replace("_", " ").strip(" \t:.*").split())
        for field, titles in COLUMNS.items():
            if plain in titles:
                columns.setdefault(field, index)
    return columns


def _is_header(row: Sequence[str]) -> bool:
    return not {"name", "first", "last"}.isdisjoint(_columns_of(row))


def _delimiter_of(text: str) -> str:
    """Return what separates the titles in the header, or in the first line if none of the first ones is a header."""
    first = text.splitlines()[:HEADER_WITHIN] or [""]
    headers = (line for line in first if any(_is_header(_unquoted(line.split(one))) for one in DELIMITERS))
    return max(DELIMITERS, key=next(headers, first[0]).count)


def _unquoted(cells: Sequence[str]) -> list[str]:
    return [cell.strip('" ') for cell in cells]


def _decode(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    # Without a mark, the many zeros of UTF-16 tell it: they are the halves of plain letters that have nothing to say.
    for encoding, zeros in (("utf-16-le", data[1::2]), ("utf-16-be", data[::2])):
        if zeros.count(0) * 2 > len(zeros):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _too_large() -> Refusal:
    return Refusal("list_too_large", _("The list is too large for an event."))
