"""The ready matches of one event that wait for a player who is busy elsewhere in the hall, as the desk says it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tournament.changes.versions import Versions
from tournament.hall.busy import find_wait
from tournament.hall.running import called_in, read_calls, read_running
from tournament.hall.values import DeskMatch
from tournament.models import Tournament
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureSnapshot, FixtureState, StageSnapshot, Wait

Side = tuple[str, frozenset[int]]
"""The name of a side, and the ids of its players."""


def with_waits(tournament: Tournament, event: EventSnapshot, versions: Versions | None = None) -> EventSnapshot:
    """Return the event with the player for whom each ready match and board waits.

    Takes at most five queries, and none for the past or without a ready match. ``versions`` are those of now, if they
    have just been read.
    """
    waits = _waits_in(tournament, event, versions)
    if not waits:
        return event
    stages = tuple(_stage_with(stage, waits) for stage in event.stages)
    return replace(event, stages=stages, stage=_stage_with(event.stage, waits))


def _waits_in(tournament: Tournament, event: EventSnapshot, versions: Versions | None) -> dict[int, Wait]:
    """Return, by match, for whom each ready match of the event waits; those whose players are free are left out."""
    ready = dict(_ready_matches(event)) if event.at is None else {}
    if not ready:
        return {}
    seated = read_seated(tournament, versions)
    found = {match: find_wait(*a, *b, seated) for match, (a, b) in ready.items()}
    return {match: wait for match, wait in found.items() if wait is not None}


def read_seated(tournament: Tournament, versions: Versions | None = None) -> dict[int, DeskMatch]:
    """Read the match with which each busy player of the hall is busy, by player."""
    matches = called_in(read_running(tournament, versions), read_calls(tournament))
    return {person: match for match in matches if match.is_at_a_table for person in match.persons}


def _ready_matches(event: EventSnapshot) -> Iterator[tuple[int, tuple[Side, Side]]]:
    """Yield every match that can be called, with its sides: for teams the boards, for others the pairings."""
    for fixture in (fixture for stage in event.stages for fixture in stage.fixtures):
        for board in fixture.boards:
            if board.state is FixtureState.READY and board.call is None:
                a, b = ((seat.label, frozenset({seat.player_id})) for seat in (board.a, board.b))
                yield board.match_id, (a, b)
        entries = fixture.a.entry, fixture.b.entry
        is_ready = fixture.state is FixtureState.READY and fixture.call is None
        if is_ready and fixture.match_id is not None and entries[0] is not None and entries[1] is not None:
            yield fixture.match_id, (_side(entries[0]), _side(entries[1]))


def _side(entry: EntrySnapshot) -> Side:
    return entry.name, frozenset({entry.player_id, entry.partner_id} - {None})  # type: ignore[arg-type]


def _stage_with(stage: StageSnapshot, waits: Mapping[int, Wait]) -> StageSnapshot:
    return replace(stage, fixtures=tuple(_fixture_with(fixture, waits) for fixture in stage.fixtures))


def _fixture_with(fixture: FixtureSnapshot, waits: Mapping[int, Wait]) -> FixtureSnapshot:
    """Return the fixture with its waits, and unchanged if it has none."""
    if not fixture.boards:
        wait = waits.get(fixture.match_id or 0)
        return replace(fixture, waits_for=wait) if wait is not None else fixture
    boards = tuple(replace(board, waits_for=waits.get(board.match_id)) for board in fixture.boards)
    first = boards[0].waits_for if all(board.waits_for for board in boards) else None
    return replace(fixture, boards=boards, waits_for=first) if boards != fixture.boards else fixture
