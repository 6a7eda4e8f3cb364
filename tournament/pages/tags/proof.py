"""The times of a draw file, as a reader takes them in."""

from datetime import datetime

from django import template
from django.utils.timezone import is_aware, localtime

from tournament.pages.tags.words import day_and_time

register = template.Library()


@register.filter
def moment(text: str) -> str:
    """Return a time of a draw file as date and time of day, in the zone of the page; unchanged if it is no time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    return day_and_time(localtime(found)) if is_aware(found) else text
