"""The way of a result: checked by the rules, appended, the draw advanced, the change recorded; or nothing at all."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.models import SIDES, Match, Scoresheet, SheetSource, SheetState
from matches.services import (
    AGAIN,
    Claim,
    claim_as_dict,
    claim_of,
    current_sheet,
    prefetch_open_sheets,
    score_of,
    submit_sheet,
    void_sheet,
)
from players.errors import Conflict, Refusal
from players.models import User
from rules.score import MatchScore, Side
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.advance import advance, is_absent
from tournament.draw.calls import close_calls, prefetch_open_calls
from tournament.draw.outcomes import begun_at, read_fixtures, results_of
from tournament.draw.reconcile import Repair
from tournament.models import Advance, CallEnding, Event, Fixture
from tournament.models.draw import place_of
from tournament.models.team import event_of, find_fixture, matches_in


def enter_result(
    match: Match,
    *,
    claim: Claim,
    repair: Repair | None = None,
    by: User | None,
    at: datetime,
    played_at: datetime | None = None,
) -> Scoresheet:
    """The claim is the match's current score sheet, and the draw has advanced as far as its results reach.

    Once the match is over its players have left their table.
    A repeated claim (same key) changes nothing. ``repair`` says what becomes of later matches that would lose a player.
    Raises Refusal, Unconfirmed or Conflict as :func:`matches.services.submit_sheet` does, Conflict
    (``later_match_begun``) if a later match that has begun would lose a player and no repair is given, and Conflict
    (``correction_closed``) for a correction without a reason once either player has begun his next match.
    """
    sheet, _is_new = submit_result(match, claim=claim, repair=repair, by=by, at=at, played_at=played_at)
    return sheet


@transaction.atomic
def submit_result(
    match: Match,
    *,
    claim: Claim,
    repair: Repair | None = None,
    by: User | None,
    at: datetime,
    played_at: datetime | None = None,
) -> tuple[Scoresheet, bool]:
    """As :func:`enter_result`, and whether the claim had not come before."""
    event, fixture, at = lock_fixture(match, at)
    known = match.sheets.filter(key=claim.key).exists()
    if not known:
        require_running(event)
    before = current_sheet(match) if claim.base and not known else None
    if before is not None:
        require_open(event, fixture, before, claim.reason)
    went_on = None if known else winner_of(fixture, before)
    sheet, is_new = submit_sheet(match, claim=claim, source=SheetSource.DESK, by=by, at=at, played_at=played_at)
    if is_new:
        follow_result(event, fixture, match, went_on=went_on, repair=repair, reason=claim.reason, by=by, at=at)
        record_result(
            event,
            fixture,
            sheet,
            verb="enter_result" if before is None or claim.continues(claim_of(before)) else "correct_result",
            by=by,
            at=at,
            base=claim.base,
            repair=repair,
            **({"played_at": played_at.isoformat()} if played_at is not None else {}),
        )
    return sheet, is_new


@transaction.atomic
def void_result(
    match: Match, *, base: int, reason: str, repair: Repair | None = None, by: User | None, at: datetime
) -> Scoresheet:
    """The match has no result; whoever advanced by it has left the next match again.

    Raises Conflict if that match has begun and is not to be replayed, or if another sheet than ``base`` is current.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    if repair is Repair.STAND:
        raise Refusal("stand_without_result", _("Without a result nobody has advanced: there is nothing to let stand."))
    if (before := current_sheet(match)) is not None:
        require_open(event, fixture, before, reason)
    sheet = void_sheet(match, base=base, by=by, at=at, reason=reason)
    refuse_of_absence(fixture)
    standing_advances(fixture).update(ended_at=at, ended_by=by)
    advance(event, fixture.stage, by=by, at=at, repair=repair, reason=require_reason(repair, reason))
    record_result(event, fixture, sheet, verb="void_result", by=by, at=at, reason=reason, repair=repair)
    return sheet


