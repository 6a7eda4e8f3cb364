"""Restoring a backup into an empty installation: all of it, checked, or nothing."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.backup.keys import fingerprint_of, keep_key, key_file, keys_here, read_key
from tournament.backup.manifest import Manifest, TableFile
from tournament.backup.read import NO_ROW, Backup, open_backup
from tournament.backup.tables import MADE_ANEW, Migration, Table, latest_of, migrations_in, tables_of

LEAP = 10_000
"""How far the numbers of new rows move on. Rows made after the backup are lost, but links to them may be on phones and
on paper: no new row may have the number of one of them."""

Matched = list[tuple[Table, TableFile]]


def restore_backup(
    path: Path,
    *,
    key_in: Path | None = None,
    any_key: bool = False,
) -> Manifest:
    """Fill the empty database with the backup, and bring it up to this version of the program.

    ``key_in`` is the file with the secret key that belongs to the backup, if this installation has another one;
    ``any_key`` goes on without it, which closes the links and chains of draws that follow from it. Raises Refusal; then
    nothing has changed.
    """
    with open_backup(path) as backup:
        loader = MigrationLoader(None)
        migrations = _migrations_of(backup, loader)
        matched = _matched(backup, tables_of(migrations, loader))
        key = _key_for(backup, key_in, any_key=any_key)
        require_empty()
        _require_room(backup)
        backup.verify()
        with _with_key(key), _fresh_database(backup):
            MigrationExecutor(connection).migrate(latest_of(migrations, loader))
            _load(backup, matched)
            _bring_up_to_date(backup)
            if key:
                keep_key(key)
        cache.clear()
        return backup.manifest


def require_empty() -> None:
    """Raise Refusal if the database holds anything that a person or the program has put there."""
    if connection.vendor == "sqlite" and connection.connection is None and not _file().exists():
        return  # to look into it would make it, and a refusal that follows would leave it behind
    migrations = migrations_in(connection)
    is_newer = len(migrations) < len(MigrationRecorder(connection).applied_migrations())
    for table in tables_of(migrations, MigrationLoader(None)) if migrations else []:
        if is_newer or (table.name not in MADE_ANEW and table.model._base_manager.exists()):
            sentence = _(
                "This installation already holds data (%(table)s), so nothing was restored. Give an empty VAR_DIR, or "
                "with PostgreSQL an empty database."
            )
            raise Refusal("not_empty", sentence % {"table": table.name})


def _migrations_of(backup: Backup, loader: MigrationLoader) -> list[Migration]:
    """Return the migrations of the database that was backed up. Raises Refusal if this program does not know them."""
    found = sorted((app, name) for app, name in backup.manifest.migrations)
    unknown = [f"{app}.{name}" for app, name in found if (app, name) not in loader.graph.nodes]
    if unknown:
        sentence = _("%(file)s was made by a newer version of the program (%(migration)s): update this one first.")
        raise Refusal("newer", sentence % {"file": backup.path, "migration": unknown[-1][:80]})
    if {needed for key in found for needed in loader.graph.forwards_plan(key)} != set(found):
        raise _does_not_fit(backup, _("migrations are missing"))
    return found


def _matched(backup: Backup, tables: list[Table]) -> Matched:
    files = {file.name: file for file in backup.manifest.tables}
    if {table.name: table.columns for table in tables} != {file.name: file.columns for file in files.values()}:
        raise _does_not_fit(backup, _("its tables are not those of its migrations"))
    return [(table, files[table.name]) for table in tables]


def _key_for(backup: Backup, key_in: Path | None, *, any_key: bool) -> str | None:
    """Return the key that this installation needs for the backup; None if it has it, or is to keep its own."""
    wanted = backup.manifest.keys[0] if backup.manifest.keys else ""
    if wanted in map(fingerprint_of, keys_here()) or any_key:
        return None
    key = read_key(key_in) if key_in is not None else backup.key
    if key is None:
        sentence = _(
            "%(file)s belongs to another secret key, without which players’ links and chains of draws end. Name its "
            "file with --secret-key, or give --any-key to go on without it."
        )
        raise Refusal("key_needed", sentence % {"file": backup.path})
    if fingerprint_of(key) != wanted:
        raise Refusal("wrong_key", _("The secret key is not the one that %(file)s belongs to.") % {"file": backup.path})
    if key_file() is None:
        raise Refusal(
            "key_from_outside", _("The environment sets SECRET_KEY: set it to the key of the backup instead.")
        )
    return key


def _require_room(backup: Backup) -> None:
    if connection.vendor != "sqlite":
        return
    # A draft and the database itself, with their indexes.
    needed, free = 4 * sum(file.bytes for file in backup.manifest.tables), shutil.disk_usage(settings.VAR_DIR).free
    if needed > free:
        sentence = _("%(file)s needs %(needed)s MB on the disk, and %(free)s MB are free.")
        megabytes = {"needed": needed // 1_000_000 + 1, "free": free // 1_000_000}
        raise Refusal("no_room", sentence % {"file": backup.path, **megabytes})


@contextmanager
def _with_key(key: str | None) -> Iterator[None]:
    """Use the key while the data are brought up to date, for which chains of draws may be made."""
    before = settings.SECRET_KEY
    settings.SECRET_KEY = key or before
    try:
        yield
    except BaseException:
        settings.SECRET_KEY = before
        raise


@contextmanager
def _fresh_database(backup: Backup) -> Iterator[None]:
    """Give a database without any table, which becomes the one of this installation if all goes well."""
    try:
        with _on_postgres() if connection.vendor == "postgresql" else _on_sqlite():
            yield
    except (DatabaseError, sqlite3.Error) as error:
        raise _does_not_fit(backup, str(error).partition("\n")[0]) from error


@contextmanager
def _on_postgres() -> Iterator[None]:
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
            for table in {*tables, MigrationRecorder.Migration._meta.db_table}:
                cursor.execute(f"DROP TABLE IF EXISTS {connection.ops.quote_name(table)} CASCADE")
        yield


@contextmanager
def _on_sqlite() -> Iterator[None]:
    """Work in a draft beside the database, and copy it at the end in one transaction of SQLite's."""
    real = _file()
    draft = real.with_name(f"{real.name}-restoring")

    def turn_to(path: Path) -> None:
        connection.close()
        connection.settings_dict["NAME"] = path

    _remove(draft)
    turn_to(draft)
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = OFF")
        yield
        connection.close()
        real.touch(mode=0o600)
        with closing(sqlite3.connect(draft)) as source, closing(sqlite3.connect(real, timeout=20)) as target:
            target.execute("PRAGMA journal_mode = WAL")
            source.backup(target)
    finally:
        turn_to(real)
        _remove(draft)


