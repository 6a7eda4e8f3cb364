"""Template tags about official lists."""

from collections.abc import Mapping

from django import template

from tournament.models import EventReport
from tournament.reporting.shown import names_of_lists
from tournament.snapshot import EventSnapshot

register = template.Library()


@register.filter
def rated_for(event: EventSnapshot) -> str:
    """Return the names of the lists for which the event counts; empty for none."""
    return names_of_lists(event.rated_for)


@register.filter
def at(found: Mapping[int, object], key: int) -> object:
    """Return what is found under the key; empty if nothing is."""
    return found.get(key, "")


@register.simple_tag
def reports_of(event: EventSnapshot) -> list[EventReport]:
    """Return the reports of an event that has ended, if it declared a list."""
    if event.finished_at is None or not event.rated_for:
        return []
    return list(EventReport.objects.filter(event=event.id).select_related("official_list"))
