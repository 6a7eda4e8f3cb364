"""Draws that no longer stand: those that were cancelled, and those of events that were deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournament.models import LogEntry, Tournament


@dataclass(frozen=True, slots=True)
class DrawTakenBack:
    """A draw that was made and no longer stands; ``seed`` is the link or the seed from which it was made."""

    event_id: int
    event_name: str
    at: datetime
    seed: str
    stage: int
    is_deleted: bool


def draws_taken_back(tournament: Tournament) -> list[DrawTakenBack]:
    """Return the tournament's draws that no longer stand, the oldest first, in one query."""
    rows = LogEntry.objects.filter(tournament=tournament, event__isnull=False).select_related("event")
    made_and_deleted = Q(verb="make_draw", event__deleted_at__isnull=False)
    found: dict[tuple[int, str], DrawTakenBack] = {}
    for row in rows.filter(Q(verb="cancel_draw") | made_and_deleted).order_by("id"):
        event = row.event
        if event is None:
            continue
        # A cancelled draw of a deleted event has two rows, of which the later one says when it was cancelled.
        found[event.pk, row.detail.get("seed", "")] = DrawTakenBack(
            event_id=event.pk,
            event_name=event.name,
            at=row.at if event.deleted_at is None or row.verb == "cancel_draw" else event.deleted_at,
            seed=row.detail.get("seed", ""),
            stage=row.detail.get("stage", 1),
            is_deleted=event.deleted_at is not None and row.verb == "make_draw",
        )
    return list(found.values())
