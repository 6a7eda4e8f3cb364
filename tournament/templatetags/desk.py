"""What the pages of the hall ask of a desk: the first of its rows, minutes, and moments as people say them."""

from collections.abc import Sequence
from datetime import datetime

from django import template
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.desk import DeskMatch

ROWS, MOST_ROWS = 10, 40
"""So many matches of a kind are shown at once, and unfolded: in a round robin of fifty over a thousand are ready."""

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_field(context: template.Context) -> SafeString:
    """The hidden field of a form against forgery, for a page with many forms."""
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', context.get("csrf_token", ""))


@register.filter
def first_rows(matches: Sequence[DeskMatch], count: int = ROWS) -> Sequence[DeskMatch]:
    return matches[:count]


@register.filter
def more_rows(matches: Sequence[DeskMatch]) -> Sequence[DeskMatch]:
    return matches[ROWS:MOST_ROWS]


@register.filter
def by_table(matches: Sequence[DeskMatch]) -> list[DeskMatch]:
    return sorted(matches, key=lambda match: (match.table is None, match.table or 0, match.id))


@register.filter
def minutes_to(since: datetime, at: datetime) -> int:
    return max(0, int((at - since).total_seconds()) // 60)


@register.filter
def as_minutes(seconds: int) -> str:
    """Seconds as minutes on a clock: 480 is 8:00."""
    return f"{seconds // 60}:{seconds % 60:02}"


@register.filter
def moment(at: datetime) -> str:
    """The time of day, with the weekday unless it is today."""
    local = timezone.localtime(at)
    return date(local, "H:i" if local.date() == timezone.localdate() else "D H:i")
