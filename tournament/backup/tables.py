"""The tables of a database at its stage of migrations, and their rows in a form that no engine owns.

A table is known by the models as they were at that stage, so that a backup of last year is read as it was written.
"""

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.duration import duration_iso_string

CHUNK = 2000
"""How many rows are read or stored at once."""

LEFT_OUT = frozenset({"sessions.session", "usersessions.usersession", "tournament.backuprun"})
"""Who is signed in where, since a session is as good as a password; and what was tried to make backups."""

MADE_ANEW = frozenset({"contenttypes.contenttype", "auth.permission", "sites.site"})
"""What the migrations themselves put into an empty database."""

Migration = tuple[str, str]
"""An app and the name of one of its migrations."""


@dataclass(frozen=True)
class Table:
    """A table, by the model that it had at its stage of migrations."""

    model: type[models.Model]

    @cached_property
    def name(self) -> str:
        return self.model._meta.label_lower

    @cached_property
    def fields(self) -> list[models.Field]:
        return list(self.model._meta.concrete_fields)

    @cached_property
    def columns(self) -> list[str]:
        return [field.attname for field in self.fields]

    @cached_property
    def numbered(self) -> models.Field | None:
        """The column that the database numbers by itself, if there is one."""
        key = self.model._meta.pk
        return key if isinstance(key, models.AutoField) else None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows, in the order of their keys."""
        found = self.model._base_manager.order_by("pk").values_list(*self.columns)
        rows = (tuple(map(_plain, row)) for row in found.iterator(CHUNK))
        key = self.model._meta.pk
        if isinstance(key.target_field if isinstance(key, models.ForeignKey) else key, models.IntegerField):
            return rows
        # Engines do not agree about the order of texts.
        place = self.columns.index(key.attname)
        return iter(sorted(rows, key=lambda row: str(row[place])))

    def store(self, rows: Iterator[tuple[Any, ...]], connection: BaseDatabaseWrapper) -> None:
        """Store rows in the empty table."""
        quote = connection.ops.quote_name
        name, columns = quote(self.model._meta.db_table), ", ".join(quote(str(field.column)) for field in self.fields)
        prepared = (
            [field.get_db_prep_save(value, connection) for field, value in zip(self.fields, row, strict=True)]
            for row in rows
        )
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with connection.wrap_database_errors, cursor.copy(f"COPY {name} ({columns}) FROM STDIN") as copy:
                    for row in prepared:
                        copy.write_row(row)
                return
            places = ", ".join(["%s"] * len(self.fields))
            insert = f"INSERT INTO {name} ({columns}) VALUES ({places})"  # noqa: S608 - the names are those of a model
            while chunk := list(islice(prepared, CHUNK)):
                cursor.executemany(insert, chunk)

    def last_number(self, connection: BaseDatabaseWrapper) -> int:
        """Return the highest number that the database has ever given to a row, also to one that is gone."""
        if self.numbered is None:
            return 0
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(f"SELECT last_value FROM {self._sequence(cursor)} WHERE is_called")  # noqa: S608 - as above
            else:
                cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [self.model._meta.db_table])
            found = cursor.fetchone()
        return int(found[0]) if found else 0

    def go_on_after(self, number: int, connection: BaseDatabaseWrapper) -> None:
        """Let the next row have a higher number than this."""
        if self.numbered is None or number < 1:
            return
        table = self.model._meta.db_table
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT setval(%s::regclass, %s)", [self._sequence(cursor), number])
                return
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])

    def _sequence(self, cursor: Any) -> str:
        names = [f'"{self.model._meta.db_table}"', self.model._meta.pk.column]
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", names)
        return str(cursor.fetchone()[0])

    def readers(self) -> list[Callable[[Any], Any]]:
        """Return for each column what makes a value of what was written by :func:`write_row`."""
        return [_reader(field) for field in self.fields]


def migrations_in(connection: BaseDatabaseWrapper) -> list[Migration]:
    """Return the migrations that were applied to the database and that this program knows."""
    known = MigrationLoader(None).disk_migrations
    return sorted(key for key in MigrationRecorder(connection).applied_migrations() if key in known)


def latest_of(applied: Sequence[Migration], loader: MigrationLoader) -> list[Migration]:
    """Return the last of these migrations in each app."""
    has = set(applied)
    return [
        key
        for key in applied
        if not any(child.key in has and child.key[0] == key[0] for child in loader.graph.node_map[key].children)
    ]


def tables_of(applied: Sequence[Migration], loader: MigrationLoader) -> list[Table]:
    """Return the tables of a database with these migrations, by name, without those that no backup holds."""
    state = loader.project_state(latest_of(applied, loader))
    found = (
        Table(model)
        for model in state.apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    )
    return sorted((table for table in found if table.name not in LEFT_OUT), key=lambda table: table.name)


def write_row(row: Sequence[Any]) -> bytes:
    """Return the row as a line of JSON."""
    return _ENCODER.encode(row).encode() + b"\n"


def read_row(line: bytes, readers: Sequence[Callable[[Any], Any]]) -> tuple[Any, ...]:
    """Return the row of a line. Raises ValueError, TypeError, RecursionError or ValidationError for any other line."""
    values = json.loads(line)
    if not isinstance(values, list):
        raise TypeError("a row is a list")
    return tuple(None if value is None else read(value) for read, value in zip(readers, values, strict=True))


def _reader(field: models.Field) -> Callable[[Any], Any]:
    if isinstance(field, models.ForeignKey):
        return _reader(field.target_field)
    if isinstance(field, models.BinaryField):
        return lambda value: base64.b64decode(value, validate=True)
    return field.to_python


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _as_text(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_iso_string(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"no column holds {value!r}")


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_as_text)
