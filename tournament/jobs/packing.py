"""Match records that somebody sends, singly or in zip files, packed into one zip file of ours for a worker."""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from django.utils.translation import gettext as _

from players.errors import Refusal
from rules.records.formats import MAX_BYTES

MAX_UPLOAD = 20_000_000
MAX_FILES = 2000
MOST_PARTS = 10 * MAX_FILES
"""The most parts of a zip file, whatever they are: with more, the list of contents alone would take all memory."""
MOST_RATIO = 200
"""A record becomes at most so many times smaller when it is packed, and usually about five times."""
_PART = b"PK\x01\x02"
"""How each part begins in the list of contents."""
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, LookupError, ValueError),
    *(NotImplementedError, RuntimeError, OverflowError, lzma.LZMAError),
)
"""What is raised for a zip file that is broken, encrypted, or packed in an unknown way."""
_OF_SYSTEMS = frozenset({"thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Pack:
    """The records of some files in one zip file, and the names of the zip files that cannot be read."""

    data: bytes
    broken: list[str]


def pack_records(uploads: Iterable[tuple[str, IO[bytes]]]) -> Pack:
    """Pack the records that are in these files, each with its name, into one zip file.

    Every file is taken for a record, whatever it is called; of a zip file, its parts are, or nothing if it cannot be
    read. Raises Refusal for none, for too many, and if only such files are there.
    """
    packed = io.BytesIO()
    broken: list[str] = []
    room = MAX_UPLOAD
    names: set[str] = set()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for upload, opened in uploads:
            found: list[tuple[str, bytes]] = []
            try:
                for name, data in _records_of(upload, opened, room):
                    # What a zip file gave before it broke counts too, or many such files would take too long.
                    room -= len(data)
                    if room < 0 or len(names) + len(found) == MAX_FILES:
                        raise _too_much()
                    found.append((name, data))
            except _BrokenError:
                broken.append(upload[-200:])
                continue
            for name, data in found:
                while name in names:
                    name = f"_{name}"
                names.add(name)
                files.writestr(name, data)
    if not names and broken:
        raise Refusal("zip_unreadable", " ".join(unreadable(name) for name in broken))
    if not names:
        raise Refusal("no_records", _("Choose match records: .mat, .txt, .sgf, .xg or .bgf files, or a .zip of them."))
    return Pack(packed.getvalue(), broken)


def unreadable(name: str) -> str:
    """Return the sentence that refuses a file that is called a zip file but is none that can be read."""
    return _("“%(name)s” cannot be read as a zip file.") % {"name": name}


class _BrokenError(Exception):
    """A zip file is broken, encrypted, or packed in an unknown way."""


def _records_of(name: str, opened: IO[bytes], room: int) -> Iterator[tuple[str, bytes]]:
    if not name.lower().endswith(".zip"):
        yield name[-200:], opened.read(MAX_BYTES + 1)
        return
    data = opened.read(room + 1)
    if len(data) > room or data.count(_PART) > MOST_PARTS:
        raise _too_much()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as files:
            inside = [part for part in files.infolist() if not _is_of_the_system(part)]
            if any(part.file_size > MOST_RATIO * (part.compress_size + 1000) for part in inside):
                raise zipfile.BadZipFile("no record is packed like this")
            if len(inside) > MAX_FILES or sum(part.file_size for part in inside) > room:
                raise _too_much()
            for part in inside:
                with files.open(part) as unpacked:
                    # No more than the size that the part declares, however much it would unpack to.
                    yield part.filename[-200:], unpacked.read(min(part.file_size, MAX_BYTES + 1))
    except _BROKEN as error:
        raise _BrokenError from error


def _is_of_the_system(part: zipfile.ZipInfo) -> bool:
    """Whether a part of a zip file is a folder, or what a system keeps of one: nobody packed it as a record."""
    folders, _slash, name = part.filename.rpartition("/")
    return not name or name.startswith(".") or name.lower() in _OF_SYSTEMS or "__MACOSX" in folders.split("/")


def _too_much() -> Refusal:
    return Refusal(
        "records_too_many",
        _("At most %(files)s records and %(size)s MB can be imported at once.")
        % {"files": MAX_FILES, "size": MAX_UPLOAD // 1_000_000},
    )
