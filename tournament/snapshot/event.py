"""An event as displayed: its stages with their fixtures and standings, as frozen values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from tournament.formats import FORMATS
from tournament.formats.knockout import BUY_IN, MAIN
from tournament.formats.late import byes_to_take
from tournament.formats.options import Options
from tournament.formats.rate_points import gives_rate_point
from tournament.formats.weeks import week_of
from tournament.snapshot.values import (
    BoardSnapshot,
    Clock,
    EntrySnapshot,
    FixtureSnapshot,
    FixtureState,
    MemberSnapshot,
)


@dataclass(frozen=True, slots=True)
class StandingSnapshot:
    section: str
    place: int
    place_to: int
    entry: EntrySnapshot
    played: int
    wins: int
    draws: int
    rate_wins: int
    losses: int
    points_for: int
    points_against: int
    tiebreaks: tuple[tuple[str, int | str | None], ...]
    decided_by: str
    note: str
    why: str
    is_still_in: bool
    """Whether places above the worst of these can still be reached."""

    @property
    def all_wins(self) -> int:
        """The matches won and those with the lower error rate, where that is a second win."""
        return self.wins + self.rate_wins


@dataclass(frozen=True, slots=True)
class UrnSnapshot:
    """An open urn: link ``number`` of the event's ``chain``, the public value and the digest of what was known then."""

    chain: int
    number: int
    scope: str
    link: str
    public_value: str
    digest: str
    opened_at: datetime


@dataclass(frozen=True)
class StageSnapshot:
    """A single stage of the event.

    ``seed`` is shown only after the draw: it is the link of the first urn, or what a draw without lots was made from.
    Before it ``seed_hash`` (SHA-256) commits to the seed, and ``draw_hash`` to terms and entries, which for a later
    stage are not known before the draw. ``anchor`` begins the chain of the links; it is empty for a draw without lots.
    ``urns`` are open, in that order. ``notes`` say what the draw could not avoid. ``crossing`` has who meets whom in
    round 1 if groups come before this stage and it has not been drawn: A1 and B2, or an empty name for a bye.
    ``edition`` is that of its rules. ``standings`` are those of the whole field, ``sections`` those of a consolation or
    a group, by bracket.
    """

    id: int
    number: int
    format: str
    options: Options
    qualifiers: int | None
    carry: str
    edition: int
    crossing: tuple[tuple[str, str], ...]
    drawn_at: datetime | None
    seed: str
    seed_hash: str
    draw_hash: str
    anchor: str
    urns: tuple[UrnSnapshot, ...]
    notes: tuple[str, ...]
    fixtures: tuple[FixtureSnapshot, ...]
    standings: tuple[StandingSnapshot, ...]
    sections: dict[str, tuple[StandingSnapshot, ...]]
    standings_version: int
    standings_matches: int
    rungs: tuple[EntrySnapshot, ...] = ()
    """The entries of a ladder that is drawn, from the top rung to the bottom."""

    @cached_property
    def last_rounds(self) -> Mapping[str, int]:
        """The last round of each bracket."""
        return {fixture.bracket: fixture.round for fixture in sorted(self.fixtures, key=lambda f: f.round)}

    @cached_property
    def _last_fixtures(self) -> Counter[str]:
        return Counter(one.bracket for one in self.fixtures if one.round == self.last_rounds[one.bracket])

    def ends_in_a_final(self, bracket: str) -> bool:
        """Whether the last round of the bracket is a single match, so that one side comes out of it."""
        return self._last_fixtures[bracket] == 1

    @property
    def rounds(self) -> tuple[tuple[int, tuple[FixtureSnapshot, ...]], ...]:
        """The fixtures by round, in order."""
        numbers = sorted({fixture.round for fixture in self.fixtures})
        return tuple((number, tuple(f for f in self.fixtures if f.round == number)) for number in numbers)

    @property
    def is_ladder(self) -> bool:
        """Whether players are paired by the challenges that they make."""
        return FORMATS[self.format].pairs_on_challenge()

    @property
    def gives_rate_point(self) -> bool:
        """Whether the lower error rate of a match is a second win, here or in an earlier stage whose matches count."""
        return gives_rate_point(self.options) or any(line.rate_wins for line in self.standings)

    @property
    def ranks_by_lives(self) -> bool:
        """Whether places follow from lives left and wins, rather than from wins or a bracket."""
        return FORMATS[self.format].pairs_by_round and not FORMATS[self.format].ranks_by_record

    @property
    def ranks_in_groups(self) -> bool:
        """Whether every entry plays in a group or bracket of its own, so that nobody wins the stage as a whole."""
        return bool(self.sections) and all(bracket[0] in "GJ" for bracket in self.sections)

    @property
    def winners(self) -> tuple[StandingSnapshot, ...]:
        """The lines in first place; in a knockout, without those who share it because neither came to the final."""
        first = tuple(line for line in self.standings if line.place == 1)
        if FORMATS[self.format].ranks_by_record or FORMATS[self.format].pairs_by_round:
            return first
        absent = {entry for fixture in self.fixtures if fixture.is_void for entry in fixture.entry_ids}
        return tuple(line for line in first if line.entry.id not in absent)

    @property
    def done(self) -> int:
        """The number of matches decided, excluding void ones."""
        return sum(fixture.state is FixtureState.DONE and not fixture.is_void for fixture in self.fixtures)

    @property
    def matches(self) -> int:
        """The number of matches, excluding byes and void ones: of the whole draw, or of the rounds paired so far."""
        return sum(fixture.state is not FixtureState.BYE and not fixture.is_void for fixture in self.fixtures)

    @property
    def rates_open(self) -> int:
        """The number of matches that were played and wait for the error rates that count."""
        return sum(fixture.is_rate_open for fixture in self.fixtures)

    def in_state(self, *states: FixtureState) -> tuple[FixtureSnapshot, ...]:
        return tuple(fixture for fixture in self.fixtures if fixture.state in states)


