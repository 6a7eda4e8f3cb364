"""The rest of a stage, played out on paper from where it stands, with the hall, clock and desk of a simulated event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from tournament.formats.format import Format
from tournament.formats.lots import RehearsedLots, SeededLots, Urn
from tournament.formats.plan import Draw, Pairing, Plan
from tournament.ranking.standings import Result
from tournament.rehearsal.chance import DESK_MINUTES
from tournament.rehearsal.simulation import SimulatedEvent


@dataclass(frozen=True, slots=True)
class UnfinishedStage:
    """A stage in progress: its draw and outcomes as the format knows them, and the hall that it is played in.

    ``running`` has the minutes that each match now being played has taken so far, by key. Entrants need a rating.
    A match between teams has ``boards`` and takes as many tables. ``opened`` are the urns that are open; the others are
    made up, differently in each rehearsal.
    """

    format: Format
    draw: Draw
    running: Mapping[str, int]
    tables: int
    minutes_a_point: Fraction
    boards: int = 1
    opened: Mapping[str, Urn] = field(default_factory=dict)


def minutes_left(situation: UnfinishedStage, seed: str) -> int | None:
    """Play out the rest of the stage once and return the minutes it takes; None if it cannot be played to its end.

    The same situation and seed always give the same answer.
    """
    if situation.format.pairs_on_challenge():
        return None
    rest = _Rest(situation, seed)
    rest.play()
    return None if rest.violations else rest.now


MOST_TRIES = 20


class _Rest(SimulatedEvent):
    """An event that goes on from the hall as it stands now. Only a whole simulated event checks the format."""

    def __init__(self, situation: UnfinishedStage, seed: str) -> None:
        draw = situation.draw
        hall = situation.tables, situation.boards
        super().__init__(situation.format, draw.options, draw.entrants, draw.seed, *hall)
        self.rng = Random(f"rest {seed}")
        self.lots = None if draw.lots is None else RehearsedLots(situation.opened, SeededLots(seed))
        self.earlier, self.edition = draw.earlier, draw.edition
        self.minutes_a_point = situation.minutes_a_point
        self.outcomes = dict(draw.outcomes)
        self.published = {published.key: published for published in draw.published}
        self.taken = situation.running

    def play(self) -> None:
        self._take_up()
        while not self.violations and (self.running or self.queue or self._ask()):
            self._start_matches()
            if not self.running:
                self.violations.append("stuck")
            elif not all(self.open[side] for side in self._end_matches()):
                self._ask()

    def _take_up(self) -> None:
        """Keep what is decided, go on with what is being played, and queue the other pairings whose sides are known."""
        plan = self.plan = self.format.plan(self._draw())
        for pairing in sorted(plan.pairings, key=lambda pairing: (pairing.key not in self.taken, pairing.round)):
            if pairing.key in self.outcomes or not (pairing.is_ready or (pairing.is_bye and pairing.entrant_ids)):
                continue
            self._publish(pairing)
            if pairing.is_ready and pairing.key in self.taken:
                self._start(*self.queue.pop())

    def _hold(self, draw: Draw, plan: Plan, *, first: bool) -> None:
        return

    def _minutes(self, pairing: Pairing, boards: Sequence[Result]) -> int:
        """Return the minutes that a match has left, given how long it has already lasted."""
        if self.now or pairing.key not in self.taken:
            return super()._minutes(pairing, boards)
        taken = self.taken[pairing.key]
        lasting = (super(_Rest, self)._minutes(pairing, boards) for _try in range(MOST_TRIES))
        return next((minutes - taken for minutes in lasting if minutes > taken), DESK_MINUTES)
