"""The ready matches of one event that wait for a player who is busy elsewhere in the hall, as the desk says it."""

from collections.abc import Iterator, Mapping

from tournament.hall.busy import say_who_is_busy
from tournament.hall.desk import DeskMatch, desk_match, open_calls
from tournament.hall.open_matches import NOTHING_ENTERED, open_rows, read_entered
from tournament.models import Tournament
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureSnapshot, FixtureState

Side = tuple[str, frozenset[int]]
"""The name of a side, and the ids of its players."""


def waiting_in(tournament: Tournament, event: EventSnapshot) -> dict[int, str]:
    """Return, by match, for whom each ready match of the stage shown waits; those whose players are free are left out.

    Takes at most five queries, and none for the past or without a ready match.
    """
    ready = dict(_ready_matches(event)) if event.at is None else {}
    if not ready:
        return {}
    seated = read_seated(tournament)
    said = {match: say_who_is_busy(*a, *b, seated) for match, (a, b) in ready.items()}
    return {match: sentence for match, sentence in said.items() if sentence}


def read_seated(tournament: Tournament) -> dict[int, DeskMatch]:
    """Read the match with which each busy player of the hall is busy, by player."""
    calls = open_calls(tournament)
    rows = open_rows(tournament, only_begun=True)
    entered = read_entered(rows)
    matches = [
        desk_match(row, calls.get(row["played_id"]), entered.get(row["played_id"], NOTHING_ENTERED)) for row in rows
    ]
    return {person: match for match in matches if match.is_at_a_table for person in match.persons}


def _ready_matches(event: EventSnapshot) -> Iterator[tuple[int, tuple[Side, Side]]]:
    """Yield every match that can be called, with its sides: for teams the boards, for others the pairings."""
    for fixture in event.stage.fixtures:
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


def waits_of(fixture: FixtureSnapshot, waits: Mapping[int, str]) -> str:
    """Return for whom the fixture waits, given what :func:`waiting_in` returned; for teams, every player once."""
    matches = [board.match_id for board in fixture.boards] or [fixture.match_id or 0]
    return " ".join(dict.fromkeys(waits[match] for match in matches if match in waits))


def has_to_wait(fixture: FixtureSnapshot, waits: Mapping[int, str]) -> bool:
    """Whether the fixture waits, as every board of it does between teams."""
    matches = [board.match_id for board in fixture.boards] or [fixture.match_id or 0]
    return all(match in waits for match in matches)
