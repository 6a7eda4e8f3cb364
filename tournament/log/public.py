"""Rows of the log as the history and the feeds tell them: without what is claimed of a match in dispute."""

from collections.abc import Collection, Iterable

from tournament.log.words import WITHHELD
from tournament.models import LogEntry
from tournament.roles.claims import disputed_among, sees_claims

OBJECTION = "dispute_result"
KEPT = ("stage", "fixture", "board", "players", "match", "sheet", "side", "undoes")
"""What is told of a step on a match in dispute: where it was taken, and nothing of what was claimed."""


def as_public(rows: Iterable[LogEntry], allowed: Collection[str] = ()) -> list[LogEntry]:
    """Return the rows as a reader with these actions in their event is told them; by default as everybody is.

    Those about the score of a match in dispute keep where they were taken alone, until it has been settled; objections
    keep no reason. The rows given are changed, and must not be saved. It takes one query at most.
    """
    rows = list(rows)
    if sees_claims(allowed):
        return rows
    claimed = {row.pk: match for row in rows if (match := _match_claimed(row)) is not None}
    disputed = disputed_among(claimed.values())
    for row in rows:
        if claimed.get(row.pk) in disputed:
            row.detail = {**{name: row.detail[name] for name in KEPT if name in row.detail}, WITHHELD: True}
        elif row.verb == OBJECTION:
            row.detail = {name: value for name, value in row.detail.items() if name != "reason"}
    return rows


def _match_claimed(row: LogEntry) -> int | None:
    """Return the match whose score the row tells; None if it tells none."""
    match = row.detail.get("match")
    return match if isinstance(match, int) and ("score" in row.detail or "claim" in row.detail) else None
