"""The formats of match records, and how to tell which one a file is in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.errors import gettext_noop
from rules.records import mat, mat_text, sgf, sgf_text
from rules.records.record import MatchRecord, RecordError


@dataclass(frozen=True, slots=True)
class Format:
    """A record format: its name, its reader and its writer, and the size limit in bytes.

    Both raise RecordError: `loads` for bytes that are not such a record, `dumps` for a record that the format cannot
    hold.
    """

    slug: str
    loads: Callable[[bytes], MatchRecord]
    dumps: Callable[[MatchRecord], bytes]
    most_bytes: int


FORMATS: Final[dict[str, Format]] = {
    "mat": Format("mat", mat.loads, mat_text.dumps, mat.MAX_BYTES),
    "sgf": Format("sgf", sgf.loads, sgf_text.dumps, sgf.MAX_BYTES),
}
"""The formats by name; the names are also the suffixes of their files."""

SUFFIXES: Final[dict[str, str]] = {".mat": "mat", ".txt": "mat", ".sgf": "sgf"}
"""The format of a file by its suffix; Snowie's text, a dialect of `.mat`, is in `.txt` files."""

MAX_BYTES: Final = max(format.most_bytes for format in FORMATS.values())

BINARY: Final[dict[bytes, str]] = {
    b"RGMH": "eXtreme Gammon",
    b"HMGR": "eXtreme Gammon",
    b"PK\x03\x04": "zip",
    b"\x1f\x8b": "gzip",
}
"""What files that are not text begin with, and what they are called."""


def files_in(folder: Path) -> list[Path]:
    """Return the records in a folder, by name: its files with the suffix of a format.

    Raises OSError if it cannot be read.
    """
    return sorted(path for path in folder.iterdir() if path.suffix.lower().removeprefix(".") in FORMATS)


def detect(data: bytes) -> Format:
    """Return the format of the bytes, judging by how they begin.

    Raises RecordError for a known format that cannot be read.
    """
    for magic, name in BINARY.items():
        if data.startswith(magic):
            template = gettext_noop("%(format)s files cannot be read. Export the match as .mat text.")
            raise RecordError("record_binary", template, format=name)
    return FORMATS["sgf" if data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"(") else "mat"]


def loads(data: bytes) -> MatchRecord:
    """Read the match in the bytes, whatever their format. Raises RecordError if it cannot be read."""
    return detect(data).loads(data)
