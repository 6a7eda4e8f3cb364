"""What the repairs of one preview share: what a fixture says, and a plan of the same draw, are found once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from weakref import ref

from players.errors import Refusal
from tournament.changes.record import in_order
from tournament.draw.chain import Chain, StagePlan
from tournament.draw.lots import EventLots
from tournament.draw.outcomes import has_begun, outcomes_of, results_of
from tournament.draw.said import Said, pairing_published
from tournament.formats import FORMATS
from tournament.formats.advance import Advanced, retrace
from tournament.formats.plan import Entrant, Outcome, Pairing, Plan, Published
from tournament.models import Event, Fixture, Stage
from tournament.ranking.tiebreaks import Result
from tournament.snapshot import FixtureSnapshot


def _fields_but(*names: str) -> attrgetter[tuple[object, ...]]:
    return attrgetter(*(field.name for field in fields(StagePlan) if field.name not in names))


_BESIDES_LOTS = _fields_but("lots")
_OF_THE_DRAW = _fields_but("lots", "results", "tiebreaks")
_BEFORE_PLAY = _fields_but("lots", "results", "tiebreaks", "outcomes", "published")

Scopes = frozenset[tuple[int, str]]


@dataclass(slots=True)
class _Known:
    """What one fixture says.

    ``in_line`` is the pairing of a plan that it was found to be as planned by, ``view`` how it was last shown.
    """

    round: tuple[str, int]
    results: Sequence[Result]
    outcome: Outcome | None
    published: Published | None
    has_begun: bool
    in_line: Pairing | None = None
    view: FixtureSnapshot | None = None


class _Found(ref[Fixture]):
    """A fixture that may be gone, and what it says; ``table`` is where it is kept, by its id as an object."""

    __slots__ = ("key", "known", "table")

    key: int
    known: _Known
    table: dict[int, _Found]


def _forget(found: _Found) -> None:
    if found.table.get(found.key) is found:
        del found.table[found.key]


_WITHOUT_RATES: dict[int, _Found] = {}
_WITH_RATES: dict[int, _Found] = {}


def known_of(fixture: Fixture, *, rate_point: bool = False) -> _Known:
    """Return what the fixture says, found once for as long as it is in memory. It must never be changed."""
    table = _WITH_RATES if rate_point else _WITHOUT_RATES
    found = table.get(id(fixture))
    if found is not None and found() is fixture:
        return found.known
    results = results_of([fixture], rate_point=rate_point)
    found = _Found(fixture, _forget)
    found.key, found.table = id(fixture), table
    found.known = _Known(
        (fixture.bracket, fixture.round),
        results,
        outcomes_of([fixture], results).get(fixture.key),
        pairing_published(fixture),
        has_begun(fixture),
    )
    table[found.key] = found
    return found.known


class Memory:
    """The plans found so far, and the moment of the step. All chains that share it have the same urns."""

    def __init__(self) -> None:
        self.entrants: tuple[Entrant, ...] | None = None
        self._moments: dict[datetime, datetime] = {}
        self._plans: dict[int, list[tuple[StagePlan, Scopes]]] = defaultdict(list)

    def moment(self, event: Event, at: datetime) -> datetime:
        """Return the moment of a step that is made now, as the log of the event has it."""
        if at not in self._moments:
            self._moments[at] = in_order(event.log.all(), at)
        return self._moments[at]

    def planned(self, made: StagePlan, lots: EventLots, run: Advanced | None) -> StagePlan:
        """Return the plan of a drawn stage: one that was made of the same before, or else this one, made now.

        ``lots`` are those of the chain: they are told of urns that the plan missed. ``run`` is how far its knockout was
        advanced when the event was read.
        """
        plans = self._plans[made.stage.pk]
        for known, missed in plans:
            if _OF_THE_DRAW(known) == _OF_THE_DRAW(made):
                lots.closed |= missed
                if _BESIDES_LOTS(known) == _BESIDES_LOTS(made):
                    return known
                made.__dict__["plan"] = known.plan
                plans.append((made, missed))
                return made
        for known, missed in plans:
            if _BEFORE_PLAY(known) == _BEFORE_PLAY(made) and (plan := _retraced(known.plan.run, made)) is not None:
                lots.closed |= missed
                made.__dict__["plan"] = plan
                plans.append((made, missed))
                return made
        if run is not None and run.draw.entrants == made.entrants and (plan := _retraced(run, made)) is not None:
            made.__dict__["plan"] = plan
        try:
            made.plan  # noqa: B018  # it is kept by the property
        except Refusal:
            return made
        plans.append((made, frozenset(one for one in lots.closed if one[0] == made.stage.number)))
        return made


def _retraced(run: Advanced | None, made: StagePlan) -> Plan | None:
    """Return the plan of the stage as it follows from a run of the same draw; None if only a whole plan tells."""
    again = retrace(run, made.outcomes) if run is not None else None
    return None if again is None else FORMATS[made.stage.format].plan_after(again)


class ChainOnPaper(Chain):
    """A chain that remembers."""

    memory: Memory

    def at(self, stage: Stage) -> StagePlan:
        if stage.number in self._plans or stage.drawn_at is None:
            return super().at(stage)
        run = self.runs.get(stage.pk)
        made = self._plans[stage.number] = self.memory.planned(super().at(stage), self.lots, run)
        return made

    def _entrants(self, stage: Stage) -> tuple[Entrant, ...]:
        if stage.number > 1:
            return super()._entrants(stage)
        if self.memory.entrants is None:
            self.memory.entrants = super()._entrants(stage)
        return self.memory.entrants

    def _said_by(self, fixtures: Sequence[Fixture], *, rate_point: bool, all_of_them: bool) -> Said:
        """Return the same as :func:`tournament.draw.said.said_by`."""
        known = [known_of(fixture, rate_point=rate_point) for fixture in fixtures]
        rounds = {one.round for one in known if one.has_begun}
        pairs = zip(fixtures, known, strict=True)
        return Said(
            tuple(result for one in known for result in one.results),
            {fixture.key: one.outcome for fixture, one in pairs if one.outcome is not None},
            tuple(one.published for one in known if one.published is not None and (all_of_them or one.round in rounds)),
        )


def remembering(chain: Chain, memory: Memory, fixtures: dict[int, list[Fixture]] | None = None) -> ChainOnPaper:
    """Return the chain with this memory, of these fixtures by stage instead of its own, and none of its urns missed."""
    lots = EventLots(chain.event, chain.lots.chains, chain.lots.urns)
    made = ChainOnPaper(
        chain.event, chain.stages, chain.entries.values(), chain.fixtures if fixtures is None else fixtures, lots
    )
    made.runs, made.memory = chain.runs, memory
    return made


def keep_runs(chain: Chain, planned: ChainOnPaper) -> None:
    """Let the chain as it was read know how far its knockouts are advanced, so that the next preview need not plan."""
    missed = {stage for stage, _scope in planned.lots.closed}
    for stage in chain.stages:
        if stage.drawn_at is not None and stage.number not in missed and not planned.waits(stage):
            chain.runs.setdefault(stage.pk, planned.at(stage).plan.run)
