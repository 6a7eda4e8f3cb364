"""Queries that are the same each time but for a few numbers and texts: their SQL is made once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import RelatedPopulator, get_related_populators

R = TypeVar("R", bound=Model)

_FIRST_STAND_IN = 1_900_000_001
"""Numbers that stand in the SQL for what is given each time: no query has them of its own, and no such text."""

_LARGEST = 2**63 - 1


@lru_cache(maxsize=100)
def columns_of(model: type[Model]) -> tuple[str, ...]:
    """Return the names of all columns of the model, in their order."""
    return tuple(field.attname for field in model._meta.concrete_fields)


@dataclass(frozen=True, slots=True)
class _Made:
    """The SQL for one kind of database, how its values are converted, and how models are made of its rows."""

    sql: str
    parameters: tuple[tuple[int | None, Any], ...]
    """Each the position of what is given each time, or None and the value that is always the same."""
    converters: tuple[tuple[int, tuple[Sequence[Callable[..., Any]], Any]], ...]
    """By column."""
    names: tuple[str, ...] = ()
    """The fields of the model, where the query finds whole rows; they are its first columns."""
    related: tuple[RelatedPopulator, ...] = ()
    annotations: tuple[tuple[str, int], ...] = ()


class Statement:
    """A query whose SQL is made once.

    ``make`` builds it from ids and other numbers, and from texts; two calls differ in nothing else. A number that no
    column can hold finds nothing.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._made: dict[str, _Made] = {}

    def rows(self, *given: int | str) -> list[tuple[Any, ...]]:
        """Return the rows that the query finds for what is given, each with the columns of its ``values_list``."""
        return self._rows(self._made_for(given), given)

    def find(self, model: type[R], *given: int | str) -> list[R]:
        """Return the rows of the model that the query finds, with those that it selects along with them.

        The columns of its ``values_list``, if it has one, are :func:`columns_of` the model.
        """
        made = self._made_for(given)
        names, alias = made.names or columns_of(model), DEFAULT_DB_ALIAS
        count = len(names)
        found = []
        for values in self._rows(made, given):
            row = model.from_db(alias, names, values[:count])
            for related in made.related:
                related.populate(values, row)
            for name, position in made.annotations:
                setattr(row, name, values[position])
            found.append(row)
        return found

    def _made_for(self, given: Sequence[int | str]) -> _Made:
        return self._made.get(connections[DEFAULT_DB_ALIAS].vendor) or self._prepare(given)

    def _rows(self, made: _Made, given: Sequence[int | str]) -> list[tuple[Any, ...]]:
        for one in given:
            if not isinstance(one, str) and abs(one) > _LARGEST:
                return []
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(made.sql, [one if at is None else given[at] for at, one in made.parameters])
            rows = cursor.fetchall()
        if not made.converters:
            return rows
        columns = list(zip(*rows, strict=True))
        for position, (converters, expression) in made.converters if rows else ():
            for convert in converters:
                columns[position] = tuple(convert(value, expression, connection) for value in columns[position])
        return list(zip(*columns, strict=True))

    def _prepare(self, given: Sequence[int | str]) -> _Made:
        numbers = range(_FIRST_STAND_IN, _FIRST_STAND_IN + len(given))
        stand_ins = [
            str(number) if isinstance(one, str) else number for one, number in zip(given, numbers, strict=True)
        ]
        connection = connections[DEFAULT_DB_ALIAS]
        compiler = self._make(*stand_ins).query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        found = compiler.get_converters([selected[0] for selected in compiler.select])
        made = _Made(
            sql,
            tuple((stand_ins.index(one), None) if one in stand_ins else (None, one) for one in parameters),
            tuple(found.items()),
        )
        if (whole := compiler.klass_info) is not None:
            made = replace(
                made,
                names=tuple(compiler.select[column][0].target.attname for column in whole["select_fields"]),
                related=tuple(get_related_populators(whole, compiler.select, connection.alias)),  # type: ignore[call-arg]
                annotations=tuple(compiler.annotation_col_map.items()),
            )
        self._made[connection.vendor] = made
        return made
