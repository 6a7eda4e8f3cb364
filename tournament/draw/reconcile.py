"""Reconciling the published draw with the plan: the single way to start, advance and correct a stage."""

from collections.abc import Iterable, Mapping, Sequence, Set
from copy import copy
from datetime import datetime
from enum import StrEnum
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import SIDES, Match, Ruling, Scoresheet, SheetState
from matches.services import change_state, prefetched_sheet, void_everything
from players.errors import Conflict
from players.models import Player, User
from players.rows import insert_rows, update_rows
from tournament.draw.calls import close_calls, prefetched_call
from tournament.draw.chain import Chain, load_chain
from tournament.draw.fixtures import own_copy
from tournament.draw.kept import After, Touched, chain_after, chain_with, keep_on_commit
from tournament.draw.outcomes import is_walkover_of_absence, mark_as_new, match_has_begun, match_has_sheet
from tournament.formats.plan import Pairing, Reason, seated
from tournament.models import Advance, Board, Call, CallEnding, Entry, Event, Fixture, FormerMatch, Seat, Stage
from tournament.models.draw import place_of

PLANNED_FIELDS = ("bracket", "round", "number", "length", "entry_a_id", "entry_b_id", "feed_a", "feed_b")
PLANNED = attrgetter(*PLANNED_FIELDS)
"""The fixture values that the plan decides; :func:`planned_values` gives those of a pairing."""

MOST_NAMED = 4
"""The maximum number of matches named in a refusal; the rest are only counted."""


class Repair(StrEnum):
    """What happens to later matches that would lose a player.

    SWAP: seats change places in matches without a score, and a match that was called to a table is called there again.
    REPLAY: matches that have begun are void and played again. STAND: the entry that advanced stays, by ruling.
    """

    SWAP = "swap"
    REPLAY = "replay"
    STAND = "stand"


class RepairNeeded(Conflict):
    """The change reaches beyond its own match: decide what happens to later ones, or give a reason.

    ``why`` says it without ``advice``, which is for those to whom no repair is offered.
    """

    def __init__(self, code: str, why: str, advice: str = "") -> None:
        super().__init__(code, f"{why} {advice}".strip())
        self.why = why


def reconcile(
    event: Event,
    stage: Stage,
    *,
    at: datetime,
    repair: Repair | None = None,
    by: User | None = None,
    reason: str = "",
    touched: Touched | None = None,
) -> Chain:
    """Bring the fixtures and matches of this stage, and of every later drawn stage, into line with the plans.

    The event must be locked. Where the plans leave something to chance, urns are opened and stored. A stage that has to
    wait again, because the one before it is no longer finished, has no fixtures. If somebody would be moved out of a
    match that has begun, RepairNeeded is raised, naming the first few of such matches; a walkover that was given
    because somebody had left is taken back instead, and with REPLAY the sheets of other matches that have begun are
    made void for this ``reason``, and they leave their fixtures.

    ``touched`` is the fixture in which something was written, if nothing else of the event was since
    :func:`tournament.draw.kept.keep_before_writing`. The chain that is returned tells what was written here.
    """
    if touched is not None and repair is None:
        after = chain_after(event, stage, touched)
        if after is not None and _follow(after, stage, at=at):
            keep_on_commit(event, after)
            return after.chain
        chain = chain_with(event, touched)
    else:
        chain = load_chain(event)
    drawn = [one for one in chain.stages if one.pk == stage.pk or one.drawn_at is not None]
    with chain.lots.opening(drawn, at=at):
        chain = _reconcile(chain, stage, at=at, repair=repair, by=by, reason=reason)
        if chain.lots.has_opened:
            chain.rewritten = None
        return chain


def _follow(after: After, stage: Stage, *, at: datetime) -> bool:
    """Write the pairings that have changed; return False if that is not all that is to be done."""
    for pairing in after.pairings:
        fixture = after.fixtures.get(pairing.key)
        if fixture is None or (fixture.matches and not _same_seats(fixture, pairing)):
            return False
    _write_fixtures(after.chain, stage, after.fixtures, after.pairings, frozenset(), at)
    return True


