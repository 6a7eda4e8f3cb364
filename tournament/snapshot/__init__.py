"""The one read model of an event, built in a fixed number of queries; pages, API, exports and pictures read it."""

from tournament.snapshot.event import EventSnapshot, StageView, StandingView, benches
from tournament.snapshot.read import (
    clock_of,
    members_of,
    take_snapshot,
    take_snapshots,
    view_chain,
    view_event,
    view_sheet,
)
from tournament.snapshot.values import (
    BoardSeatView,
    BoardView,
    CallView,
    Clock,
    EntryView,
    FixtureState,
    FixtureView,
    MemberView,
    ReportView,
    SeatView,
    SheetView,
)

__all__ = [
    "BoardSeatView",
    "BoardView",
    "CallView",
    "Clock",
    "EntryView",
    "EventSnapshot",
    "FixtureState",
    "FixtureView",
    "MemberView",
    "ReportView",
    "SeatView",
    "SheetView",
    "StageView",
    "StandingView",
    "benches",
    "clock_of",
    "members_of",
    "take_snapshot",
    "take_snapshots",
    "view_chain",
    "view_event",
    "view_sheet",
]
