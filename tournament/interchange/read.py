"""Reading an event file: JSON from strangers, judged by the form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from rules.errors import gettext_noop
from tournament.interchange.canonical import MOST_WHOLE, digest_of
from tournament.interchange.faults import Fault, shown
from tournament.interchange.form import DOCUMENT, FORMAT, MAJOR, MINOR, VERSION
from tournament.interchange.shape import Reading

MOST_BYTES = 32 * 1024 * 1024

Document = dict[str, Any]
"""An event file whose form has been judged."""


class Unreadable(ValueError):  # noqa: N818
    """What is no JSON of an event file at all, with the ``fault``."""

    def __init__(self, code: str, template: str, **params: object) -> None:
        self.fault = Fault(code, "", template, params)
        super().__init__(self.fault.message)


@dataclass(frozen=True, slots=True)
class Read:
    """A file as read: the document, None unless its form holds, and the faults."""

    document: Document | None
    faults: Sequence[Fault]


def read_event_file(data: bytes, most_bytes: int = MOST_BYTES) -> Read:
    """Read the bytes of an event file. Whatever they are, nothing is raised: every fault has its place."""
    try:
        value = parse(data, most_bytes)
        _check_version(value)
    except Unreadable as error:
        return Read(None, [error.fault])
    minor = minor_of(value["version"])
    reading = Reading(closed=minor <= MINOR, minor=minor)
    DOCUMENT.judge(value, "", reading)
    if reading.faults:
        return Read(None, reading.faults)
    if value["digest"] != digest_of(value):
        fault = gettext_noop(
            "The digest is not that of the file, which has been changed since: it would be %(digest)s."
        )
        return Read(value, [Fault("digest_wrong", "/digest", fault, {"digest": digest_of(value)})])
    return Read(value, [])


def parse(data: bytes, most_bytes: int = MOST_BYTES) -> Document:
    """Return the JSON object in ``data``. Raises Unreadable for anything but one object in UTF-8, within limits."""
    if len(data) > most_bytes:
        megabytes = max(1, most_bytes // (1024 * 1024))
        raise Unreadable("file_too_large", gettext_noop("The file is larger than %(most)s MB."), most=megabytes)
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeError as error:
        raise Unreadable("file_not_text", gettext_noop("The file is not UTF-8 text.")) from error
    except json.JSONDecodeError as error:
        raise Unreadable(
            "file_not_json", gettext_noop("The file is not JSON: it breaks off at line %(line)s."), line=error.lineno
        ) from error
    except RecursionError as error:
        raise Unreadable("file_too_deep", gettext_noop("The file has too many levels of brackets.")) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise Unreadable(
            "not_an_event_file",
            gettext_noop("This is JSON, but not an event file: its “format” would be “%(format)s”."),
            format=FORMAT,
        )
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(name for name, _value in pairs)
        twice = next(name for name in counts if counts[name] > 1)
        raise Unreadable(
            "key_twice", gettext_noop("The key “%(key)s” stands twice in the same object."), key=shown(twice)
        )
    return found


def _integer(text: str) -> int:
    if len(text) > len(str(MOST_WHOLE)) + 1 or abs(int(text)) > MOST_WHOLE or text == "-0":
        _no_number(text)
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise Unreadable(
        "number_invalid",
        gettext_noop("“%(value)s” is no number of an event file: all numbers are whole, and at most %(most)s."),
        value=shown(text),
        most=MOST_WHOLE,
    )


def minor_of(version: str) -> int:
    """Return the minor part of a version of this format."""
    return int(version.partition(".")[2])


def _check_version(value: Document) -> None:
    """Raise Unreadable for a version whose major part is not ours."""
    version = value.get("version")
    major, dot, minor = version.partition(".") if isinstance(version, str) else ("", "", "")
    if dot and minor.isascii() and minor.isdigit() and len(minor) <= 5 and major == str(MAJOR):
        return
    raise Unreadable(
        "version_unknown",
        gettext_noop(
            "This file has the version “%(version)s”; this program knows %(known)s and later ones of %(major)s."
        ),
        version=shown(version),
        known=VERSION,
        major=MAJOR,
    )
