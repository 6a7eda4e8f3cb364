"""Strict request fields: a number is a JSON number, a text a JSON string, and nothing is guessed."""

import unicodedata
from collections.abc import Mapping
from copy import copy
from datetime import UTC, date, datetime
from threading import local
from typing import Any

from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from matches.claims import KEY

MAX_ID = 2**63 - 1
MAX_NUMBER = 2**31 - 1
MAX_UNKNOWN = 10


class _Made(local):
    """The serializers that this thread has made, by class and language: sentences of their fields are made once."""

    def __init__(self) -> None:
        self.serializers: dict[tuple[type, str | None], serializers.Serializer] = {}


_made = _Made()


class StrictSerializer(serializers.Serializer):
    """Refuses fields that it does not know, so that a misspelt one is not silently left out."""

    @classmethod
    def valid(cls, data: Any) -> dict[str, Any]:
        """Return the data as validated, without making all fields anew. Raises ValidationError."""
        key = cls, get_language()
        made = _made.serializers.get(key)
        if made is None:
            made = _made.serializers[key] = cls()
            made.fields.keys()  # makes them, for all copies
        serializer = copy(made)
        serializer.initial_data = data
        serializer.is_valid(raise_exception=True)
        return serializer.validated_data

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields][:MAX_UNKNOWN]
            if unknown:
                message = ErrorDetail(gettext("There is no such field."), code="unknown")
                raise ValidationError({name[:40]: [message] for name in unknown})
        return super().to_internal_value(data)


class ToldLength(MaxLengthValidator):
    """A limit that stands in the schema; the service refuses what is longer, with a code of its own."""

    def __call__(self, value: object) -> None:
        pass


class ToldMost(MaxValueValidator):
    """As :class:`ToldLength`, for the largest number."""

    def __call__(self, value: object) -> None:
        pass


class ToldLeast(MinValueValidator):
    """As :class:`ToldLength`, for the smallest number."""

    def __call__(self, value: object) -> None:
        pass


class StrictIntegerField(serializers.IntegerField):
    """A whole JSON number: no text, no fraction, no boolean."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class IdField(StrictIntegerField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_ID, **kwargs)


class NumberField(StrictIntegerField):
    """A number that fits a database column; the service refuses one that is not ``within`` the two that are given."""

    def __init__(self, *, within: tuple[int, int] | None = None, **kwargs: Any) -> None:
        super().__init__(**({"min_value": 0, "max_value": MAX_NUMBER} | kwargs))
        if within is not None:
            self.validators += [ToldLeast(within[0]), ToldMost(within[1])]


class StrictBooleanField(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input="")
        return data


class StrictDateField(serializers.DateField):
    """A day as ``2025-11-21``."""

    def to_internal_value(self, value: Any) -> date:
        if type(value) is not str:
            self.fail("invalid", format="YYYY-MM-DD")
        return super().to_internal_value(value)


class StrictDateTimeField(serializers.DateTimeField):
    """A moment as ``2025-11-21T14:30:00+01:00``; without an offset it is the time of the hall."""

    def to_internal_value(self, value: Any) -> datetime:
        if type(value) is not str:
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss+hh:mm")
        try:
            moment = super().to_internal_value(value)
            moment.astimezone(UTC)  # a moment of the years 1 and 9999 may have none
        except OverflowError:
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss+hh:mm")
        return moment


class StrictChoiceField(serializers.ChoiceField):
    """One of the choices, and of the same type: 1 is not "1"."""

    default_error_messages = {"invalid_choice": _("Must be one of: {choices}.")}

    def to_internal_value(self, data: Any) -> Any:
        for choice in self.choices:
            if type(data) is type(choice) and data == choice:
                return choice
        self.fail("invalid_choice", choices=", ".join(str(choice) for choice in self.choices))


class TextField(serializers.CharField):
    """A JSON string, which may contain line breaks."""

    def to_internal_value(self, data: Any) -> str:
        if type(data) is not str:
            self.fail("invalid")
        return super().to_internal_value(data)


class LineField(TextField):
    """Text on one line: any white space becomes one space, and there are no control characters.

    The service refuses what is longer than ``most``; without a service that does, ``max_length`` refuses it here.
    """

    default_error_messages = {"control_character": _("Control characters are not allowed.")}

    def __init__(self, *, most: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if most is not None:
            self.validators.append(ToldLength(most))

    def to_internal_value(self, data: Any) -> str:
        value = " ".join(super().to_internal_value(data).split())
        if any(unicodedata.category(char) in {"Cc", "Cs"} for char in value):
            self.fail("control_character")
        return value


class KeyField(serializers.RegexField):
    """The idempotency key of a submission: 1 to 64 printable ASCII characters without spaces."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(KEY, trim_whitespace=False, max_length=64, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if type(data) is not str:
            self.fail("invalid")
        return super().to_internal_value(data)


class PairField(serializers.ListField):
    """Two whole numbers, side A's first."""

    child = StrictIntegerField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_length=2, max_length=2, **kwargs)