def _file() -> Path:
    return Path(connection.settings_dict["NAME"])


def _remove(database: Path) -> None:
    for end in ("", "-wal", "-shm", "-line", "-journal"):
        database.with_name(f"{database.name}{end}").unlink(missing_ok=True)


def _load(backup: Backup, matched: Matched) -> None:
    """Store all rows, and read them again: what stands in the database is what stands in the file."""
    try:
        with transaction.atomic():
            _check_at_the_end()
            for table, file in matched:
                table.model._base_manager.all().delete()
                table.store(backup.rows(table, file), connection)
            connection.check_constraints()
    except NO_ROW as error:
        raise _does_not_fit(backup, str(error).partition("\n")[0][:200]) from error
    for table, file in matched:
        if any(given != stored for given, stored in zip_longest(backup.rows(table, file), table.rows())):
            raise _does_not_fit(
                backup, _("the table %(table)s reads otherwise than it was written") % {"table": table.name}
            )
        table.go_on_after(file.last + LEAP, connection)


def _check_at_the_end() -> None:
    """Let rows refer to rows that come later; some migrations end that for the transaction that they are in."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _bring_up_to_date(backup: Backup) -> None:
    executor = MigrationExecutor(connection, lambda *said: connection.check_constraints() if said[1:] else None)
    latest = executor.loader.graph.leaf_nodes()
    try:
        if executor.migration_plan(latest):
            executor.migrate(latest)
        call_command("migrate", interactive=False, verbosity=0)
    except (DatabaseError, Refusal):
        raise
    except Exception as error:
        reason = _("it cannot be brought up to this version (%(reason)s)")
        raise _does_not_fit(backup, reason % {"reason": str(error).partition("\n")[0][:200]}) from error


def _does_not_fit(backup: Backup, reason: str) -> Refusal:
    sentence = _("%(file)s does not fit, so nothing was restored: %(reason)s.")
    return Refusal("does_not_fit", sentence % {"file": backup.path, "reason": reason})
