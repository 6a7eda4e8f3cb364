"""Tags for the standings: what several lines would say, once."""

from collections.abc import Iterable, Sequence

from django import template

from tournament.snapshot import StandingSnapshot

register = template.Library()


@register.simple_tag
def footnotes(lines: Iterable[StandingSnapshot]) -> list[str]:
    """Return the different notes of these lines, in order: a cycle has the same one for all who are part of it."""
    return list(dict.fromkeys(line.note for line in lines if line.note))


@register.filter
def number_in(note: str, notes: Sequence[str]) -> int:
    """Return the number of the footnote, counted from 1."""
    return notes.index(note) + 1
