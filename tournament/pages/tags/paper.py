"""The size of a name on a badge, as large as fits."""

import re
import unicodedata

from django import template

SIZES = (16, 14, 12, 11, 10, 9, 8, 7, 6)
"""Sizes of type in millimetres; a capital is seven tenths as high. At ten, it is read from two metres."""

WIDTH, HEIGHT = 82, 34
"""The millimetres that a badge has for the name."""

LINE = 1.1
NARROW, WIDE = frozenset("iljtfrI.,'-’"), frozenset("mwMWQGO@")

register = template.Library()


@register.filter
def badge_size(name: str, height: int = HEIGHT) -> int:
    """Return the largest size of type, in millimetres, in which the name fits on a badge that has this height for it;
    at least the smallest.
    """
    return next((size for size in SIZES if _lines(name, size) * size * LINE <= height), SIZES[-1])


def _lines(name: str, size: int) -> int:
    """Return how many lines the name takes in this size; a part that is wider than a line makes it too many.

    A line ends at a space or after a hyphen.
    """
    lines, used = 1, 0.0
    for part in re.findall(r" ?[^ -]*-?", " ".join(name.split())):
        width = size * sum(map(_width, part))
        if size * sum(map(_width, part.strip())) > WIDTH:
            return HEIGHT
        if used + width > WIDTH:
            lines, used = lines + 1, 0.0
        used += width
    return lines


def _width(letter: str) -> float:
    """Return about how wide the letter is in a bold type, measured by its size."""
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter == " ":
        return 0.35
    if letter in NARROW:
        return 0.4
    return 0.95 if letter in WIDE else 0.72 if letter.isupper() else 0.62
