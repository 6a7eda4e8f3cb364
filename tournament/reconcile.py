"""The published draw is made what the plan says it ought to be: the one way to start, advance and correct a stage."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from matches.models import Match, Scoresheet
from matches.services import prefetched_sheet
from players.errors import Conflict, Refusal, in_words
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.plan import Draw, Entrant, Outcome, Pairing, Plan, Seat
from tournament.models import Entry, Event, Fixture, Stage
from tournament.outcomes import load_fixtures, results_of

PLANNED_FIELDS = ["bracket", "round", "number", "length", "entry_a", "entry_b", "feed_a", "feed_b", "why", "match"]
PLANNED_COLUMNS = [f"{name}_id" if name in {"entry_a", "entry_b", "match"} else name for name in PLANNED_FIELDS]


def plan_stage(stage: Stage, entries: Iterable[Entry], fixtures: Iterable[Fixture]) -> Plan:
    """The plan of the stage, given its entries and the confirmed results of its fixtures.

    Reads ``entry.player`` and fixtures as :func:`tournament.outcomes.load_fixtures` loads them. Raises Refusal.
    """
    draw = Draw(
        entrants=tuple(Entrant(entry.pk, entry.player.name, entry.seed) for entry in entries),
        options=parse_options(stage.format, stage.options),
        outcomes={result.key: Outcome(result.winner, result.loser) for result in results_of(fixtures)},
        seed=stage.seed,
    )
    try:
        return FORMATS[stage.format].plan(draw)
    except PlanError as error:
        raise Refusal(error.code, in_words(error)) from error


def reconcile(event: Event, stage: Stage, *, at: datetime) -> Plan:
    """The stage's fixtures and matches are those that its plan says ought to exist.

    The event must be locked. Raises Conflict, naming every match, if that would move somebody out of a match that has
    already begun.
    """
    entries = {entry.pk: entry for entry in event.entries.select_related("player__club")}
    fixtures = {fixture.key: fixture for fixture in load_fixtures(stage)}
    plan = plan_stage(stage, entries.values(), fixtures.values())
    planned = {pairing.key: pairing for pairing in plan.pairings}
    moved = [
        fixture
        for key, fixture in fixtures.items()
        if fixture.match is not None and (key not in planned or not _same_seats(fixture, planned[key]))
    ]
    _refuse_to_move_begun_matches(moved)
    for fixture in moved:
        _detach_match(fixture)
    Fixture.objects.filter(pk__in=[fixture.pk for key, fixture in fixtures.items() if key not in planned]).delete()
    _write_fixtures(event, stage, entries, fixtures, plan.pairings, at)
    return plan


def _same_seats(fixture: Fixture, pairing: Pairing) -> bool:
    return (fixture.entry_a_id, fixture.entry_b_id) == (_entry_id(pairing.a), _entry_id(pairing.b))


def _entry_id(seat: Seat) -> int | None:
    return seat.id if isinstance(seat, Entrant) else None


def _refuse_to_move_begun_matches(moved: Sequence[Fixture]) -> None:
    begun = [fixture for fixture in moved if prefetched_sheet(fixture.match) is not None]
    if begun:
        names = "; ".join(f"{fixture.key}: {fixture.match}" for fixture in begun)
        raise Conflict(
            "later_match_begun",
            _("This would take a player out of a match that has begun (%(matches)s). Take back its result first.")
            % {"matches": names},
        )


def _detach_match(fixture: Fixture) -> None:
    """The fixture has no match; a match that was never entered anything for is gone, one with a history stays."""
    match, fixture.match = fixture.match, None
    fixture.save(update_fields=["match"])
    if match is not None and not Scoresheet.objects.filter(match=match).exists():
        match.delete()


def _write_fixtures(
    event: Event,
    stage: Stage,
    entries: Mapping[int, Entry],
    fixtures: Mapping[str, Fixture],
    pairings: Sequence[Pairing],
    at: datetime,
) -> None:
    new, changed, matches = [], [], []
    for pairing in pairings:
        fixture = fixtures.get(pairing.key) or Fixture(stage=stage, key=pairing.key)
        before = [getattr(fixture, column) for column in PLANNED_COLUMNS] if fixture.pk else None
        entry_a, entry_b = entries.get(_entry_id(pairing.a) or 0), entries.get(_entry_id(pairing.b) or 0)
        _fill_fixture(fixture, pairing, entry_a, entry_b)
        is_ready = entry_a is not None and entry_b is not None and fixture.match_id is None
        if entry_a and entry_b and is_ready:
            fixture.match = _new_match(event, pairing, entry_a, entry_b, at)
            matches.append(fixture.match)
        if before is None:
            new.append(fixture)
        elif is_ready or before != [getattr(fixture, column) for column in PLANNED_COLUMNS]:
            changed.append(fixture)
    Match.objects.bulk_create(matches)
    Fixture.objects.bulk_create(new)
    Fixture.objects.bulk_update(changed, PLANNED_FIELDS)


def _fill_fixture(fixture: Fixture, pairing: Pairing, entry_a: Entry | None, entry_b: Entry | None) -> None:
    fixture.bracket, fixture.round, fixture.number = pairing.bracket, pairing.round, pairing.number
    fixture.length = pairing.length
    fixture.entry_a, fixture.entry_b = entry_a, entry_b
    fixture.feed_a, fixture.feed_b = pairing.feed_a, pairing.feed_b
    fixture.why = pairing.why.as_dict()


def _new_match(event: Event, pairing: Pairing, entry_a: Entry, entry_b: Entry, at: datetime) -> Match:
    return Match(
        side_a=entry_a.player,
        side_b=entry_b.player,
        length=pairing.length,
        profile=event.profile,
        crawford=event.crawford,
        created_at=at,
    )
