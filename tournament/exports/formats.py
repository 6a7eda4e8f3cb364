"""A table that other programs can read, as CSV, JSON or XLSX."""

import csv
import io
import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

Cell = str | int | Decimal | date | datetime | bool | None
FORMULA_STARTS = tuple("=+-@\t\r\n")
LONGEST_CELL, LONGEST_SHEET_NAME = 32_767, 31
"""The most characters that a cell of a workbook and the name of a sheet take."""
MOST_PIXELS = 400
"""The widest that a column is made for its content."""
MOST_FITTED = 5000
"""The longest table whose columns are made as wide as their content: it takes a quarter of the time."""


@dataclass(frozen=True, slots=True)
class Export:
    """An exported table: ``schema`` names the meaning of the columns and changes with it."""

    schema: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def write_csv(table: Export) -> str:
    """Write a header line and one line per row, following RFC 4180; no cell is a formula to a spreadsheet.

    A text that a spreadsheet would compute gets an apostrophe before it, which spreadsheets hide.
    Source: OWASP, CSV Injection.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(table.columns)
    writer.writerows([csv_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def write_json(table: Export) -> str:
    """Write an object with the schema and the rows, each an object by column; decimals are strings, never rounded."""
    rows = [dict(zip(table.columns, map(json_cell, row), strict=True)) for row in table.rows]
    return json.dumps({"schema": table.schema, "rows": rows}, ensure_ascii=False, indent=1) + "\n"


def write_xlsx(table: Export) -> bytes:
    """Write a workbook of one sheet: numbers are numbers, times are dates in UTC, and no text is a formula or a link.

    A text too long for a cell ends with an ellipsis.
    """
    file = io.BytesIO()
    book = Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet(table.schema[:LONGEST_SHEET_NAME])
    styles = Styles(book)
    for column, name in enumerate(table.columns):
        sheet.write_string(0, column, name, styles[("bold", True)])
    for row, cells in enumerate(table.rows, start=1):
        for column, cell in enumerate(cells):
            write_cell(sheet, styles, row, column, cell)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
    if len(table.rows) <= MOST_FITTED:
        sheet.autofit(MOST_PIXELS)
    book.close()
    return file.getvalue()


class Styles(dict[tuple[str, object], Format]):
    """The formats of a workbook, by their one property, each made once."""

    def __init__(self, book: Workbook) -> None:
        super().__init__()
        self.book = book

    def __missing__(self, style: tuple[str, object]) -> Format:
        self[style] = self.book.add_format(dict([style]))
        return self[style]


def write_cell(sheet: Worksheet, styles: Styles, row: int, column: int, cell: Cell) -> None:
    match cell:
        case bool():
            sheet.write_boolean(row, column, cell)
        case int():
            sheet.write_number(row, column, cell)
        case Decimal():
            places = max(0, -int(cell.as_tuple().exponent))
            sheet.write_number(row, column, cell, styles[("num_format", f"{Decimal(0):.{places}f}")])
        case datetime():
            at = cell.astimezone(UTC).replace(tzinfo=None, microsecond=0)
            sheet.write_datetime(row, column, at, styles[("num_format", 'yyyy-mm-dd hh:mm:ss "UTC"')])
        case date():
            sheet.write_datetime(row, column, cell, styles[("num_format", "yyyy-mm-dd")])
        case str() if cell:
            text = cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…"
            # Typed again, a cell with this style stays a text.
            sheet.write_string(row, column, text, styles[("quote_prefix", True)] if is_formula(text) else None)


FORMATS: dict[str, Callable[[Export], bytes]] = {
    "csv": lambda table: write_csv(table).encode(),
    "json": lambda table: write_json(table).encode(),
    "xlsx": write_xlsx,
}
"""How each format is written, as the bytes of a file; text is UTF-8."""

BINARY = {"xlsx"}
"""The formats that are not text."""

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json; charset=utf-8", "xlsx": XLSX}


def csv_cell(cell: Cell) -> str | int | Decimal:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case datetime():
            return _utc(cell)
        case date():
            return cell.isoformat()
        case str():
            return f"'{cell}" if is_formula(cell) else cell
    return cell


def json_cell(cell: Cell) -> str | int | bool | None:
    match cell:
        case datetime():
            return _utc(cell)
        case date():
            return cell.isoformat()
        case Decimal():
            return str(cell)
    return cell


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might evaluate the text: full-width signs and leading blanks count too."""
    if text[:1].isascii() and text[:1].isalnum():
        return False
    folded = unicodedata.normalize("NFKC", text)
    return folded.startswith(FORMULA_STARTS) or folded.lstrip().startswith(FORMULA_STARTS)


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
