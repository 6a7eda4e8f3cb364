"""XLSX files for tests, made part by part, so that each part may also be wrong."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def workbook(*sheets: Sequence[Sequence[object]], parts: Mapping[str, str] | None = None) -> bytes:
    """A workbook of these sheets, with other ``parts`` in place of its own."""
    made = {**_parts([sheet_of(rows) for rows in sheets]), **(parts or {})}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in made.items():
            packed.writestr(name, text)
    return data.getvalue()


def sheet_of(rows: Sequence[Sequence[object]]) -> str:
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(_cell(f"{chr(65 + column)}{number}", value) for column, value in enumerate(row))
        lines.append(f'<row r="{number}">{cells}</row>')
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cell(place: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


def _parts(sheets: Sequence[str]) -> dict[str, str]:
    numbers = range(1, len(sheets) + 1)
    entries = "".join(f'<sheet name="Sheet {n}" sheetId="{n}" r:id="r{n}"/>' for n in numbers)
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{SHEET_TYPE}.worksheet+xml"/>' for n in numbers
    )
    return {
        "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET_TYPE}.sheet.main+xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="b" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}">{relations}</Relationships>',
        **{f"xl/worksheets/sheet{n}.xml": text for n, text in zip(numbers, sheets, strict=True)},
    }
