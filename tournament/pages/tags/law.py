"""The words of corrections: places, ratings, states, and what became of score sheets."""

from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from tournament.snapshot.states import STATE_NAMES, MatchState

register = template.Library()


@register.filter
def places(line: tuple[int, int] | None) -> str:
    """Write a place, or the best and the worst of several; a dash for none."""
    if line is None:
        return "–"
    return str(line[0]) if line[0] == line[1] else f"{line[0]}–{line[1]}"


@register.filter
def rating(value: Decimal | None) -> str:
    return "–" if value is None else f"{value:.2f}"


@register.filter
def state_name(state: str) -> str:
    return str(STATE_NAMES[MatchState(state)])


@register.simple_tag
def more(lines: tuple[object, ...], listed: int) -> SafeString | str:
    """Write how many more lines there are than those listed, nothing for none."""
    left = len(lines) - listed
    if left <= 0:
        return ""
    return format_html("<span>{}</span>", ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left})
