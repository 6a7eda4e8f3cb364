"""Walkovers of whole team matches: one step gives every open board its result, and one step voids them all."""

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
    """Award the side every board of the team match without a result or a report, and advance the draw.

    ``match`` is any of its boards. A board that was never entered is a walkover; one with games is forfeited and keeps
    them; a report waits for its confirmation. Without a side neither team came: the bracket needs one of them to
    advance, so lots decide, drawn from the seed of the stage as when both have left. Repeated with the same ``key``
    this changes nothing. Raises Refusal for a match that is not of teams, Conflict if no board is left to award, or if
    the key was used for something else.
    """
    event, fixture, at = lock_fixture(match, at)
    if fixture.match_id is not None:
        raise Refusal("match_without_teams", _("This match is not a board of a team match."))
    winner = to or draw_lots(fixture.stage, fixture)
    known = Scoresheet.objects.filter(match__board__fixture=fixture, key=key).first()
    if known is not None:
        if known.awarded_to != winner:
            raise Conflict("key_reused", _("This submission's key has already been used for another result."))
        return
    require_running(event)
    boards = _open_boards(fixture)
    if not boards:
        raise Conflict("boards_decided", _("Every board of this match already has a result or a report."))
    close_calls(boards.values(), ending=CallEnding.DONE, at=at)
    awarded = []
    for number, board in boards.items():
        before = prefetched_sheet(board)
        claim = Claim(
            key=key,
            base=before.number if before else 0,
            games=claim_of(before).games if before else (),
            conclusion=Conclusion.FORFEIT if before else Conclusion.WALKOVER,
            awarded_to=winner,
            confirmed=True,
            reason=reason or ("" if to else _("Neither team came")),
        )
        sheet, _is_new = submit_sheet(board, claim=claim, source=SheetSource.DESK, by=by, at=at)
        awarded.append(_board_details(number, sheet) | {"base": claim.base, "conclusion": claim.conclusion})
    advance(event, fixture.stage, by=by, at=at)
    details = fixture_details(fixture)
    record_change(
        event,
        verb="walk_over",
        by=by,
        at=at,
        **details,
        match=match.pk,
        to=details["players"]["AB".index(winner)],
        neither=to is None,
        boards=awarded,
        reason=reason.strip()[:200],
    )


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
