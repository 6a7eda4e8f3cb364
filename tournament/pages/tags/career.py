"""A player's career on a page: the rating line, a bar of wins and losses."""

from collections.abc import Sequence

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from matches.rating_line import RatingPoint
from tournament.career.career import Balance
from tournament.pictures.rating_line import draw_rating_line

register = template.Library()


@register.simple_tag
def rating_picture(points: Sequence[RatingPoint]) -> SafeString:
    """Draw the ratings after each match, with a description in words."""
    if len(points) < 2:
        return SafeString("")
    values = [point.value for point in points]
    days = [date_format(localtime(point.at), "SHORT_DATE_FORMAT") for point in (points[0], points[-1])]
    return draw_rating_line(values, first=days[0], last=days[1], title=_("Rating after each match"))


@register.simple_tag
def balance_bar(balance: Balance) -> SafeString:
    """Draw the share of matches won, hidden from screen readers: the numbers stand beside it."""
    won = round(100 * balance.wins / balance.matches, 1) if balance.matches else 0
    return format_html(
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="off" width="100" height="10"/><rect class="on" width="{}" height="10"/></svg>',
        won,
    )
