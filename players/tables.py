"""Tables as programs for them write them: bytes of CSV or XLSX in, numbered rows of text out. Pure.

A file is read for the columns that somebody looks for: their titles tell which row is the header, which sheet of a
workbook is meant, and what separates the cells of a line.
"""

import codecs
import csv
import io
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.workbook import read_workbook

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


@dataclass(frozen=True, slots=True)
class Columns:
    """The titles that the columns of a table may have, in small letters, by what they hold.

    A row with a title of one of ``telling`` is the header. At most ``most_text`` characters of CSV are read.
    """

    titles: Mapping[str, Collection[str]]
    telling: Collection[str]
    most_text: int = MAX_TEXT

    def read_table(self, data: bytes) -> Rows:
        """Return the rows of a CSV or XLSX file. Raises Refusal if it is neither, or too large."""
        if data.startswith(OLD_WORKBOOK):
            raise Refusal("file_unknown", _("This file is neither CSV nor XLSX. Save the list as one of them."))
        if not data.startswith(b"PK"):
            return self.read_csv(data)
        if len(data) > MAX_FILE:
            raise _too_large()
        sheets = [list(enumerate(sheet, start=1)) for sheet in read_workbook(data)]
        filled = [sheet for sheet in sheets if any(any(row) for _number, row in sheet)]
        with_header = (sheet for sheet in filled if self.header_of(sheet) is not None)
        return next(with_header, filled[0] if filled else [])

    def read_csv(self, data: bytes) -> Rows:
        """Return the rows of a CSV file.

        Comma, semicolon or tab; UTF-8 or UTF-16, with a mark or without, or Windows-1252 as older spreadsheets write
        it.
        """
        if len(data) > MAX_FILE:
            raise _too_large()
        text = _decode(data)
        if "\0" in text:
            raise Refusal("csv_unreadable", _("The file cannot be read as CSV."))
        if len(text) > self.most_text:
            raise _too_large()
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self._delimiter_of(text), strict=True)
        try:
            return [(reader.line_num, row) for row in reader]
        except csv.Error as error:
            raise Refusal("csv_unreadable", _("The file cannot be read as CSV.")) from error

    def header_of(self, rows: Rows) -> int | None:
        """Return the index of the row that names the columns; None if none of the first ones does."""
        for at, (_number, row) in enumerate(rows[:HEADER_WITHIN]):
            if self._is_header(row):
                return at
        return None

    def columns_of(self, header: Sequence[str]) -> dict[str, int]:
        """Return the index of each column that is known, by what it holds."""
        columns: dict[str, int] = {}
        for index, title in enumerate(header):
            plain = " ".join(unicodedata.normalize("NFC", title).casefold().replace("_", " ").strip(" \t:.*").split())
            for field, titles in self.titles.items():
                if plain in titles:
                    columns.setdefault(field, index)
        return columns

    def _is_header(self, row: Sequence[str]) -> bool:
        return not self.columns_of(row).keys().isdisjoint(self.telling)

    def _delimiter_of(self, text: str) -> str:
        """Return what separates the titles in the header, or in the first line if none of the first ones is one."""
        first = text.splitlines()[:HEADER_WITHIN] or [""]
        headers = (line for line in first if any(self._is_header(_unquoted(line.split(one))) for one in DELIMITERS))
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
    return Refusal("list_too_large", _("The list is too large."))
