"""Queries that are the same each time but for a few numbers: their SQL is made once."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

_FIRST_STAND_IN = 1_900_000_001
"""Numbers that stand in the SQL for what is given each time: no query has them of its own."""


class Statement:
    """The rows that a query finds, read as the database gives them; ``make`` builds it from numbers."""

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._made: dict[str, tuple[str, tuple[object, ...]]] = {}

    def rows(self, *numbers: int) -> list[tuple[Any, ...]]:
        """Return the columns of each row, as the query's ``values_list`` names them, without the ORM's conversions."""
        sql, parameters = self._made.get(connection.vendor) or self._sql(len(numbers))
        given = [
            numbers[one - _FIRST_STAND_IN] if isinstance(one, int) and one >= _FIRST_STAND_IN else one
            for one in parameters
        ]
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            return list(cursor.fetchall())

    def _sql(self, count: int) -> tuple[str, tuple[object, ...]]:
        query = self._make(*range(_FIRST_STAND_IN, _FIRST_STAND_IN + count)).query
        made = query.get_compiler(connection=connection).as_sql()
        self._made[connection.vendor] = made
        return made
