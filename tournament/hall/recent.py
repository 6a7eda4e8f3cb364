"""The latest rows of the log, as the desk shows them."""

from dataclasses import dataclass

from django.db import connection

from players.statements import Statement
from tournament.models import LogEntry, Tournament

LINES = 8
OF_THE_ROW = ("id", "verb", "detail", "at")


@dataclass(frozen=True, slots=True)
class Recent:
    """A row of the log, of which only what its sentence needs is loaded, with the names of its author and event."""

    row: LogEntry
    actor: str
    event: str


def read_recent(tournament: Tournament) -> tuple[Recent, ...]:
    """Read the latest rows of the tournament's log, the newest first, in one query."""
    return tuple(
        Recent(LogEntry.from_db(connection.alias, OF_THE_ROW, row), actor or "", event or "")
        for *row, actor, event in _RECENT.rows(tournament.pk)
    )


_RECENT = Statement(
    lambda tournament: (
        LogEntry.objects.filter(tournament=tournament)
        .order_by("-id")
        .values_list(*OF_THE_ROW, "actor__username", "event__name")[:LINES]
    )
)
