"""Making a backup while people play: all tables as they were at one moment."""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.backup.files import draft_of
from tournament.backup.keys import fingerprint_of, keys_here
from tournament.backup.manifest import KEY, MANIFEST, Manifest, TableFile, program_version
from tournament.backup.tables import Table, migrations_in, tables_of, write_row

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a backup: two backups of the same rows differ in nothing but their manifests."""

BUFFER = 1 << 18


def make_backup(
    path: Path, *, at: datetime, with_secret_key: bool = False, tell: Callable[[str], object] = str
) -> Manifest:
    """Write all data as it is at this moment into the file, which must not exist.

    Nobody waits meanwhile, and what is written meanwhile is not in the file. ``tell`` gets the name of each table
    before it is read. Raises Refusal if the file cannot be written.
    """
    with draft_of(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as packed, _one_moment():
        migrations = migrations_in(connection)
        if not migrations:
            raise Refusal("nothing_there", _("There is nothing to back up: the database has no tables."))
        tables = tables_of(migrations, MigrationLoader(None))
        written = []
        for table in tables:
            tell(table.name)
            written.append(_write_table(packed, table))
        manifest = Manifest(
            made_at=at.isoformat(),
            program=program_version(),
            engine=connection.vendor,
            migrations=[list(migration) for migration in migrations],
            keys=[fingerprint_of(key) for key in keys_here()],
            tables=written,
        )
        if with_secret_key:
            packed.writestr(zipfile.ZipInfo(KEY, FIRST_DAY), settings.SECRET_KEY)
        packed.writestr(zipfile.ZipInfo(MANIFEST, FIRST_DAY), manifest.write())
    return manifest


def _write_table(packed: zipfile.ZipFile, table: Table) -> TableFile:
    digest, rows, size, last = sha256(), 0, 0, table.last_number(connection)
    info = zipfile.ZipInfo(f"tables/{table.name}.jsonl", FIRST_DAY)
    info.compress_type = zipfile.ZIP_DEFLATED
    buffer = bytearray()
    with packed.open(info, "w", force_zip64=True) as file:
        for row in table.rows():
            buffer += write_row(row)
            rows += 1
            if len(buffer) > BUFFER:
                digest.update(buffer)
                size += file.write(buffer)
                buffer.clear()
        digest.update(buffer)
        size += file.write(buffer)
    return TableFile(table.name, table.columns, rows, last, size, digest.hexdigest())


@contextmanager
def _one_moment() -> Iterator[None]:
    """See the database as it is now until the end, while others write."""
    if connection.vendor == "postgresql":
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        # Not a transaction of Django's, which would take the lock of the writers.
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
