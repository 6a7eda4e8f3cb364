"""Rows that are not stored: the contents of an event at an earlier moment."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Model

M = TypeVar("M", bound=Model)


def with_rows(row: M, name: str, rows: Iterable[Model]) -> M:
    """Set these rows on the given row under the name of a related manager, and return it.

    Code that reads an event asks ``fixture.boards.all()`` and must get the boards of then, not those stored now. Django
    answers from the database unless the rows were prefetched, so they are put where a prefetch puts them. It makes a
    manager only for a row with a primary key: a row that was never stored gets 0, which no stored row has.
    """
    row.pk = row.pk or 0
    row.__dict__.setdefault("_prefetched_objects_cache", {})[name] = list(rows)
    return row
