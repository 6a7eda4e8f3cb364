"""Whole ladders played out on paper: nobody knows who will challenge whom, so each player challenges at random.

Everyone makes the same number of challenges, as soon as they are free, and then the event ends. Days pass in no
simulated event, so two who have to wait some days before they meet again meet once.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tournament.formats.challenge import Challenge
from tournament.formats.format import Format
from tournament.formats.ladder import REACH, REST
from tournament.formats.lots import Lots
from tournament.formats.options import Options
from tournament.formats.plan import Draw, Plan
from tournament.formats.rungs import Reach, rungs_of
from tournament.rehearsal.chance import SPREAD, draw_field
from tournament.rehearsal.invariants import check_plan
from tournament.rehearsal.simulation import SimulatedEvent
from tournament.rehearsal.summary import PlayedEvent

CHALLENGES = 3
"""How many challenges each simulated player makes (our assumption)."""


def simulate_ladder(
    format: Format,
    options: Options,
    count: int,
    seed: str,
    tables: int | None = None,
    spread: int = SPREAD,
    boards: int = 1,
    lots: Lots | None = None,
) -> PlayedEvent:
    """Play out a ladder as :func:`tournament.rehearsal.simulation.simulate_event` does other formats."""
    event = SimulatedLadder(format, options, draw_field(count, seed, spread, boards), seed, tables, boards, lots)
    event.play()
    return event.played()


class SimulatedLadder(SimulatedEvent):
    """A ladder whose players challenge somebody within their reach whenever both are free."""

    challenges: tuple[Challenge, ...] = ()

    def _draw(self) -> Draw:
        return replace(super()._draw(), challenges=self.challenges)

    def _ask(self) -> bool:
        draw = self._draw()
        rungs = rungs_of(draw)
        left = dict.fromkeys(rungs, CHALLENGES)
        for made in self.challenges:
            left[made.challenger] -= 1
        challengers = list(rungs)
        Random(f"challenge {self.seed} {len(self.challenges)} {len(self.outcomes)}").shuffle(challengers)
        for low in challengers:
            self._challenge(low, rungs, draw.options, has_one_left=left[low] > 0)
        return super()._ask()

    def _challenge(self, low: int, rungs: list[int], options: Options, *, has_one_left: bool) -> None:
        """Let one player challenge somebody; without a challenge left, only somebody whom nobody has challenged."""
        waiting = [one for one in self.challenges if one.key not in self.outcomes]
        met = {frozenset((one.challenger, one.challenged)) for one in self.challenges}
        reach = Reach(
            rungs,
            options.number(REACH.name),
            busy=frozenset(id for one in waiting for id in (one.challenger, one.challenged)),
            resting=frozenset(met) if options.number(REST.name) else frozenset(),
        )
        played = {id for pair in met for id in pair}
        possible = [high for high in reach.of(low) if has_one_left or high not in played]
        if possible:
            made = Challenge(len(self.challenges) + 1, low, self.rng.choice(possible))
            self.challenges = (*self.challenges, made)

    def _hold(self, draw: Draw, plan: Plan, *, first: bool) -> None:
        """Hold the plan to its promises; all challenges are in one round, which does not say when they are played."""
        apart = tuple(replace(pairing, round=pairing.number) for pairing in plan.pairings)
        self.violations += check_plan(draw, replace(plan, pairings=apart))
