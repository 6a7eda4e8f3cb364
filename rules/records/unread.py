"""Files that are no match record that is read: what they are, and which export of their program is."""

import re
from typing import Final

from rules.errors import gettext_noop
from rules.records.record import RecordError

_START: Final = 1_000
"""How many bytes are looked at."""

PACKED: Final[dict[bytes, str]] = {
    b"PK\x03\x04": "zip",
    b"\x1f\x8b": "gzip",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
}
PICTURES: Final[dict[bytes, str]] = {
    b"%PDF": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"\xd0\xcf\x11\xe0": "Word or Excel",
    b"SQLite format 3": "SQLite",
}

_PAGE = re.compile(rb"\s*<(?:!doctype|html|\?xml)", re.IGNORECASE)
_POSITION = re.compile(rb"\s*(?:XGID=|GNU Backgammon +Position ID|Position[- ]?ID)", re.IGNORECASE)
_ANALYSIS = re.compile(rb"the score \(after|move number \d+: ")
"""What is in such an analysis, in small letters."""
_OGXM: Final = b"OGXM"

EMPTY = gettext_noop(
    "The file is empty. A match record was expected: .mat or .txt text, GNU Backgammon's .sgf, eXtreme Gammon's .xg or "
    "BGBlitz's .bgf."
)
NOT_TEXT = gettext_noop(
    "The file is in no format that is read. A match record was expected: .mat or .txt text, GNU Backgammon's .sgf, "
    "eXtreme Gammon's .xg or BGBlitz's .bgf; other programs can export the match as .mat."
)


def refuse_unread(data: bytes) -> None:
    """Raise RecordError for an empty file, and for a kind of file that is known and is no match record."""
    start = data[:_START]
    text = start.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise RecordError("record_empty", EMPTY)
    for magic, name in PACKED.items():
        if start.startswith(magic):
            template = gettext_noop("This is a %(format)s file. Unpack it and give the match records that are in it.")
            raise RecordError("record_binary", template, format=name)
    for magic, name in PICTURES.items():
        if start.startswith(magic):
            template = gettext_noop(
                "This is a %(format)s file, not a match record. Export the match as .mat or .sgf in the program that "
                "recorded it."
            )
            raise RecordError("record_binary", template, format=name)
    if start.startswith(b"HMGR"):
        template = gettext_noop(
            "This older file of eXtreme Gammon cannot be read. Open it there and save it as .xg, or export it as .mat."
        )
        raise RecordError("record_binary", template)
    if start.startswith(_OGXM):
        template = gettext_noop("OGXM files cannot be read. Export the match as .mat in the program that recorded it.")
        raise RecordError("record_binary", template)
    if _PAGE.match(text):
        template = gettext_noop(
            "This is a web page or XML, not a match record. In eXtreme Gammon save the match as .xg or export it as "
            ".mat; in GNU Backgammon save it as .sgf."
        )
        raise RecordError("record_page", template)
    if _POSITION.match(text):
        template = gettext_noop(
            "This is a position, not a match record. Positions can be judged on the rules page; of a match, save "
            "all of it as .xg, .sgf or .mat."
        )
        raise RecordError("record_position", template)
    if _ANALYSIS.search(start.lower()):
        template = gettext_noop(
            "This is GNU Backgammon's analysis as text, which leaves out what a record needs. Save the match there as "
            ".sgf, or export it as .mat."
        )
        raise RecordError("record_analysis", template)
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RecordError("record_not_text", NOT_TEXT)
