"""Files with lists: columns in every language, encodings, workbooks, and files that are meant to harm."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.errors import Refusal
from players.tables import MAX_FILE
from tests.tournament.entries.workbooks import MAIN, sheet_of, workbook
from tournament.entries.lists import EntryLine, parse_csv, parse_file

ANNA = EntryLine(name="Anna Berg", club="Odense", country="DK", seed=3, line=2)


@pytest.mark.parametrize(
    "header",
    [
        "Name;Club;Country;Seed",
        "Full name;Club;Nation;Seeding",
        "Navn;Klub;Land;Seedning",
        "Namn;Klubb;Land;Seedning",
        "Spiller;Klubb;Land;Seeding",
        "Spieler;Verein;Ländercode;Setzplatz",
        " NAME: ;club*;country_code;seed",
    ],
)
def test_columns_are_known_in_every_language(header):
    assert parse_file(f"{header}\nAnna Berg;Odense;DK;3\n".encode()) == [ANNA]


@pytest.mark.parametrize(
    "header",
    [
        "First name;Last name",
        "Fornavn;Efternavn",
        "Fornavn;Etternavn",
        "Förnamn;Efternamn",
        "Vorname;Nachname",
        "first_name;surname",
        "Vorname;Name",
    ],
)
def test_given_name_and_surname_make_a_name(header):
    assert parse_file(f"{header}\nAnna;Berg\nBo;\n".encode()) == [
        EntryLine(name="Anna Berg", line=2),
        EntryLine(name="Bo", line=3),
    ]


def test_surname_may_stand_first():
    assert parse_file(b"Surname,First name\nBerg,Anna\n")[0].name == "Anna Berg"


@pytest.mark.parametrize("header", ["name,partner", "navn,makker", "namn,medspelare", "spieler 1,spieler 2"])
def test_partner_has_a_column_of_their_own(header):
    assert parse_file(f"{header}\nAnna,Bo\n".encode())[0].name == "Anna & Bo"


def test_members_of_a_team_have_a_column_of_their_own():
    assert parse_file(b'team;members\nReds;"Anna, Bo, Carl"\n')[0].name == "Reds: Anna, Bo, Carl"


def test_title_above_the_header_is_passed_over():
    text = "Danish Open 2026, all players\n\nnavn;klub\nAnna Berg;Odense\n"
    assert parse_file(text.encode()) == [EntryLine(name="Anna Berg", club="Odense", line=4)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_encodings_of_spreadsheets_are_read(encoding, delimiter):
    text = f"navn{delimiter}klub\r\nSøren Ærø{delimiter}Malmö\r\n"
    assert parse_file(text.encode(encoding)) == [EntryLine(name="Søren Ærø", club="Malmö", line=2)]


def test_what_is_no_seed_stays_on_its_line():
    assert parse_file(b"name,seed\nAnna,first\nBo,2\n") == [
        EntryLine(name="Anna", line=2, bad_seed="first"),
        EntryLine(name="Bo", seed=2, line=3),
    ]
    with pytest.raises(Refusal) as refused:
        parse_csv(b"name,seed\nAnna,first\nBo,2\n")
    assert (refused.value.code, str(refused.value)) == ("seed_invalid", "Line 2: “first” is not a seed.")


def test_workbook_is_read_like_a_csv_file():
    data = workbook([["Navn", "Klub", "Land", "Seedning"], ["Anna Berg", "Odense", "DK", 3.0], [], ["Bo", None, "SE"]])
    assert parse_file(data) == [ANNA, EntryLine(name="Bo", country="SE", line=4)]


def test_sheet_with_a_header_is_found_among_others():
    data = workbook([["Prices"], ["Entry", 50]], [["Our open"], [None, "Name"], [None, "Anna"]])
    assert parse_file(data) == [EntryLine(name="Anna", line=3)]


ODD_ENCODING = '<?xml version="1.0" encoding="UTF-9"?><workbook/>'


def nested(size: int) -> bytes:
    """A workbook that is small, and unpacks to ``size`` bytes of nothing."""
    return workbook([["name"]], parts={"xl/media/big.xml": "<x>" + " " * size + "</x>"})


def lying(data: bytes) -> bytes:
    """The same ZIP file, whose list of contents claims that its largest part is small."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        largest = max(packed.infolist(), key=lambda part: part.file_size).file_size
    return data.replace(largest.to_bytes(4, "little"), (100).to_bytes(4, "little"))


def sheet(text: str) -> bytes:
    xml = f'<worksheet xmlns="{MAIN}"><sheetData>{text}</sheetData></worksheet>'
    return workbook([["name"]], parts={"xl/worksheets/sheet1.xml": xml})


