"""Whole events played out on paper: results by skill and luck, durations by the points played, the hall by the clock.

The :class:`~tournament.formats.format.Format` alone decides who meets whom, and its plans are checked for its promises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush
from random import Random

from players.ratings.fibs import upset_probability
from rules.errors import gettext_noop
from tournament.formats.drawn_matches import check_boards
from tournament.formats.editions import EDITION
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.lots import Lots
from tournament.formats.options import Options
from tournament.formats.plan import Draw, Entrant, Outcome, Pairing, Plan, Published
from tournament.formats.rate_points import gives_rate_point
from tournament.ranking.standings import Result, ResultKind, compute_standings, free_rounds
from tournament.ranking.tiebreaks import DEFAULT_TIEBREAKS
from tournament.rehearsal.chance import (
    MINUTES_A_POINT,
    SPREAD,
    best_of,
    draw_field,
    last_end,
    loser_points,
    match_minutes,
)
from tournament.rehearsal.invariants import check_end, check_first, check_plan
from tournament.rehearsal.summary import PlayedEvent

MOST_MATCHES_A_PLAYER = 400
"""An event that needs more is taken to be endless."""


def simulate_event(
    format: Format,
    options: Options,
    count: int,
    seed: str,
    tables: int | None = None,
    spread: int = SPREAD,
    boards: int = 1,
    lots: Lots | None = None,
) -> PlayedEvent:
    """Play out an event of ``count`` players, or teams of ``boards``, on ``tables`` tables or as many as it can use.

    It is drawn by ``lots``, or else by ``seed``, from which everything else follows. Raises PlanError if the format
    draws nobody from this field with these options, or needs a winner where so many boards can be shared.
    """
    return play_event(format, options, draw_field(count, seed, spread, boards), seed, tables, boards, lots)


def play_event(
    format: Format,
    options: Options,
    entrants: tuple[Entrant, ...],
    seed: str,
    tables: int | None = None,
    boards: int = 1,
    lots: Lots | None = None,
) -> PlayedEvent:
    """Play out an event of these ``entrants``, who need a rating. Raises PlanError if the format draws nobody."""
    event = SimulatedEvent(format, options, entrants, seed, tables, boards, lots)
    event.play()
    return event.played()


def _skill(entrant: Entrant) -> int:
    if entrant.rating is None:
        raise ValueError(f"{entrant.name} has no rating")
    return entrant.rating


class SimulatedEvent:
    """The hall, the clock and the desk of an event.

    A match between teams has ``boards``, all with the same odds, as a team is rated by the mean of its players. They
    begin together, and the match is over when the last one is; if there are too few tables they follow one another.
    """

    def __init__(
        self,
        format: Format,
        options: Options,
        entrants: tuple[Entrant, ...],
        seed: str,
        tables: int | None,
        boards: int = 1,
        lots: Lots | None = None,
    ) -> None:
        check_boards(format, boards)
        self.format, self.options, self.entrants = format, options, entrants
        self.seed, self.lots = seed, lots
        self.earlier: tuple[Outcome, ...] = ()
        self.edition = EDITION
        self.minutes_a_point = Fraction(MINUTES_A_POINT)
        self.boards = boards
        self.tables = len(entrants) * boards if tables is None else tables
        self.at_once = min(self.tables, max(1, self.tables // boards))
        """The most matches that can be played at the same time."""
        self.rate_point = gives_rate_point(options)
        self.rng = Random(f"play {seed}")
        self.skill = {entrant.id: _skill(entrant) for entrant in entrants}
        self.now = self.started = 0
        self.plan: Plan | None = None
        self.published: dict[str, Published] = {}
        self.results: dict[str, Result] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.queue: list[tuple[int, int, Pairing]] = []
        """The pairings that are waiting for a player or a table, with the ids of both sides."""
        self.running: list[tuple[int, int, Result]] = []
        self.playing: set[int] = set()
        self.open: Counter[int] = Counter()
        """The number of matches that each entrant is known to have left to play."""
        self.free_since = {entrant.id: 0 for entrant in entrants}
        self.waiting = self.byes = 0
        self.steps: Counter[int] = Counter()
        self.meetings: Counter[frozenset[int]] = Counter()
        self.violations: list[str] = []

    def play(self) -> None:
        """Play until the event is over or an invariant is broken."""
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
        outcomes = dict(self.outcomes)
        draw = Draw(self.entrants, self.options, outcomes, self.seed, published, earlier=self.earlier, lots=self.lots)
        return replace(draw, edition=self.edition)

    def _ask(self) -> bool:
        """Ask the format for its plan; True if it has new pairings. Raises PlanError, but only the first time."""
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
                gettext_noop("With %(count)s entrants nothing can be drawn yet."),
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
        """Start every match that can be played, in the order of publication, as far as there are tables."""
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
        rated = (self._lower_rate(a, b, upset_probability(difference, pairing.length)),) if self.rate_point else ()
        played = (ResultKind.PLAYED, pairing.length, pairing.round)
        return Result(pairing.key, a, b, score_a, score_b, winner, *played, lower_rates=rated)

    def _lower_rate(self, a: int, b: int, upset: float) -> int:
        """Draw who has the lower error rate: the weaker player as often as they win the match (our assumption)."""
        weaker, stronger = (a, b) if self.skill[a] < self.skill[b] else (b, a)
        return weaker if self.rng.random() < upset else stronger

    def _end_matches(self) -> list[int]:
        """Move the clock to the end of the next matches, and enter their results; return the players who are free."""
        self.now = self.running[0][0]
        ended = []
        while self.running and self.running[0][0] == self.now:
            result = heappop(self.running)[2]
            self.results[result.key] = result
            winner, loser = result.winner or result.a, result.loser or result.b
            self.outcomes[result.key] = Outcome(
                winner, loser, is_drawn=result.winner is None, lower_rates=result.lower_rates
            )
            ended += [result.a, result.b]
        self.playing.difference_update(ended)
        self.open.subtract(ended)
        for side in ended:
            self.free_since[side] = self.now
        return ended

    def played(self) -> PlayedEvent:
        """Return a summary of the event as played."""
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
