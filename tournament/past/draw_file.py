"""The draws of an event as a file that a stranger can check: what was drawn, and what was known at each step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.http import Http404
from django.shortcuts import get_object_or_404

from tournament.draw.chain import Chain, StagePlan, load_chain
from tournament.draw.closings import closings_of
from tournament.draw.written import (
    Names,
    draw_with,
    entrants,
    public_value,
    result,
    step,
    time_text,
    urn_of,
    whole_step,
)
from tournament.formats import FORMATS
from tournament.formats.editions import FIRST
from tournament.formats.plan import Outcome
from tournament.models import Event, LogEntry, OpenUrn, Stage
from tournament.past.event import UNWOUND, Moment, chain_at
from tournament.past.results import ResultsOverTime
from tournament.past.rounds import paired_at, rounds_settled
from tournament.proof.node import Node
from tournament.proof.read import read_draw
from tournament.proof.values import (
    DrawFile,
    FileChain,
    FileDraw,
    FileEntrant,
    FileResult,
    FileStep,
)
from tournament.proof.write import write_draw_file

KEPT_SECONDS = 300


def find_drawn_event(event_id: int) -> Event:
    """Find the event, in a tournament that is not deleted; a deleted one if it was ever drawn. Raises Http404."""
    found = Event.everything.select_related("tournament").filter(tournament__deleted_at=None)
    event = get_object_or_404(found, pk=event_id)
    if event.deleted_at is not None and not event.log.filter(verb="make_draw").exists():
        raise Http404
    return event


def draw_file_bytes(event: Event) -> bytes:
    """Return the event's ``draw.json``, made once for each version of the event."""
    key = f"draw-file:{event.pk}:{event.version}"
    kept = cache.get(key)
    if kept is None:
        kept = write_draw_file(draw_file_of(event))
        cache.set(key, kept, KEPT_SECONDS)
    return bytes(kept)


def draw_file_of(event: Event) -> DrawFile:
    """Return all draws of the event, in a number of queries that grows with its rounds alone.

    Reads ``event.tournament`` as loaded; the event may have been deleted.
    """
    chain = load_chain(event)
    names = Names({entry.pk: entry.number for entry in chain.entries.values()})
    drawn = [stage for stage in chain.stages if stage.drawn_at is not None and not chain.waits(stage)]
    urns = OpenUrn.objects.filter(chain__event=event).select_related("chain", "stage")
    return DrawFile(
        tournament=event.tournament.slug,
        event=event.slug,
        name=event.name,
        chains=tuple(
            FileChain(chain.number, chain.anchor, chain.length, time_text(chain.made_at))
            for chain in event.draw_chains.order_by("number")
        ),
        public=tuple(public_value(closing) for closing in closings_of(event)),
        urns=tuple(urn_of(urn) for urn in urns.order_by("chain__number", "number")),
        draws=(
            *cancelled_draws(event),
            *(draw_with(chain, stage, [*_steps(chain, stage, names)]) for stage in drawn),
        ),
    )


def cancelled_draws(event: Event) -> list[FileDraw]:
    """Return the draws of the event that were taken back, as the log kept them."""
    rows = LogEntry.objects.filter(event=event, verb="cancel_draw").order_by("id")
    kept = [(_with_edition(row), row.at) for row in rows if "drawn" in row.detail]
    return [read_draw(Node({**drawn, "cancelled_at": time_text(at)}, "")) for drawn, at in kept]


def _with_edition(row: LogEntry) -> dict[str, Any]:
    """Return the draw that the row kept; rows written before draws named their edition have it beside the draw."""
    return {"edition": row.detail.get("edition") or FIRST, **row.detail["drawn"]}


def _steps(chain: Chain, stage: Stage, names: Names) -> Iterable[FileStep]:
    if FORMATS[stage.format].pairs_by_round:
        return _rounds(chain, stage, names)
    return [whole_step(chain, stage, names)]


def _rounds(chain: Chain, stage: Stage, names: Names) -> Iterable[FileStep]:
    """Yield a step for each round or batch, with what was known when its pairings were settled."""
    results = ResultsOverTime(stage, chain.fixtures[stage.pk])
    fields = _Fields(chain, stage)
    standing = set[str]()
    before: tuple[FileEntrant, ...] | None = None
    known: Mapping[str, Outcome] = {}
    for round, fixtures, moment in rounds_settled(stage, chain.fixtures[stage.pk]):
        then = fields.at(moment)
        outcomes = results.at(moment, standing)
        field = entrants(then, names)
        new = None if field == before else field
        settled = step(moment, round, then, new, _news(known, outcomes, names), fixtures, names)
        yield replace(settled, paired_at=time_text(paired_at(fixtures)))
        before, known = field, outcomes
        standing |= {fixture.key for fixture in fixtures}


class _Fields:
    """The entrants of a stage at moments of its past, read again only where the log says that something changed."""

    def __init__(self, chain: Chain, stage: Stage) -> None:
        self._event_id, self._stage = chain.event.pk, stage
        self._changes = sorted(chain.event.log.filter(UNWOUND).values_list("at", flat=True))
        self._found: dict[int, StagePlan] = {}

    def at(self, moment: datetime) -> StagePlan:
        """Return the stage as it stood then. Its results count only for a later stage, which depends on them."""
        key = bisect_right(self._changes, moment)
        if key not in self._found or self._stage.number > 1:
            self._found[key] = chain_at(self._event_id, Moment(moment)).at(self._stage)
        return self._found[key]


def _news(known: Mapping[str, Outcome], outcomes: Mapping[str, Outcome], names: Names) -> list[FileResult]:
    """Return the results that are new or other than before, and those that were taken back."""
    gone = [FileResult(key, None, None) for key in known if key not in outcomes]
    return gone + [result(key, outcome, names) for key, outcome in outcomes.items() if known.get(key) != outcome]
