"""A line that somebody types and others read: on one line, and without characters that nobody sees."""

import unicodedata


def one_line(text: str) -> str:
    """Return the text as it is stored: composed, with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_visible(line: str) -> bool:
    """Whether the line shows all that it has: no control characters, and none that turn the writing direction."""
    return line.isprintable()
