"""A hall on a simulated day: a desk calls matches to tables, players play them, and time passes.

Everything happens in the order of time, and everything is done by the services that people use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Protocol

from matches.claims import Claim
from matches.models import Match, SheetState
from players.models import User
from rules.score import Side
from rules.sheet import GameResult
from tournament.draw.calls import persons_of
from tournament.hall.calling import call_match, start_match
from tournament.management.demo.games import random_match
from tournament.models import Entry, Event, Tournament
from tournament.results.enter import enter_result


class Act(Protocol):
    """Something that happens at its moment: a service, say, with everything given but the time."""

    def __call__(self, *, at: datetime) -> object: ...


SECONDS_A_POINT = (310, 410)
"""The fastest and the slowest match, in seconds for each point of its length."""

GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, less their whole numbers, lie evenly between 0 and 1, however many there are."""


@dataclass
class Course:
    """How an event is played in the hall.

    Events and brackets with a lower ``rank`` are called first. ``opens`` says from when on the matches of a bracket and
    round are called; those that it does not name are called at once. Matches of ``featured`` brackets have their scores
    entered game by game, and the first of each round is played at table 1. ``turn`` says how slow the next match is.
    """

    event: Event
    rank: Mapping[str, int]
    opens: Mapping[tuple[str, int], datetime] = field(default_factory=dict)
    featured: frozenset[str] = frozenset()
    when_over: Act | None = None
    turn: float = 0.0
    calls: int = 0


@dataclass
class Sitting:
    """A match at its table, with the games of which it will consist; it is over at ``ends``.

    The desk hears nothing of a silent one before its end, and of a reported one only from its players. ``entered`` is
    the number of its newest score sheet.
    """

    match: Match
    course: Course
    bracket: str
    table: int
    games: list[GameResult]
    began: datetime
    ends: datetime
    is_silent: bool = False
    is_reported: bool = False
    entered: int = 0

    def games_by(self, at: datetime) -> int:
        """Return how many games are over at this moment; the last one ends with the match."""
        share = (at - self.began) / (self.ends - self.began)
        return min(len(self.games), int(share * len(self.games)))

    def game_over_at(self, number: int) -> datetime:
        return self.began + (self.ends - self.began) * number / len(self.games)

    @property
    def winner(self) -> Side:
        return self.match.terms.scores(self.games)[-1].winner or Side.A

    def entry_at(self, side: Side) -> Entry:
        place = self.match.fixture
        return Entry.objects.get(pk=(place.entry_a_id if side is Side.A else place.entry_b_id) or 0)


