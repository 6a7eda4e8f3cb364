"""Parts of pages, kept by each process: made once for all readers to whom they look the same.

What belongs to one reader alone is a mark in a kept part, which :func:`fill` replaces in each answer: the token
against forged forms, and the key of a submission. A live part is made without the request, so that nothing of a reader
can get into it; around it is a frame, which is made for each reader.
"""

import secrets
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from threading import Lock
from typing import Generic, TypeVar

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template import Engine
from django.template.base import Template
from django.template.loader import render_to_string

P = TypeVar("P")

MOST_BYTES = 8 * 1024 * 1024
"""The most that a process keeps: about thirty live parts of large events."""

_SECRET = secrets.token_hex(8)
TOKEN, KEY, LIVE = (f"\0{name} {_SECRET}\0" for name in ("token", "key", "live"))
"""The marks. Nobody who writes a name that a page shows can know them."""

MARKS = {"csrf_token": TOKEN, "key": KEY}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page, with a tag that another part has only if it reads the same."""

    text: bytes
    tag: str

    @classmethod
    def of(cls, text: bytes) -> "Part":
        # Every process has other marks, and the same tags.
        return cls(text, blake2b(text.replace(_SECRET.encode(), b""), digest_size=12).hexdigest())

    @property
    def is_for_everybody(self) -> bool:
        """Whether nothing in it belongs to one reader."""
        return TOKEN.encode() not in self.text and KEY.encode() not in self.text

    @property
    def has_key(self) -> bool:
        return KEY.encode() in self.text


class Memory(Generic[P]):
    """Parts by what they are a part of, each with the state that it shows; those not asked for longest go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most, self._size = most_bytes, 0
        self._parts: OrderedDict[Hashable, tuple[Hashable, P, int]] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Hashable, state: Hashable) -> P | None:
        """Return the part if it shows this state."""
        with self._lock:
            kept = self._parts.get(key)
            if kept is None or kept[0] != state:
                return None
            self._parts.move_to_end(key)
            return kept[1]

    def keep(self, key: Hashable, state: Hashable, part: P, size: int) -> None:
        with self._lock:
            self._forget(key)
            self._parts[key] = (state, part, size)
            self._size += size
            while self._size > self._most:
                self._forget(next(iter(self._parts)))

    def __len__(self) -> int:
        return len(self._parts)

    def clear(self) -> None:
        with self._lock:
            self._parts.clear()
            self._size = 0

    def _forget(self, key: Hashable) -> None:
        if key in self._parts:
            self._size -= self._parts.pop(key)[2]


MEMORY: Memory[Part] = Memory(MOST_BYTES)

BEING_MADE = tuple(Lock() for _number in range(64))
"""While a process makes a part, other requests for the same part wait."""


def kept(key: Hashable, state: Hashable, make: Callable[[], bytes]) -> Part:
    """Return the part in this state, from memory if it is there. ``state`` must have been read before what it shows."""
    found = MEMORY.find(key, state)
    if found is not None:
        return found
    with BEING_MADE[hash(key) % len(BEING_MADE)]:
        found = MEMORY.find(key, state)
        if found is None:
            found = Part.of(make())
            MEMORY.keep(key, state, found, len(found.text))
    return found


def render_live(template: str, values: Mapping[str, object]) -> bytes:
    """Render a live part with marks for what belongs to one reader, and without the request."""
    return render_to_string(template, {**values, **MARKS}).encode()


def render_frame(request: HttpRequest, template: str, values: Mapping[str, object]) -> bytes:
    """Render a page with marks for its live part and for the token."""
    return render_to_string(template, {**values, **MARKS, "live_part": _live_mark()}, request).encode()


@lru_cache(maxsize=1)
def _live_mark() -> Template:
    return Engine.get_default().from_string(LIVE)


def fill(part: bytes, request: HttpRequest) -> bytes:
    """Put the reader's token and a new key in the place of the marks."""
    if TOKEN.encode() in part:
        part = part.replace(TOKEN.encode(), get_token(request).encode())
    if KEY.encode() in part:
        part = part.replace(KEY.encode(), uuid.uuid4().hex.encode())
    return part
