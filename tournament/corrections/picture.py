"""An event as it stands on paper: its seats, places and prizes, and the matches that have begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from matches.error_rates import rates_of
from matches.models import Match
from tournament.draw.calls import prefetched_call
from tournament.draw.chain import Chain
from tournament.formats.options import Options
from tournament.formats.rate_points import gives_rate_point
from tournament.models import Event, Fixture, Stage
from tournament.money.accounts import Ledger
from tournament.money.ledger import ledger_from
from tournament.ranking.standings import StandingLine
from tournament.snapshot import (
    BoardSeatSnapshot,
    BoardSnapshot,
    FixtureSnapshot,
    SeatSnapshot,
    StandingSnapshot,
    view_event,
)
from tournament.snapshot.read import was_played
from tournament.snapshot.scores import claims_of, state_of_fixture, state_of_match
from tournament.snapshot.states import MatchState

Rankings = Mapping[str, tuple[StandingLine, ...]]


class Viewer:
    """An event as its ledger sees it: what all pictures of one event share is seen once.

    ``event`` was loaded by :func:`tournament.money.ledger.with_money`.
    """

    def __init__(self, chain: Chain, event: Event) -> None:
        nothing: dict[int, tuple[()]] = {stage.pk: () for stage in chain.stages}
        self.frame = view_event(Chain(chain.event, chain.stages, chain.entries.values(), nothing, chain.lots), nothing)
        everybody = (*self.frame.entries, *self.frame.waiting, *self.frame.gone)
        self.entries = {entry.id: entry for entry in everybody}
        self.event = event
        self._seen: dict[int, tuple[Fixture, FixtureSnapshot]] = {}

    def ledger(self, chain: Chain, rankings: Mapping[int, Rankings]) -> Ledger:
        """Return the ledger of the chain, with prizes by these rankings, given by stage."""
        stages = tuple(
            replace(
                view,
                fixtures=tuple(self._fixture(one, view.options) for one in in_order(chain.fixtures[stage.pk])),
                standings=self._lines("", rankings[stage.pk].get("", ())),
                sections={
                    section: self._lines(section, lines) for section, lines in rankings[stage.pk].items() if section
                },
                standings_version=chain.event.version,
            )
            for stage, view in zip(chain.stages, self.frame.stages, strict=True)
        )
        return ledger_from(replace(self.frame, stages=stages), self.event)

    def _fixture(self, fixture: Fixture, options: Options) -> FixtureSnapshot:
        """Return the fixture as money asks for it: who sits there, what was played, and whether it is open."""
        seen = self._seen.get(id(fixture))
        if seen is not None:
            return seen[1]
        match = fixture.match
        boards = tuple(_board(number, one) for number, one in fixture.matches.items() if number)
        sheet, reports, score = claims_of(match) if match is not None else (None, (), None)
        is_rated = match is not None and gives_rate_point(options) and was_played(sheet)
        a, b = (self.entries.get(entry or 0) for entry in (fixture.entry_a_id, fixture.entry_b_id))
        view = FixtureSnapshot(
            key=fixture.key,
            bracket=fixture.bracket,
            round=fixture.round,
            number=fixture.number,
            length=fixture.length,
            a=SeatSnapshot(a, fixture.feed_a, points=None, is_winner=False),
            b=SeatSnapshot(b, fixture.feed_b, points=None, is_winner=False),
            state=state_of_fixture(fixture, boards, sheet, reports, prefetched_call(match)),
            match_id=fixture.match_id,
            score=score,
            sheet=sheet,
            call=None,
            why="",
            status=MatchState.WAITING,
            boards=boards,
            reports=reports,
            is_rate_open=is_rated and match is not None and rates_of(match) is None,
        )
        self._seen[id(fixture)] = fixture, view
        return view

    def _lines(self, section: str, lines: tuple[StandingLine, ...]) -> tuple[StandingSnapshot, ...]:
        return tuple(
            StandingSnapshot(
                section=section,
                place=line.place,
                place_to=line.place_to,
                entry=self.entries[line.entrant],
                played=line.played,
                wins=line.wins,
                draws=line.draws,
                rate_wins=line.rate_wins,
                losses=line.losses,
                points_for=line.points_for,
                points_against=line.points_against,
                tiebreaks=(),
                decided_by="",
                note="",
                why="",
                is_still_in=False,
            )
            for line in lines
        )


def in_order(fixtures: Sequence[Fixture]) -> list[Fixture]:
    """Return the fixtures as pages list them: group AA comes after group Z."""
    return sorted(fixtures, key=lambda one: (len(one.bracket), one.bracket, one.round, one.number))


def _board(number: int, match: Match) -> BoardSnapshot:
    sheet, reports, score = claims_of(match)
    return BoardSnapshot(
        number=number,
        length=match.length,
        a=BoardSeatSnapshot(match.side_a_id, "", points=None, is_winner=False),
        b=BoardSeatSnapshot(match.side_b_id, "", points=None, is_winner=False),
        state=state_of_match(sheet, reports, prefetched_call(match)),
        match_id=match.pk,
        score=score,
        sheet=sheet,
        call=None,
        status=MatchState.WAITING,
        reports=reports,
    )


class Picture:
    """What a chain comes to, with the places and prizes given by its results, regardless of those stored."""

    def __init__(self, chain: Chain, viewer: Viewer) -> None:
        self.chain, self._viewer = chain, viewer
        self.fixtures = {
            (stage.number, fixture.key): fixture
            for stage in chain.stages
            for fixture in in_order(chain.fixtures[stage.pk])
        }
        self.rankings = {stage.pk: _rankings(chain, stage) for stage in chain.stages}
        self.matches = {match.pk: match for one in self.fixtures.values() for match in one.matches.values()}

    @cached_property
    def not_drawn(self) -> frozenset[int]:
        """The stages that have lots still to be drawn: their new pairings are not known."""
        return frozenset(stage for stage, _scope in self.chain.lots.closed)

    @cached_property
    def placings(self) -> Mapping[tuple[int, str, str], tuple[int, int]]:
        """The places by stage, section and name."""
        return {
            (stage.number, section, self.chain.entries[line.entrant].name): (line.place, line.place_to)
            for stage in self.chain.stages
            for section, lines in self.rankings[stage.pk].items()
            for line in lines
        }

    @cached_property
    def ledger(self) -> Ledger:
        return self._viewer.ledger(self.chain, self.rankings)

    def label(self, fixture: Fixture, side: str) -> str:
        """Return the name of the entry on this side, or where it will come from."""
        entry_id, feed = (fixture.entry_a_id, fixture.feed_a) if side == "A" else (fixture.entry_b_id, fixture.feed_b)
        entry = self._viewer.entries.get(entry_id or 0)
        return SeatSnapshot(entry, feed, points=None, is_winner=False).label


def _rankings(chain: Chain, stage: Stage) -> Rankings:
    """Return the stage's rankings; none before its draw, and while it waits for the stage before it."""
    return {} if stage.drawn_at is None or chain.waits(stage) else chain.at(stage).standings
