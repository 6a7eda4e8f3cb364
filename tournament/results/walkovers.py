"""Walkovers: a match to which one side or neither came; between teams one step decides every open board."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from matches.claims import Claim, claim_of
from matches.models import Conclusion, Match, Scoresheet, SheetSource, SheetState
from matches.services import prefetched_reports, prefetched_sheet, submit_sheet, void_sheet
from players.errors import Conflict
from players.models import User
from rules.score import Side
from tournament.changes.record import record_change, require_running
from tournament.draw.advance import advance
from tournament.draw.calls import close_calls
from tournament.draw.outcomes import prefetch_boards
from tournament.draw.steps import fixture_details, lock_fixture, score_of_sheet
from tournament.models import CallEnding, Fixture
from tournament.results.enter import enter_result, refuse_of_absence, standing_advances


@transaction.atomic
def walk_over(
    match: Match,
    *,
    to: Side | None,
    key: str,
    reason: str = "",
    by_rule: Mapping[str, str] | None = None,
    by: User | None,
    at: datetime,
) -> None:
    """Award the match to the side that came, or make it void if neither did, and advance the draw.

    Between teams ``match`` is any board, and this decides all those without a result or a report: one that was never
    entered is a walkover or void; one with games is forfeited and keeps them; a report waits for its confirmation.
    Repeated with the same ``key`` this changes nothing. ``by_rule`` is what the log keeps of the event's rule by which
    this was decided, if no person decided it. Raises Conflict if there is nothing left to decide, if neither
    is to have come although a board has begun, or if the key was used for something else.
    """
    event, fixture, at = lock_fixture(match, at)
    if fixture.match_id is not None:
        conclusion = Conclusion.WALKOVER if to else Conclusion.VOID
        claim = Claim(key=key, conclusion=conclusion, awarded_to=to, reason=reason)
        enter_result(match, claim=claim, by_rule=by_rule, by=by, at=at)
        return
    known = Scoresheet.objects.filter(match__board__fixture=fixture, key=key).first()
    if known is not None:
        if known.awarded_to != (to or ""):
            raise Conflict("key_reused", _("This submission's key has already been used for another result."))
        return
    require_running(event)
    boards = _open_boards(fixture)
    if not boards:
        raise Conflict("boards_decided", _("Every board of this match already has a result or a report."))
    if to is None and any(prefetched_sheet(board) is not None for board in boards.values()):
        raise Conflict("match_begun", _("A board of this match has begun, so at least one team has come."))
    close_calls(boards.values(), ending=CallEnding.DONE, at=at)
    awarded = [_award(number, board, to=to, key=key, reason=reason, by=by, at=at) for number, board in boards.items()]
    advance(event, fixture.stage, by=by, at=at)
    details = fixture_details(fixture)
    record_change(
        event,
        verb="walk_over",
        by=by,
        at=at,
        **details,
        match=match.pk,
        to=details["players"]["AB".index(to)] if to else "",
        neither=to is None,
        boards=awarded,
        reason=reason.strip()[:200],
        **(by_rule or {}),
    )


def _award(
    number: int, board: Match, *, to: Side | None, key: str, reason: str, by: User | None, at: datetime
) -> dict[str, object]:
    """Award the board with this number, and return what the log keeps of that."""
    before = prefetched_sheet(board)
    claim = Claim(
        key=key,
        base=before.number if before else 0,
        games=claim_of(before).games if before else (),
        conclusion=Conclusion.VOID if to is None else Conclusion.FORFEIT if before else Conclusion.WALKOVER,
        awarded_to=to,
        confirmed=True,
        reason=reason,
    )
    sheet, _is_new = submit_sheet(board, claim=claim, source=SheetSource.DESK, by=by, at=at)
    return _board_details(number, sheet) | {"base": claim.base, "conclusion": claim.conclusion}


@transaction.atomic
def void_walkover(
    match: Match, *, boards: Sequence[Mapping[str, int]], reason: str, by: User | None, at: datetime
) -> None:
    """Void the walkover of a whole match: its boards revert, and the team that advanced by it leaves the next match.

    ``boards`` are those that its log row names. Raises Conflict if one has another result by now, if a later match that
    has begun would lose a player, or if a team has left.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    refuse_of_absence(fixture)
    restored = []
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
        restored.append(_board_details(given["board"], sheet))
    standing_advances(fixture).update(ended_at=at, ended_by=by)
    advance(event, fixture.stage, by=by, at=at)
    details = {**fixture_details(fixture), "match": match.pk, "boards": restored}
    record_change(event, verb="void_walkover", by=by, at=at, **details, reason=reason)


def _open_boards(fixture: Fixture) -> dict[int, Match]:
    """Return the boards with no confirmed or reported final result, by number."""
    prefetch_related_objects([fixture], prefetch_boards())
    return {
        number: match
        for number, match in fixture.matches.items()
        if not prefetched_reports(match)
        and ((sheet := prefetched_sheet(match)) is None or sheet.state != SheetState.CONFIRMED)
    }


def _board_details(number: int, sheet: Scoresheet) -> dict[str, object]:
    """Return the board and its new sheet, for the log."""
    score = score_of_sheet(sheet.match, sheet)
    return {"board": number, "match": sheet.match_id, "sheet": sheet.number, "score": [score.a, score.b]}
