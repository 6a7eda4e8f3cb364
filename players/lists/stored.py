"""A document as its publication stores it, of which the matches are read piece by piece. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

OPENS, CLOSES = b',"counted":[', b'],"criteria":'
"""What stands before the matches of a document and after them, since its keys are in order and nothing is between."""
BETWEEN = b"],["
PIECE = 1 << 16

Row = list[Any]
"""A match of a document, as ``counted`` has it."""


class StoredDocument:
    """The document of these bytes. ``said`` is what JSON reads of it, with no match under ``counted``."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._begin = text.index(OPENS) + len(OPENS)
        self._end = text.index(CLOSES, self._begin)
        self.said: dict[str, Any] = json.loads(text[: self._begin] + text[self._end :])

    def rows(self) -> Iterator[Row]:
        """Yield the matches, in the order of rating."""
        begin = self._begin
        while begin < self._end:
            found = self._text.find(BETWEEN, begin + PIECE, self._end)
            end = self._end if found < 0 else found + 1
            yield from json.loads(b"[" + self._text[begin:end] + b"]")
            begin = end + 1

    def rows_of(self, player: int) -> Iterator[Row]:
        """Yield the matches of a player, in the order of rating."""
        number, begin = f",{player},".encode(), self._begin
        while (found := self._text.find(number, begin, self._end)) >= 0:
            first = self._text.rindex(b"[", self._begin, found)
            begin = self._text.index(b"]", found) + 1
            row: Row = json.loads(self._text[first:begin])
            if player in row[2:4]:
                yield row
