"""What this process keeps of the events that it read last, brought up to date by what has changed since.

Nothing is kept that was read in a transaction of a writer, who might take it back. Rows that are kept are shared by
every thread and never changed: a writer changes copies.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from threading import Lock

from django.db import transaction
from django.db.models import prefetch_related_objects

from matches.models import Match, Scoresheet, SheetState
from players.statements import Statement
from tournament.changes.versions import writing_depth
from tournament.draw.calls import open_calls_in
from tournament.draw.chain import Chain, StagePlan, load_chain
from tournament.draw.fixtures import Fixtures, indexed, with_match
from tournament.draw.lots import EventLots
from tournament.draw.outcomes import outcomes_of, results_of
from tournament.draw.since import CHANGED, ONE
from tournament.formats import parse_options
from tournament.formats.advance import Advanced, follow, retrace
from tournament.formats.plan import Outcome, Pairing
from tournament.formats.rate_points import gives_rate_point
from tournament.models import Entry, Event, Fixture, Stage

MOST_KEPT = 8
"""The largest number of events kept; the one that was asked for longest ago makes room."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """An event as it was read at this version of it and of its hall, with the plans that were made of it."""

    created_at: datetime
    version: int
    hall_version: int
    stages: tuple[Stage, ...]
    entries: Sequence[Entry]
    by_id: Mapping[int, Entry]
    """The entries."""
    fixtures: Fixtures
    lots: EventLots
    plans: dict[int, StagePlan]
    runs: dict[int, Advanced | None]
    """The knockouts as far as they have been advanced, by stage; None for another format."""

    def chain(self, event: Event) -> Chain:
        lots = EventLots(event, self.lots.chains, self.lots.urns)
        stages = map(copy, self.stages)  # a worker gives them the version of new standings
        chain = Chain(event, stages, self.entries, self.fixtures.by_stage, lots, plans=self.plans)
        chain.runs = self.runs
        return chain


_kept: OrderedDict[int, _Kept] = OrderedDict()
_lock = Lock()


def chain_now(event: Event) -> Chain:
    """Return the event's chain as :func:`tournament.draw.chain.load_chain` does, with the names of claimants.

    Only what has changed is read if this process has read the event before. ``event`` must have been read just now,
    with its tournament. The rows of the chain are not to be changed.
    """
    if event.has_teams or writing_depth():
        return load_chain(event, named=True)
    kept = _up_to_date(event)
    _keep(event, kept)
    chain = kept.chain(event)
    standings = {pk: included for pk, *included in _STANDINGS.rows(event.pk)}
    for stage in chain.stages:
        stage.standings_version, stage.standings_matches = standings.get(stage.pk, (0, 0))
    return chain


_STANDINGS = Statement(
    lambda event: Stage.objects.filter(event=event).values_list("pk", "standings_version", "standings_matches")
)


def keep_before_writing(event: Event) -> None:
    """Bring what is kept of the event up to date, under the lock and before anything is written."""
    if not event.has_teams and writing_depth() == 1:
        _keep(event, _up_to_date(event))


def kept_place(event: Event, match: Match) -> Fixture | None:
    """Return a copy of the fixture that the match alone decides, with its stage and players.

    The event must be locked. None if that is not known.
    """
    kept = _before_writing(event)
    found = kept.fixtures.of_match(match.pk) if kept is not None else None
    if kept is None or found is None:
        return None
    fixture = copy(found)
    stages = {stage.pk: stage for stage in kept.stages}
    fixture.stage, fixture.match = copy(stages[found.stage_id]), copy(found.match)
    fixture.entry_a, fixture.entry_b = (copy(kept.by_id.get(pk or 0)) for pk in (found.entry_a_id, found.entry_b_id))
    return fixture


@dataclass(frozen=True, slots=True)
class Touched:
    """A fixture in which alone this transaction has written.

    That is nothing but a new ``sheet``, which is the current one; or else, without one, whatever decides the fixture.
    """

    fixture: Fixture
    sheet: Scoresheet | None


@dataclass(frozen=True, slots=True)
class After:
    """What follows from a new score sheet: the chain with it, the pairings that change, and their fixtures by key."""

    chain: Chain
    pairings: tuple[Pairing, ...]
    fixtures: dict[str, Fixture]
    kept: _Kept
    lasts: bool
    """Whether this is all that there is to know of the fixture, so that it can be kept."""


def chain_with(event: Event, touched: Touched) -> Chain:
    """Return the chain for the writer who holds the lock, with this fixture as the transaction has left it.

    Its rows are not to be changed.
    """
    kept = _before_writing(event)
    if kept is None:
        return load_chain(event)
    fixtures = kept.fixtures.with_changed(ONE.read(touched.fixture.pk))
    if fixtures is None:
        return load_chain(event)
    return replace(kept, fixtures=fixtures, plans={}).chain(event)


def chain_after(event: Event, stage: Stage, touched: Touched) -> After | None:
    """Return what follows from the new score sheet, without reading anything.

    The event must be locked. None if only a whole plan tells what changes.
    """
    kept = _before_writing(event)
    if (
        kept is None
        or touched.sheet is None
        or any(later.drawn_at is not None for later in kept.stages[stage.number :])
    ):
        return None
    former = kept.fixtures.find(touched.fixture.pk)
    if former is None or former.match is None:
        return None
    again = _with_sheet(former, former.match, touched.sheet)
    results = _new_results(kept, stage.pk, [again])
    run = _run_of(kept, event, stage) if results else None
    step = _follow_all(run, results) if run is not None else None
    if results and step is None:
        return None
    runs = kept.runs if step is None else {**kept.runs, stage.pk: step[0]}
    fixtures = kept.fixtures.with_changed([again]) or kept.fixtures
    later = replace(kept, fixtures=fixtures, plans={}, runs=runs)
    pairings = step[1] if step is not None else ()
    found = {pairing.key: row for pairing in pairings if (row := fixtures.at(stage.pk, pairing.key)) is not None}
    is_over = touched.sheet.state == SheetState.CONFIRMED
    return After(later.chain(event), pairings, found, later, lasts=is_over)


def keep_on_commit(event: Event, after: After) -> None:
    """Keep what follows from the new score sheet, and what was written by it, once the transaction is committed."""
    if after.lasts and after.chain.rewritten is not None:
        transaction.on_commit(partial(_keep_written, event, after), robust=True)


def _keep_written(event: Event, after: After) -> None:
    fixtures = after.kept.fixtures.with_changed((after.chain.rewritten or {}).values())
    if fixtures is not None and event.whole_version <= after.kept.version:
        for fixture in (after.chain.rewritten or {}).values():
            if fixture.match is not None:
                Match._meta.get_field("fixture").delete_cached_value(fixture.match)
        _keep(event, replace(after.kept, version=event.version, fixtures=fixtures))


def _with_sheet(fixture: Fixture, match: Match, sheet: Scoresheet) -> Fixture:
    """Return the fixture with this current sheet; a confirmed one has ended the call and set every report aside."""
    if sheet.final_a is None:
        prefetch_related_objects([sheet], "lines")
    match, sheet = copy(match), copy(sheet)
    sheet.claimed_by = copy(sheet.claimed_by)  # a request's user would keep the request
    match.open_sheets = [sheet]
    if sheet.state == SheetState.CONFIRMED:
        match.open_calls = []  # type: ignore[attr-defined]
    return with_match(fixture, match)


def forget_events() -> None:
    """Throw away everything that is kept."""
    with _lock:
        _kept.clear()


def _before_writing(event: Event) -> _Kept | None:
    """Return what is kept of the event as it was when the writer locked it; None if that is not known."""
    with _lock:
        kept = _kept.get(event.pk)
    if kept is None or not _is_same(kept, event) or kept.version != event.version or writing_depth() != 1:
        return None
    return kept


def _keep(event: Event, kept: _Kept) -> None:
    with _lock:
        before = _kept.get(event.pk)
        if before is None or not _is_same(before, event) or _versions(before) <= _versions(kept):
            _kept[event.pk] = kept
        _kept.move_to_end(event.pk)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def _versions(kept: _Kept) -> tuple[int, int]:
    return kept.version, kept.hall_version


def _is_same(kept: _Kept, event: Event) -> bool:
    return kept.created_at == event.created_at


def _up_to_date(event: Event) -> _Kept:
    with _lock:
        kept = _kept.get(event.pk)
    if kept is None or not _is_same(kept, event) or kept.version < event.whole_version:
        return _read(event)
    if kept.version > event.version:
        # Another thread was quicker; or else something is wrong with what is kept.
        newest = Event.objects.filter(pk=event.pk, version__gte=kept.version)
        return kept if newest.exists() else _read(event)
    fixtures, runs = kept.fixtures, kept.runs
    if kept.version != event.version:
        changed = CHANGED.read(event.pk, kept.version)
        later = kept.fixtures.with_changed(changed)
        if later is None:
            return _read(event)
        fixtures, runs = later, _runs_after(kept, changed)
    hall_version = event.tournament.hall_version
    if kept.hall_version != hall_version:
        fixtures = fixtures.with_calls(open_calls_in(event))
    if fixtures is kept.fixtures:
        return replace(kept, version=event.version, hall_version=hall_version)
    return replace(kept, version=event.version, hall_version=hall_version, fixtures=fixtures, plans={}, runs=runs)


def _run_of(kept: _Kept, event: Event, stage: Stage) -> Advanced | None:
    """Return how far the stage's knockout is advanced by what is kept; None in another format."""
    if stage.pk not in kept.runs:
        kept.runs[stage.pk] = kept.chain(event).at(stage).plan.run
    return kept.runs[stage.pk]


