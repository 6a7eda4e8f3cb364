"""Tags for rows of the log, as the pages present them."""

from django import template

from tournament.log.words import changes_in, tell, verb_name
from tournament.models import LogEntry
from tournament.money.moves import Move

register = template.Library()
register.filter("told", tell)
register.filter("changes", changes_in)
register.filter(verb_name)


@register.filter
def reason(entry: LogEntry) -> str:
    return str(entry.detail.get("reason", ""))


@register.filter
def seed(entry: LogEntry) -> str:
    return str(entry.detail.get("seed", "")) if entry.verb in {"make_draw", "cancel_draw"} else ""


@register.filter
def moves(entry: LogEntry) -> tuple[Move, ...]:
    """Return what the step moved on the accounts, if it was taken after play had begun."""
    return tuple(Move.parse(kept) for kept in entry.detail.get("moves", ()))
