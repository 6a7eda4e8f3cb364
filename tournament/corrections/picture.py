"""An event as it stands on paper: its seats, places and prizes, and the matches that have begun."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any

from matches.error_rates import rates_of
from matches.models import Conclusion, Match, SheetState
from matches.services import prefetched_sheet
from tournament.corrections.memory import known_of
from tournament.draw.chain import Chain
from tournament.draw.kept import MOST_KEPT
from tournament.draw.outcomes import match_has_begun
from tournament.formats.options import Options
from tournament.formats.rate_points import gives_rate_point
from tournament.models import Departure, Entry, Event, Fixture, Stage
from tournament.money.ledger import Prizes, deals_in_money, prizes_from
from tournament.ranking.standings import Ranking
from tournament.snapshot import (
    BoardSeatSnapshot,
    BoardSnapshot,
    EntrySnapshot,
    FixtureSnapshot,
    FixtureState,
    SeatSnapshot,
    StageSnapshot,
    StandingSnapshot,
    view_event,
)
from tournament.snapshot.scores import claims_of, state_of_fixture
from tournament.snapshot.states import MatchState
from tournament.snapshot.views import Known, Views

Place = tuple[int, int, int]
"""An entrant, and the best and the worst place attainable by it."""

Span = tuple[int, int]
"""The best and the worst place."""

Places = Mapping[str, Sequence[Place]]
"""Places by section: the whole field under "", each other ranking under its bracket."""

_NOT_ASKED: dict[str, Any] = {
    **dict.fromkeys(("played", "wins", "draws", "rate_wins", "losses", "points_for", "points_against"), 0),
    **dict.fromkeys(("decided_by", "note", "why"), ""),
    "tiebreaks": (),
    "is_still_in": False,
}
"""What a line of the standings says beside the place, for which no prize asks."""


_shown: OrderedDict[int, Mapping[int, tuple[Entry, object, EntrySnapshot]]] = OrderedDict()
"""The entries of the events that were asked about last, as they were shown: of the same rows they are the same."""
_lock = Lock()


class Viewer:
    """An event as its prizes see it: what all pictures of one event share is seen once.

    ``event`` was read with its money (:func:`tournament.money.ledger.read_money`).
    """

    def __init__(self, chain: Chain, event: Event) -> None:
        nothing: dict[int, tuple[()]] = {stage.pk: () for stage in chain.stages}
        bare = Chain(chain.event, chain.stages, chain.entries.values(), nothing, chain.lots)
        views = Views(entries=Known(_shown.get(event.pk, {})))
        self.frame = view_event(bare, nothing, views=views)
        with _lock:
            _shown[event.pk] = views.entries.now
            _shown.move_to_end(event.pk)
            while len(_shown) > MOST_KEPT:
                _shown.popitem(last=False)
        self.entries = {entry.id: entry for entry in (*self.frame.entries, *self.frame.waiting, *self.frame.gone)}
        self.event = event
        self._seen: dict[int, tuple[Fixture, FixtureSnapshot]] = {}
        self._rankings: dict[tuple[int, str], tuple[Sequence[Place], tuple[StandingSnapshot, ...]]] = {}

    def stages(self, chain: Chain, places: Mapping[int, Places]) -> tuple[StageSnapshot, ...]:
        """Return the stages of the chain with these places, by stage, as prizes depend on them.

        Whatever gives equal stages gives the same prizes.
        """
        return tuple(
            replace(
                view,
                fixtures=self._fixtures(chain.fixtures[stage.pk], view.options),
                standings=self._ranking(stage.pk, "", places[stage.pk].get("", ())),
                sections={
                    section: self._ranking(stage.pk, section, lines)
                    for section, lines in places[stage.pk].items()
                    if section
                },
                standings_version=chain.event.version,
            )
            for stage, view in zip(chain.stages, self.frame.stages, strict=True)
        )

    def prizes(self, stages: tuple[StageSnapshot, ...]) -> Prizes:
        return prizes_from(replace(self.frame, stages=stages), self.event)

    def _fixtures(self, fixtures: Iterable[Fixture], options: Options) -> tuple[FixtureSnapshot, ...]:
        seen = self._seen
        for fixture in fixtures:
            if id(fixture) not in seen:
                seen[id(fixture)] = fixture, self._fixture(fixture, options)
        return tuple([seen[id(fixture)][1] for fixture in fixtures])

    def _fixture(self, fixture: Fixture, options: Options) -> FixtureSnapshot:
        """Return the fixture as money asks for it: who sits there, and whether it or its error rates are open.

        Only somebody who is a no-show is asked whether they have played, so only their sheets are shown.
        """
        a, b = self.entries.get(fixture.entry_a_id or 0), self.entries.get(fixture.entry_b_id or 0)
        known = known_of(fixture)
        if known.view is not None and known.view.a.entry is a and known.view.b.entry is b:
            return known.view
        seats = [
            SeatSnapshot(entry, feed, points=None, is_winner=False)
            for entry, feed in ((a, fixture.feed_a), (b, fixture.feed_b))
        ]
        is_asked = any(seat.entry is not None and seat.entry.left_kind == Departure.NO_SHOW for seat in seats)
        match = fixture.match
        boards = tuple(_board(number, one, is_asked) for number, one in fixture.matches.items() if number)
        is_played = match is not None and _is_played(match)
        known.view = FixtureSnapshot(
            key=fixture.key,
            bracket=fixture.bracket,
            round=fixture.round,
            number=fixture.number,
            length=fixture.length,
            a=seats[0],
            b=seats[1],
            state=_state_of_fixture(fixture, boards),
            match_id=fixture.match_id,
            score=None,
            sheet=claims_of(match)[0] if match is not None and is_asked else None,
            call=None,
            why="",
            status=MatchState.WAITING,
            boards=boards,
            is_rate_open=is_played and gives_rate_point(options) and match is not None and rates_of(match) is None,
        )
        return known.view

    def _ranking(self, stage: int, section: str, lines: Sequence[Place]) -> tuple[StandingSnapshot, ...]:
        known = self._rankings.get((stage, section))
        if known is None or known[0] != lines:
            known = lines, tuple(self._line(section, *line) for line in lines)
            self._rankings[stage, section] = known
        return known[1]

    def _line(self, section: str, entrant: int, place: int, place_to: int) -> StandingSnapshot:
        entry = self.entries[entrant]
        return StandingSnapshot(section=section, place=place, place_to=place_to, entry=entry, **_NOT_ASKED)


def in_order(fixtures: Sequence[Fixture]) -> list[Fixture]:
    """Return the fixtures as pages list them: group AA comes after group Z."""
    return sorted(fixtures, key=lambda one: (len(one.bracket), one.bracket, one.round, one.number))


def _is_played(match: Match) -> bool:
    """Whether the match is over, and was begun."""
    sheet = prefetched_sheet(match)
    if sheet is None or sheet.state != SheetState.CONFIRMED:
        return False
    return sheet.conclusion not in (Conclusion.WALKOVER, Conclusion.VOID)


def _state(match: Match) -> FixtureState:
    """Return the state of the match: a sheet is confirmed as soon as it decides the match."""
    sheet = prefetched_sheet(match)
    if sheet is None:
        return FixtureState.LIVE if match_has_begun(match) else FixtureState.READY
    return FixtureState.DONE if sheet.state == SheetState.CONFIRMED else FixtureState.LIVE


def _state_of_fixture(fixture: Fixture, boards: tuple[BoardSnapshot, ...]) -> FixtureState:
    of_match = _state(fixture.match) if fixture.match is not None else None
    return of_match or state_of_fixture(fixture, boards, None, (), None)


def _board(number: int, match: Match, is_asked: bool) -> BoardSnapshot:
    return BoardSnapshot(
        number=number,
        length=match.length,
        a=BoardSeatSnapshot(match.side_a_id, "", points=None, is_winner=False),
        b=BoardSeatSnapshot(match.side_b_id, "", points=None, is_winner=False),
        state=_state(match),
        match_id=match.pk,
        score=match.terms.opening,
        sheet=claims_of(match)[0] if is_asked else None,
        call=None,
        status=MatchState.WAITING,
        reports=(),
    )


class Picture:
    """What a chain comes to, with the places and prizes given by its results, regardless of those stored."""

    def __init__(self, chain: Chain, viewer: Viewer) -> None:
        self.chain, self._viewer = chain, viewer
        self._rankings: dict[tuple[int, str], Ranking] = {}

    @cached_property
    def not_drawn(self) -> frozenset[int]:
        """The stages that have lots still to be drawn: their new pairings are not known."""
        planned = self.places  # only a plan asks for lots
        return frozenset(stage for stage, _scope in self.chain.lots.closed) if planned else frozenset()

    def placings(self, stage: Stage, section: str) -> Mapping[str, Span]:
        """Return the places in this ranking by name."""
        entries = self.chain.entries
        return {entries[entrant].name: (place, to) for entrant, place, to in self.places[stage.pk].get(section, ())}

    @cached_property
    def places(self) -> Mapping[int, Places]:
        return {stage.pk: _places(self.chain, stage) for stage in self.chain.stages}

    @cached_property
    def stages(self) -> tuple[StageSnapshot, ...]:
        """What prizes depend on: two pictures in which it is equal have the same ones."""
        return self._viewer.stages(self.chain, self.places)

    @cached_property
    def prizes(self) -> Prizes:
        """The prizes, with accounts in the order of their places; those who share one by id."""
        return self._viewer.prizes(self.stages)

    @cached_property
    def ranked_prizes(self) -> Prizes:
        """The prizes, with accounts in the order of the standings."""
        ranked = {stage.pk: _ranked(self.chain, stage) for stage in self.chain.stages}
        return self._viewer.prizes(self._viewer.stages(self.chain, ranked))

    def rank(self, section: str, entrant: int) -> tuple[int, ...]:
        """Return where the entrant stands in this ranking, as a value to sort by: in a shared place by the lines."""
        for stage in reversed(self.chain.stages):
            lines = self.places[stage.pk].get(section, ())
            for one, *span in lines:
                if one == entrant:
                    return (-stage.number, *span, self._sharing(stage, section, lines, span).index(entrant))
        return ()

    def _sharing(self, stage: Stage, section: str, lines: Sequence[Place], span: list[int]) -> list[int]:
        """Return those who share this place, in the order of the standings."""
        key = (stage.number, section)
        planned = self.chain.at(stage)
        if planned.placings[section] is None:
            return [line.entrant for line in planned.standings[section] if [line.place, line.place_to] == span]
        if key not in self._rankings:
            self._rankings[key] = planned.ranking(section)
        return self._rankings[key].in_order([entrant for entrant, *other in lines if other == span])

    @property
    def deals_in_money(self) -> bool:
        """Whether there is any money that prizes could be of."""
        return deals_in_money(self._viewer.event)

    def label(self, fixture: Fixture, side: str) -> str:
        """Return the name of the entry on this side, or where it will come from."""
        entry_id, feed = (fixture.entry_a_id, fixture.feed_a) if side == "A" else (fixture.entry_b_id, fixture.feed_b)
        entry = self._viewer.entries.get(entry_id or 0)
        return SeatSnapshot(entry, feed, points=None, is_winner=False).label


@dataclass(frozen=True, slots=True)
class Change:
    """A fixture that is another one in a second picture, or is only in one of them."""

    stage: int
    key: str
    before: Fixture | None
    after: Fixture | None


def places_between(before: Picture, after: Picture) -> list[tuple[int, str, str, Span | None, Span | None]]:
    """Return the places that differ, in order: stage, section and name, with the place in each picture."""
    found = []
    for stage in before.chain.stages:
        old, new = before.places[stage.pk], after.places[stage.pk]
        for section in old.keys() | new.keys():
            if old.get(section, ()) != new.get(section, ()):
                was, becomes = before.placings(stage, section), after.placings(stage, section)
                names = [name for name in was.keys() | becomes.keys() if was.get(name) != becomes.get(name)]
                found += [(stage.number, section, name, was.get(name), becomes.get(name)) for name in names]
    return sorted(found, key=lambda line: line[:3])


def changes_between(before: Picture, after: Picture) -> list[Change]:
    """Return the fixtures that differ, as pages list those of the first picture."""
    found = []
    for stage in before.chain.stages:
        old, new = ({one.key: one for one in picture.chain.fixtures[stage.pk]} for picture in (before, after))
        was = in_order([fixture for key, fixture in old.items() if new.get(key) is not fixture])
        found += [Change(stage.number, one.key, one, new.get(one.key)) for one in was]
        found += [Change(stage.number, key, None, one) for key, one in new.items() if key not in old]
    return found


def _places(chain: Chain, stage: Stage) -> Places:
    """Return the places of the stage's rankings, those who share one by id; a bracket gives them without a ranking."""
    if stage.drawn_at is None or chain.waits(stage):
        return {}
    placings = chain.at(stage).placings
    if any(lines is None for lines in placings.values()):
        places = _ranked(chain, stage)
    else:
        places = {
            section: [(line.entrant, line.place, line.place_to) for line in lines or ()]
            for section, lines in placings.items()
        }
    return {section: sorted(lines, key=lambda line: (line[1], line[2], line[0])) for section, lines in places.items()}


def _ranked(chain: Chain, stage: Stage) -> Places:
    """Return the places of the stage's rankings in the order of the lines."""
    if stage.drawn_at is None or chain.waits(stage):
        return {}
    return {
        section: [(line.entrant, line.place, line.place_to) for line in lines]
        for section, lines in chain.at(stage).standings.items()
    }