@transaction.atomic
def end_advance(match: Match, *, reason: str, repair: Repair | None = None, by: User | None, at: datetime) -> None:
    """Nobody goes on from the match by ruling any more: its score decides again.

    Raises Conflict if nobody did, or if a later match that has begun would lose a player and is not to be replayed.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    standing = standing_advances(fixture).first()
    if standing is None:
        raise Conflict("nobody_advanced", _("Nobody goes on from this match by ruling."))
    standing.ended_at, standing.ended_by = at, by
    standing.save(update_fields=["ended_at", "ended_by"])
    advance(event, fixture.stage, by=by, at=at, repair=repair, reason=require_reason(repair, reason))
    sheet = current_sheet(match)
    if sheet is not None:
        record_result(event, fixture, sheet, verb="end_advance", by=by, at=at, reason=reason, repair=repair)


def follow_result(
    event: Event,
    fixture: Fixture,
    match: Match,
    *,
    went_on: int | None,
    repair: Repair | None,
    reason: str,
    by: User | None,
    at: datetime,
) -> None:
    """The draw follows the match's result, with this repair. ``went_on`` is the entry that went on until now.

    Once the match is over its players have left their table.
    Raises Refusal for a repair without a reason, and to let stand what nobody went on by.
    """
    reason = require_reason(repair, reason)
    sheet = current_sheet(match)
    if sheet is not None and sheet.state == SheetState.CONFIRMED:
        close_calls([match], ending=CallEnding.DONE, at=at)
    winner = winner_of(fixture, sheet)
    standing = standing_advances(fixture)
    kept = standing.first()
    if kept is not None and winner in {None, kept.entry_id}:
        standing.update(ended_at=at, ended_by=by)
    elif repair is Repair.STAND and kept is None and winner != went_on:
        if went_on is None or winner is None:
            raise Refusal(
                "stand_without_result", _("Without a result nobody has advanced: there is nothing to let stand.")
            )
        Advance.objects.create(match=match, entry_id=went_on, reason=reason, by=by, at=at)
    advance(event, fixture.stage, by=by, at=at, repair=repair, reason=reason)


def refuse_of_absence(fixture: Fixture) -> None:
    """Raises Conflict if one of the two has left: without its result the match would be a walkover at once."""
    if is_absent(fixture):
        raise Conflict(
            "walkover_of_absence",
            _("This is a walkover because a player has left. Take back that the player left instead."),
        )


def require_reason(repair: Repair | None, reason: str) -> str:
    """The reason as it is stored. Raises Refusal if a repair that touches what was played has none."""
    reason = reason.strip()[:200]
    if repair in {Repair.REPLAY, Repair.STAND} and not reason:
        raise Refusal("reason_missing", _("This changes matches that have begun: say why."))
    return reason


def require_open(event: Event, fixture: Fixture, sheet: Scoresheet, reason: str) -> None:
    """Raises Conflict without a ``reason`` to correct a confirmed result, once a player has begun his next match.

    Source: US Tournament Rules 4.10 (bkgm.com rgb 1246): an error may be corrected in time, but not after either player
    has begun a succeeding match; then only a director decides.
    """
    if reason.strip() or sheet.state != SheetState.CONFIRMED:
        return
    if later := next_match_begun(event, fixture, sheet):
        sentence = _("%(key)s has begun since: %(match)s. Correct it all the same? Then say why.")
        place = told_place(_find_fixture(later), later)
        key = place_of(place["fixture"], place.get("board", 0))
        raise Conflict("correction_closed", sentence % {"key": key, "match": later})


def needs_a_director(match: Match, *, base: int, repair: Repair | None) -> bool:
    """Whether to replace sheet ``base`` touches more than the match itself: then a scorer may not do it."""
    if repair is not None:
        return True
    sheet = current_sheet(match) if base else None
    if sheet is None or sheet.state != SheetState.CONFIRMED:
        return False
    fixture = find_fixture(match, "stage__event")
    if fixture is None:
        return False
    return next_match_begun(fixture.stage.event, fixture, sheet) is not None


def next_match_begun(event: Event, fixture: Fixture, sheet: Scoresheet) -> Match | None:
    """A match of either side in this event that has begun after this one was over, if there is one.

    The snapshot asks the same of every fixture: :func:`tournament.draw.outcomes.begun_at` is the one that knows.
    """
    path = "board__fixture" if event.has_teams else "fixture"
    entries = [fixture.entry_a_id, fixture.entry_b_id]
    theirs = Q(**{f"{path}__entry_a__in": entries}) | Q(**{f"{path}__entry_b__in": entries})
    others = matches_in(event).filter(theirs).exclude(**{path: fixture}).order_by("pk").select_related(*SIDES)
    loaded = others.prefetch_related(prefetch_open_sheets(), prefetch_open_calls())
    return next((match for match in loaded if (at := begun_at(match)) is not None and at > sheet.played_at), None)


def winner_of(fixture: Fixture, sheet: Scoresheet | None) -> int | None:
    """The entry that won by the sheet of its match, if it is confirmed; who goes on by ruling instead goes before it.

    Of two teams it is the one that has won by their boards as they are now, once all are decided.
    """
    if fixture.match_id is None:
        loaded = read_fixtures(Fixture.objects.filter(pk=fixture.pk))
        return next((result.winner for result in results_of(loaded)), None)
    if sheet is None or sheet.state != SheetState.CONFIRMED:
        return None
    winner = score_of_sheet(sheet.match, sheet).winner
    return fixture.entry_a_id if winner is Side.A else fixture.entry_b_id if winner is Side.B else None


def standing_advances(fixture: Fixture) -> QuerySet[Advance]:
    """Who goes on by ruling from the fixture's match, or from one of its boards; one at most."""
    path = "match__fixture" if fixture.match_id is not None else "match__board__fixture"
    return Advance.objects.filter(**{path: fixture}, ended_at__isnull=True)


