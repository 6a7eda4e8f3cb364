"""Shapes of JSON values: each judges a value and names every fault with its place, and is written as JSON Schema.

Reader and schema come from the same shapes, so that neither can allow what the other refuses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from rules.errors import gettext_noop
from tournament.interchange.canonical import MOST_WHOLE
from tournament.interchange.faults import MOST_FAULTS, Fault, at, shown

NO_CONTROLS = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
"""The pattern of a text on one line, in the language of JSON Schema and of Python alike."""
DEEPEST = 20
"""How many levels a value of other programs may have."""
FREE = "x"
"""The key under which other programs keep what is theirs, in every object."""


@dataclass(slots=True)
class Reading:
    """A file as it is read: the ``faults`` found so far. One that is not ``closed`` may have unknown keys.

    ``minor`` is the minor version that it names: members that came later are unknown to it.
    """

    closed: bool = True
    minor: int = 99_999
    faults: list[Fault] = field(default_factory=list)

    def fault(self, code: str, pointer: str, template: str, **params: object) -> None:
        """Note a fault; after many of them no more are noted."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(code, pointer, template, params))

    def wrong(self, value: object, pointer: str, wanted: str) -> None:
        """Note that the value is of the wrong kind."""
        self.fault(
            "value_wrong",
            pointer,
            gettext_noop("“%(value)s” is not of the right kind (%(wanted)s)."),
            value=shown(value),
            wanted=wanted,
        )


class Shape(Protocol):
    """What a value may be."""

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        """Note every fault of the value at ``pointer``."""
        ...

    def schema(self) -> dict[str, Any]:
        """Return the shape as JSON Schema 2020-12."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """A text of ``least`` to ``most`` characters that matches ``pattern``, which is on one line unless said otherwise.

    ``wanted`` says in a fault what belongs there.
    """

    most: int
    least: int = 0
    pattern: str = NO_CONTROLS
    wanted: str = "text, 1 line"

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, str) or not re.search(self.pattern, value) or value.endswith("\n"):
            reading.wrong(value, pointer, self.wanted)
        elif not self.least <= len(value) <= self.most:
            reading.fault(
                "text_length",
                pointer,
                gettext_noop("The text has %(count)s characters; it may have %(least)s to %(most)s."),
                count=len(value),
                least=self.least,
                most=self.most,
            )

    def schema(self) -> dict[str, Any]:
        least = {"minLength": self.least} if self.least else {}
        return {"type": "string", **least, "maxLength": self.most, "pattern": self.pattern}


TIME_PATTERN = (
    r"^2[01][0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z$"
)
DAY_PATTERN = r"^2[01][0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in ISO 8601, in UTC."""

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, str) or not re.fullmatch(TIME_PATTERN[1:-1], value) or not _is_moment(value):
            reading.wrong(value, pointer, "2026-03-06T19:00:00Z")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time", "pattern": TIME_PATTERN}


