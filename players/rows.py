"""The base class for all models that are read by the hundred, and statements that store a few of its rows."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, Self, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.base import ModelState

M = TypeVar("M", bound=models.Model)

MOST_VALUES = 900
"""The most values in a statement: SQLite may be built to take 999."""


class Row(models.Model):
    """A model whose rows are read as stored, without the work that Django's constructor does for each field.

    A draw of 128 players is a thousand rows, and reading them is most of what a result costs. The fields of such a
    model must not have descriptors that do more than remember, and ``pre_init`` and ``post_init`` are not sent for it.
    """

    class Meta:
        abstract = True

    def __copy__(self) -> Self:
        row = type(self).__new__(type(self))
        row.__dict__.update(self.__dict__)
        row._state = state = ModelState()
        state.adding, state.db = self._state.adding, self._state.db
        state.fields_cache.update(self._state.fields_cache)
        return row

    @classmethod
    def new(cls, **columns: Any) -> Self:
        """Make a row to be stored, as the constructor does, quickly.

        ``columns`` are all columns whose value is not usually the same, by their names in the database.
        """
        row = cls.__new__(cls)
        row.__dict__.update(_defaults(cls))
        row.__dict__.update(columns)
        row._state = ModelState()
        return row

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **mode: Any) -> Self:
        if mode:
            return super().from_db(db, field_names, values, **mode)
        row = cls.__new__(cls)
        row.__dict__.update(zip(field_names, values, strict=True))
        row._state = state = ModelState()
        state.adding, state.db = False, db
        return row


def with_rows(row: M, name: str, rows: Iterable[models.Model]) -> M:
    """Set these rows on the given row under the name of a related manager, and return it.

    Code that reads an event asks ``fixture.boards.all()`` and must get the boards of then, not those stored now. Django
    answers from the database unless the rows were prefetched, so they are put where a prefetch puts them. It makes a
    manager only for a row with a primary key: a row that was never stored gets 0, which no stored row has.
    """
    row.pk = row.pk or 0
    row.__dict__.setdefault("_prefetched_objects_cache", {})[name] = list(rows)
    return row


def insert_row(row: Row) -> None:
    """Store a new row as ``save`` does, by a statement that is built once for its model. It gets its id."""
    insert_rows([row])


def insert_rows(rows: Sequence[Row]) -> None:
    """Store new rows of one model as ``bulk_create`` does, in few statements and one transaction. They get their ids.

    What Django does for every value of every row is done for each value of a column once.
    """
    if not rows:
        return
    model, connection = type(rows[0]), connections[DEFAULT_DB_ALIAS]
    fields = _fields(model)
    if len(rows) <= MOST_VALUES // len(fields):
        _insert_together(model, connection, rows)
        return
    size = MOST_VALUES // len(fields)
    with transaction.atomic(savepoint=False):
        for start in range(0, len(rows), size):
            _insert_together(model, connection, rows[start : start + size])


def _insert_together(model: type[Row], connection: BaseDatabaseWrapper, rows: Sequence[Row]) -> None:
    """Store these rows in one statement."""
    fields = _fields(model)
    for field in fields:
        if field.is_relation:
            _take_ids(field, rows)
    columns = [_prepared(field, _values(field, rows), connection) for field in fields]
    values = [value for row in zip(*columns, strict=True) for value in row]
    with connection.cursor() as cursor:
        cursor.execute(_insert(model, len(rows)), values)
        for row, (pk,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = pk
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _take_ids(field: models.Field, rows: Sequence[Row]) -> None:
    """Give the rows the ids of the rows they point to that were stored just now."""
    for row in rows:
        if row.__dict__.get(field.attname) is None and field.is_cached(row):  # type: ignore[attr-defined]
            row._prepare_related_fields_for_save(operation_name="save", fields=[field])  # type: ignore[attr-defined]


def _values(field: models.Field, rows: Sequence[Row]) -> list[Any]:
    """Return what the rows hold in a field, which for some kinds of fields is computed only now."""
    if type(field).pre_save is models.Field.pre_save:
        return [getattr(row, field.attname) for row in rows]
    return [field.pre_save(row, True) for row in rows]


def _prepared(field: models.Field, values: list[Any], connection: BaseDatabaseWrapper) -> list[Any]:
    """Return the values as they are sent to the database; equal ones are prepared once."""
    if isinstance(field, models.JSONField):  # where 1 and true are equal, and lists are no keys
        return [field.get_db_prep_save(value, connection) for value in values]
    prepared = {value: field.get_db_prep_save(value, connection) for value in set(values)}
    return [prepared[value] for value in values]


@lru_cache(maxsize=100)
def _defaults(model: type[Row]) -> dict[str, Any]:
    """Return what the columns hold that are not given, but for those that are computed for each row."""
    fields = model._meta.concrete_fields
    same = [field for field in fields if field.default is models.NOT_PROVIDED or not callable(field.default)]
    return {field.attname: field.get_default() for field in same}


@lru_cache(maxsize=100)
def _fields(model: type[Row]) -> tuple[models.Field, ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@lru_cache(maxsize=100)
def _insert(model: type[Row], count: int) -> str:
    quote, fields = connections[DEFAULT_DB_ALIAS].ops.quote_name, _fields(model)
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    columns, values = ", ".join(quote(str(field.column)) for field in fields), ", ".join(["%s"] * len(fields))
    every = ", ".join([f"({values})"] * count)
    return f"INSERT INTO {table} ({columns}) VALUES {every} RETURNING {key}"  # noqa: S608 - names of a model


def update_rows(rows: Iterable[Row], names: Collection[str]) -> None:
    """Store these fields of rows of one model, each row in a statement that is built once.

    ``names`` are those of columns, such as ``player_id``. For a few rows this is much quicker than ``bulk_update``.
    """
    rows = list(rows)
    if not rows:
        return
    model, connection = type(rows[0]), connections[DEFAULT_DB_ALIAS]
    fields = [field for field in model._meta.concrete_fields if field.attname in names]
    values = [
        [*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk] for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_update(model, tuple(fields)), values)


@lru_cache(maxsize=100)
def _update(model: type[Row], fields: tuple[models.Field, ...]) -> str:
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = ", ".join(f"{quote(str(field.column))} = %s" for field in fields)
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    return f"UPDATE {table} SET {columns} WHERE {key} = %s"  # noqa: S608 - the names are those of a model
