"""Queries that are the same each time but for a few numbers: their SQL is made once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

R = TypeVar("R", bound=Model)

_FIRST_STAND_IN = 1_900_000_001
"""Numbers that stand in the SQL for what is given each time: no query has them of its own."""


@lru_cache(maxsize=100)
def columns_of(model: type[Model]) -> tuple[str, ...]:
    """Return the names of all columns of the model, in their order."""
    return tuple(field.attname for field in model._meta.concrete_fields)


@dataclass(frozen=True, slots=True)
class _Made:
    """The SQL for one kind of database, and by column the converters of its values."""

    sql: str
    parameters: tuple[object, ...]
    converters: tuple[tuple[int, tuple[Sequence[Callable[..., Any]], Any]], ...]


class Statement:
    """A query for columns; ``make`` builds it from numbers, and takes nothing else that differs between two calls."""

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._made: dict[str, _Made] = {}

    def rows(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Return the rows that the query finds for these numbers, each with the columns of its ``values_list``."""
        made = self._made.get(connection.vendor) or self._prepare(len(numbers))
        given: list[Any] = [
            numbers[one - _FIRST_STAND_IN] if isinstance(one, int) and one >= _FIRST_STAND_IN else one
            for one in made.parameters
        ]
        with connection.cursor() as cursor:
            cursor.execute(made.sql, given)
            rows = cursor.fetchall()
        if not made.converters:
            return rows
        columns = list(zip(*rows, strict=True))
        for position, (converters, expression) in made.converters if rows else ():
            for convert in converters:
                columns[position] = tuple(convert(value, expression, connection) for value in columns[position])
        return list(zip(*columns, strict=True))

    def find(self, model: type[R], *numbers: int) -> list[R]:
        """Return the rows of the model that the query finds; its columns are :func:`columns_of` the model."""
        names = columns_of(model)
        return [model.from_db(connection.alias, names, values) for values in self.rows(*numbers)]

    def _prepare(self, count: int) -> _Made:
        query = self._make(*range(_FIRST_STAND_IN, _FIRST_STAND_IN + count)).query
        compiler = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        found = compiler.get_converters([selected[0] for selected in compiler.select])
        made = _Made(sql, tuple(parameters), tuple(found.items()))
        self._made[connection.vendor] = made
        return made
