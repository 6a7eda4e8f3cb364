"""The public value of an event's draws: it became known after the entries had closed, and nobody could choose it."""

from tournament.models import Event


def public_value_of(event: Event) -> str:
    """Return the value with which the event's urns are opened; empty for an event without one."""
    return ""
