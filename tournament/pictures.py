"""The pictures of an event: its bracket, or the crosstable of a round robin."""

from dataclasses import dataclass

from tournament.snapshot import EntryView, EventSnapshot, FixtureView


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """An entry and, for each column, the match against that entry: None on the diagonal."""

    entry: EntryView
    cells: tuple[FixtureView | None, ...]


def bracket_picture(snapshot: EventSnapshot) -> str | None:
    """The knockout bracket as SVG, None for a format without one or before the draw."""
    return None


def crosstable(snapshot: EventSnapshot) -> tuple[CrosstableRow, ...] | None:
    """A row and a column for each entry, None for a format that is no round robin or before the draw."""
    if snapshot.stage.format != "round-robin" or not snapshot.is_drawn:
        return None
    meetings = {fixture.entry_ids: fixture for fixture in snapshot.stage.fixtures if len(fixture.entry_ids) == 2}
    return tuple(
        CrosstableRow(entry, tuple(meetings.get(frozenset((entry.id, other.id))) for other in snapshot.entries))
        for entry in snapshot.entries
    )
