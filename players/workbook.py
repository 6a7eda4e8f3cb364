"""XLSX workbooks as rows of text, without trust in what somebody sends. Pure.

A workbook is a ZIP file of XML. A small one may unpack to gigabytes, and a single cell far away makes a sheet of
billions. So its parts are unpacked and looked through under limits first, and only those that pass reach the reader.
"""

import datetime
import io
import lzma
import re
import struct
import zipfile
import zlib
from xml.parsers import expat

from django.utils.translation import gettext as _
from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum

from players.errors import Refusal, character_nul

MAX_UNPACKED = 8_000_000
MAX_PARTS = 200
MAX_ROWS = 5_000
MAX_COLUMNS = 100
MAX_CELLS = 50_000
MAX_CELL_TEXT = 1_000
PACKED = (zlib.error, lzma.LZMAError, struct.error, OverflowError)
"""What is raised for bytes that cannot be unpacked."""
ODD = (EOFError, OSError, LookupError, ValueError, NotImplementedError, RuntimeError, UnicodeError)
"""What the readers of ZIP and XML raise for what is broken, encrypted, or packed or encoded in an unknown way."""

PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})", re.IGNORECASE)


def read_workbook(data: bytes) -> list[list[list[str]]]:
    """Return each sheet as its rows from the first on, cells as text. Raises Refusal for a file that is none, or too
    large."""
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(_safe(data)))
        names = [sheet.name for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        sheets = [book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in names]
    except (CalamineError, zipfile.BadZipFile, expat.ExpatError, *PACKED, *ODD) as error:
        raise _unreadable() from error
    return [[[_text(cell) for cell in row] for row in sheet] for sheet in sheets]


def _safe(data: bytes) -> bytes:
    """Return a workbook of those parts alone that are XML and within the limits, not packed."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(made, "w") as safe:
        parts = packed.infolist()
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise _too_large()
        names = {part.filename for part in parts}
        if "xl/workbook.xml" not in names or len(names) < len(parts):
            raise _unreadable()
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                # Reading checks the size that the list of contents claims against what is there.
                text = packed.read(part)
                _Part().look_through(text)
                safe.writestr(part.filename, text)
    return made.getvalue()


class _Part:
    """Looks through a part: where its filled cells are, how many, and how long the texts are that cells share."""

    def __init__(self) -> None:
        self.row = self.column = 0
        self.cells = 0
        self.text: int | None = None

    def look_through(self, data: bytes) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._say
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(data, True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        # The reader takes the memory for as many as a part says that it has.
        if max(_number(attributes.get(told), 0) for told in ("count", "uniqueCount")) > MAX_CELLS:
            raise _too_large()
        match name.rpartition(":")[2]:
            case "row":
                self.row, self.column = _number(attributes.get("r"), self.row + 1), 0
            case "c":
                self.column += 1
                if "r" in attributes:
                    self.row, self.column = _place(attributes["r"])
            case "v" | "is":
                self.cells += 1
                if self.row > MAX_ROWS or self.column > MAX_COLUMNS or self.cells > MAX_CELLS:
                    raise _too_large()
            case "si":
                self.text = 0

    def _end(self, name: str) -> None:
        if name.rpartition(":")[2] == "si":
            self.text = None

    def _say(self, text: str) -> None:
        if self.text is not None:
            self.text += len(text)
            if self.text > MAX_CELL_TEXT:
                raise _too_large()

    def _refuse(self, *_declared: object) -> None:
        raise _unreadable()


def _place(text: str) -> tuple[int, int]:
    """Return row and column of a cell called ``B7``, counted from 1."""
    found = PLACE.fullmatch(text)
    if found is None:
        raise _unreadable()
    column = 0
    for letter in found[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return _number(found[2], 0), column


def _number(text: str | None, otherwise: int) -> int:
    if text is None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) < 8):
        raise _unreadable()
    return int(text)


def _text(cell: object) -> str:
    """Return a cell as somebody reads it: whole numbers without a point, dates as they are ordered."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    text = "" if cell is None else str(cell)
    if "\0" in text:  # a workbook writes any character by its number
        raise character_nul()
    return text


def _unreadable() -> Refusal:
    return Refusal("file_unreadable", _("The file cannot be read as XLSX."))


def _too_large() -> Refusal:
    return Refusal("list_too_large", _("The list is too large."))