@dataclass(frozen=True, slots=True)
class EventSnapshot:
    id: int
    name: str
    slug: str
    tournament_id: int
    tournament_name: str
    tournament_slug: str
    profile: str
    crawford: bool
    tiebreaks: tuple[str, ...]
    version: int
    hall_version: int
    starts_at: datetime | None
    clock: Clock | None
    finished_at: datetime | None
    doubles: bool
    has_money: bool
    boards: int
    max_entries: int | None
    self_entry: bool
    """Whether players enter themselves by the public link, up to ``self_entry_until`` or the draw."""
    self_entry_until: datetime | None
    check_in: bool
    late_minutes: int | None
    public_source: str
    phones: bool
    """Whether players may keep the score on their phones during play."""
    confirm_minutes: int | None
    shows_chances: bool
    """Whether the public sees how likely either side of a match in play is to win."""
    rated_for: tuple[str, ...]
    """The slugs of the official lists for which the event says that it counts."""
    event_class: str
    online: bool
    entries_closed: bool
    """Whether the entries are closed for a draw with a public value, or have been drawn with one."""
    entries: tuple[EntrySnapshot, ...]
    """The entries that are drawn or will be."""
    waiting: tuple[EntrySnapshot, ...]
    """The waiting list, in order."""
    gone: tuple[EntrySnapshot, ...]
    """The entries that left before the draw."""
    stages: tuple[StageSnapshot, ...]
    stage: StageSnapshot
    """The stage to show: the one requested, else the last one drawn, else the first."""
    at: datetime | None = None
    """The moment at which the event stood like this; None for the present."""

    @property
    def has_teams(self) -> bool:
        return self.boards > 1

    @property
    def has_draws(self) -> bool:
        """Whether a match of two teams can be drawn, because their boards are even."""
        return self.boards % 2 == 0

    @property
    def is_drawn(self) -> bool:
        return self.stages[0].drawn_at is not None

    @property
    def is_closed(self) -> bool:
        """Whether the entries are closed for a first draw that is still to be made."""
        return self.entries_closed and not self.is_drawn

    @property
    def takes_self_entry(self) -> bool:
        """Whether players enter themselves before the draw; the page says whether their time is over."""
        return self.self_entry and not self.is_drawn and not self.is_closed and self.finished_at is None and not self.at

    @property
    def takes_entries(self) -> bool:
        """Whether players may be entered now: before the draw, or afterwards if entries stay open or a bye is left."""
        if not self.is_drawn:
            return not self.entries_closed
        later = any(stage.drawn_at is not None for stage in self.stages[1:])
        is_open = FORMATS[self.stages[0].format].open_entries or self.byes_left > 0
        is_open = is_open and not any(fixture.bracket == BUY_IN for fixture in self.stages[0].fixtures)
        return is_open and not later and self.finished_at is None

    @property
    def takes_buy_ins(self) -> bool:
        """Whether only players who have lost may enter now, for the buy-in bracket."""
        return self.is_drawn and self.takes_entries and FORMATS[self.stages[0].format].takes_buy_ins()

    @property
    def byes_left(self) -> int:
        """The number of round 1 byes that late entries may take: :func:`formats.late.byes_to_take` decides which."""
        stage = self.stages[0]
        first = sorted((one for one in stage.fixtures if (one.bracket, one.round) == (MAIN, 1)), key=lambda f: f.number)
        byes = [int(fixture.state is FixtureState.BYE) for fixture in first]
        begun = {
            one.key for one in stage.fixtures if one.is_called or one.state in (FixtureState.LIVE, FixtureState.DONE)
        }
        return len(byes_to_take(FORMATS[stage.format], stage.options, byes, begun, stage.edition))

    @property
    def participants(self) -> int:
        """The number of players, pairs or teams in the draw, each counted once however often they have entered."""
        return sum(not entry.reentry for entry in self.entries)

    @property
    def checked_in(self) -> int:
        """The number of entries that have checked in and have not left."""
        return sum(entry.checked_in and not entry.has_left for entry in self.entries)

    @property
    def missing(self) -> int:
        """The number of entries that have neither checked in nor left."""
        return sum(not entry.checked_in and not entry.has_left for entry in self.entries)

    @property
    def pairs_by_round(self) -> bool:
        """Whether entries may leave and return between rounds."""
        return FORMATS[self.stages[0].format].pairs_by_round and self.finished_at is None

    @property
    def has_weeks(self) -> bool:
        """Whether the stage's rounds have dates."""
        return any(week_of(stage.options, 1) for stage in self.stages)

    @property
    def next_stage(self) -> StageSnapshot | None:
        """The first stage not drawn yet."""
        return next((stage for stage in self.stages if stage.drawn_at is None), None)

    @property
    def rates_open(self) -> int:
        """The number of matches whose error rates can still change places; none once the event has ended."""
        return sum(stage.rates_open for stage in self.stages) if self.finished_at is None else 0

    @property
    def standings_version(self) -> int:
        """The version of the event covered by the newest standings."""
        return max(stage.standings_version for stage in self.stages)

    @property
    def live_versions(self) -> tuple[int, int, int]:
        """The versions of the event as :mod:`tournament.changes.topics` counts them."""
        return self.version, sum(stage.standings_version for stage in self.stages), self.hall_version

    @property
    def standings_are_current(self) -> bool:
        return self.is_drawn and all(
            stage.standings_version == self.version for stage in self.stages if stage.drawn_at is not None
        )

    def fixture_of(self, match_id: int) -> FixtureSnapshot | None:
        fixtures = (fixture for stage in self.stages for fixture in stage.fixtures)
        return next((fixture for fixture in fixtures if match_id in _match_ids(fixture)), None)

    def at_stage(self, number: int) -> EventSnapshot:
        """Return the same event showing this stage, or unchanged if it has no stage with this number."""
        return next((replace(self, stage=stage) for stage in self.stages if stage.number == number), self)


def _match_ids(fixture: FixtureSnapshot) -> tuple[int | None, ...]:
    return (fixture.match_id, *(board.match_id for board in fixture.boards))


def benches(
    event: EventSnapshot, fixture: FixtureSnapshot, board: BoardSnapshot
) -> list[tuple[str, EntrySnapshot, list[MemberSnapshot]]]:
    """Return each side of the board that has a choice of players, with its team and the members who may play there."""
    elsewhere = {seat.player_id for other in fixture.boards if other != board for seat in (other.a, other.b)}
    found = []
    for side, entry in (("A", fixture.a.entry), ("B", fixture.b.entry)):
        members = entry.members if entry is not None else ()
        able = [member for member in members if member.board == board.number or member.board > event.boards]
        free = [member for member in able if member.player_id not in elsewhere]
        if entry is not None and len(free) > 1:
            found.append((side, entry, free))
    return found
