"""Moments as an event file writes them."""

from __future__ import annotations

from datetime import datetime

from tournament.draw.written import time_text


def moment_text(at: datetime | None) -> str | None:
    """Return the moment as the file writes it, in UTC."""
    return time_text(at) or None


MOMENTS = frozenset(
    {
        *("made_at", "opened_at", "cancelled_at", "closed_at", "known_at", "voided_at", "given_at", "checked_in_at"),
        *("drawn_at", "finished_at", "entered_at", "played_at", "ended_at", "withdrawn_at", "at"),
    }
)
"""The members that say when something was done."""


def last_moment(value: object) -> str | None:
    """Return the last moment at which anything in the file was done: the file says no more than was known then."""
    found: list[str] = []

    def look(inner: object) -> None:
        if isinstance(inner, dict):
            found.extend(one for name, one in inner.items() if name in MOMENTS and isinstance(one, str))
            for one in inner.values():
                look(one)
        elif isinstance(inner, list):
            for one in inner:
                look(one)

    look(value)
    return max(found, key=datetime.fromisoformat, default=None)
