"""The bytes of a record as text: its size limit and its encoding."""

import re
from typing import Final

from rules.errors import gettext_noop
from rules.records.record import RecordError

LATIN_1: Final = "Latin-1"

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def decode(data: bytes, most: int, encoding: str | None = None) -> tuple[str, bool]:
    """Return the text, with `\\n` as line end, and whether its letters are a guess.

    Without a declared `encoding` it is UTF-8, UTF-16 where it begins with the mark of that, or else Latin-1 as a guess:
    its letters may be others, but everything that describes a game is ASCII. Raises RecordError for more than `most`
    bytes and for anything that is not text.
    """
    if len(data) > most:
        template = gettext_noop("A match record may have at most %(most)s MB; this one has more.")
        raise RecordError("record_too_large", template, most=most // 1_000_000)
    guessed = False
    marked = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding or marked)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if encoding is not None or marked == "utf-16":
            encoding = encoding or "UTF-16"
            template = gettext_noop("Line %(line)s is not in %(encoding)s, although the record says that it is.")
            raise RecordError("record_encoding", template, line=line, encoding=encoding) from None
        guessed = True
        text = data.decode("latin-1")
    control = _CONTROL.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        if guessed and control[0] > "\x7f":
            template = gettext_noop("Line %(line)s is not UTF-8 text, so it cannot be read.")
            raise RecordError("record_not_utf8", template, line=line)
        raise RecordError("record_not_text", gettext_noop("Line %(line)s is not text."), line=line)
    return text.replace("\r\n", "\n").replace("\r", "\n"), guessed
