"""A line that somebody types and others read: on one line, and without characters that nobody sees."""

import unicodedata

MAX_NAME = 80
"""Of people, clubs, tournaments, events and whatever else has a name."""
MAX_COUNTRY = 3

JOINER = "\u200d"
"""Between two signs it makes one emoji of them; anywhere else nobody sees it."""
STYLE = "\ufe0f"
MOST_MARKS = 4
"""How many accents and vowel signs a letter may carry in any script; more of them cover the lines around it."""


def one_line(text: str) -> str:
    """Return the text as it is stored: composed, with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def says_something(line: str) -> bool:
    """Whether the line has a letter, a digit or an emoji."""
    return any(char.isalnum() or _is_sign(char) for char in line)


def is_visible(line: str) -> bool:
    """Whether the line shows all that it has, and only there.

    It has no control characters, none that turn the writing direction, and no piles of accents.
    """
    marks = 0
    for place, char in enumerate(line):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks > MOST_MARKS or not (char.isprintable() or _joins(line, place)):
            return False
    return True


def _joins(line: str, place: int) -> bool:
    """Whether a joiner stands there between two signs, of which the first may have a style."""
    before, after = line[:place].rstrip(STYLE)[-1:], line[place + 1 : place + 2]
    return line[place] == JOINER and _is_sign(before) and _is_sign(after)


def _is_sign(char: str) -> bool:
    """Whether it is an emoji or a sign like it, or the colour of one."""
    return bool(char) and unicodedata.category(char) in ("So", "Sk") and not char.isascii()
