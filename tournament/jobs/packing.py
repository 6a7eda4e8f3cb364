"""Match records that somebody sends, singly or in zip files, packed into one zip file of ours for a worker."""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import IO

from django.utils.translation import gettext as _

from players.errors import Refusal
from rules.records.formats import MAX_BYTES, READERS

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


def pack_records(uploads: Iterable[tuple[str, IO[bytes]]]) -> bytes:
    """Pack the records that are in these files, each with its name, into one zip file.

    Raises Refusal for none, for too many, and for a zip file that cannot be read.
    """
    packed = io.BytesIO()
    room = MAX_UPLOAD
    names: set[str] = set()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for upload, opened in uploads:
            for name, data in _records_of(upload, opened, room):
                room -= len(data)
                if room < 0 or len(names) == MAX_FILES:
                    raise _too_much()
                while name in names:
                    name = f"_{name}"
                names.add(name)
                files.writestr(name, data)
    if not names:
        raise Refusal("no_records", _("Choose match records: .mat, .txt, .sgf, .xg or .bgf files, or a .zip of them."))
    return packed.getvalue()


def _records_of(name: str, opened: IO[bytes], room: int) -> Iterator[tuple[str, bytes]]:
    if not name.lower().endswith(".zip"):
        if _is_record(name):
            yield name[-200:], opened.read(MAX_BYTES + 1)
        return
    data = opened.read(room + 1)
    if len(data) > room or data.count(_PART) > MOST_PARTS:
        raise _too_much()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as files:
            inside = [part for part in files.infolist() if _is_record(part.filename)]
            if any(part.file_size > MOST_RATIO * (part.compress_size + 1000) for part in inside):
                raise zipfile.BadZipFile("no record is packed like this")
            if len(inside) > MAX_FILES or sum(part.file_size for part in inside) > room:
                raise _too_much()
            for part in inside:
                with files.open(part) as unpacked:
                    # No more than the size that the part declares, however much it would unpack to.
                    yield part.filename[-200:], unpacked.read(min(part.file_size, MAX_BYTES + 1))
    except _BROKEN as error:
        raise Refusal("zip_unreadable", _("“%(name)s” cannot be read as a zip file.") % {"name": name}) from error


def _is_record(name: str) -> bool:
    return name.rpartition(".")[2].lower() in {*READERS, "txt"}


def _too_much() -> Refusal:
    return Refusal(
        "records_too_many",
        _("At most %(files)s records and %(size)s MB can be imported at once.")
        % {"files": MAX_FILES, "size": MAX_UPLOAD // 1_000_000},
    )