def score_of_sheet(match: Match, sheet: Scoresheet) -> MatchScore:
    claim = claim_of(sheet)
    return score_of(match.terms, claim.games, claim.final, claim.awarded_to)


def record_result(
    event: Event,
    fixture: Fixture,
    sheet: Scoresheet,
    *,
    verb: str,
    by: User | None,
    at: datetime,
    reason: str | None = None,
    repair: Repair | None = None,
    **detail: object,
) -> None:
    """The change of a result has its log row: which match, whose, what was claimed, and the score it stands at."""
    match = sheet.match
    score = score_of_sheet(match, sheet)
    if repair is not None:
        detail["repair"] = repair.value
    if sheet.key.startswith(AGAIN):
        detail["again"] = True
    record_change(
        event,
        verb=verb,
        by=by,
        at=at,
        **told_place(fixture, match),
        match=match.pk,
        sheet=sheet.number,
        score=[score.a, score.b],
        conclusion=sheet.conclusion,
        claim=claim_as_dict(claim_of(sheet)),
        reason=sheet.reason if reason is None else reason.strip()[:200],
        **detail,
    )


def told_place(fixture: Fixture, match: Match) -> dict[str, Any]:
    """Where something happened, for the log: the pairing, who met, the board where teams meet, and a later stage."""
    told = told_fixture(fixture)
    if fixture.match_id is not None:
        return told
    seated = Match.objects.select_related("side_a", "side_b").get(pk=match.pk)
    board = fixture.boards.get(match=match)
    return {**told, "board": board.number, "players": [seated.name_a, seated.name_b]}


def told_fixture(fixture: Fixture) -> dict[str, Any]:
    """The pairing and who meets there, teams by their names, for the log; and its stage where that is a later one."""
    names = [entry.name for entry in (fixture.entry_a, fixture.entry_b) if entry is not None]
    later = {"stage": fixture.stage.number} if fixture.stage.number > 1 else {}
    return {"fixture": fixture.key, "players": names, **later}


def lock_fixture(match: Match, at: datetime) -> tuple[Event, Fixture, datetime]:
    """The event and the moment as :func:`tournament.changes.record.begin_step` gives them, and between them the
    fixture that the match decides, alone or with other boards."""
    event = event_of(match)
    if event is None:
        raise _not_in_draw()
    event, at = begin_step(event, at)
    fixture = _find_fixture(match)
    fixture.stage.event = event
    return event, fixture, at


def _find_fixture(match: Match) -> Fixture:
    people = ("match", "stage", "entry_a__player", "entry_a__partner", "entry_b__player", "entry_b__partner")
    fixture = find_fixture(match, *people)
    if fixture is None:
        raise _not_in_draw()
    return fixture


def _not_in_draw() -> Conflict:
    return Conflict("match_not_in_draw", _("This match belongs to no draw any more."))
