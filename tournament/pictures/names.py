"""Everybody who plays or will play, from A to Z, on the wall of a hall: with the table, or with what they wait for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from players.services import name_key
from tournament.formats import FORMATS
from tournament.formats.plan import LoserOf, WinnerOf, parse_feed
from tournament.hall.desk import Desk
from tournament.hall.values import DeskMatch, Doing
from tournament.pictures.progress import planned_rounds
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureSnapshot, FixtureState, StageSnapshot
from tournament.snapshot.states import STATE_NAMES, MatchState

OPEN = (FixtureState.READY, FixtureState.LIVE)
PLAYING = (Doing.CALLED, Doing.PLAYING)

Who = tuple[frozenset[int], str]
"""A player or a pair: the ids of the players, and the name."""


@dataclass(frozen=True, slots=True)
class NameOnWall:
    """A player: at the ``table``, or else, where that is None, doing or waiting for what ``instead`` says."""

    name: str
    table: int | None
    instead: str = ""


def names_of(desk: Desk, events: Iterable[EventSnapshot] = ()) -> list[NameOnWall]:
    """Return the players of all open matches, and those of the ``events`` and of jackpots who wait for one.

    Each is there once, at the table where they sit: from A to Z, or to Å or Ö, as the reader's language ends.
    """
    found: dict[Who, NameOnWall] = {}
    for event in events:
        for entry, instead in _waiting(event):
            found[_players(entry), entry.name] = NameOnWall(entry.name, None, instead)
    # The last one that is set stays: a table is more than a call without one, and that is more than waiting.
    for match in sorted(desk.matches, key=lambda match: (match.is_at_a_table, match.table is not None)):
        instead = _instead(match, has_tables=bool(desk.tables)) if match.table is None else ""
        for persons, name in ((match.persons_a, match.a), (match.persons_b, match.b)):
            found[persons, name] = NameOnWall(name, match.table, instead)
    named = {name for _persons, name in found}
    for name in (name for queue in desk.queues for name in queue.names if name not in named):
        found[frozenset(), name] = NameOnWall(name, None, _("no opponent yet"))
    return sorted(found.values(), key=lambda line: (name_key(line.name), line.name))


def _players(entry: EntrySnapshot) -> frozenset[int]:
    return frozenset({entry.player_id, entry.partner_id} - {None})  # type: ignore[arg-type]


def _instead(match: DeskMatch, *, has_tables: bool) -> str:
    """Return what the players of a match without a table do, or what they wait for."""
    if match.doing is Doing.DISPUTED:
        return str(STATE_NAMES[MatchState.DISPUTED])
    if match.is_at_a_table or match.doing in PLAYING:
        return _("playing")
    if match.doing is Doing.REPORTED:
        return str(STATE_NAMES[MatchState.REPORTED])
    if match.waits_for is not None and match.waits_for.table is not None:
        return _after(match.waits_for.table)
    if match.waits_for is not None:
        return _("no opponent yet")
    return _("waits for a table") if has_tables else _("waiting")


def _after(table: int) -> str:
    return _("after table %(table)s") % {"table": table}


def _waiting(event: EventSnapshot) -> Iterator[tuple[EntrySnapshot, str]]:
    """Yield the entries of a running event that have no open match, but another one to come, and what they wait for."""
    drawn = [stage for stage in event.stages if stage.drawn_at is not None]
    if not drawn or event.finished_at is not None or drawn[-1].is_ladder:
        return
    fixtures = [(stage, fixture) for stage in drawn for fixture in stage.fixtures]
    busy = {entry for _stage, fixture in fixtures if fixture.state in OPEN for entry in fixture.entry_ids}
    seated = {
        entry: (stage, fixture)
        for stage, fixture in fixtures
        if fixture.state is FixtureState.WAITING
        for entry in fixture.entry_ids
    }
    next_round = _of_next_round(event, drawn[-1])
    for entry in event.entries:
        if entry.id in busy or entry.is_out or entry.waiting:
            continue
        if entry.id in seated:
            yield entry, _of_next_match(*seated[entry.id], entry)
        elif entry.id in next_round:
            yield entry, next_round[entry.id]


def _of_next_match(stage: StageSnapshot, fixture: FixtureSnapshot, entry: EntrySnapshot) -> str:
    """Return after which table the opponent in the fixture is known."""
    other = fixture.b if fixture.a.entry is not None and fixture.a.entry.id == entry.id else fixture.a
    match parse_feed(other.feed):
        case WinnerOf(key) | LoserOf(key):
            source = next((one for one in stage.fixtures if one.key == key), None)
            if source is not None and source.call is not None and source.call.table is not None:
                return _after(source.call.table)
    return _("no opponent yet")


def _of_next_round(event: EventSnapshot, stage: StageSnapshot) -> dict[int, str]:
    """Return what the entries wait for that are paired in another round or stage, by entry; none in a bracket."""
    if any(later.drawn_at is None for later in event.stages):
        return {entry.id: _("in the next stage") for entry in event.entries}
    format = FORMATS[stage.format]
    if not format.pairs_by_round:
        return {}
    if not format.ranks_by_record:
        return {line.entry.id: _("in the next round") for line in stage.standings if line.is_still_in}
    drawn, planned = max((fixture.round for fixture in stage.fixtures), default=0), planned_rounds(event, stage)
    if drawn >= planned if planned is not None else not stage.in_state(*OPEN):
        return {}
    is_continuous = format.is_continuous(stage.options)
    instead = _("no opponent yet") if is_continuous else _("in the next round")
    return {entry.id: instead for entry in event.entries}
