"""The rows of the desk as HTML: the template is rendered once for rows of one shape, and filled in for each match.

Two rows have the same shape if the template says the same about them but for names and numbers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.template.loader import get_template
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.html import escape
from django.utils.safestring import mark_safe

from players.remembered import remembered
from tournament.hall.values import DeskMatch, Doing
from tournament.pages.returning import Returned

TOKEN, KEY = "\0token\0", "\0key\0"
"""The marks in a row for what is new each time. No name has this character, as no form accepts it."""

MARK = re.compile("\0([a-z_]+)\0")
CONDITIONS = ("doing", "is_late", "has_table")
"""What the template asks about a match, besides whether it has this or that."""
OPTIONAL = ("called_at", "started_at", "table", "score", "teams", "pause", "base")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What rows depend on besides their matches. ``language`` and ``zone`` must be the current ones.

    ``token`` and ``key`` are what stands for the token and for the key in each row.
    """

    slug: str
    language: str
    zone: str
    has_tables: bool
    token: str = TOKEN
    key: str = KEY


@lru_cache(maxsize=50)
def seen_by(slug: str, language: str, zone: str, has_tables: bool, token: str = TOKEN, key: str = KEY) -> Seen:
    """Return what rows depend on: the same value for the same, so that no row has to look into it."""
    return Seen(slug, language, zone, has_tables, token, key)


@remembered(2000)
def desk_row(
    match: DeskMatch,
    waits: int,
    seen: Seen,
    may_call: bool,
    may_settle: bool,
    returned: Returned | None = None,
) -> str:
    """Return the row; ``returned`` is what was typed into it, if that comes back. ``seen`` is of :func:`seen_by`."""
    if returned or match.reports or match.dispute or match.other_tables or match.doing in REVIEWED:
        return whole_row(match, waits, seen, may_call, may_settle, returned)
    conditions = tuple(getattr(match, name) for name in CONDITIONS)
    given = frozenset(name for name in OPTIONAL if getattr(match, name))
    shape = _shape(conditions, given, seen.slug, seen.language, may_call, seen.has_tables)
    texts = {**_texts(match, waits), "token": seen.token, "key": seen.key}
    return "".join([texts[part] if is_mark else part for is_mark, part in shape])


def whole_row(
    match: DeskMatch, waits: int, seen: Seen, may_call: bool, may_settle: bool, returned: Returned | None = None
) -> str:
    """Return the row as :func:`desk_row` does, by the whole template."""
    about = {"match": match, "may_settle": may_settle, "returned": returned, **_told(match, waits)}
    row = _render(about, seen.slug, may_call, seen.has_tables)
    return row.replace(TOKEN, seen.token).replace(KEY, seen.key)


REVIEWED = (Doing.DISPUTED, Doing.REPORTED)


def _told(match: DeskMatch, waits: int) -> dict[str, str]:
    """Return what the template says about the match in other words than its attributes."""
    return {
        "id": str(match.id),
        "waits": str(waits),
        "called": _time(match.called_at),
        "called_by": match.called_by or "–",
        "until": _time(match.ends_at),
    }


def _texts(match: DeskMatch, waits: int) -> dict[str, str]:
    """Return the texts for the marks of a shape, escaped."""
    score, teams = match.score or ("", ""), match.teams or ("", "")
    texts = {
        **_told(match, waits),
        **{name: str(getattr(match, name)) for name in PLAIN},
        **{f"score_{side}": str(points) for side, points in zip("ab", score, strict=True)},
        **{f"team_{side}": team for side, team in zip("ab", teams, strict=True)},
    }
    return {name: escape(text) for name, text in texts.items()}


PLAIN = ("names", "event", "place", "length", "table", "pause", "busy", "minutes", "base", "a", "b")


@lru_cache(maxsize=500)
def _shape(
    conditions: tuple[object, ...], given: frozenset[str], slug: str, language: str, may_call: bool, has_tables: bool
) -> tuple[tuple[bool, str], ...]:
    """Render the rows of this shape in the current language, ``language``; each part is HTML, or the name of a mark."""
    plain = {name: _mark(name) for name in PLAIN}
    optional: dict[str, Any] = {
        **{name: plain[name] for name in ("table", "pause")},
        "base": plain["base"],
        "score": (_mark("score_a"), _mark("score_b")),
        "teams": (_mark("team_a"), _mark("team_b")),
        "called_at": True,
        "started_at": True,
    }
    absent = {name: 0 if name == "base" else "" for name in OPTIONAL if name not in given}
    match = {**plain, **optional, **dict(zip(CONDITIONS, conditions, strict=True)), **absent}
    told = {name: _mark(name) for name in ("id", "waits", "called", "called_by", "until")}
    found = MARK.split(_render({"match": match, **told}, slug, may_call, has_tables))
    return tuple((place % 2 == 1, part) for place, part in enumerate(found))


def _mark(name: str) -> str:
    return f"\0{name}\0"


def _render(about: Mapping[str, object], slug: str, may_call: bool, has_tables: bool) -> str:
    values = {
        "desk_url": reverse("desk", args=[slug]),
        "matches_url": f"{reverse('home')}matches/",
        "may_call": may_call,
        "has_tables": has_tables,
        "token": mark_safe(TOKEN),  # noqa: S308 - our own
        "key": KEY,
        **about,
    }
    return get_template("tournament/hall/_desk_row.html").render(values)


def _time(at: Any) -> str:
    return time_format(timezone.localtime(at)) if at is not None else ""
