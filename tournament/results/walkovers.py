"""A whole match of two teams given to one of them: every board that has no result gets it at once, and loses it so."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from matches.models import Conclusion, Match, Scoresheet, SheetSource, SheetState
from matches.services import Claim, claim_of, prefetched_reports, prefetched_sheet, submit_sheet, void_sheet
from players.errors import Conflict, Refusal
from players.models import User
from rules.score import Side
from tournament.changes.record import record_change, require_running
from tournament.draw.advance import advance, draw_lots
from tournament.draw.calls import close_calls
from tournament.draw.outcomes import prefetch_boards
from tournament.draw.steps import fixture_details, lock_fixture, score_of_sheet
from tournament.models import CallEnding, Fixture
from tournament.results.enter import refuse_of_absence, standing_advances


@transaction.atomic
def walk_over(match: Match, *, to: Side | None, key: str, reason: str = "", by: User | None, at: datetime) -> None:
    """Every board of the team match that had no result and no report is awarded to the side, and the draw has advanced.

    ``match`` is any of its boards. A board that was never entered is a walkover, one with games is forfeited and keeps
    them; what is reported waits for its confirmation. With no side neither team came: the bracket needs one who goes
    on, so lots decide, drawn from the seed of the stage as where both have left. Repeated with the same ``key`` it
    changes nothing. Raises Refusal for a match that is not of teams, Conflict if no board is left to award, or if the
    key was used for something else.
    """
    event, fixture, at = lock_fixture(match, at)
    if fixture.match_id is not None:
        raise Refusal("match_without_teams", _("This match is not a board of two teams."))
    winner = to or draw_lots(fixture.stage, fixture)
    known = Scoresheet.objects.filter(match__board__fixture=fixture, key=key).first()
    if known is not None:
        if known.awarded_to != winner:
            raise Conflict("key_reused", _("This submission's key was used before for another result."))
        return
    require_running(event)
    boards = _open_boards(fixture)
    if not boards:
        raise Conflict("boards_decided", _("Every board of this match has a result or a report."))
    close_calls(boards.values(), ending=CallEnding.DONE, at=at)
    told = []
    for number, board in boards.items():
        before = prefetched_sheet(board)
        claim = Claim(
            key=key,
            base=before.number if before else 0,
            games=claim_of(before).games if before else (),
            conclusion=Conclusion.FORFEIT if before else Conclusion.WALKOVER,
            awarded_to=winner,
            confirmed=True,
            reason=reason or ("" if to else _("Neither came")),
        )
        sheet, _is_new = submit_sheet(board, claim=claim, source=SheetSource.DESK, by=by, at=at)
        told.append(_told(number, sheet) | {"base": claim.base, "conclusion": claim.conclusion})
    advance(event, fixture.stage, by=by, at=at)
    names = fixture_details(fixture)
    record_change(
        event,
        verb="walk_over",
        by=by,
        at=at,
        **names,
        match=match.pk,
        to=names["players"]["AB".index(winner)],
        neither=to is None,
        boards=told,
        reason=reason.strip()[:200],
    )


@transaction.atomic
def void_walkover(
    match: Match, *, boards: Sequence[Mapping[str, int]], reason: str, by: User | None, at: datetime
) -> None:
    """These boards stand as before the whole match was walked over, and whoever advanced by it has left again.

    ``boards`` are those that the log row of it tells. Raises Conflict if one has another result meanwhile, if a later
    match that has begun would lose a player, or if a team has left.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    refuse_of_absence(fixture)
    told = []
    for given in boards:
        board = Match.objects.get(pk=given["match"])
        before = board.sheets.filter(number=given["base"]).prefetch_related("lines").first()
        if before is None:
            void_sheet(board, base=given["sheet"], by=by, at=at, reason=reason)
            continue
        again = replace(
            claim_of(before), key=f"before-{given['sheet']}", base=given["sheet"], confirmed=True, reason=reason
        )
        sheet, _is_new = submit_sheet(board, claim=again, source=SheetSource.DESK, by=by, at=at)
        told.append(_told(given["board"], sheet))
    standing_advances(fixture).update(ended_at=at, ended_by=by)
    advance(event, fixture.stage, by=by, at=at)
    details = {**fixture_details(fixture), "match": match.pk, "boards": told}
    record_change(event, verb="void_walkover", by=by, at=at, **details, reason=reason)


def _open_boards(fixture: Fixture) -> dict[int, Match]:
    """The boards that nobody has claimed the end of, by their numbers."""
    prefetch_related_objects([fixture], prefetch_boards())
    return {
        number: match
        for number, match in fixture.matches.items()
        if not prefetched_reports(match)
        and ((sheet := prefetched_sheet(match)) is None or sheet.state != SheetState.CONFIRMED)
    }


def _told(number: int, sheet: Scoresheet) -> dict[str, object]:
    """A board and its new sheet, for the log."""
    score = score_of_sheet(sheet.match, sheet)
    return {"board": number, "match": sheet.match_id, "sheet": sheet.number, "score": [score.a, score.b]}
