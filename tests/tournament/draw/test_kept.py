"""What a process keeps of an event is what is stored, whatever happens in it and whichever process does it."""

import os
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from matches.claims import claim_of
from matches.models import Match
from tests.builders import AT, build_event, build_tournament, open_matches
from tests.tournament.replay.test_random_hall import EVENTS, Hall
from tournament.audit import audit_event
from tournament.draw import kept
from tournament.draw.chain import Chain, load_chain
from tournament.draw.kept import chain_now
from tournament.draw.outcomes import read_fixtures
from tournament.draw.since import CHANGED, ONE
from tournament.draw.standings import store_standings
from tournament.formats import FORMATS
from tournament.hall.calling import call_match
from tournament.models import Entry, Event, Fixture
from tournament.snapshot import now, take_snapshot, take_snapshots

EXAMPLES = int(os.environ.get("HALL_EXAMPLES", "1"))
STEPS = int(os.environ.get("HALL_STEPS", "9"))

Commits = Callable[..., AbstractContextManager[object]]


def fields_of(row) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def match_as_read(match: Match) -> object:
    sheets = [(fields_of(sheet), claim_of(sheet), str(sheet.claimed_by)) for sheet in match.open_sheets]
    calls = [(fields_of(call), call.table_number) for call in match.open_calls]
    return fields_of(match), sheets, calls, [fields_of(advance) for advance in match.standing_advances]


def fixture_as_read(fixture: Fixture) -> object:
    version = {"version": None}
    return fields_of(fixture) | version, {board: match_as_read(match) for board, match in fixture.matches.items()}


def entry_as_read(entry: Entry) -> object:
    return fields_of(entry), [(fields_of(person), str(person.club)) for person in (entry.player, *entry.people)]


def chain_as_read(chain: Chain) -> dict[str, object]:
    read: dict[str, object] = {f"stage {stage.number}": fields_of(stage) for stage in chain.stages}
    read |= {f"entry {entry.number}": entry_as_read(entry) for entry in chain.entries.values()}
    read |= {f"urn {urn.pk}": fields_of(urn) for urn in chain.lots.urns}
    fixtures = [fixture for rows in chain.fixtures.values() for fixture in rows]
    read |= {f"{fixture.stage_id} {fixture.key}": fixture_as_read(fixture) for fixture in fixtures}
    return read | {"in order": [fixture.pk for fixture in fixtures]}


def check(event_id: int) -> None:
    """What is kept, advanced and shown is what a fresh reading gives."""
    event = Event.objects.select_related("tournament").get(pk=event_id)
    fresh = load_chain(event, named=True)
    present, stored = chain_as_read(chain_now(event)), chain_as_read(fresh)
    assert {what: value for what, value in present.items() if value != stored.get(what)} == {
        what: value for what, value in stored.items() if value != present.get(what)
    }
    found = kept._kept.get(event_id)
    for stage in fresh.stages:
        advanced = found.runs.get(stage.pk) if found is not None else None
        if advanced is not None:
            run, plan = advanced.result, fresh.at(stage).plan
            assert FORMATS[stage.format].plan_after(advanced) == plan
            assert (run.finished, run.tracks, run.void) == (plan.finished, plan.run.result.tracks, plan.run.result.void)
    if not event.has_teams:
        for version in {0, event.version // 2, event.version - 1}:
            stored = Fixture.objects.filter(stage__event=event, version__gt=version)
            expected = list(map(fixture_as_read, read_fixtures(stored, named=True)))
            assert list(map(fixture_as_read, CHANGED.read(event.pk, version))) == expected
            assert [fixture_as_read(row) for pk in stored.values_list("pk") for row in ONE.read(*pk)] == expected
    assert take_snapshot(event_id) == take_snapshots(Event.objects.filter(pk=event_id))[0]
    store_standings(event_id)
    assert [str(one) for one in audit_event(event)] == []


@pytest.fixture
def processes(monkeypatch) -> list[Callable[[], None]]:
    """Two processes with memories of their own, to switch between."""

    def process() -> Callable[[], None]:
        events, shown = OrderedDict(), OrderedDict()

        def switch() -> None:
            monkeypatch.setattr(kept, "_kept", events)
            monkeypatch.setattr(now, "_shown", shown)

        return switch

    return [process(), process()]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_two_processes_keep_what_is_stored_after_every_step(
    kind, seed, processes, django_capture_on_commit_callbacks: Commits
):
    processes[0]()
    hall = Hall(EVENTS[kind], seed, chained=kind == "chain", by_lot=True)
    for _step in range(STEPS):
        hall.rng.choice(processes)()
        with django_capture_on_commit_callbacks(execute=True):
            hall.step()
        for process in hall.rng.choice([processes, processes[:1]]):
            process()
            check(hall.event.pk)
    assert len(set(hall.done)) > 1


@pytest.mark.django_db
def test_a_call_in_another_event_leaves_what_was_planned_alone(director):
    tournament = build_tournament(director)
    here, there = (build_event(director, tournament=tournament, name=name) for name in ("Here", "There"))

    def reading(event: Event) -> object:
        return chain_now(Event.objects.select_related("tournament").get(pk=event.pk)).reading

    before = reading(here), reading(there)
    call_match(open_matches(there)[0], by=director, at=AT)
    assert reading(here) is before[0]
    assert reading(there) is not before[1]
    check(here.pk)
    check(there.pk)
