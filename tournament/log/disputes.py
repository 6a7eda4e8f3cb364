"""Rows of the log about a match in dispute: to the public none of them says a score."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from matches.models import Scoresheet, SheetState
from tournament.log.words import tell, tell_unscored
from tournament.models import LogEntry

CLAIMS = frozenset({"enter_result", "correct_result", "report_result"})
"""The verbs that claim a result."""
ABOUT_CLAIMS = CLAIMS | {"withdraw_report", "dispute_result", "void_result"}
"""The verbs that repeat what was claimed, too."""
KEPT = ("fixture", "stage", "board", "players")
"""What the detail of such a row says apart from the score."""


@dataclass(frozen=True, slots=True)
class Place:
    """A match in the draw of an event: its stage, its key, and its board between two teams, else 0."""

    stage: int
    key: str
    board: int = 0


def place_in(entry: LogEntry) -> Place:
    """Return the place that the row names, by the key that it had then."""
    found = entry.detail
    return Place(found.get("stage", 1), found.get("fixture", ""), found.get("board", 0))


def disputes_in(events: Collection[int]) -> dict[int, frozenset[Place]]:
    """Return the places of the matches in dispute, by event, in two queries."""
    disputed = Scoresheet.objects.filter(state=SheetState.DISPUTED).order_by()
    found: dict[int, set[Place]] = {event: set() for event in events}
    stage = "match__fixture__stage"
    alone = disputed.filter(**{f"{stage}__event__in": events})
    for event, number, key in alone.values_list(f"{stage}__event", f"{stage}__number", "match__fixture__key"):
        found[event].add(Place(number, key))
    stage = "match__board__fixture__stage"
    boards = disputed.filter(**{f"{stage}__event__in": events})
    columns = (f"{stage}__event", f"{stage}__number", "match__board__fixture__key", "match__board__number")
    for event, number, key, board in boards.values_list(*columns):
        found[event].add(Place(number, key, board))
    return {event: frozenset(places) for event, places in found.items()}


def is_unscored(entry: LogEntry, disputed: Collection[Place]) -> bool:
    """Whether the row repeats a claim about one of the matches in dispute."""
    return entry.verb in ABOUT_CLAIMS and place_in(entry) in disputed


def tell_public(entry: LogEntry, disputed: Collection[Place]) -> str:
    """Return the row as a sentence for everybody, given the matches ``disputed`` in its event."""
    return tell_unscored(entry) if is_unscored(entry, disputed) else tell(entry)


def public_detail(entry: LogEntry, disputed: Collection[Place]) -> dict[str, object]:
    """Return the detail of the row; of one about a claim in dispute only which match it is."""
    if not is_unscored(entry, disputed):
        return dict(entry.detail)
    return {name: value for name, value in entry.detail.items() if name in KEPT}
