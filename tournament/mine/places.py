"""The places of one entry in the event: where it stands, among whom."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.formats import FORMATS
from tournament.formats.plan import Entrant, LoserOf, WinnerOf, parse_feed
from tournament.snapshot import (
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    StageSnapshot,
)
from tournament.snapshot.rounds import bracket_title, match_name

OPEN = (FixtureState.WAITING, FixtureState.READY, FixtureState.LIVE)


def entry_in(snapshot: EventSnapshot, entry_id: int) -> EntrySnapshot:
    """Return the entry, wherever it is: in the draw, on the waiting list or among those who left before the draw."""
    everybody = (*snapshot.entries, *snapshot.waiting, *snapshot.gone)
    return next(entry for entry in everybody if entry.id == entry_id)


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """Where an entry stands in a ranking, named by ``ranking`` where there are several."""

    ranking: str
    section: str
    place: int
    place_to: int


def places_of(snapshot: EventSnapshot, entry_id: int) -> tuple[OwnPlace, ...]:
    """Return the entry's places in the last drawn stage that ranks it, that for which it played last first.

    Where every entry plays in a group or jackpot of its own, only the place there is one.
    """
    for stage in reversed(snapshot.stages):
        rankings = stage.sections if stage.ranks_in_groups else {"": stage.standings, **stage.sections}
        own = [
            OwnPlace(ranking_name(section, is_one_of_several=bool(stage.sections)), section, line.place, line.place_to)
            for section, lines in rankings.items()
            for line in lines
            if line.entry.id == entry_id
        ]
        if own and stage.drawn_at is not None:
            last = _last_bracket(stage, entry_id)
            played_for = last if last in rankings else ""
            return tuple(sorted(own, key=lambda place: place.section != played_for))
    return ()


def ranking_name(section: str, *, is_one_of_several: bool) -> str:
    """Return what the ranking of the section, or of the whole field, is called; nothing if there is no other."""
    if not is_one_of_several:
        return ""
    return bracket_title(section) if section else _("Main")


def _last_bracket(stage: StageSnapshot, entry_id: int) -> str:
    """Return the bracket of the last fixture of the entry: the one from which it has come to no other."""
    own = [fixture for fixture in stage.fixtures if entry_id in fixture.entry_ids]
    seats = (seat for fixture in own for seat in (fixture.a, fixture.b) if seat.entry and seat.entry.id == entry_id)
    left = {feed.key for feed in (parse_feed(seat.feed) for seat in seats) if isinstance(feed, WinnerOf | LoserOf)}
    return next((fixture.bracket for fixture in reversed(own) if fixture.key not in left), "")


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
