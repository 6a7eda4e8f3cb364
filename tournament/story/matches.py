"""The decided matches of an event as its story counts them, in their rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from matches.models import Conclusion
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tournament.models import Call
from tournament.models.hall import CallEnding
from tournament.pictures.draw import brackets_of, round_name
from tournament.snapshot import (
    BoardSnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    SheetSnapshot,
    StageSnapshot,
)
from tournament.snapshot.states import MatchState

LONGEST = timedelta(hours=12)
"""A call that stands open for longer was not played that long."""


@dataclass(frozen=True, slots=True)
class ToldMatch:
    """A decided match: who won, and what is known of how."""

    match_id: int
    round: str
    length: int
    winner: str
    loser: str
    points: tuple[int, int] | None
    """Those of the winner and of the loser; None if it was not played."""

    games: tuple[GameResult, ...]
    is_played: bool
    went_to_the_last_point: bool
    """Whether both needed a single point before the last game: double match point. False if no games are known."""

    lasted: timedelta | None = None

    @property
    def score(self) -> str:
        return f"{self.points[0]}–{self.points[1]}" if self.points is not None else ""

    @property
    def was_close(self) -> bool:
        """Whether the loser was one point short at the end."""
        return self.is_played and self.points is not None and self.length > 1 and self.points[1] == self.length - 1

    @property
    def gammons(self) -> int:
        return sum(game.level is Level.GAMMON for game in self.games)

    @property
    def backgammons(self) -> int:
        return sum(game.level is Level.BACKGAMMON for game in self.games)

    @property
    def drops(self) -> int:
        return sum(game.ending is Ending.DROP for game in self.games)


@dataclass(frozen=True, slots=True)
class ToldRound:
    """The decided matches of one round, called ``title``; ``is_over`` once none of its matches is left."""

    title: str
    matches: tuple[ToldMatch, ...]
    is_over: bool


def told_rounds(event: EventSnapshot) -> list[ToldRound]:
    """Return the rounds in which a match is decided, in the order in which people read a draw."""
    times = _times(event)
    rounds = []
    for stage in event.stages:
        order = brackets_of(stage)
        grouped: dict[tuple[int, int], list[FixtureSnapshot]] = {}
        for fixture in stage.fixtures:
            grouped.setdefault((order.index(fixture.bracket), fixture.round), []).append(fixture)
        for _place, fixtures in sorted(grouped.items()):
            matches = tuple(match for fixture in fixtures for match in _told(stage, fixture, times))
            is_over = all(fixture.state in (FixtureState.DONE, FixtureState.BYE) for fixture in fixtures)
            if matches:
                rounds.append(ToldRound(_title(event, stage, fixtures[0]), matches, is_over))
    return rounds


def _title(event: EventSnapshot, stage: StageSnapshot, fixture: FixtureSnapshot) -> str:
    name = round_name(stage, fixture)
    return name if len(event.stages) == 1 else f"{stage.number}: {name}"


def _told(stage: StageSnapshot, fixture: FixtureSnapshot, times: dict[int, timedelta]) -> Iterator[ToldMatch]:
    matches: tuple[FixtureSnapshot | BoardSnapshot, ...] = fixture.boards or (fixture,)
    for match in matches:
        is_decided = match.state is FixtureState.DONE and match.match_id is not None and match.status not in OPEN
        if is_decided and (match.a.is_winner or match.b.is_winner):
            yield _one(match, round_name(stage, fixture), times)


OPEN = (MatchState.VOID, MatchState.DISPUTED, MatchState.REPORTED)


def _one(match: FixtureSnapshot | BoardSnapshot, title: str, times: dict[int, timedelta]) -> ToldMatch:
    sheet, match_id = match.sheet, match.match_id or 0
    side = Side.A if match.a.is_winner else Side.B
    sides = (match.a, match.b) if side is Side.A else (match.b, match.a)
    is_played = sheet is not None and sheet.conclusion is Conclusion.PLAYED and sheet.score.over
    points = None
    if is_played and sides[0].points is not None and sides[1].points is not None:
        points = (sides[0].points, sides[1].points)
    return ToldMatch(
        match_id=match_id,
        round=title,
        length=match.length,
        winner=sides[0].label,
        loser=sides[1].label,
        points=points,
        games=sheet.games if sheet is not None and is_played else (),
        is_played=is_played,
        went_to_the_last_point=sheet is not None and is_played and _reached_double_match_point(sheet),
        lasted=times.get(match_id) if is_played else None,
    )


def _reached_double_match_point(sheet: SheetSnapshot) -> bool:
    if not sheet.games or sheet.score.length == 1:
        return False
    before = sheet.scores[-2]
    return before.a == before.b == before.length - 1


def _times(event: EventSnapshot) -> dict[int, timedelta]:
    """Return how long matches were played at their tables, by match, as far as their start and end were noted."""
    calls = Call.objects.filter(ending=CallEnding.DONE, started_at__isnull=False, left_at__isnull=False)
    of_event = calls.filter(match__fixture__stage__event=event.id) | calls.filter(
        match__board__fixture__stage__event=event.id
    )
    spans = of_event.order_by("pk").values_list("match_id", "started_at", "left_at")
    found = {match: left - started for match, started, left in spans if started is not None and left is not None}
    return {match: lasted for match, lasted in found.items() if timedelta(0) < lasted < LONGEST}
