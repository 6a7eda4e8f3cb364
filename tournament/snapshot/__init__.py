"""The read model of an event, built in a few queries at most; pages, API, exports and pictures use no other."""

from tournament.snapshot.event import EventSnapshot, StageSnapshot, StandingSnapshot, UrnSnapshot, benches
from tournament.snapshot.now import take_snapshot
from tournament.snapshot.read import (
    clock_of,
    members_of,
    take_snapshots,
    view_chain,
    view_event,
)
from tournament.snapshot.scores import view_sheet
from tournament.snapshot.values import (
    BoardSeatSnapshot,
    BoardSnapshot,
    CallSnapshot,
    Clock,
    EntrySnapshot,
    FixtureSnapshot,
    FixtureState,
    MemberSnapshot,
    ReportSnapshot,
    SeatSnapshot,
    SheetSnapshot,
    Wait,
)

__all__ = [
    "BoardSeatSnapshot",
    "BoardSnapshot",
    "CallSnapshot",
    "Clock",
    "EntrySnapshot",
    "EventSnapshot",
    "FixtureSnapshot",
    "FixtureState",
    "MemberSnapshot",
    "ReportSnapshot",
    "SeatSnapshot",
    "SheetSnapshot",
    "StageSnapshot",
    "StandingSnapshot",
    "UrnSnapshot",
    "Wait",
    "benches",
    "clock_of",
    "members_of",
    "take_snapshot",
    "take_snapshots",
    "view_chain",
    "view_event",
    "view_sheet",
]
