"""A table that other programs can read, as CSV or JSON."""

import csv
import io
import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

Cell = str | int | Decimal | datetime | bool | None
FORMULA_STARTS = tuple("=+-@\t\r\n")


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
    writer.writerows([_csv_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def write_json(table: Export) -> str:
    """Write an object with the schema and the rows, each an object by column; decimals are strings, never rounded."""
    rows = [dict(zip(table.columns, map(_json_cell, row), strict=True)) for row in table.rows]
    return json.dumps({"schema": table.schema, "rows": rows}, ensure_ascii=False, indent=1) + "\n"


FORMATS: dict[str, Callable[[Export], str]] = {"csv": write_csv, "json": write_json}
MEDIA_TYPES = {"csv": "text/csv", "json": "application/json"}


def _csv_cell(cell: Cell) -> str | int | Decimal:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case datetime():
            return _utc(cell)
        case str():
            return f"'{cell}" if is_formula(cell) else cell
    return cell


def _json_cell(cell: Cell) -> str | int | bool | None:
    match cell:
        case datetime():
            return _utc(cell)
        case Decimal():
            return str(cell)
    return cell


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might evaluate the text: full-width signs and leading blanks count too."""
    folded = unicodedata.normalize("NFKC", text)
    return folded.startswith(FORMULA_STARTS) or folded.lstrip().startswith(FORMULA_STARTS)


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