def _reconcile(
    chain: Chain, stage: Stage, *, at: datetime, repair: Repair | None, by: User | None, reason: str
) -> Chain:
    if repair is Repair.REPLAY:
        while fallen := [fixture for fixture in to_be_moved(chain, stage) if was_played(fixture)]:
            for fixture in fallen:
                for match in fixture.matches.values():
                    void_everything(match, by=by, at=at, reason=reason)
                close_calls(fixture.matches.values(), ending=CallEnding.REDRAWN, at=at)
                _detach_matches(fixture, at=at)
            chain = chain.planned_again()
    refuse_to_move(to_be_moved(chain, stage), repair)
    for later in drawn_from(chain, stage):
        plan = None if chain.waits(later) else chain.at(later).plan
        _carry_out(chain, later, plan.pairings if plan else (), by=by, at=at)
        if _note(later, plan.notes if plan else ()):
            chain.rewritten = None
    return chain


def drawn_from(chain: Chain, stage: Stage) -> list[Stage]:
    """Return this stage and the later ones that are drawn."""
    later = chain.stages[stage.number - 1 :]
    return [one for one in later if one.pk == stage.pk or one.drawn_at is not None]


def to_be_moved(chain: Chain, stage: Stage) -> list[Fixture]:
    """Return the fixtures, from this stage on, that lose a player under the plans."""
    return [fixture for one in drawn_from(chain, stage) for fixture in moved_in(chain, one)]


def moved_in(chain: Chain, stage: Stage) -> list[Fixture]:
    """Return the stage's fixtures whose matches are no longer between the entries now seated there."""
    pairings = () if chain.waits(stage) else chain.at(stage).plan.pairings
    return moved_among(chain.fixtures[stage.pk], {pairing.key: pairing for pairing in pairings})


def moved_among(fixtures: Iterable[Fixture], planned: Mapping[str, Pairing]) -> list[Fixture]:
    """Return those of the fixtures whose matches are not between the entries ``planned`` there, by key."""
    return [
        fixture
        for fixture in fixtures
        if fixture.matches and (fixture.key not in planned or not _same_seats(fixture, planned[fixture.key]))
    ]


def _note(stage: Stage, reasons: Sequence[Reason]) -> bool:
    """Store with the stage what its draw could not avoid; return whether that is new."""
    notes = [reason.as_dict() for reason in reasons]
    if notes != stage.notes:
        Stage.objects.filter(pk=stage.pk).update(notes=notes)
        return True
    return False


def _carry_out(chain: Chain, stage: Stage, pairings: Sequence[Pairing], *, by: User | None, at: datetime) -> None:
    fixtures = {fixture.key: fixture for fixture in chain.fixtures[stage.pk]}
    planned = {pairing.key for pairing in pairings}
    moved = [own_copy(fixture) for fixture in moved_in(chain, stage)]
    fixtures |= {fixture.key: fixture for fixture in moved}
    calls = {fixture.key: call for fixture in moved if (call := prefetched_call(fixture.match)) is not None}
    if moved:
        close_calls(
            (match for fixture in moved for match in fixture.matches.values()), ending=CallEnding.REDRAWN, at=at
        )
    for fixture in moved:
        _detach_matches(fixture, at=at)
    gone = [fixture.pk for key, fixture in fixtures.items() if key not in planned]
    if gone:
        Fixture.objects.filter(pk__in=gone).delete()
    if gone or moved:
        chain.rewritten = None
    stand = chain.at(stage).keys_that_stand if pairings else frozenset()
    _write_fixtures(chain, stage, fixtures, pairings, stand, at)
    for key, call in calls.items():
        _call_again(fixtures.get(key), call, hall=chain.event.tournament_id, by=by, at=at)


