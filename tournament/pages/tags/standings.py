"""Tags for the standings: what several lines would say, once."""

from collections.abc import Iterable, Sequence

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from players.remembered import remembered
from tournament.snapshot import StandingSnapshot

register = template.Library()


@register.simple_tag
def footnotes(lines: Iterable[StandingSnapshot]) -> list[str]:
    """Return the different notes of these lines, in order: a cycle has the same one for all who are part of it."""
    return list(dict.fromkeys(line.note for line in lines if line.note))


@register.simple_tag(takes_context=True)
def standing_lines(
    context: template.Context, lines: Iterable[StandingSnapshot], bracket: str, by_wins: bool, notes: Sequence[str]
) -> SafeString:
    """Render the lines in the order listed, each again only if it has changed."""
    numbers = {note: number for number, note in enumerate(notes, start=1)}
    gives_rate_point, has_draws = context["stage"].gives_rate_point, context["event"].has_draws
    language = get_language()
    rows = (
        _line(line, bracket, by_wins, numbers.get(line.note, 0), gives_rate_point, has_draws, language)
        for line in lines
    )
    return mark_safe("".join(rows))  # noqa: S308 - of templates


@remembered(1000)
def _line(
    line: StandingSnapshot,
    bracket: str,
    by_wins: bool,
    number: int,
    gives_rate_point: bool,
    has_draws: bool,
    language: str,
) -> str:
    """Render the line in the current language, ``language``; its note is the footnote with this ``number``, if any."""
    values = {
        "line": line,
        "bracket": bracket,
        "by_wins": by_wins,
        "number": number,
        "gives_rate_point": gives_rate_point,
        "has_draws": has_draws,
    }
    return get_template("tournament/event/_standing_line.html").render(values)
