"""The rest of a stage, played out on paper from where it is: the hall, the clock and the desk of a simulated event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tournament.formats.plan import Draw, Format, Pairing, Plan
from tournament.ranking.standings import Result
from tournament.rehearsal.simulation import DESK_MINUTES, SimulatedEvent


@dataclass(frozen=True, slots=True)
class UnfinishedStage:
    """A stage in the middle: what stands and is decided as its format knows it, and the hall that it plays in.

    ``running`` are the minutes that each match which is being played has taken so far, by key. Entrants need a rating.
    Between teams a match has ``boards`` and takes as many tables.
    """

    format: Format
    draw: Draw
    running: Mapping[str, int]
    tables: int
    minutes_a_point: Fraction
    boards: int = 1


def minutes_left(situation: UnfinishedStage, seed: str) -> int | None:
    """The minutes until the stage is over in one play of the rest of it; None if it cannot be played to its end.

    The same situation and seed always give the same.
    """
    rest = _Rest(situation, seed)
    rest.play()
    return None if rest.violations else rest.now


MOST_TRIES = 20


class _Rest(SimulatedEvent):
    """The hall from where it is now. The format is taken at its word: what it promises is held elsewhere."""

    def __init__(self, situation: UnfinishedStage, seed: str) -> None:
        draw = situation.draw
        super().__init__(situation.format, draw.options, draw.entrants, draw.seed, situation.tables, situation.boards)
        self.rng = Random(f"rest {seed}")
        self.earlier, self.minutes_a_point = draw.earlier, situation.minutes_a_point
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
        """What is decided stays; what is being played goes on; the other pairings of those who are known wait."""
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
        """A match that has lasted so long already lasts longer."""
        if self.now or pairing.key not in self.taken:
            return super()._minutes(pairing, boards)
        taken = self.taken[pairing.key]
        lasting = (super(_Rest, self)._minutes(pairing, boards) for _try in range(MOST_TRIES))
        return next((minutes - taken for minutes in lasting if minutes > taken), DESK_MINUTES)