def _call_again(fixture: Fixture | None, call: Call, *, hall: int, by: User | None, at: datetime) -> None:
    """Call the fixture's new match to the table of the previous one, if its players are free.

    The caller is the person who made the change, not the one who called the match before.
    """
    match = fixture.match if fixture is not None else None
    if match is None:
        return
    people = [getattr(match, f"{side}_id") for side in SIDES if getattr(match, f"{side}_id") is not None]
    if Seat.objects.filter(tournament=hall, person__in=people, left_at__isnull=True).exists():
        return
    again = Call.objects.create(match=match, table=call.table, called_at=at, by=by)
    Seat.objects.bulk_create(Seat(call=again, tournament_id=hall, person_id=person) for person in people)


def _same_seats(fixture: Fixture, pairing: Pairing) -> bool:
    return (fixture.entry_a_id, fixture.entry_b_id) == (seated(pairing.a), seated(pairing.b))


def refuse_to_move(moved: Sequence[Fixture], repair: Repair | None) -> None:
    """Raise RepairNeeded if matches of these fixtures have begun and would lose a player."""
    has_begun = match_has_sheet if repair is Repair.SWAP else match_has_begun
    begun = [
        f"{place_of(fixture.key, board)}: {match}"
        for fixture in moved
        for board, match in fixture.matches.items()
        if not _is_walked_over(match) and has_begun(match)
    ]
    if begun:
        sentence = _("This would take a player out of a match that has begun (%(matches)s).")
        named, more = "; ".join(begun[:MOST_NAMED]), len(begun) - MOST_NAMED
        if more > 0:
            named += " " + ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more}
        raise RepairNeeded(
            "later_match_begun", sentence % {"matches": named}, _("Take back its result or its call first.")
        )


def _is_walked_over(match: Match) -> bool:
    """Whether the match is a walkover for an absence, with no game played."""
    sheet = prefetched_sheet(match)
    return sheet is not None and is_walkover_of_absence(sheet)


def was_played(fixture: Fixture) -> bool:
    """Whether any match of the fixture has begun other than as a walkover for an absence."""
    return any(match_has_begun(match) and not _is_walked_over(match) for match in fixture.matches.values())


def _detach_matches(fixture: Fixture, *, at: datetime) -> None:
    """Detach the matches from the fixture: delete those never called or entered for, and keep the others.

    All boards of two teams are kept once one of them has a history: only together do they say what was decided.
    """
    for match in fixture.matches.values():
        if _is_walked_over(match) and (sheet := prefetched_sheet(match)) is not None:
            change_state(sheet, SheetState.VOID, by=None, at=at)
    matches, fixture.match = fixture.matches, None
    fixture.play_by, fixture.extended_by = None, []  # another pairing has the deadline of its round
    fixture.offers.all().delete()  # nor has anybody offered to play against it
    fixture.save(update_fields=["match", "play_by", "extended_by"])
    Board.objects.filter(fixture=fixture).delete()
    fixture.refresh_from_db(fields=["boards"])
    # Not ``match.sheets``: only the open ones have been loaded.
    has_history = any(rows.objects.filter(match__in=matches.values()).exists() for rows in (Scoresheet, Ruling))
    for board, match in matches.items():
        if has_history:
            _keep_place(fixture, board, match, at)
        elif not Call.objects.filter(match=match).exists():
            match.delete()


def _keep_place(fixture: Fixture, board: int, match: Match, at: datetime) -> None:
    """Record that the match belonged here, and end any ruling on who advances from it."""
    Advance.objects.filter(match=match, ended_at__isnull=True).update(ended_at=at)
    if fixture.entry_a is None or fixture.entry_b is None:
        return  # a match is always between two
    FormerMatch.objects.create(
        match=match,
        stage_id=fixture.stage_id,
        key=fixture.key,
        bracket=fixture.bracket,
        round=fixture.round,
        number=fixture.number,
        board=board,
        entry_a=fixture.entry_a,
        entry_b=fixture.entry_b,
        left_at=at,
    )


