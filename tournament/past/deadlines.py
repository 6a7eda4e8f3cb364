"""The deadlines that single pairings had at a moment: those of now, with later rows of the log unwound."""

from collections.abc import Iterable, Sequence
from datetime import date

from tournament.models import Fixture, LogEntry

MOVES_DEADLINE = ("move_deadline", "extend_deadline", "restore_deadline")


def deadlines_then(now: Iterable[Fixture], later: Sequence[LogEntry]) -> dict[int, date | None]:
    """Return the deadlines of the pairings alone before these rows, the last of which comes first, by fixture."""
    found = {fixture.pk: fixture.play_by for fixture in now}
    for row in later:
        if row.verb in MOVES_DEADLINE:
            before = row.detail["kept"]["play_by"]
            found[row.detail["kept"]["fixture"]] = date.fromisoformat(before) if before else None
    return found
