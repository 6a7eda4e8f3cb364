"""Rows of the log as a reader is told them: without what is not meant for them.

The score of a match in dispute is for those who settle it, a note on an invitation for those who invite, reasons of
leaving and families for those with a role, and addresses for the owners (:mod:`tournament.roles.authors`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from tournament.log.words import WITHHELD
from tournament.models import LogEntry
from tournament.roles.authors import SEES_ADDRESSES, SEES_NAMES, SEES_NOTES, SEES_REASONS
from tournament.roles.claims import disputed_among, sees_claims

Detail = dict[str, Any]

OBJECTION = "dispute_result"
KEPT = ("stage", "fixture", "board", "players", "match", "sheet", "side", "undoes")
"""What is told of a step on a match in dispute: where it was taken, and nothing of what was claimed."""
NOTED = frozenset({"invite", "withdraw_invitation"})
"""The verbs whose detail has a note on the person who is invited."""


def as_public(rows: Iterable[LogEntry], allowed: Collection[str] = ()) -> list[LogEntry]:
    """Return the rows as a reader with these actions in their event is told them; by default as everybody is.

    Those about the score of a match in dispute keep where they were taken alone, until it has been settled; objections
    keep no reason. The rows given are changed, and must not be saved. It takes one query at most.
    """
    rows = list(rows)
    for row in rows:
        _leave_out(row, allowed)
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


def _leave_out(row: LogEntry, allowed: Collection[str]) -> None:
    """Take out of the row what is for readers with other actions than these."""
    if SEES_ADDRESSES not in allowed:
        row.address, row.agent = None, ""
    if SEES_NOTES not in allowed and row.verb in NOTED:
        row.detail = {name: value for name, value in row.detail.items() if name != "note"}
    if SEES_NAMES not in allowed and row.verb == "repeat_dice" and "is_shown" not in row.detail:
        logins = ("first",) if "entry" in row.detail else ("first", "second")
        row.detail = {**row.detail, **dict.fromkeys(logins, "–")}
    if SEES_REASONS not in allowed and row.verb in PRIVATE_OF_ENTRIES:
        row.detail = PRIVATE_OF_ENTRIES[row.verb](row.detail)


def _without(*names: str) -> Callable[[Detail], Detail]:
    return lambda detail: {name: value for name, value in detail.items() if name not in names}


def _without_families(detail: Detail) -> Detail:
    rows = detail.get("rows")
    if not isinstance(rows, list):
        return detail
    return {**detail, "rows": [{**row, "family": ["", ""]} for row in rows]}


PRIVATE_OF_ENTRIES: Mapping[str, Callable[[Detail], Detail]] = {
    "leave_event": _without("reason"),
    "undo_leaving": _without("left"),
    "keep_apart": _without("family", "changes"),
    "set_seeding": _without_families,
}
"""By verb, the detail of a step on entries as those without a role are told it."""


def _match_claimed(row: LogEntry) -> int | None:
    """Return the match whose score the row tells; None if it tells none."""
    match = row.detail.get("match")
    return match if isinstance(match, int) and ("score" in row.detail or "claim" in row.detail) else None