def _write_fixtures(
    chain: Chain,
    stage: Stage,
    fixtures: dict[str, Fixture],
    pairings: Sequence[Pairing],
    stand: Set[str],
    at: datetime,
) -> None:
    """Write the fixtures, changing copies; ``stand`` are the keys of the pairings that keep their published reason."""
    event, entries = chain.event, chain.entries
    new: list[Fixture] = []
    changed: list[Fixture] = []
    matches: list[Match] = []
    boards: list[Board] = []
    names: set[str] = set()
    for pairing in pairings:
        fixture = fixtures.get(pairing.key) or Fixture(stage=stage, key=pairing.key)
        is_new = fixture.pk is None
        why = pairing.why.as_dict() if is_new or pairing.key not in stand else fixture.why
        entry_a, entry_b = entries.get(seated(pairing.a) or 0), entries.get(seated(pairing.b) or 0)
        is_met = bool(entry_a and entry_b and (is_new or not fixture.matches))
        stored, planned = PLANNED(fixture), planned_values(pairing)
        if not (is_new or is_met or why != fixture.why or stored != planned):
            continue
        names |= {name for name, old, value in zip(PLANNED_FIELDS, stored, planned, strict=True) if old != value}
        fixture = fixtures[pairing.key] = fixture if is_new else copy(fixture)
        if entry_a and entry_b and is_met:
            made = new_matches(event, pairing.length, entry_a, entry_b, at)
            matches += made
            if event.has_teams:
                boards += [Board(fixture=fixture, number=number, match=match) for number, match in enumerate(made, 1)]
            else:
                (fixture.match,) = made
        fill_fixture(fixture, pairing, entry_a, entry_b)
        fixture.why = why
        (new if is_new else changed).append(fixture)
    insert_rows(matches)
    insert_rows(new)
    for fixture in changed:
        fixture.match = fixture.match  # a new one has its id only now
    update_rows(changed, {*names, "why", "match_id"})
    insert_rows(boards)
    if new or chain.rewritten is None:
        chain.rewritten = None
    else:
        chain.rewritten |= {fixture.pk: fixture for fixture in changed}


def planned_values(pairing: Pairing) -> tuple[object, ...]:
    a, b = seated(pairing.a), seated(pairing.b)
    return pairing.bracket, pairing.round, pairing.number, pairing.length, a, b, pairing.feed_a, pairing.feed_b


def fill_fixture(fixture: Fixture, pairing: Pairing, entry_a: Entry | None, entry_b: Entry | None) -> None:
    """Give the fixture, not stored yet, the plan's values, leaving its match untouched."""
    fixture.bracket, fixture.round, fixture.number = pairing.bracket, pairing.round, pairing.number
    fixture.length = pairing.length
    fixture.entry_a, fixture.entry_b = entry_a, entry_b
    fixture.feed_a, fixture.feed_b = pairing.feed_a, pairing.feed_b


def new_matches(event: Event, length: int, entry_a: Entry, entry_b: Entry, at: datetime) -> list[Match]:
    """Make one match, or one for each board between the players whom the teams field there."""
    if not event.has_teams:
        return [new_match(event, length, entry_a.people, entry_b.people, at)]
    boards = zip(range(event.boards), entry_a.people, entry_b.people, strict=False)
    return [new_match(event, length, (a,), (b,), at) for _number, a, b in boards]


def new_match(event: Event, length: int, a: Sequence[Player], b: Sequence[Player], at: datetime) -> Match:
    """Make a match on the event's terms without storing it; a side is one player or two."""
    match = Match(
        side_a=a[0],
        side_b=b[0],
        partner_a=a[1] if len(a) > 1 else None,
        partner_b=b[1] if len(b) > 1 else None,
        length=length,
        profile=event.profile,
        crawford=event.crawford,
        created_at=at,
    )
    return mark_as_new(match)
