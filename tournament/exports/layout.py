"""How a table is written for those who read it: a profile's columns, signs and letters, a piece at a time."""

import codecs
import csv
import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, islice
from typing import Any

from django.utils import timezone
from xlsxwriter import Workbook

from tournament.exports.formats import LONGEST_SHEET_NAME, MEDIA_TYPES, Cell, Styles, csv_cell, json_cell, write_cell

CHUNK = 500
"""How many rows are written at once."""
PIECE = 1 << 16

WRITING: Mapping[str, int] = {"csv": 2, "json": 2, "xlsx": 15}
"""How many microseconds it takes to write a cell, as measured with 20,000 lines of a ranking list."""
MOST_AT_ONCE = 2_000_000
"""The longest that somebody waits for a file, in microseconds; what takes longer is made by a worker."""

Line = tuple[Cell, ...]
Each = Callable[[Sequence[Any]], Iterable[Any]]
"""What goes through the parts of a table one by one, such as the watch of a job."""

DELIMITERS = (";", ",", "\t")
DECIMALS = (",", ".")
ENCODINGS = ("utf-8-sig", "utf-8", "utf-16", "cp1252", "iso-8859-15")
DATES: Mapping[str, str] = {
    "iso": "%Y-%m-%d",
    "dots": "%d.%m.%Y",
    "dashes": "%d-%m-%Y",
    "slashes": "%d/%m/%Y",
    "american": "%m/%d/%Y",
}
"""How days are written, by the name that a profile keeps."""


@dataclass(frozen=True, slots=True)
class LongTable:
    """A table that is read part by part: ``lines_of`` gives the lines of each of the ``parts``.

    It has about ``length`` lines, as is known before any is read, and to read one takes so many microseconds.
    """

    schema: str
    columns: tuple[str, ...]
    parts: Sequence[Any]
    lines_of: Callable[[Any], Iterable[Line]]
    length: int = 0
    reading: int = 0

    def lines(self, each: Each = iter) -> Iterator[Line]:
        return (line for part in each(self.parts) for line in self.lines_of(part))


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written. ``columns`` are pairs of a column and its title; a letter unknown to the encoding is a ?.

    Signs, days and letters matter to CSV; JSON and XLSX have their own. ``head`` is the first line of a CSV file, if it
    has one above the titles.
    """

    columns: tuple[tuple[str, str], ...]
    format: str = "csv"
    delimiter: str = ";"
    decimal: str = ","
    encoding: str = "utf-8-sig"
    dates: str = "iso"
    head: tuple[str, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(title for _name, title in self.columns)

    @property
    def media_type(self) -> str:
        if self.format != "csv":
            return MEDIA_TYPES[self.format]
        return f"text/csv; charset={self.encoding.removesuffix('-sig')}"

    def chosen(self, table: LongTable, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield these lines of the table with the columns that are wanted, in their order."""
        places = [table.columns.index(name) for name, _title in self.columns]
        return (tuple(line[place] for place in places) for line in lines)

    def text_of(self, cell: Cell) -> str:
        """Return the cell as CSV has it; no text is a formula to a spreadsheet."""
        match cell:
            case bool() | None:
                return str(csv_cell(cell))
            case datetime() if self.dates != "iso":
                return timezone.localtime(cell).strftime(f"{DATES[self.dates]} %H:%M")
            case date() if self.dates != "iso":
                return cell.strftime(DATES[self.dates])
            case Decimal():
                return str(cell).replace(".", self.decimal)
        return str(csv_cell(cell))


def preview(table: LongTable, layout: Layout, *, most: int) -> list[list[str]]:
    """Return the first lines of the table as they are written."""
    return [[layout.text_of(cell) for cell in line] for line in layout.chosen(table, islice(table.lines(), most))]


def is_made_at_once(table: LongTable, layout: Layout) -> bool:
    """Whether the file takes so little that somebody may wait for it."""
    return table.length * (table.reading + len(layout.columns) * WRITING[layout.format]) <= MOST_AT_ONCE


def write_long(table: LongTable, layout: Layout, *, each: Each = iter) -> Iterator[bytes]:
    """Yield the file piece by piece."""
    return WRITERS[layout.format](layout, table.schema, layout.chosen(table, table.lines(each)))


def _write_csv(layout: Layout, schema: str, lines: Iterator[Line]) -> Iterator[bytes]:
    encoder = codecs.getincrementalencoder(layout.encoding)("replace")
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=layout.delimiter)
    heads = [layout.head] if layout.head else []
    rows = chain(heads, [map(csv_cell, layout.titles)], ([layout.text_of(cell) for cell in line] for line in lines))
    while some := list(islice(rows, CHUNK)):
        writer.writerows(some)
        yield encoder.encode(text.getvalue())
        text.seek(0)
        text.truncate()


def _write_json(layout: Layout, schema: str, lines: Iterator[Line]) -> Iterator[bytes]:
    yield b'{"schema": ' + json.dumps(schema).encode() + b', "rows": ['
    before = "\n"
    while some := list(islice(lines, CHUNK)):
        rows = (dict(zip(layout.titles, map(json_cell, line), strict=True)) for line in some)
        yield (before + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)).encode()
        before = ",\n"
    yield b"\n]}\n"


def _write_xlsx(layout: Layout, schema: str, lines: Iterator[Line]) -> Iterator[bytes]:
    with tempfile.TemporaryFile() as file:
        book = Workbook(file, {"constant_memory": True})
        sheet = book.add_worksheet(schema[:LONGEST_SHEET_NAME])
        styles = Styles(book)
        for column, title in enumerate(layout.titles):
            sheet.write_string(0, column, title, styles[("bold", True)])
        for row, cells in enumerate(lines, start=1):
            for column, cell in enumerate(cells):
                write_cell(sheet, styles, row, column, cell)
        sheet.freeze_panes(1, 0)
        book.close()
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


WRITERS: Mapping[str, Callable[[Layout, str, Iterator[Line]], Iterator[bytes]]] = {
    "csv": _write_csv,
    "xlsx": _write_xlsx,
    "json": _write_json,
}
"""How each format is written."""