def _runs_after(kept: _Kept, changed: Sequence[Fixture]) -> dict[int, Advanced | None]:
    """Return the runs with the results of these fixtures, without those of stages that have to be planned anew."""
    runs: dict[int, Advanced | None] = {}
    is_later = False
    for stage in kept.stages:
        own = [fixture for fixture in changed if fixture.stage_id == stage.pk]
        results = _new_results(kept, stage.pk, own) if own else []
        run = kept.runs.get(stage.pk)
        again = _run_after(run, results) if run is not None else None
        # After another result before it a stage may have other entrants.
        if stage.pk in kept.runs and not is_later and (run is None or again is not None):
            runs[stage.pk] = again
        is_later = is_later or bool(results)
    return runs


def _run_after(run: Advanced, results: Sequence[tuple[str, Outcome | None, Outcome | None]]) -> Advanced | None:
    """Return the run with these results, some of which may be corrections; None if the stage is to be planned anew."""
    step = _follow_all(run, results) if results else (run, ())
    if step is not None:
        return step[0]
    outcomes = {**run.outcomes, **{key: outcome for key, _before, outcome in results if outcome is not None}}
    for key, _before, outcome in results:
        if outcome is None:
            outcomes.pop(key, None)
    return retrace(run, outcomes)


def _new_results(
    kept: _Kept, stage: int, changed: Sequence[Fixture]
) -> list[tuple[str, Outcome | None, Outcome | None]]:
    """Return the changed fixtures whose outcome is another than what is kept: key, former and present outcome."""
    wanted = {fixture.key for fixture in changed}
    former = [row for key in wanted if (row := kept.fixtures.at(stage, key)) is not None]
    (options,) = (parse_options(one.format, one.options) for one in kept.stages if one.pk == stage)
    before, after = (
        outcomes_of(fixtures, results_of(fixtures, rate_point=gives_rate_point(options)))
        for fixtures in (former, changed)
    )
    return [(key, before.get(key), after.get(key)) for key in sorted(wanted) if before.get(key) != after.get(key)]


def _follow_all(
    run: Advanced, results: Iterable[tuple[str, Outcome | None, Outcome | None]]
) -> tuple[Advanced, tuple[Pairing, ...]] | None:
    """Return the run after these results, and the pairings that change; None unless all are new and can be followed."""
    changed: dict[str, Pairing] = {}
    for key, before, outcome in sorted(results, key=lambda result: run.graph.index.get(result[0], -1)):
        step = follow(run, key, outcome) if before is None and outcome is not None else None
        if step is None:
            return None
        run = step[0]
        changed |= {pairing.key: pairing for pairing in step[1]}
    return run, tuple(changed.values())


def _read(event: Event) -> _Kept:
    chain = load_chain(event, named=True)
    return _Kept(
        created_at=event.created_at,
        version=event.version,
        hall_version=event.tournament.hall_version,
        stages=chain.stages,
        entries=tuple(chain.entries.values()),
        by_id=chain.entries,
        fixtures=indexed(chain.fixtures),
        lots=chain.lots,
        plans={},
        runs={},
    )
