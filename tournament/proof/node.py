"""JSON from strangers, read strictly: every value knows its place in the file, and says what it should have been."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NoReturn, TypeVar

from rules.errors import gettext_noop
from tournament.proof.faults import TOO_LARGE, FileFault

T = TypeVar("T")

MOST_BYTES = 16 * 1024 * 1024
MOST_DIGITS = 15
MOST_SHOWN = 40
"""How much of a value from the file a sentence repeats."""

HEX = re.compile(r"[0-9a-f]{64}")
UTC_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")


def parse(data: bytes, most_bytes: int = MOST_BYTES) -> Node:
    """Return the JSON value in ``data``. Raises FileFault for anything but one JSON value in UTF-8, within limits."""
    if len(data) > most_bytes:
        raise FileFault("file_too_large", TOO_LARGE, most=max(1, most_bytes // (1024 * 1024)))
    try:
        text = data.decode("utf-8-sig")
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except UnicodeDecodeError as error:
        raise FileFault("file_not_text", gettext_noop("The file is not UTF-8 text.")) from error
    except json.JSONDecodeError as error:
        raise FileFault(
            "file_not_json", gettext_noop("The file is not JSON: it breaks off at line %(line)s."), line=error.lineno
        ) from error
    except RecursionError as error:
        raise FileFault("file_too_deep", gettext_noop("The file has too many levels of brackets.")) from error
    return Node(value, "")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(name for name, _value in pairs)
        twice = next(name for name in counts if counts[name] > 1)
        raise FileFault(
            "key_twice", gettext_noop("The key “%(key)s” stands twice in the same object."), key=_shown(twice)
        )
    return found


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        _no_number(text)
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise FileFault(
        "number_invalid",
        gettext_noop(
            "“%(value)s” is no number of a draw file: all numbers are whole and have at most %(most)s digits."
        ),
        value=_shown(text),
        most=MOST_DIGITS,
    )


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text[:MOST_SHOWN].encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Node:
    """A value in the file and its place there. Each reader raises FileFault, naming the place."""

    value: object
    place: str

    def members(self, required: Sequence[str], optional: Sequence[str] = ()) -> Members:
        """Return the members of an object that has all ``required`` keys and no others but the ``optional`` ones."""
        value = self.json_object()
        for key in required:
            if key not in value:
                raise FileFault(
                    "key_missing", gettext_noop("%(place)s: the key “%(key)s” is missing."), self._named, key=key
                )
        for key in value:
            if key not in required and key not in optional:
                raise FileFault(
                    "key_unknown",
                    gettext_noop("%(place)s: the key “%(key)s” belongs to no draw file of this version."),
                    self._named,
                    key=_shown(key),
                )
        return Members(value, self.place)

    def json_object(self) -> dict[str, object]:
        """Read an object, whatever its keys."""
        if not isinstance(self.value, dict):
            self._wrong("object")
        return self.value

    def items(self, read: Callable[[Node], T], *, most: int) -> tuple[T, ...]:
        """Read every value of a list with at most this many."""
        return tuple(read(node) for node in self.nodes(most=most))

    def nodes(self, *, most: int, least: int = 0) -> Iterator[Node]:
        """Iterate over the values of a list of such a length."""
        if not isinstance(self.value, list):
            self._wrong("list")
        if not least <= len(self.value) <= most:
            raise FileFault(
                "list_length",
                gettext_noop("%(place)s: the list has %(count)s values; it may have %(least)s to %(most)s."),
                self._named,
                count=len(self.value),
                least=least,
                most=most,
            )
        for index, value in enumerate(self.value):
            yield Node(value, f"{self.place}[{index}]")

    def text(self, most: int, *, empty: bool = True) -> str:
        """Read a text of at most ``most`` characters."""
        value = self.value
        if not isinstance(value, str) or len(value) > most or not (value or empty):
            self._wrong("text")
        try:
            value.encode()
        except UnicodeEncodeError:
            self._wrong("text")
        return value

    def line(self, most: int, *, empty: bool = True) -> str:
        """Read a text on one line."""
        value = self.text(most, empty=empty)
        if len(value.splitlines()) > 1 or value.endswith(("\n", "\r")):
            self._wrong("text, 1 line")
        return value

    def word(self, words: Sequence[str]) -> str:
        """Read one of these words."""
        value = self.value
        if not isinstance(value, str) or value not in words:
            self._wrong(", ".join(words))
        return value

    def hash(self) -> str:
        """Read a SHA-256 hash: 64 hex digits in lower case."""
        value = self.value
        if not isinstance(value, str) or not HEX.fullmatch(value):
            self._wrong("64 × 0–9, a–f")
        return value

    def time(self) -> str:
        """Read a moment in ISO 8601, in UTC."""
        value = self.value
        if not isinstance(value, str) or not UTC_TIME.fullmatch(value) or moment_of(value) is None:
            self._wrong("2026-03-06T19:00:00Z")
        return value

    def number(self, least: int, most: int) -> int:
        """Read a whole number in this range."""
        value = self.value
        if type(value) is not int or not least <= value <= most:
            raise FileFault(
                "number_out_of_range",
                gettext_noop("%(place)s: “%(value)s” is not a whole number from %(least)s to %(most)s."),
                self._named,
                value=_shown(value),
                least=least,
                most=most,
            )
        return value

    def flag(self) -> bool:
        """Read true or false."""
        if not isinstance(self.value, bool):
            self._wrong("true, false")
        return self.value

    def or_none(self, read: Callable[[Node], T]) -> T | None:
        """Read null as None, and any other value with ``read``."""
        return None if self.value is None else read(self)

    @property
    def _named(self) -> str:
        return self.place or "$"

    def _wrong(self, wanted: str) -> NoReturn:
        raise FileFault(
            "value_wrong",
            gettext_noop("%(place)s: “%(value)s” is not of the right kind (%(wanted)s)."),
            self._named,
            value=_shown(self.value),
            wanted=wanted,
        )


@dataclass(frozen=True, slots=True)
class Members:
    """The members of an object, by key."""

    values: dict[str, object]
    place: str

    def __getitem__(self, key: str) -> Node:
        return Node(self.values[key], f"{self.place}.{key}" if self.place else key)

    def __contains__(self, key: str) -> bool:
        return key in self.values


def moment_of(text: str | None) -> datetime | None:
    """Return the moment that is written in ISO 8601 with its offset from UTC; None for any other text."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
