"""The base class for all models that are read by the hundred, and statements that store a few of its rows."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any, Self

from django.db import connection, models
from django.db.models.base import ModelState


class Row(models.Model):
    """A model whose rows are read as stored, without the work that Django's constructor does for each field.

    A draw of 128 players is a thousand rows, and reading them is most of what a result costs. The fields of such a
    model must not have descriptors that do more than remember, and ``pre_init`` and ``post_init`` are not sent for it.
    """

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **mode: Any) -> Self:
        if mode:
            return super().from_db(db, field_names, values, **mode)
        row = cls.__new__(cls)
        row.__dict__.update(zip(field_names, values, strict=True))
        row._state = state = ModelState()
        state.adding, state.db = False, db
        return row


def insert_row(row: Row) -> None:
    """Store a new row as ``save`` does, by a statement that is built once for its model. It gets its id."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(_insert(type(row), tuple(fields)), values)
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, connection.alias


@lru_cache(maxsize=100)
def _insert(model: type[Row], fields: tuple[models.Field, ...]) -> str:
    quote = connection.ops.quote_name
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    columns, values = ", ".join(quote(str(field.column)) for field in fields), ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {table} ({columns}) VALUES ({values}) RETURNING {key}"  # noqa: S608 - names of a model


def update_rows(rows: Iterable[Row], names: Collection[str]) -> None:
    """Store these fields of rows of one model, each row in a statement that is built once.

    ``names`` are those of columns, such as ``player_id``. For a few rows this is much quicker than ``bulk_update``.
    """
    rows = list(rows)
    if not rows:
        return
    model = type(rows[0])
    fields = [field for field in model._meta.concrete_fields if field.attname in names]
    values = [
        [*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk] for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_update(model, tuple(fields)), values)


@lru_cache(maxsize=100)
def _update(model: type[Row], fields: tuple[models.Field, ...]) -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(f"{quote(str(field.column))} = %s" for field in fields)
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    return f"UPDATE {table} SET {columns} WHERE {key} = %s"  # noqa: S608 - the names are those of a model
