"""The places of one entry in the event: where it stands, among whom."""

from __future__ import annotations

from tournament.formats import FORMATS
from tournament.formats.plan import Entrant
from tournament.snapshot import (
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    StageSnapshot,
    StandingSnapshot,
)
from tournament.snapshot.rounds import match_name

OPEN = (FixtureState.WAITING, FixtureState.READY, FixtureState.LIVE)


def entry_in(snapshot: EventSnapshot, entry_id: int) -> EntrySnapshot:
    """Return the entry, wherever it is: in the draw, on the waiting list or among those who left before the draw."""
    everybody = (*snapshot.entries, *snapshot.waiting, *snapshot.gone)
    return next(entry for entry in everybody if entry.id == entry_id)


def line_of(snapshot: EventSnapshot, entry_id: int) -> StandingSnapshot | None:
    """Return the entry's line in the standings of the last drawn stage in which it has one."""
    for stage in reversed(snapshot.stages):
        for line in stage.standings:
            if line.entry.id == entry_id and stage.drawn_at is not None:
                return line
    return None


def opponents_of(snapshot: EventSnapshot, entry_id: int) -> list[tuple[str, int]]:
    """Return the names of those whom the entry has met, each once and in order, and the ids of their players."""
    met = [
        seat.entry
        for stage in snapshot.stages
        for fixture in stage.fixtures
        for seat in (fixture.a, fixture.b)
        if fixture.state is FixtureState.DONE and entry_id in fixture.entry_ids and seat.entry is not None
    ]
    return list(dict.fromkeys((entry.name, entry.player_id) for entry in met if entry.id != entry_id))


def has_rounds_to_come(snapshot: EventSnapshot, stage: StageSnapshot) -> bool:
    """Whether the stage pairs round by round, and its last round has not been played."""
    format = FORMATS[stage.format]
    if not (format.pairs_by_round and format.ranks_by_record) or snapshot.finished_at is not None:
        return False
    entrants = [Entrant(entry.id, entry.name, presence=entry.presence) for entry in snapshot.entries]
    planned = format.planned_rounds(stage.options, entrants) if stage.number == 1 else None
    drawn = max((fixture.round for fixture in stage.fixtures), default=0)
    return bool(stage.in_state(*OPEN)) or (planned is not None and drawn < planned)


def is_played_out(stage: StageSnapshot) -> bool:
    """Whether no match of the stage is left to play."""
    return not stage.in_state(*OPEN)


def names_in(stage: StageSnapshot, key: str) -> str:
    """Return who meets in the fixture with this key, as Ann – Bo; while one is not known, its round."""
    fixture = next((one for one in stage.fixtures if one.key == key), None)
    if fixture is None:
        return key
    if fixture.a.entry is None or fixture.b.entry is None:
        return match_name(stage, fixture)
    return f"{fixture.a.label} – {fixture.b.label}"


def opponent_in(fixture: FixtureSnapshot, entry_id: int) -> str:
    """Return the name of the other side of the fixture, or where it will come from."""
    return fixture.b.label if fixture.a.entry is not None and fixture.a.entry.id == entry_id else fixture.a.label
