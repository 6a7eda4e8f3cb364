"""Parsers for request bodies: JSON strictly, other media types as bytes, and none beyond its limit."""

import json
import re
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from players.errors import character_nul
from players.tables import MAX_FILE
from rules.records.formats import MAX_BYTES
from tournament.api.problems import TooLarge

SURROGATE, NUL = re.compile("[\ud800-\udfff]"), re.compile("\0")

MAX_JSON = 1_000_000
MAX_CSV = 250_000


def read_limited(stream: IO[bytes], limit: int) -> bytes:
    """Read the whole body. Raises TooLarge if it is longer than ``limit`` bytes, ParseError if it breaks off."""
    try:
        data = stream.read(limit + 1)
    except OSError as error:
        raise ParseError(_("The body could not be read to the end.")) from error
    if len(data) > limit:
        raise TooLarge(_("The body is longer than %(limit)s bytes.") % {"limit": limit})
    return data


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 defines it, whatever charset the request claims: UTF-8, no NaN, no lone surrogates."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        data = read_limited(stream, MAX_JSON)
        try:
            value = json.loads(data.decode(), parse_constant=_refuse_constant)
        except UnicodeDecodeError as error:
            raise ParseError(_("The body is not UTF-8.")) from error
        except json.JSONDecodeError as error:
            raise ParseError(
                _("The body is not JSON (line %(line)s, column %(column)s).")
                % {"line": error.lineno, "column": error.colno}
            ) from error
        except RecursionError as error:
            raise ParseError(_("The body is nested too deeply.")) from error
        except ValueError as error:
            raise ParseError(
                _("The body contains a number that JSON does not allow, or one that is too long to read.")
            ) from error
        if _has(SURROGATE, value):
            raise ParseError(_("The body contains half a character (a lone surrogate)."))
        if _has(NUL, value):
            raise character_nul(_place_of_nul(value))
        return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _has(wanted: re.Pattern[str], value: object) -> bool:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                if wanted.search(text):
                    return True
            case dict() as mapping:
                waiting.extend(mapping.keys())
                waiting.extend(mapping.values())
            case list() as items:
                waiting.extend(items)
    return False


def _place_of_nul(value: object) -> str:
    """Return the path of the first text with U+0000, or of the object with such a name; empty for the whole body."""
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        place, found = waiting.pop()
        match found:
            case str() if NUL.search(found):
                break
            case dict():
                if any(NUL.search(name) for name in found):
                    break
                waiting.extend((f"{place}.{name}".lstrip("."), inner) for name, inner in reversed(found.items()))
            case list():
                inside = reversed(list(enumerate(found)))
                waiting.extend((f"{place}.{number}".lstrip("."), inner) for number, inner in inside)
    return place


class BytesParser(BaseParser):
    """The body as bytes."""

    limit: int

    def parse(  # type: ignore[override]  # bytes are no mapping, which the type stubs ask for
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return read_limited(stream, self.limit)


class CSVParser(BytesParser):
    media_type = "text/csv"
    limit = MAX_CSV


class XLSXParser(BytesParser):
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    limit = MAX_FILE


class ListCSVParser(XLSXParser):
    """CSV in any of the encodings of spreadsheets, of which UTF-16 takes twice the bytes."""

    media_type = "text/csv"


class RecordTextParser(BytesParser):
    media_type = "text/plain"
    limit = MAX_BYTES


class RecordParser(RecordTextParser):
    media_type = "application/octet-stream"


class SGFParser(RecordTextParser):
    media_type = "application/x-go-sgf"
