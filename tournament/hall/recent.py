"""The latest rows of the log, as the desk shows them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from players.statements import Statement
from tournament.log.public import as_public
from tournament.models import LogEntry, Tournament
from tournament.roles.permissions import Reach

LINES = 8
OF_THE_ROW = ("id", "verb", "detail", "at")


@dataclass(frozen=True, slots=True)
class Recent:
    """A row of the log, of which only what its sentence needs is loaded, with the names of its author and event."""

    row: LogEntry
    actor: str
    event: str


def read_recent(tournament: Tournament, reaches: Mapping[str, Reach]) -> tuple[Recent, ...]:
    """Read the latest rows of the tournament's log, the newest first, as somebody with these ``reaches`` is told them.

    It takes one query, and another for readers who are not told what is claimed of a match in dispute.
    """
    rows = _RECENT.rows(tournament.pk)
    found = tuple(
        Recent(LogEntry.from_db(connection.alias, OF_THE_ROW, row), actor or "", event or "")
        for _event_id, *row, actor, event in rows
    )
    alike = defaultdict(list)
    for (event_id, *_row), one in zip(rows, found, strict=True):
        allowed = (action for action, reach in reaches.items() if reach.whole or event_id in reach.events)
        alike[frozenset(allowed)].append(one.row)
    for actions, told in alike.items():
        as_public(told, actions)
    return found


_RECENT = Statement(
    lambda tournament: (
        LogEntry.objects.filter(tournament=tournament)
        .order_by("-id")
        .values_list("event_id", *OF_THE_ROW, "actor__username", "event__name")[:LINES]
    )
)
