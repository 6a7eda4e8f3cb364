"""Tags for the pages of the hall: the rows of the desk, minutes, and times as people say them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from django import template
from django.template.defaultfilters import date
from django.template.loader import get_template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from players.remembered import remembered
from tournament.hall.recent import Recent
from tournament.hall.values import DeskMatch, DeskTable, Doing
from tournament.models import LogEntry
from tournament.pages.hall.rows import KEY, TOKEN, desk_row, seen_by
from tournament.pages.kept import KEY as KEPT_KEY

ROWS, MOST_ROWS = 10, 40
"""How many matches of a kind are shown at first, and unfolded: a round robin of fifty has over a thousand ready."""

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_field(context: template.Context) -> SafeString:
    """Return the hidden field that protects a form against forgery, for a page with many forms.

    If the desk shows a single event, it also names that, so that the answer shows the same.
    """
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', context.get("csrf_token", ""))
    event = context.get("asked_event")
    return token + format_html('<input type="hidden" name="event" value="{}">', event.slug) if event else token


@register.simple_tag(takes_context=True)
def desk_rows(context: template.Context, matches: Sequence[DeskMatch]) -> SafeString:
    """Return the desk rows for these matches, making each once for everybody to whom it looks the same."""
    desk, returned = context["desk"], context.get("returned")
    may_call, may_settle, may_confirm = (context[name] for name in ("may_call", "may_settle", "may_confirm"))
    # The marks of a part that is kept can stay in a row; the token of a request cannot.
    marks = (str(csrf_field(context)), KEPT_KEY) if context["key"] == KEPT_KEY else (TOKEN, KEY)
    zone = timezone.get_current_timezone_name()
    seen = seen_by(context["tournament"].slug, get_language(), zone, bool(desk.tables), *marks)
    rows = "".join(
        desk_row(
            match,
            minutes_to(match.since, desk.at) if match.doing is Doing.READY else 0,
            seen,
            match.event_id in may_call,
            match.event_id in (may_settle if match.doing is Doing.DISPUTED else may_confirm),
            returned if returned and returned.row == match.id else None,
        )
        for match in matches
    )
    if marks[1] == KEY:
        rows = rows.replace(TOKEN, csrf_field(context)).replace(KEY, context["key"])
    return mark_safe(rows)  # noqa: S308 - of templates


@register.simple_tag
def table_cells(tables: Iterable[DeskTable]) -> SafeString:
    """Return the numbered tables of the hall, rendering each again only if it has changed."""
    language = get_language()
    return mark_safe("".join(_table(table, language) for table in tables))  # noqa: S308 - of templates


@remembered(2000)
def _table(table: DeskTable, language: str) -> str:
    """Render the table in the current language, ``language``."""
    return get_template("tournament/hall/_table.html").render({"table": table})


@register.simple_tag
def log_lines(rows: Iterable[Recent]) -> SafeString:
    """Return the rows of the log as the desk shows them; a row never changes, but the names in it may."""
    seen_by = get_language(), timezone.get_current_timezone_name()
    lines = (
        _log_line(Told(one.row, one.row.verb, one.row.at, repr(one.row.detail)), one.actor, one.event, *seen_by)
        for one in rows
    )
    return mark_safe("".join(lines))  # noqa: S308 - of templates


@dataclass(frozen=True, slots=True)
class Told:
    """A row of the log, equal to any other that says the same."""

    row: LogEntry = field(compare=False)
    verb: str
    at: datetime
    detail: str


@lru_cache(maxsize=200)
def _log_line(told: Told, actor: str, event: str, language: str, zone: str) -> str:
    """Render the row in the current language and zone, ``language`` and ``zone``, with the names of today."""
    return get_template("tournament/hall/_desk_log_line.html").render(
        {"entry": told.row, "actor": actor, "event": event}
    )


@register.filter
def first_rows(matches: Sequence[DeskMatch], count: int = ROWS) -> Sequence[DeskMatch]:
    return matches[:count]


@register.filter
def more_rows(matches: Sequence[DeskMatch]) -> Sequence[DeskMatch]:
    return matches[ROWS:MOST_ROWS]


@register.filter
def minutes_to(since: datetime, at: datetime) -> int:
    return max(0, int((at - since).total_seconds()) // 60)


@register.filter
def as_minutes(seconds: int) -> str:
    """Write seconds as minutes on a clock: 480 becomes 8:00."""
    return f"{seconds // 60}:{seconds % 60:02}"


@register.filter
def whole_minutes(seconds: int) -> int:
    """Return the seconds as a whole number of minutes, for use in a sentence: 480 becomes 8."""
    return seconds // 60


@register.filter
def moment(at: datetime) -> str:
    """Write the time of day, adding the weekday unless it is today."""
    local = timezone.localtime(at)
    return date(local, "TIME_FORMAT" if local.date() == timezone.localdate() else "WEEKDAY_TIME_FORMAT")
