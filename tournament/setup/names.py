"""Names that hold a day: made for a new tournament, and changed for the next one."""

import re
from collections.abc import Collection
from datetime import date
from itertools import product

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

WAYS_TO_WRITE = (
    *("j F Y", "j. F Y", "F j, Y", "j M Y", "j. M Y", "Y-m-d", "d.m.Y", "j.n.Y", "d/m/Y", "j/n/Y"),
    *("j F", "j. F", "F j", "j M", "j. M", "M j", "d.m.", "j.n.", "d/m", "j/n"),
    *("F Y", "M Y", "F", "Y"),
)
"""How a name may write its day, the most exact first, in Django's letters; M may begin with a small letter too."""
NUMBERED = re.compile(r"^(.*\S)\s+(\d{1,3})$")


def name_with_day(noun: str, day: date) -> str:
    """Return the name of a tournament on this day, such as "Club night 22 Nov"."""
    # Translators: a day and a month as in "22 Nov", in the letters of Django's date filter.
    short_day = _("j M")
    return f"{noun} {date_format(day, short_day)}"


def name_on(name: str, before: date, after: date) -> str:
    """Return the name with the day ``before`` replaced by ``after``, in the words and language it was written in.

    A name that does not hold the day stays as it is.
    """
    if before == after:
        return name
    for way, flag, short, language in product(WAYS_TO_WRITE, (re.NOFLAG, re.IGNORECASE), "Mb", _languages()):
        with translation.override(language):
            old, new = (date_format(day, way.replace("M", short)) for day in (before, after))
        found = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", flag)
        if place := found.search(name):
            return name[: place.start()] + new + name[place.end() :]
    return name


def _languages() -> list[str]:
    """Return the languages of the site, the reader's own first."""
    own = translation.get_language()
    return sorted((code for code, _name in settings.LANGUAGES), key=lambda code: code != own)


def next_name(name: str, taken: Collection[str]) -> str:
    """Return the name with the next free number: Jackpot, Jackpot 2, Jackpot 3."""
    numbered = NUMBERED.match(name)
    stem, number = (numbered[1], int(numbered[2])) if numbered else (name, 1)
    while (found := f"{stem[:75]} {number + 1}") in taken:
        number += 1
    return found
