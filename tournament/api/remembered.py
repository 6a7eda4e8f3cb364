"""A serializer for frozen values that are read again and again: each is represented only once."""

from collections.abc import Hashable
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language
from rest_framework import serializers

REPRESENTATIONS = 3000
"""How many are kept: the rows of a full weekend, some of them in two languages. Each takes several kilobytes."""


class RememberedSerializer(serializers.Serializer):
    """Represents equal values once for all readers to whom they look the same.

    A value is hashable, and its representation depends on the value itself, the language, the time zone and the local
    date, which the fields read as ``context["today"]``, and on nothing else: nothing of the request is passed on. A
    representation is shared by all answers and threads, and must not be changed.
    """

    def to_representation(self, instance: Hashable) -> Any:
        return _represent(instance, *self._seen_by)

    @cached_property
    def _seen_by(self) -> "tuple[type[RememberedSerializer], str, str, date]":
        return type(self), get_language(), timezone.get_current_timezone_name(), timezone.localdate()


@lru_cache(maxsize=REPRESENTATIONS)
def _represent(value: Hashable, kind: type[RememberedSerializer], language: str, zone: str, today: date) -> Any:
    """Represent the value in ``language`` and in time zone ``zone``, which must be the current ones."""
    return super(RememberedSerializer, _maker(kind, today)).to_representation(value)


@lru_cache(maxsize=20)
def _maker(kind: type[RememberedSerializer], today: date) -> RememberedSerializer:
    """Return the serializer, whose fields are created once and can be read by any thread."""
    return kind(context={"today": today})