@dataclass(frozen=True, slots=True)
class Day:
    """A day in ISO 8601."""

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, str) or not re.fullmatch(DAY_PATTERN[1:-1], value) or not _is_day(value):
            reading.wrong(value, pointer, "2026-03-06")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date", "pattern": DAY_PATTERN}


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Word:
    """One of these words."""

    words: tuple[str, ...]

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, str) or value not in self.words:
            reading.wrong(value, pointer, ", ".join(word or "“”" for word in self.words))

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in this range."""

    least: int
    most: int

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if type(value) is not int or not self.least <= value <= self.most:
            reading.fault(
                "number_out_of_range",
                pointer,
                gettext_noop("“%(value)s” is not a whole number from %(least)s to %(most)s."),
                value=shown(value),
                least=self.least,
                most=self.most,
            )

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, bool):
            reading.wrong(value, pointer, "true, false")

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class OrNull:
    """Null, or what the ``shape`` allows."""

    shape: Shape

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if value is not None:
            self.shape.judge(value, pointer, reading)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.shape.schema(), {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Items:
    """A list of ``least`` to ``most`` values of one shape; ``key`` is the member by which items differ, if one is."""

    shape: Shape
    most: int
    least: int = 0
    key: str = ""

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, list):
            reading.wrong(value, pointer, "list")
            return
        if not self.least <= len(value) <= self.most:
            reading.fault(
                "list_length",
                pointer,
                gettext_noop("The list has %(count)s values; it may have %(least)s to %(most)s."),
                count=len(value),
                least=self.least,
                most=self.most,
            )
            return
        for index, one in enumerate(value):
            self.shape.judge(one, at(pointer, index), reading)
        self._judge_keys(value, pointer, reading)

    def _judge_keys(self, value: Sequence[object], pointer: str, reading: Reading) -> None:
        """Note the items that have the key of an earlier one."""
        seen: dict[object, int] = {}
        for index, one in enumerate(value):
            key = one.get(self.key) if self.key and isinstance(one, dict) else None
            if not isinstance(key, str | int):
                continue
            if key in seen:
                reading.fault(
                    "key_repeated",
                    at(pointer, index, self.key),
                    gettext_noop("“%(value)s” stands twice: the other one is at %(other)s."),
                    value=shown(key),
                    other=at(pointer, seen[key], self.key),
                )
            seen.setdefault(key, index)

    def schema(self) -> dict[str, Any]:
        least = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": self.shape.schema(), **least, "maxItems": self.most}


@dataclass(frozen=True, slots=True)
class Later:
    """A member that came with a ``minor`` version: an object has it only where it says something."""

    minor: int
    shape: Shape


@dataclass(frozen=True, slots=True)
class Record:
    """An object with all of these members and no others, but for ``x`` and what came ``later``."""

    members: Mapping[str, Shape]
    later: Mapping[str, Later] = field(default_factory=dict)

    def since(self, minor: int, **members: Shape) -> Record:
        """Return the object with these members more, which came with the minor version."""
        return Record(self.members, {**self.later, **{key: Later(minor, shape) for key, shape in members.items()}})

    @property
    def shapes(self) -> Mapping[str, Shape]:
        """The shapes of all members."""
        return {**self.members, **{key: one.shape for key, one in self.later.items()}}

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, dict):
            reading.wrong(value, pointer, "object")
            return
        for key, shape in self.members.items():
            if key in value:
                shape.judge(value[key], at(pointer, key), reading)
            else:
                reading.fault("key_missing", pointer, gettext_noop("The key “%(key)s” is missing."), key=key)
        for key in value:
            if key in self.members:
                continue
            later = self.later.get(key)
            if later is not None and later.minor <= reading.minor:
                later.shape.judge(value[key], at(pointer, key), reading)
            elif key == FREE or not reading.closed:
                Free().judge(value[key], at(pointer, key), reading)
            else:
                reading.fault(
                    "key_unknown",
                    at(pointer, key),
                    gettext_noop(
                        "The key “%(key)s” belongs to no event file of this version; “x” takes what is yours."
                    ),
                    key=shown(key),
                )

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {**{key: shape.schema() for key, shape in self.shapes.items()}, FREE: {}},
            "required": list(self.members),
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class Either:
    """What one of these shapes allows; ``wanted`` says which."""

    shapes: tuple[Shape, ...]
    wanted: str

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        for shape in self.shapes:
            trial = Reading(reading.closed, reading.minor)
            shape.judge(value, pointer, trial)
            if not trial.faults:
                return
        reading.wrong(value, pointer, self.wanted)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [shape.schema() for shape in self.shapes]}


@dataclass(frozen=True, slots=True)
class Table:
    """An object with any keys, whose values are all of one shape."""

    shape: Shape

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if not isinstance(value, dict):
            reading.wrong(value, pointer, "object")
            return
        for key, one in value.items():
            self.shape.judge(one, at(pointer, key), reading)

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.shape.schema()}


@dataclass(frozen=True, slots=True)
class Free:
    """Any value of few levels."""

    def judge(self, value: object, pointer: str, reading: Reading) -> None:
        if _is_deeper(value, DEEPEST):
            reading.fault(
                "value_too_deep",
                pointer,
                gettext_noop("The value has more than %(most)s levels of brackets."),
                most=DEEPEST,
            )

    def schema(self) -> dict[str, Any]:
        return {}


def _is_deeper(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return bool(levels <= 0 and (inner or isinstance(value, dict | list))) or any(
        _is_deeper(one, levels - 1) for one in inner
    )


ANY_WHOLE = Whole(-MOST_WHOLE, MOST_WHOLE)
