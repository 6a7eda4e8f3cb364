"""Reading a backup: nothing that it says is believed before it was looked at, and nothing is unpacked to the disk."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, cast

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.backup.manifest import FAMILY, FORMAT, KEY, MANIFEST, Manifest, TableFile
from tournament.backup.tables import Table, read_row

MOST_MANIFEST = 4_000_000
MOST_KEY = 1000
MOST_ROW = 64_000_000
MOST_RATIO = 200
"""A table becomes at most so many times smaller when it is packed; rows of people and matches about ten times."""

BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
NO_ROW = (ValueError, TypeError, RecursionError, ValidationError, OverflowError)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup whose parts are there; that they are whole says :func:`verify`."""

    path: Path
    packed: zipfile.ZipFile
    manifest: Manifest
    key: str | None

    def rows(self, table: Table, file: TableFile) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows of a table. Raises Refusal."""
        readers = table.readers()
        with self._open(file) as opened:
            for number in range(1, file.rows + 1):
                line = opened.readline(MOST_ROW + 1)
                try:
                    if len(line) > MOST_ROW:
                        raise ValueError("too long")
                    yield read_row(line, readers)
                except NO_ROW as error:
                    sentence = _("Row %(number)s of %(table)s in %(file)s is no row of that table.")
                    params = {"number": number, "table": table.name, "file": self.path}
                    raise Refusal("bad_row", sentence % params) from error

    def verify(self) -> None:
        """Read every table to its end and compare its size, rows and hash. Raises Refusal."""
        for file in self.manifest.tables:
            digest, rows, size = sha256(), 0, 0
            with self._open(file) as opened:
                while part := opened.read(1 << 20):
                    digest.update(part)
                    rows += part.count(b"\n")
                    size += len(part)
            if (rows, size, digest.hexdigest()) != (file.rows, file.bytes, file.sha256):
                sentence = _("%(file)s is damaged: the table %(table)s is not the one that was written.")
                raise Refusal("damaged", sentence % {"file": self.path, "table": file.name})

    @contextmanager
    def _open(self, file: TableFile) -> Iterator[IO[bytes]]:
        try:
            with (
                self.packed.open(file.path) as opened,
                io.BufferedReader(cast(io.RawIOBase, opened), 1 << 18) as buffered,
            ):
                yield buffered
        except BROKEN as error:
            raise _damaged(self.path) from error


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    """Open a backup and look at its parts. Raises Refusal, with a sentence, for anything but a backup."""
    try:
        packed = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise Refusal("not_a_backup", _("%(file)s is no backup, or not the whole of one.") % {"file": path}) from error
    except OSError as error:
        sentence = _("%(file)s cannot be read: %(reason)s.")
        raise Refusal("not_read", sentence % {"file": path, "reason": error.strerror or error}) from error
    with packed:
        manifest = _manifest_of(path, packed)
        _require_parts(path, packed, manifest)
        key = _part(path, packed, KEY, MOST_KEY).decode("ascii", "replace") if KEY in packed.namelist() else None
        yield Backup(path, packed, manifest, key)


def _manifest_of(path: Path, packed: zipfile.ZipFile) -> Manifest:
    if packed.namelist().count(MANIFEST) != 1:
        raise Refusal("not_a_backup", _("%(file)s is no backup, or not the whole of one.") % {"file": path})
    try:
        stated = json.loads(_part(path, packed, MANIFEST, MOST_MANIFEST))
        if str(stated["format"]).startswith(FAMILY) and stated["format"] != FORMAT:
            raise Refusal("newer_format", _newer(path))
        if stated["format"] != FORMAT:
            raise ValueError(stated["format"])
        return Manifest.read(stated)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Refusal("not_a_backup", _("%(file)s is no backup, or not the whole of one.") % {"file": path}) from error


def _require_parts(path: Path, packed: zipfile.ZipFile, manifest: Manifest) -> None:
    """Raise Refusal unless the file has exactly the parts that its manifest names, of the sizes that it states."""
    expected = {file.path: file.bytes for file in manifest.tables}
    for info in packed.infolist():
        size = expected.pop(info.filename, None)
        if info.filename in (MANIFEST, KEY):
            continue
        if size is None or info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            sentence = _("%(file)s has a part that belongs to no backup: %(part)s.")
            raise Refusal("foreign_part", sentence % {"file": path, "part": repr(info.filename[:80])})
        if info.file_size != size or info.file_size > MOST_RATIO * (info.compress_size + 1000):
            raise _damaged(path)
    if expected:
        raise _damaged(path)


def _part(path: Path, packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    try:
        with packed.open(name) as opened:
            found = opened.read(most + 1)
    except BROKEN as error:
        raise _damaged(path) from error
    if len(found) > most:
        raise _damaged(path)
    return found


def _damaged(path: Path) -> Refusal:
    return Refusal("damaged", _("%(file)s is damaged, so nothing was restored.") % {"file": path})


def _newer(path: Path) -> str:
    sentence = _("%(file)s was made by a newer version of the program: update this one first.")
    return sentence % {"file": path}
