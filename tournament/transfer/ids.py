"""What rows that are made of an event file need: ids, with or without a database, and moments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Model

Json = Mapping[str, Any]
Keep = Callable[[Sequence[Model]], None]
"""Gives new rows of one model their ids: by storing them, or by counting."""


def moment(text: str) -> datetime:
    """Return the moment that the file names."""
    return datetime.fromisoformat(text)


def moment_or_none(text: str | None) -> datetime | None:
    """Return the moment that the file names, if it names one."""
    return None if text is None else moment(text)


class Numbers:
    """Ids for rows that are not stored, counted from 1 for each model."""

    def __init__(self) -> None:
        self._last: dict[type[Model], int] = {}

    def keep(self, rows: Sequence[Model]) -> None:
        """Give each row the next id of its model."""
        for row in rows:
            row.pk = self._last[type(row)] = self._last.get(type(row), 0) + 1