class Hall:
    """The tables of a tournament, those who sit there, and the agenda of what happens next, until ``now``."""

    def __init__(
        self, tournament: Tournament, *, tables: int, skills: Mapping[int, float], rng: Random, by: User, now: datetime
    ) -> None:
        self.tournament, self.skills, self.rng, self.by, self.now = tournament, skills, rng, by, now
        self.courses: dict[int, Course] = {}
        self.free = set(range(1, tables + 1))
        self.spare = 0
        self.kept_waiting = 0
        self.playing: dict[int, Sitting] = {}
        self.finished: list[Sitting] = []
        self.seated: set[int] = set()
        self.left_alone: set[int] = set()
        self._called: set[int] = set()
        self._agenda: list[tuple[datetime, int, Act]] = []
        self._acts = 0

    def plan(self, at: datetime, act: Act) -> None:
        """Have ``act`` happen at this moment, after whatever was planned for it before; nothing happens after now."""
        self._acts += 1
        heappush(self._agenda, (at, self._acts, act))

    def run(self) -> None:
        """Let everything happen that is planned until now, and everything that follows from it."""
        while self._agenda and self._agenda[0][0] <= self.now:
            at, _number, act = heappop(self._agenda)
            act(at=at)

    def open(self, course: Course, at: datetime) -> None:
        """Play the event from this moment on."""
        self.courses[course.event.pk] = course
        course.turn = self.rng.random()
        for moment in {at, *course.opens.values()}:
            self.plan(max(at, moment), self.call)

    def call(self, at: datetime) -> None:
        """Call the matches whose players are free, but for the last ``kept_waiting``, to all but the spare tables."""
        ready = [one for one in self._callable(at) if self.seated.isdisjoint(persons_of(one[0]))]
        for match, course, bracket in ready[: len(ready) - self.kept_waiting if self.kept_waiting else None]:
            table = self._table_for(match, course, bracket)
            if table is not None and self.seated.isdisjoint(persons_of(match)):
                self._call(match, course, bracket, table, at)

    def _callable(self, at: datetime) -> list[tuple[Match, Course, str]]:
        undecided = Match.objects.filter(fixture__stage__event__in=self.courses.keys()).exclude(
            sheets__state=SheetState.CONFIRMED
        )
        found = []
        for match in undecided.exclude(pk__in=self._called | self.left_alone).select_related("fixture__stage"):
            place = match.fixture
            course = self.courses[place.stage.event_id]
            if course.opens.get((place.bracket, place.round), at) <= at:
                rank = course.rank.get(place.bracket, max(course.rank.values()))
                found.append(((rank, place.round, place.number), match, course, place.bracket))
        return [(match, course, bracket) for _rank, match, course, bracket in sorted(found, key=lambda one: one[0])]

    def _table_for(self, match: Match, course: Course, bracket: str) -> int | None:
        """Return table 1 for the first featured match of a round; for others the lowest table but that one."""
        if bracket in course.featured and match.fixture.number == 1 and 1 in self.free:
            return 1
        others = self.free - {1}
        return min(others) if len(others) > self.spare else None

    def _call(self, match: Match, course: Course, bracket: str, table: int, at: datetime) -> None:
        call_match(match, table=table, by=self.by, at=at)
        self._called.add(match.pk)
        self.seated.update(persons_of(match))
        self.free.discard(table)
        begins = at + timedelta(seconds=self.rng.randint(100, 220))
        course.turn = (course.turn + GOLDEN) % 1
        fastest, slowest = SECONDS_A_POINT
        lasting = timedelta(seconds=match.length * (fastest + (slowest - fastest) * course.turn))
        games = self._games_of(match)
        course.calls += 1
        sitting = Sitting(match, course, bracket, table, games, begins, begins + lasting, course.calls % 3 == 0)
        self.plan(begins, partial(self._start, sitting))

    def _games_of(self, match: Match) -> list[GameResult]:
        """Return the games of the match; one that a single game would decide is not believable, and played anew."""
        chance = (
            0.5 + self._skill(match.side_a_id, match.partner_a_id) - self._skill(match.side_b_id, match.partner_b_id)
        )
        games = random_match(match.terms, rng=self.rng, chance=chance)
        while len(games) < min(3, match.length):
            games = random_match(match.terms, rng=self.rng, chance=chance)
        return games

    def _skill(self, player: int, partner: int | None) -> float:
        return (self.skills[player] + self.skills[partner if partner is not None else player]) / 2

    def _start(self, sitting: Sitting, at: datetime) -> None:
        """Begin the match; that it has begun is noted only of those that go on now, as at a desk with much to do."""
        self.playing[sitting.match.pk] = sitting
        if sitting.ends <= self.now:
            self.plan(sitting.ends, partial(self._finish, sitting))
            return
        start_match(sitting.match, by=self.by, at=at)
        if sitting.bracket in sitting.course.featured:
            for number in range(1, sitting.games_by(self.now) + 1):
                self.plan(sitting.game_over_at(number), partial(self._enter_score, sitting, number))
        elif sitting.games_by(self.now) and not sitting.is_silent:
            last = sitting.games_by(self.now)
            self.plan(sitting.game_over_at(last), partial(self._enter_score, sitting, last))

    def _enter_score(self, sitting: Sitting, games: int, at: datetime) -> None:
        """Enter the score of a match that goes on, unless its players have reported it by now."""
        if not sitting.is_reported:
            self._enter(sitting, games, at)

    def _enter(self, sitting: Sitting, games: int, at: datetime) -> None:
        claim = Claim(
            key=f"{self.rng.getrandbits(128):032x}",
            base=sitting.entered,
            games=tuple(sitting.games[:games]),
            confirmed=True,
        )
        sitting.entered = enter_result(sitting.match, claim=claim, by=self.by, at=at).number

    def _finish(self, sitting: Sitting, at: datetime) -> None:
        self._enter(sitting, len(sitting.games), at)
        self.finished.append(self.playing.pop(sitting.match.pk))
        self.seated.difference_update(persons_of(sitting.match))
        self.free.add(sitting.table)
        self.plan(at + timedelta(seconds=self.rng.randint(40, 90)), self.call)
        course = sitting.course
        if course.when_over is not None and not self._goes_on(course.event):
            self.plan(at + timedelta(minutes=5), course.when_over)

    def _goes_on(self, event: Event) -> bool:
        fixtures = event.stages.get().fixtures.exclude(feed_a="bye").exclude(feed_b="bye")
        return fixtures.exclude(match__sheets__state=SheetState.CONFIRMED).exists()
