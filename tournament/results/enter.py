"""Entering a result: it is checked and appended, the draw advances and the change is recorded, or nothing happens."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.claims import Claim, claim_of
from matches.error_rates import keep_error_rates, rates_of
from matches.models import SIDES, Match, Scoresheet, SheetState
from matches.reports import enter_from_desk, void_from_desk
from matches.services import current_sheet, lock_sheets, prefetch_open_sheets, sheet_of, sheet_seen
from players.errors import Conflict, Refusal
from players.models import User
from players.statements import Statement, columns_of
from rules.score import Side
from tournament.changes.record import require_running
from tournament.draw.advance import advance, is_absent
from tournament.draw.calls import close_calls, prefetch_open_calls
from tournament.draw.kept import Touched
from tournament.draw.outcomes import begun_at, read_fixtures, results_of
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.draw.steps import find_place, lock_fixture, place_details, record_result, score_of_sheet
from tournament.models import Advance, CallEnding, Event, Fixture
from tournament.models.draw import place_of
from tournament.models.team import matches_in
from tournament.results.dates import confirmed_date, dates_of, require_played_at
from tournament.roles.permissions import forbidden

MayRepair = bool | Callable[[Event], bool]
"""Whether a person may repair, or a way to ask once the event is locked: their role may be taken while they wait."""


def enter_result(
    match: Match,
    *,
    claim: Claim,
    repair: Repair | None = None,
    may_repair: MayRepair = False,
    by: User | None,
    at: datetime,
    played_at: datetime | None = None,
    by_rule: Mapping[str, str] | None = None,
) -> Scoresheet:
    """Make the claim the match's current score sheet, and advance the draw as far as its results allow.

    Once the match is over its players leave their table. A repeated claim (same key) changes nothing. ``by_rule`` is
    what the log keeps of the event's rule by which this was decided, if no person decided it.

    ``repair`` says what becomes of later matches that would lose a player; ``may_repair`` is whether the person who
    enters this may decide that. Raises Refusal, Unconfirmed or Conflict as :func:`matches.services.submit_sheet` does,
    RepairNeeded if a later match that has begun would lose a player and no repair is given, and Forbidden or
    RepairNeeded as :func:`require_open` does.
    """
    sheet, _is_new = submit_result(
        match, claim=claim, repair=repair, may_repair=may_repair, by=by, at=at, played_at=played_at, by_rule=by_rule
    )
    return sheet


@transaction.atomic
def submit_result(
    match: Match,
    *,
    claim: Claim,
    repair: Repair | None = None,
    may_repair: MayRepair = False,
    by: User | None,
    at: datetime,
    played_at: datetime | None = None,
    by_rule: Mapping[str, str] | None = None,
) -> tuple[Scoresheet, bool]:
    """Do the same as :func:`enter_result`; the second value returned is whether the claim is new."""
    event, fixture, at = lock_fixture(match, at)
    sheets = lock_sheets(match)
    if (known := sheet_of(sheets, claim)) is not None:
        return known, False
    before = sheet_seen(sheets, claim)
    allowed = (before is not None or repair is not None) and is_repairer(event, may_repair)
    require_repairer(event, repair, allowed)
    require_running(event)
    require_open(event, fixture, before, claim.reason, may_repair=allowed)
    confirmed = confirmed_date(before)
    advanced = winner_of(fixture, before) if repair is Repair.STAND else None
    sheet, _is_new = enter_from_desk(sheets, claim=claim, by=by, at=at, played_at=played_at)
    require_played_at(fixture, confirmed, claim, at)
    fixtures = follow_result(
        event, fixture, match, sheet, advanced=advanced, repair=repair, reason=claim.reason, by=by, at=at, alone=True
    )
    record_result(
        event,
        fixture,
        sheet,
        verb=verb_of(claim, before),
        by=by,
        at=at,
        fixtures=fixtures,
        base=claim.base,
        absent=[],
        repair=repair,
        **({"played_at": played_at.isoformat()} if played_at is not None else {}),
        **dates_of(claim, confirmed),
        **(by_rule or {}),
    )
    return sheet, True


@transaction.atomic
def void_result(
    match: Match,
    *,
    base: int,
    reason: str,
    repair: Repair | None = None,
    may_repair: MayRepair = False,
    by: User | None,
    at: datetime,
) -> Scoresheet:
    """Void the match's result; the entry that advanced by it is removed from the next match.

    Its error rates are forgotten, because a new result may be of a match that is played again.
    Raises RepairNeeded if that match has begun and is not to be replayed, Conflict if another sheet than ``base`` is
    current, and Forbidden or RepairNeeded as :func:`require_open` does.
    """
    event, fixture, at = lock_fixture(match, at)
    sheets = lock_sheets(match)
    allowed = is_repairer(event, may_repair)
    require_repairer(event, repair, allowed)
    require_running(event)
    if repair is Repair.STAND:
        raise nothing_stands()
    require_open(event, fixture, sheets.current, reason, may_repair=allowed)
    sheet = void_from_desk(sheets, base=base, by=by, at=at, reason=reason)
    refuse_of_absence(fixture)
    standing_advances(fixture).update(ended_at=at, ended_by=by)
    rates = rates_of(sheets.match)
    if rates is not None:
        keep_error_rates(sheets.match, None)
    touched = Touched(fixture, None)
    advance(event, fixture.stage, by=by, at=at, repair=repair, reason=require_reason(repair, reason), touched=touched)
    forgotten = {"rates": list(rates)} if rates is not None else {}
    record_result(event, fixture, sheet, verb="void_result", by=by, at=at, reason=reason, repair=repair, **forgotten)
    return sheet


@transaction.atomic
def end_advance(
    match: Match,
    *,
    reason: str,
    repair: Repair | None = None,
    may_repair: MayRepair = False,
    by: User | None,
    at: datetime,
) -> None:
    """End the ruling on who advances from the match, so that its score decides again.

    Raises Forbidden for somebody who may not repair, Conflict if there is no such ruling, and RepairNeeded if a later
    match that has begun would lose a player and is not to be replayed.
    """
    event, fixture, at = lock_fixture(match, at)
    if not is_repairer(event, may_repair):
        raise forbidden(event, "repair_result")
    require_running(event)
    by_ruling = standing_advances(fixture).first()
    if by_ruling is None:
        raise nobody_advanced()
    by_ruling.ended_at, by_ruling.ended_by = at, by
    by_ruling.save(update_fields=["ended_at", "ended_by"])
    advance(event, fixture.stage, by=by, at=at, repair=repair, reason=require_reason(repair, reason))
    sheet = current_sheet(match)
    if sheet is not None:
        record_result(event, fixture, sheet, verb="end_advance", by=by, at=at, reason=reason, repair=repair)


def follow_result(
    event: Event,
    fixture: Fixture,
    match: Match,
    sheet: Scoresheet | None,
    *,
    advanced: int | None,
    repair: Repair | None,
    reason: str,
    by: User | None,
    at: datetime,
    alone: bool = False,
) -> Collection[int] | None:
    """Advance the draw by the match's current sheet, with this repair, and end the match's call once it is over.

    ``advanced`` is the entry that had advanced from the match until now; it is needed only to let that stand.
    ``alone`` says that nothing but the sheets of the match has been written in this transaction. Returns the ids of the
    fixtures that have changed, or None if more has. Raises Refusal for a repair without a reason, and for letting stand
    what nobody advanced by.
    """
    reason = require_reason(repair, reason)
    if sheet is not None and sheet.state == SheetState.CONFIRMED:
        close_calls([match], ending=CallEnding.DONE, at=at)
    by_ruling = standing_advances(fixture).first() if event.has_teams else _advanced_from(match)
    if by_ruling is not None:
        if winner_of(fixture, sheet) in {None, by_ruling.entry_id}:
            standing_advances(fixture).update(ended_at=at, ended_by=by)
    elif repair is Repair.STAND and (stays := entry_let_stand(advanced, winner_of(fixture, sheet))) is not None:
        Advance.objects.create(match=match, entry_id=stays, reason=reason, by=by, at=at)
    touched = Touched(fixture, sheet) if alone and repair is None and by_ruling is None and sheet is not None else None
    chain = advance(event, fixture.stage, by=by, at=at, repair=repair, reason=reason, touched=touched)
    return None if touched is None or chain.rewritten is None else {fixture.pk, *chain.rewritten}


def _advanced_from(match: Match) -> Advance | None:
    """Return the standing ruling on who advances from the match, between players or pairs."""
    return next(iter(_ADVANCES.find(Advance, match.pk)), None)


_ADVANCES = Statement(
    lambda match: Advance.objects.filter(match=match, ended_at=None).order_by("pk").values_list(*columns_of(Advance))
)


def entry_let_stand(advanced: int | None, winner: int | None) -> int | None:
    """Return the entry that has ``advanced`` if it takes a ruling that it stays, because another is the winner now.

    Raises Refusal if nobody had advanced, or nobody has won.
    """
    if winner == advanced:
        return None
    if advanced is None or winner is None:
        raise nothing_stands()
    return advanced


def nothing_stands() -> Refusal:
    return Refusal("stand_without_result", _("Without a result nobody has advanced, so there is nothing to let stand."))


def nobody_advanced() -> Conflict:
    return Conflict("nobody_advanced", _("No ruling says who advances from this match."))


def verb_of(claim: Claim, before: Scoresheet | None) -> str:
    """Return the verb of the log for a claim that comes after another sheet, or after none."""
    return "enter_result" if before is None or claim.continues(claim_of(before)) else "correct_result"


def refuse_of_absence(fixture: Fixture) -> None:
    """Raise Conflict if either side has left: without its result the match would become a walkover at once."""
    if is_absent(fixture):
        raise Conflict(
            "walkover_of_absence",
            _("This is a walkover because a player has left. Undo the departure instead."),
        )


def require_reason(repair: Repair | None, reason: str) -> str:
    """Return the reason as stored. Raises Refusal if a repair that changes what was played lacks one."""
    reason = reason.strip()[:200]
    if repair in {Repair.REPLAY, Repair.STAND} and not reason:
        raise Refusal("reason_missing", _("This changes matches that have begun: give a reason."))
    return reason


def is_repairer(event: Event, may_repair: MayRepair) -> bool:
    """Whether a person may repair, now that the event is locked."""
    return may_repair(event) if callable(may_repair) else may_repair


def require_repairer(event: Event, repair: Repair | None, may_repair: bool) -> None:
    """Raise Forbidden if a repair is requested by a user without permission to make one."""
    if repair is not None and not may_repair:
        raise forbidden(event, "repair_result")


def require_open(event: Event, fixture: Fixture, sheet: Scoresheet | None, reason: str, *, may_repair: bool) -> None:
    """Raise Forbidden or RepairNeeded if either player has begun the next match, which closes the result.

    Forbidden is for people who may not repair, RepairNeeded for others who give no ``reason``. The event must be
    locked, so that no match of it begins in the meantime.

    Source: US Tournament Rules 4.10 (bkgm.com rgb 1246): an error may be corrected in time, but not after either player
    has begun a succeeding match; then only a director decides.
    """
    if sheet is None or (may_repair and reason.strip()):
        return
    later = next_match_begun(event, fixture, sheet)
    if later is None:
        return
    if not may_repair:
        raise forbidden(event, "repair_result")
    sentence = _("%(key)s (%(match)s) has since begun. To correct this result anyway, give a reason.")
    place = place_details(find_place(event, later), later)
    key = place_of(place["fixture"], place.get("board", 0))
    raise RepairNeeded("correction_closed", sentence % {"key": key, "match": later})


def next_match_begun(event: Event, fixture: Fixture, sheet: Scoresheet) -> Match | None:
    """Return a match of either side in this event that has begun since the sheet was confirmed, or None.

    The snapshot asks the same of every fixture, and both ask :func:`tournament.draw.outcomes.begun_at`.
    """
    if sheet.state != SheetState.CONFIRMED:
        return None
    path = "board__fixture" if event.has_teams else "fixture"
    entries = [fixture.entry_a_id, fixture.entry_b_id]
    theirs = Q(**{f"{path}__entry_a__in": entries}) | Q(**{f"{path}__entry_b__in": entries})
    others = matches_in(event).filter(theirs).exclude(**{path: fixture}).order_by("pk").select_related(*SIDES)
    loaded = others.prefetch_related(prefetch_open_sheets(), prefetch_open_calls())
    return next((match for match in loaded if (at := begun_at(match)) is not None and at > sheet.played_at), None)


def winner_of(fixture: Fixture, sheet: Scoresheet | None) -> int | None:
    """Return the winning entry on a confirmed sheet; a ruling on who advances takes precedence over it.

    Of two teams it is the one that has won more of their boards as they are now, once all are decided.
    """
    if fixture.match_id is None:
        loaded = read_fixtures(Fixture.objects.filter(pk=fixture.pk))
        return next((result.winner for result in results_of(loaded)), None)
    if sheet is None or sheet.state != SheetState.CONFIRMED:
        return None
    winner = score_of_sheet(sheet.match, sheet).winner
    return fixture.entry_a_id if winner is Side.A else fixture.entry_b_id if winner is Side.B else None


def standing_advances(fixture: Fixture) -> QuerySet[Advance]:
    """Return the standing rulings on who advances from the fixture's match or from one of its boards."""
    path = "match__fixture" if fixture.match_id is not None else "match__board__fixture"
    return Advance.objects.filter(**{path: fixture}, ended_at__isnull=True)
