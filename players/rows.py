"""The base class for all models that are read by the hundred."""

from collections.abc import Collection
from typing import Any, Self

from django.db import models
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
