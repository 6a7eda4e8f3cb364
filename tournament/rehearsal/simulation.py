"""Whole events played out on paper: results by skill and luck, durations by the points played, the hall by the clock.

Only the :class:`~tournament.formats.plan.Format` is asked who meets whom, and it is held to what it promises.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush, heapreplace
from random import Random
from statistics import NormalDist, mean

from players.ratings.fibs import upset_probability
from rules.errors import gettext_noop
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.formats.plan import Draw, Entrant, Format, Outcome, Pairing, Plan, Published
from tournament.ranking.standings import Result, ResultKind, compute_standings, free_rounds
from tournament.ranking.tiebreaks import DEFAULT_TIEBREAKS
from tournament.rehearsal.invariants import check_end, check_first, check_plan

MEAN_RATING = 1500
SPREAD = 50
"""The standard deviation of the players' FIBS ratings, that of a tournament's open field.

With it the best of 64 wins a knockout to 7 points in 3.7 % of events (3,000 played); a study with performance ratings
of 6 on average and a standard deviation of 2 has 3.8 % (1,500 played; PileOfCells/backgammon-tournoi,
docs/etude_formats.md).
"""

MINUTES_A_POINT = 8
"""How long a match of equal players lasts on average, by its length."""

PACE = 0.4
"""The standard deviation of the logarithm of how long one point takes; over a match it falls with the square root of
the points played."""

DESK_MINUTES = 5
"""So often the desk takes results and calls the next matches."""

MOST_MATCHES_A_PLAYER = 400
"""An event that needs more does not end."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """One event, played to its end or to the first broken invariant.

    ``fewest`` are the matches of whoever had the fewest. ``rounds`` are the most pairings, byes among them, that had to
    follow one another. ``minutes`` run from the first match to the end of the last. ``waiting`` are the minutes that
    players spent before their last match without playing, of all together. ``rematches`` are the meetings of two who
    had met before. ``best_won`` is 1 if the best player came first, a part of it if he shared the place.
    ``violations`` name each broken invariant and where.
    """

    players: int
    matches: int
    fewest: int
    rounds: int
    minutes: int
    waiting: int
    rematches: int
    byes: int
    best_won: Fraction
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """What ``count`` events of one format came to: means of an event, to three decimals, where nothing else is said.

    ``waiting_minutes`` are those of a player. ``hours_median`` and ``hours_p90`` are the hours after which half and
    nine tenths of the events are over. ``p_best_wins`` is how often the best player came first. ``violations`` are
    the broken invariants of all events.
    """

    count: int
    matches: float
    rounds: float
    waiting_minutes: float
    rematches: float
    byes: float
    hours_median: float
    hours_p90: float
    p_best_wins: float
    violations: int
    matches_of_a_player: float
    fewest_matches: float


def summarise(events: Sequence[PlayedEvent]) -> Summary:
    """The means of ``events``, of which there is one at least."""
    minutes = sorted(event.minutes for event in events)
    return Summary(
        count=len(events),
        matches=_mean(event.matches for event in events),
        rounds=_mean(event.rounds for event in events),
        waiting_minutes=_mean(Fraction(event.waiting, event.players) for event in events),
        rematches=_mean(event.rematches for event in events),
        byes=_mean(event.byes for event in events),
        hours_median=_hours(minutes, Fraction(1, 2)),
        hours_p90=_hours(minutes, Fraction(9, 10)),
        p_best_wins=_mean(event.best_won for event in events),
        violations=sum(len(event.violations) for event in events),
        matches_of_a_player=_mean(Fraction(2 * event.matches, event.players) for event in events),
        fewest_matches=_mean(event.fewest for event in events),
    )


def _mean(values: Iterable[int | Fraction]) -> float:
    return round(float(mean(Fraction(value) for value in values)), 3)


def _hours(minutes: Sequence[int], share: Fraction) -> float:
    """The hours after which ``share`` of the events are over, by the nearest rank."""
    return round(minutes[math.ceil(share * len(minutes)) - 1] / 60, 3)


def draw_field(count: int, seed: str, spread: int = SPREAD, boards: int = 1) -> tuple[Entrant, ...]:
    """``count`` entrants with ratings about ``MEAN_RATING`` and seeds in the order of the ratings.

    With ``boards`` they are teams, each with the mean of so many players. The same arguments always give the same
    field, whatever format it plays.
    """
    rng = Random(f"field {seed}")
    ratings = [
        100 * MEAN_RATING + round(100 * spread * sum(_normal(rng) for _board in range(boards)) / boards)
        for _ in range(count)
    ]
    ranks = sorted(range(count), key=lambda index: (-ratings[index], index))
    seeds = {index: rank for rank, index in enumerate(ranks, start=1)}
    return tuple(
        Entrant(
            id=index + 1,
            name=f"Player {index + 1}",
            seed=seeds[index],
            persons=frozenset({index + 1}),
            rating=rating,
        )
        for index, rating in enumerate(ratings)
    )


def simulate_event(
    format: Format,
    options: Options,
    count: int,
    seed: str,
    tables: int | None = None,
    spread: int = SPREAD,
    boards: int = 1,
) -> PlayedEvent:
    """An event of ``count`` players, or teams of ``boards``, on ``tables`` tables or as many as it can use.

    Raises PlanError if the format draws nobody in this field with these options.
    """
    return play_event(format, options, draw_field(count, seed, spread, boards), seed, tables, boards)


def play_event(
    format: Format,
    options: Options,
    entrants: tuple[Entrant, ...],
    seed: str,
    tables: int | None = None,
    boards: int = 1,
) -> PlayedEvent:
    """An event of these ``entrants``, who need a rating. Raises PlanError if the format draws nobody."""
    event = SimulatedEvent(format, options, entrants, seed, tables, boards)
    event.play()
    return event.played()


def loser_points(length: int, winner_chance: float, rng: Random) -> int:
    """How far the loser of a match of ``length`` points comes, if the winner has ``winner_chance`` for each point.

    A match is a race of single points, as the FIBS formula takes it.
    """
    weights = [1.0]
    for points in range(1, length):
        weights.append(weights[-1] * (1 - winner_chance) * (length - 1 + points) / points)
    left = rng.random() * sum(weights)
    for points, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return points
    return length - 1


@cache
def mean_points(length: int) -> float:
    """How many points the two equal players of a match of ``length`` win together on average."""
    total = sum((length + lost) * math.comb(length - 1 + lost, lost) << (length - lost) for lost in range(length))
    return total / (1 << (2 * length - 1))


def match_minutes(length: int, points: int, rng: Random, minutes_a_point: Fraction = Fraction(MINUTES_A_POINT)) -> int:
    """How long a match of ``length`` points lasts in which the loser won ``points``, until the desk takes its result.

    Log-normal about ``minutes_a_point`` of length where as many points are played as equal players need on average, and
    in proportion to the points otherwise: so close matches last longer, one-sided ones less.

    Source: 8 minutes a point on average, PileOfCells/backgammon-tournoi, docs/specification.md; 11 minutes a point
    until the last match of a round is over, tourneygeek.com. With ``PACE`` the last of sixteen 7-point matches of
    equal players is over after eleven minutes a point.
    """
    played = length + points
    sigma = PACE / math.sqrt(played)
    mean_minutes = float(minutes_a_point) * length * played / mean_points(length)
    minutes = mean_minutes * math.exp(sigma * _normal(rng) - sigma * sigma / 2)
    return DESK_MINUTES * max(1, math.ceil(minutes / DESK_MINUTES))


def last_end(minutes: Iterable[int], tables: int) -> int:
    """When the last of these matches is over, if each begins in its order at the table that is free first."""
    ends = [0] * tables
    for duration in minutes:
        heapreplace(ends, ends[0] + duration)
    return max(ends)


def best_of(boards: Sequence[Result]) -> Result:
    """The result of a match of so many boards: who won more of them has won, and they are the points."""
    first = boards[0]
    if len(boards) == 1:
        return first
    won = sum(board.winner == first.a for board in boards)
    lost = len(boards) - won
    return replace(first, score_a=won, score_b=lost, winner=first.a if won > lost else first.b)


def _normal(rng: Random) -> float:
    """A standard normal deviate from one ``rng.random()``."""
    return _NORMAL.inv_cdf(max(rng.random(), 2**-53))


def _skill(entrant: Entrant) -> int:
    if entrant.rating is None:
        raise ValueError(f"{entrant.name} has no rating")
    return entrant.rating


class SimulatedEvent:
    """The hall, the clock and the desk.

    Between teams a match has ``boards``, all of the same odds: the teams' ratings are the means of their players. They
    begin together, and the match is over when the last one is; where there are fewer tables they follow one another.
    """

    def __init__(
        self,
        format: Format,
        options: Options,
        entrants: tuple[Entrant, ...],
        seed: str,
        tables: int | None,
        boards: int = 1,
    ) -> None:
        self.format, self.options, self.entrants, self.seed = format, options, entrants, seed
        self.earlier: tuple[Outcome, ...] = ()
        self.minutes_a_point = Fraction(MINUTES_A_POINT)
        self.boards = boards
        self.tables = len(entrants) * boards if tables is None else tables
        self.at_once = min(self.tables, max(1, self.tables // boards))
        """So many matches are played at a time."""
        self.rng = Random(f"play {seed}")
        self.skill = {entrant.id: _skill(entrant) for entrant in entrants}
        self.now = self.started = 0
        self.plan: Plan | None = None
        self.published: dict[str, Published] = {}
        self.results: dict[str, Result] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.queue: list[tuple[int, int, Pairing]] = []
        """The pairings that wait for a player or a table, with the ids of both sides."""
        self.running: list[tuple[int, int, Result]] = []
        self.playing: set[int] = set()
        self.open: Counter[int] = Counter()
        """How many matches each entrant is known to have still to play."""
        self.free_since = {entrant.id: 0 for entrant in entrants}
        self.waiting = self.byes = 0
        self.steps: Counter[int] = Counter()
        self.meetings: Counter[frozenset[int]] = Counter()
        self.violations: list[str] = []

    def play(self) -> None:
        """The event is over, or an invariant is broken."""
        self._ask()
        while not self.violations:
            self._start_matches()
            if self.running:
                ended = self._end_matches()
                if not all(self.open[side] for side in ended):
                    self._ask()
            elif not self._ask():
                break
        if not self.violations and self.plan is not None:
            self.violations += check_end(self.format, self._draw(), self.plan)

    def _draw(self) -> Draw:
        published = tuple(self.published.values())
        return Draw(self.entrants, self.options, dict(self.outcomes), self.seed, published, earlier=self.earlier)

    def _ask(self) -> bool:
        """The format has said its pairings; True if there are new ones. Raises PlanError the first time alone."""
        draw, before = self._draw(), self.plan
        try:
            plan = self.format.plan(draw)
        except PlanError as error:
            if before is None:
                raise
            self.violations.append(f"refused: {error}")
            return False
        if before is None and not plan.pairings:
            raise PlanError(
                "nobody_drawn",
                gettext_noop("With %(count)s entrants nobody is drawn yet."),
                count=len(self.entrants),
            )
        self._hold(draw, plan, first=before is None)
        if 2 * len(self.results) > MOST_MATCHES_A_PLAYER * len(self.entrants):
            self.violations.append("endless")
        self.plan = plan
        known, busy = len(self.published), +self.open
        for pairing in sorted(plan.pairings, key=lambda pairing: pairing.round):
            if pairing.key not in self.published and pairing.entrant_ids and (pairing.is_ready or pairing.is_bye):
                self._publish(pairing)
                self.violations += [
                    f"{pairing.key}: {side} is still busy" for side in pairing.entrant_ids if busy[side]
                ]
        return len(self.published) > known

    def _hold(self, draw: Draw, plan: Plan, *, first: bool) -> None:
        self.violations += check_first(draw, plan) if first else check_plan(draw, plan)

    def _publish(self, pairing: Pairing) -> None:
        first, *others = (seat.id for seat in (pairing.a, pairing.b) if isinstance(seat, Entrant))
        self.published[pairing.key] = Published(pairing.key, first, others[0] if others else None)
        step = 1 + max(self.steps[side] for side in pairing.entrant_ids)
        for side in pairing.entrant_ids:
            self.steps[side] = step
        if pairing.is_bye:
            self.byes += 1
            return
        self.meetings[pairing.entrant_ids] += 1
        self.open.update(pairing.entrant_ids)
        self.queue.append((first, others[0], pairing))

    def _start_matches(self) -> None:
        """Whatever can be played is played, in the order of publication, as far as there are tables."""
        waiting = []
        for place, (a, b, pairing) in enumerate(self.queue):
            if len(self.running) >= self.at_once:
                waiting += self.queue[place:]
                break
            if a in self.playing or b in self.playing:
                waiting.append((a, b, pairing))
            else:
                self._start(a, b, pairing)
        self.queue = waiting

    def _start(self, a: int, b: int, pairing: Pairing) -> None:
        self.waiting += 2 * self.now - self.free_since[a] - self.free_since[b]
        self.playing |= {a, b}
        self.started += 1
        boards = [self._decide(a, b, pairing) for _board in range(self.boards)]
        heappush(self.running, (self.now + self._minutes(pairing, boards), self.started, best_of(boards)))

    def _minutes(self, pairing: Pairing, boards: Sequence[Result]) -> int:
        lost = [min(board.score_a, board.score_b) for board in boards]
        minutes = [match_minutes(pairing.length, points, self.rng, self.minutes_a_point) for points in lost]
        return last_end(minutes, min(self.boards, self.tables))

    def _decide(self, a: int, b: int, pairing: Pairing) -> Result:
        better, other = (a, b) if self.skill[a] >= self.skill[b] else (b, a)
        difference = (self.skill[better] - self.skill[other]) / 100
        upset = self.rng.random() < upset_probability(difference, pairing.length)
        other_chance = upset_probability(difference, 1)
        points = loser_points(pairing.length, other_chance if upset else 1 - other_chance, self.rng)
        winner = other if upset else better
        score_a, score_b = (pairing.length, points) if winner == a else (points, pairing.length)
        return Result(pairing.key, a, b, score_a, score_b, winner, ResultKind.PLAYED, pairing.length, pairing.round)

    def _end_matches(self) -> list[int]:
        """The clock stands where the next matches end, and their results are in; who is free again."""
        self.now = self.running[0][0]
        ended = []
        while self.running and self.running[0][0] == self.now:
            result = heappop(self.running)[2]
            self.results[result.key] = result
            self.outcomes[result.key] = Outcome(result.winner, result.loser)
            ended += [result.a, result.b]
        self.playing.difference_update(ended)
        self.open.subtract(ended)
        for side in ended:
            self.free_since[side] = self.now
        return ended

    def played(self) -> PlayedEvent:
        """What the event came to."""
        matches = Counter(side for result in self.results.values() for side in (result.a, result.b))
        return PlayedEvent(
            players=len(self.entrants),
            matches=len(self.results),
            fewest=min(matches[entrant.id] for entrant in self.entrants),
            rounds=max(self.steps.values(), default=0),
            minutes=self.now,
            waiting=self.waiting,
            rematches=sum(times - 1 for times in self.meetings.values()),
            byes=self.byes,
            best_won=Fraction(0) if self.violations or not self.plan else self._best_won(self.plan),
            violations=tuple(self.violations),
        )

    def _best_won(self, plan: Plan) -> Fraction:
        best = max(self.entrants, key=lambda entrant: (self.skill[entrant.id], -entrant.id))
        lines = compute_standings(
            self.entrants, list(self.results.values()), DEFAULT_TIEBREAKS, plan.placings, free_wins=free_rounds(plan)
        )
        first = [line.entrant for line in lines if line.place == 1]
        return Fraction(first.count(best.id), len(first))
