"""The formats of match records, and how to tell which one a file is in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.records import bgf, mat, mat_text, sgf, sgf_text, xg
from rules.records.record import MatchRecord
from rules.records.unread import refuse_unread


@dataclass(frozen=True, slots=True)
class Reader:
    """A record format that is read: its name, its reader and the size limit in bytes.

    `loads` raises RecordError for bytes that are not such a record.
    """

    slug: str
    loads: Callable[[bytes], MatchRecord]
    most_bytes: int


@dataclass(frozen=True, slots=True)
class Format(Reader):
    """A record format that is written too; `dumps` raises RecordError for a record that the format cannot hold."""

    dumps: Callable[[MatchRecord], bytes]


FORMATS: Final[dict[str, Format]] = {
    "mat": Format("mat", mat.loads, mat.MAX_BYTES, mat_text.dumps),
    "sgf": Format("sgf", sgf.loads, sgf.MAX_BYTES, sgf_text.dumps),
}
"""The formats that are read and written, by name; the names are also the suffixes of their files."""

READERS: Final[dict[str, Reader]] = {
    **FORMATS,
    "xg": Reader("xg", xg.loads, xg.MAX_BYTES),
    "bgf": Reader("bgf", bgf.loads, bgf.MAX_BYTES),
}
"""All formats that are read, by name."""

SUFFIXES: Final[dict[str, str]] = {".mat": "mat", ".txt": "mat", ".sgf": "sgf"}
"""The format to write by the suffix of a file; Snowie's text, a dialect of `.mat`, is in `.txt` files."""

MAX_BYTES: Final = max(format.most_bytes for format in READERS.values())


def files_in(folder: Path) -> list[Path]:
    """Return the records in a folder, by name: its files with the suffix of a format.

    Raises OSError if it cannot be read.
    """
    return sorted(path for path in folder.iterdir() if path.suffix.lower().removeprefix(".") in READERS)


def detect(data: bytes) -> Reader:
    """Return the format of the bytes, judging by how they begin.

    Raises RecordError for an empty file, and for one of a known kind that is not read.
    """
    if data.startswith(xg.MAGIC):
        return READERS["xg"]
    if bgf.BEGINS.match(data[:2000]):
        return READERS["bgf"]
    refuse_unread(data)
    return FORMATS["sgf" if _is_sgf(data) else "mat"]


def _is_sgf(data: bytes) -> bool:
    start = data[:1000]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start.decode("utf-16", "ignore").encode()
    return start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"(")


def loads(data: bytes) -> MatchRecord:
    """Read the match in the bytes, whatever their format. Raises RecordError if it cannot be read."""
    return detect(data).loads(data)
