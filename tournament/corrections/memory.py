"""What the plans of one preview share: a result of a fixture, and a plan of the same draw, are found once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter

from players.errors import Refusal
from tournament.draw.chain import Chain, StagePlan, published_of
from tournament.draw.lots import EventLots
from tournament.draw.outcomes import has_begun, results_of
from tournament.formats.plan import Entrant, Published
from tournament.models import Fixture, Stage
from tournament.ranking.tiebreaks import Result

_BESIDES_LOTS = attrgetter(*(field.name for field in fields(StagePlan) if field.name != "lots"))
_OF_THE_DRAW = attrgetter(
    *(field.name for field in fields(StagePlan) if field.name not in {"lots", "results", "tiebreaks"})
)

Scopes = frozenset[tuple[int, str]]


class Memory:
    """The results and plans found so far. All chains that share it have the same urns."""

    def __init__(self) -> None:
        self._results: dict[tuple[int, bool], tuple[Fixture, list[Result]]] = {}
        self._begun: dict[int, tuple[Fixture, bool]] = {}
        self.entrants: tuple[Entrant, ...] | None = None
        self._plans: dict[int, list[tuple[StagePlan, Scopes]]] = defaultdict(list)

    def results(self, fixtures: Iterable[Fixture], *, rate_point: bool) -> list[Result]:
        """Return the same as :func:`tournament.draw.outcomes.results_of`; a fixture is the same if it is one object."""
        found = []
        for fixture in fixtures:
            known = self._results.get((id(fixture), rate_point))
            if known is None:
                known = fixture, results_of([fixture], rate_point=rate_point)
                self._results[id(fixture), rate_point] = known
            found += known[1]
        return found

    def has_begun(self, fixture: Fixture) -> bool:
        """Return the same as :func:`tournament.draw.outcomes.has_begun`; a fixture is the same if it is one object."""
        known = self._begun.get(id(fixture))
        if known is None:
            known = self._begun[id(fixture)] = fixture, has_begun(fixture)
        return known[1]

    def planned(self, made: StagePlan, lots: EventLots) -> StagePlan:
        """Return the plan of a drawn stage: one that was made of the same before, or else this one, made now.

        ``lots`` are those of the chain: they are told of urns that the plan missed.
        """
        for known, missed in self._plans[made.stage.pk]:
            if _OF_THE_DRAW(known) == _OF_THE_DRAW(made):
                lots.closed |= missed
                if _BESIDES_LOTS(known) == _BESIDES_LOTS(made):
                    return known
                made.__dict__["plan"] = known.plan
                self._plans[made.stage.pk].append((made, missed))
                return made
        try:
            made.plan  # noqa: B018  # it is kept by the property
        except Refusal:
            return made
        self._plans[made.stage.pk].append((made, frozenset(one for one in lots.closed if one[0] == made.stage.number)))
        return made


class ChainOnPaper(Chain):
    """A chain that remembers."""

    memory: Memory

    def at(self, stage: Stage) -> StagePlan:
        if stage.number in self._plans or stage.drawn_at is None:
            return super().at(stage)
        made = self._plans[stage.number] = self.memory.planned(super().at(stage), self.lots)
        return made

    def _entrants(self, stage: Stage) -> tuple[Entrant, ...]:
        if stage.number > 1:
            return super()._entrants(stage)
        if self.memory.entrants is None:
            self.memory.entrants = super()._entrants(stage)
        return self.memory.entrants

    def _published(self, fixtures: Iterable[Fixture], *, all_of_them: bool) -> tuple[Published, ...]:
        return published_of(fixtures, all_of_them=all_of_them, begun=self.memory.has_begun)

    def _results(self, fixtures: Iterable[Fixture], *, rate_point: bool) -> list[Result]:
        return self.memory.results(fixtures, rate_point=rate_point)


def remembering(chain: Chain, memory: Memory, fixtures: dict[int, list[Fixture]] | None = None) -> ChainOnPaper:
    """Return the chain with this memory, of these fixtures by stage instead of its own, and none of its urns missed."""
    lots = EventLots(chain.event, chain.lots.chains, chain.lots.urns)
    made = ChainOnPaper(
        chain.event, chain.stages, chain.entries.values(), chain.fixtures if fixtures is None else fixtures, lots
    )
    made.memory = memory
    return made