def stored(data: bytes) -> bytes:
    """The same ZIP file, of which no part is packed."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(made, "w") as files:
        for part in packed.infolist():
            files.writestr(part.filename, packed.read(part))
    return made.getvalue()


DOCTYPE = '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
STRINGS = f'<sst xmlns="{MAIN}"><si><t>{"x" * 5_000}</t></si></sst>'


def counted(**told: str) -> bytes:
    """A workbook that says of its texts that there are so many."""
    counts = " ".join(f'{name}="{number}"' for name, number in told.items())
    return workbook([["name"]], parts={"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}" {counts}><si><t>a</t></si></sst>'})


def by_lzma(data: bytes) -> bytes:
    """The same ZIP file, of which every part claims to be packed by LZMA."""
    for head, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        first, *parts = data.split(head)
        data = head.join([first, *(part[: at - 4] + b"\x0e\x00" + part[at - 2 :] for part in parts)])
    return data


BAD_OPTIONS = by_lzma(stored(workbook([["name"]], parts={"[Content_Types].xml": "\t\x04\x05\x00" + "\xff" * 40})))

HARMFUL = {
    "packed by LZMA with options that it does not have": (BAD_OPTIONS, "file_unreadable"),
    "a bomb": (nested(20_000_000), "list_too_large"),
    "a bomb that lies": (lying(nested(20_000_000)), "file_unreadable"),
    "a far row": (sheet('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'), "list_too_large"),
    "a far column": (sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'), "list_too_large"),
    "a far row by its number": (sheet('<row r="900000"><c><v>1</v></c></row>'), "list_too_large"),
    "many columns": (sheet("<row>" + "<c><v>1</v></c>" * 300 + "</row>"), "list_too_large"),
    "a place that is none": (sheet('<row r="1"><c r="A99999999999"><v>1</v></c></row>'), "file_unreadable"),
    "a row that is none": (sheet('<row r="-1"><c><v>1</v></c></row>'), "file_unreadable"),
    "entities": (workbook([["name"]], parts={"xl/workbook.xml": f"{DOCTYPE}<w>&b;</w>"}), "file_unreadable"),
    "a long text for many cells": (workbook([["name"]], parts={"xl/sharedStrings.xml": STRINGS}), "list_too_large"),
    "billions of texts by its word": (counted(uniqueCount="4000000000"), "file_unreadable"),
    "many texts by its word": (counted(count="9999999"), "list_too_large"),
    "texts without end": (counted(uniqueCount="18446744073709551615"), "file_unreadable"),
    "a character that no text has": (workbook([["name"], ["a_x0000_b"]]), "character_nul"),
    "no sheet": (workbook(), "entries_empty"),
    "broken XML": (workbook([["name"]], parts={"xl/worksheets/sheet1.xml": "<worksheet><"}), "file_unreadable"),
    "an unknown encoding": (workbook([["name"]], parts={"xl/workbook.xml": ODD_ENCODING}), "file_unreadable"),
    "no workbook": (b"PK\x03\x04 and nothing else", "file_unreadable"),
    "an old workbook": (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "file_unknown"),
    "a large file": (b"PK" + b"x" * MAX_FILE, "list_too_large"),
    "a large text": (b"name\n" + b"x" * MAX_FILE, "list_too_large"),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_harmful_file_is_refused(name):
    data, code = HARMFUL[name]
    with pytest.raises(Refusal) as refused:
        parse_file(data)
    assert refused.value.code == code


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels"])
def test_workbook_without_one_of_its_parts_is_refused(part):
    whole, data = io.BytesIO(workbook([["name"], ["Anna"]])), io.BytesIO()
    with zipfile.ZipFile(whole) as before, zipfile.ZipFile(data, "w") as after:
        for one in before.infolist():
            if one.filename != part:
                after.writestr(one, before.read(one))
    with pytest.raises(Refusal) as refused:
        parse_file(data.getvalue())
    assert refused.value.code in {"file_unreadable", "entries_empty"}


WHOLE = workbook([["name", "seed"], ["Anna", 1], ["Bo", 2]])


def outcome_of(data: bytes) -> list[str] | str:
    """The names in the file, or the code with which it is refused."""
    try:
        return [line.name for line in parse_file(data)]
    except Refusal as refusal:
        return refusal.code


CODES = ["file_unreadable", "file_unknown", "entries_empty", "csv_without_name", "csv_unreadable", "list_too_large"]


@given(at=st.integers(0, len(WHOLE) - 1), byte=st.integers(0, 255), cut=st.booleans())
def test_damaged_workbook_is_read_or_refused(at, byte, cut):
    outcome = outcome_of(WHOLE[:at] if cut else WHOLE[:at] + bytes([byte]) + WHOLE[at + 1 :])
    assert outcome in CODES or len(outcome) <= 3


@given(text=st.text(max_size=300))
def test_damaged_sheet_is_read_or_refused(text):
    rows = sheet_of([["name"], ["Anna"]]).replace("</sheetData>", f"{text}</sheetData>")
    outcome = outcome_of(workbook([["name"]], parts={"xl/worksheets/sheet1.xml": rows}))
    assert outcome in CODES or outcome == ["Anna"]


@given(data=st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data):
    outcome = outcome_of(data)
    assert outcome in CODES or isinstance(outcome, list)
