"""Official lists on a page: ratings with a sign, the line of a history, and what a start value becomes."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from django import template
from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.lists.models import PublishedLine
from tournament.pictures.rating_line import draw_rating_line

register = template.Library()


def rounded_to(value: Decimal | float | str, count: int) -> Decimal:
    """Return the number with so many decimal places."""
    return Decimal(value).quantize(Decimal(1).scaleb(-count))


@register.filter
def places(value: Decimal | float | str | None, count: int) -> str:
    """Return the rating with so many decimal places; empty for none."""
    return "" if value is None else number_format(rounded_to(value, count), decimal_pos=count)


@register.filter
def rating_change(value: Decimal | float | str | None, count: int) -> str:
    """Return the change with its sign and so many decimal places: +3.20, −1.05, 0.00; empty for none."""
    if value is None:
        return ""
    change = rounded_to(value, count)
    shown = number_format(abs(change), decimal_pos=count)
    return shown if not change else f"+{shown}" if change > 0 else f"−{shown}"


@register.filter
def of(found: Mapping[int, object], key: int) -> object:
    """Return what is found under the key; a dash if nothing is."""
    return found.get(key, "–")


@register.filter
def get(found: Mapping[int, object], key: int) -> object:
    """Return what is found under the key; None if nothing is."""
    return found.get(key)


@register.filter
def side_first(score: tuple[int, int], won: bool) -> str:
    """Return the score of winner and loser as the winner says it, or else as the loser does: 7–3, 3–7."""
    first, second = score if won else score[::-1]
    return f"{first}–{second}"


@register.filter
def among(key: int, found: Collection[int]) -> bool:
    """Whether the key is one of these."""
    return key in found


@register.simple_tag
def history_picture(lines: Sequence[PublishedLine]) -> SafeString:
    """Draw the ratings of these lines, which come newest first, with a description in words."""
    if len(lines) < 2:
        return SafeString("")
    oldest_first = list(reversed(lines))
    values = [float(line.value) for line in oldest_first]
    days = [date_format(line.publication.as_of, "SHORT_DATE_FORMAT") for line in (oldest_first[0], oldest_first[-1])]
    title = _("Rating in each publication")
    return draw_rating_line(values, first=days[0], last=days[1], title=title)
