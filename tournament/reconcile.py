"""The published draw is made what the plan says it ought to be: the one way to start, advance and correct a stage."""

from collections.abc import Mapping, Sequence, Set
from datetime import datetime

from django.utils.translation import gettext as _

from matches.models import Conclusion, Match, Ruling, Scoresheet, SheetSource, SheetState
from matches.services import prefetched_sheet
from players.errors import Conflict
from players.models import Player
from tournament.calls import close_calls
from tournament.chain import Chain, load_chain
from tournament.formats.plan import Pairing, Reason, seated
from tournament.models import Board, Call, CallEnding, Entry, Event, Fixture, Stage
from tournament.models.draw import place_of
from tournament.outcomes import match_has_begun

PLANNED_FIELDS = ["bracket", "round", "number", "length", "entry_a", "entry_b", "feed_a", "feed_b", "why", "match"]
PLANNED_COLUMNS = [f"{name}_id" if name in {"entry_a", "entry_b", "match"} else name for name in PLANNED_FIELDS]


def reconcile(event: Event, stage: Stage, *, at: datetime) -> Chain:
    """The fixtures and matches of the stage, and of every drawn stage after it, are those that the plans say.

    The event must be locked. A stage that has to wait again, because the one before it is no longer finished, has no
    fixtures. Raises Conflict, naming every match, if that would move somebody out of a match that has already begun;
    a walkover that was given because somebody had left is taken back instead.
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
        if fixture.matches and (key not in planned or not _same_seats(fixture, planned[key]))
    ]
    _refuse_to_move_begun_matches(moved)
    if moved:
        close_calls(
            (match for fixture in moved for match in fixture.matches.values()), ending=CallEnding.REDRAWN, at=at
        )
    for fixture in moved:
        _detach_matches(fixture)
    Fixture.objects.filter(pk__in=[fixture.pk for key, fixture in fixtures.items() if key not in planned]).delete()
    stand = chain.at(stage).keys_that_stand if pairings else frozenset()
    _write_fixtures(chain, stage, fixtures, pairings, stand, at)


def _same_seats(fixture: Fixture, pairing: Pairing) -> bool:
    return (fixture.entry_a_id, fixture.entry_b_id) == (seated(pairing.a), seated(pairing.b))


def _refuse_to_move_begun_matches(moved: Sequence[Fixture]) -> None:
    begun = [
        f"{place_of(fixture.key, board)}: {match}"
        for fixture in moved
        for board, match in fixture.matches.items()
        if _has_been_played_for(match)
    ]
    if begun:
        sentence = _(
            "This would take a player out of a match that has begun (%(matches)s). "
            "Take back its result or its call first."
        )
        raise Conflict("later_match_begun", sentence % {"matches": "; ".join(begun)})


def _has_been_played_for(match: Match) -> bool:
    sheet = prefetched_sheet(match)
    if sheet is not None and (sheet.source, sheet.conclusion) == (SheetSource.ABSENCE, Conclusion.WALKOVER):
        return False
    return match_has_begun(match)


def _detach_matches(fixture: Fixture) -> None:
    """The fixture has no match; one that was never called and never entered anything for is gone, others stay."""
    for match in fixture.matches.values():
        if (sheet := prefetched_sheet(match)) is not None:
            sheet.state = SheetState.VOID
            sheet.save(update_fields=["state"])
    matches, fixture.match = fixture.matches.values(), None
    fixture.save(update_fields=["match"])
    Board.objects.filter(fixture=fixture).delete()
    fixture.refresh_from_db(fields=["boards"])
    for match in matches:
        # Not ``match.sheets``: what was loaded of them are the current ones.
        if not any(rows.objects.filter(match=match).exists() for rows in (Scoresheet, Ruling, Call)):
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
    event, entries = chain.event, chain.entries
    new, changed, matches, boards = [], [], [], []
    for pairing in pairings:
        fixture = fixtures.get(pairing.key) or Fixture(stage=stage, key=pairing.key)
        before = [getattr(fixture, column) for column in PLANNED_COLUMNS] if fixture.pk else None
        entry_a, entry_b = entries.get(seated(pairing.a) or 0), entries.get(seated(pairing.b) or 0)
        _fill_fixture(fixture, pairing, entry_a, entry_b)
        if before is None or pairing.key not in stand:
            fixture.why = pairing.why.as_dict()
        made: list[Match] = []
        if entry_a and entry_b and (before is None or not fixture.matches):
            made = _new_matches(event, pairing.length, entry_a, entry_b, at)
            matches += made
            if event.has_teams:
                boards += [Board(fixture=fixture, number=number, match=match) for number, match in enumerate(made, 1)]
            else:
                (fixture.match,) = made
        if before is None:
            new.append(fixture)
        elif made or before != [getattr(fixture, column) for column in PLANNED_COLUMNS]:
            changed.append(fixture)
    Match.objects.bulk_create(matches)
    Fixture.objects.bulk_create(new)
    Fixture.objects.bulk_update(changed, PLANNED_FIELDS)
    Board.objects.bulk_create(boards)


def _fill_fixture(fixture: Fixture, pairing: Pairing, entry_a: Entry | None, entry_b: Entry | None) -> None:
    fixture.bracket, fixture.round, fixture.number = pairing.bracket, pairing.round, pairing.number
    fixture.length = pairing.length
    fixture.entry_a, fixture.entry_b = entry_a, entry_b
    fixture.feed_a, fixture.feed_b = pairing.feed_a, pairing.feed_b


def _new_matches(event: Event, length: int, entry_a: Entry, entry_b: Entry, at: datetime) -> list[Match]:
    """One match, or one for each board between those whom the teams have on it."""
    if not event.has_teams:
        return [new_match(event, length, entry_a.people, entry_b.people, at)]
    boards = zip(range(event.boards), entry_a.people, entry_b.people, strict=False)
    return [new_match(event, length, (a,), (b,), at) for _number, a, b in boards]


def new_match(event: Event, length: int, a: Sequence[Player], b: Sequence[Player], at: datetime) -> Match:
    """A match on the event's terms, not stored yet; a side is one player or two."""
    return Match(
        side_a=a[0],
        side_b=b[0],
        partner_a=a[1] if len(a) > 1 else None,
        partner_b=b[1] if len(b) > 1 else None,
        length=length,
        profile=event.profile,
        crawford=event.crawford,
        created_at=at,
    )
