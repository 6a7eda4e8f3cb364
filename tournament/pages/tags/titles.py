"""Titles on a page: what is missing, in words."""

from django import template

from players.performance.tracker import Progress
from tournament.registry import titles

register = template.Library()


@register.filter
def missing(progress: Progress) -> str:
    """Say what is missing for the next title."""
    return titles.what_is_missing(progress)


@register.filter
def missing_matches(progress: Progress) -> str:
    """Say what is missing for the next norm."""
    return titles.matches_missing(progress)


@register.filter
def in_norms(thirds: int) -> str:
    """Write so many thirds of norms."""
    return titles.norms_in_words(thirds)
