"""The published draw is made what the plan says it ought to be: the one way to start, advance and correct a stage."""

from collections.abc import Mapping, Sequence, Set
from datetime import datetime

from django.utils.translation import gettext as _

from matches.models import Match, Ruling, Scoresheet
from players.errors import Conflict
from tournament.calls import close_calls
from tournament.chain import Chain, load_chain
from tournament.formats.plan import Pairing, Reason, seated
from tournament.models import Call, CallEnding, Entry, Event, Fixture, Stage
from tournament.outcomes import has_begun

PLANNED_FIELDS = ["bracket", "round", "number", "length", "entry_a", "entry_b", "feed_a", "feed_b", "why", "match"]
PLANNED_COLUMNS = [f"{name}_id" if name in {"entry_a", "entry_b", "match"} else name for name in PLANNED_FIELDS]


def reconcile(event: Event, stage: Stage, *, at: datetime) -> Chain:
    """The fixtures and matches of the stage, and of every drawn stage after it, are those that the plans say.

    The event must be locked. A stage that has to wait again, because the one before it is no longer finished, has no
    fixtures. Raises Conflict, naming every match, if that would move somebody out of a match that has already begun.
    """
    chain = load_chain(event)
    for later in chain.stages[stage.number - 1 :]:
        if later.pk == stage.pk or later.drawn_at is not None:
            plan = None if chain.waits(later) else chain.at(later).plan
            _make_so(chain, later, plan.pairings if plan else (), at)
            _note(later, plan.notes if plan else ())
    return chain


def _note(stage: Stage, reasons: Sequence[Reason]) -> None:
    """The stage says what its draw could not avoid."""
    notes = [reason.as_dict() for reason in reasons]
    if notes != stage.notes:
        Stage.objects.filter(pk=stage.pk).update(notes=notes)


def _make_so(chain: Chain, stage: Stage, pairings: Sequence[Pairing], at: datetime) -> None:
    fixtures = {fixture.key: fixture for fixture in chain.fixtures[stage.pk]}
    planned = {pairing.key: pairing for pairing in pairings}
    moved = [
        fixture
        for key, fixture in fixtures.items()
        if fixture.match is not None and (key not in planned or not _same_seats(fixture, planned[key]))
    ]
    _refuse_to_move_begun_matches(moved)
    if moved:
        close_calls((fixture.match for fixture in moved if fixture.match), ending=CallEnding.REDRAWN, at=at)
    for fixture in moved:
        _detach_match(fixture)
    Fixture.objects.filter(pk__in=[fixture.pk for key, fixture in fixtures.items() if key not in planned]).delete()
    stand = chain.at(stage).keys_that_stand if pairings else frozenset()
    _write_fixtures(chain, stage, fixtures, pairings, stand, at)


def _same_seats(fixture: Fixture, pairing: Pairing) -> bool:
    return (fixture.entry_a_id, fixture.entry_b_id) == (seated(pairing.a), seated(pairing.b))


def _refuse_to_move_begun_matches(moved: Sequence[Fixture]) -> None:
    begun = [fixture for fixture in moved if has_begun(fixture)]
    if begun:
        names = "; ".join(f"{fixture.key}: {fixture.match}" for fixture in begun)
        sentence = _(
            "This would take a player out of a match that has begun (%(matches)s). "
            "Take back its result or its call first."
        )
        raise Conflict("later_match_begun", sentence % {"matches": names})


def _detach_match(fixture: Fixture) -> None:
    """The fixture has no match; one that was never called and never entered anything for is gone, others stay."""
    match, fixture.match = fixture.match, None
    fixture.save(update_fields=["match"])
    # Not ``match.sheets``: what was loaded of them are the current ones.
    history = (Scoresheet, Ruling, Call)
    if match is not None and not any(rows.objects.filter(match=match).exists() for rows in history):
        match.delete()


def _write_fixtures(
    chain: Chain,
    stage: Stage,
    fixtures: Mapping[str, Fixture],
    pairings: Sequence[Pairing],
    stand: Set[str],
    at: datetime,
) -> None:
    """``stand`` are the keys of those that keep the reason they were published with."""
    entries = chain.entries
    new, changed, matches = [], [], []
    for pairing in pairings:
        fixture = fixtures.get(pairing.key) or Fixture(stage=stage, key=pairing.key)
        before = [getattr(fixture, column) for column in PLANNED_COLUMNS] if fixture.pk else None
        entry_a, entry_b = entries.get(seated(pairing.a) or 0), entries.get(seated(pairing.b) or 0)
        _fill_fixture(fixture, pairing, entry_a, entry_b)
        if before is None or pairing.key not in stand:
            fixture.why = pairing.why.as_dict()
        is_ready = entry_a is not None and entry_b is not None and fixture.match_id is None
        if entry_a and entry_b and is_ready:
            fixture.match = _new_match(chain.event, pairing, entry_a, entry_b, at)
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


def _new_match(event: Event, pairing: Pairing, entry_a: Entry, entry_b: Entry, at: datetime) -> Match:
    return Match(
        side_a=entry_a.player,
        side_b=entry_b.player,
        partner_a=entry_a.partner,
        partner_b=entry_b.partner,
        length=pairing.length,
        profile=event.profile,
        crawford=event.crawford,
        created_at=at,
    )
