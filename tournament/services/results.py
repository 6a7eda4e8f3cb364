"""The way of a result: checked by the rules, appended, the draw advanced, the change recorded; or nothing at all."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import Match, Scoresheet, SheetSource
from matches.services import Claim, claim_of, score_of, submit_sheet, void_sheet
from players.errors import Conflict
from players.models import User
from tournament.calls import close_calls
from tournament.models import CallEnding, Event, Fixture
from tournament.models.team import find_fixture
from tournament.services.absence import advance, is_absent
from tournament.services.change import lock_event, record_change, require_running


@transaction.atomic
def enter_result(match: Match, *, claim: Claim, by: User | None, at: datetime) -> Scoresheet:
    """The claim is the match's current score sheet, and the draw has advanced as far as its results reach.

    Once the match is over its players have left their table.
    A repeated claim (same key) changes nothing. Raises Refusal, Unconfirmed or Conflict as
    :func:`matches.services.submit_sheet` does, and Conflict if a later match that has begun would lose a player.
    """
    event, fixture = lock_fixture(match)
    if not match.sheets.filter(key=claim.key).exists():
        require_running(event)
    before = match.sheets.filter(number=claim.base).prefetch_related("lines").first() if claim.base else None
    sheet, is_new = submit_sheet(match, claim=claim, source=SheetSource.DESK, by=by, at=at)
    if is_new:
        score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
        if score.over:
            close_calls([match], ending=CallEnding.DONE, at=at)
        advance(event, fixture.stage, by=by, at=at)
        record_change(
            event,
            verb="enter_result" if before is None or claim.continues(claim_of(before)) else "correct_result",
            by=by,
            at=at,
            **told_place(fixture, match),
            sheet=sheet.number,
            score=[score.a, score.b],
            conclusion=claim.conclusion,
            reason=sheet.reason,
        )
    return sheet


@transaction.atomic
def void_result(match: Match, *, base: int, reason: str, by: User | None, at: datetime) -> Scoresheet:
    """The match has no result; whoever advanced by it has left the next match again.

    Raises Conflict if that match has begun, if another sheet than ``base`` is current, or if the sheet is a walkover
    because somebody has left.
    """
    event, fixture = lock_fixture(match)
    require_running(event)
    sheet = void_sheet(match, base=base)
    if is_absent(fixture):
        raise Conflict(
            "walkover_of_absence",
            _("This is a walkover because a player has left. Take back that the player left instead."),
        )
    advance(event, fixture.stage, by=by, at=at)
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    record_change(
        event,
        verb="void_result",
        by=by,
        at=at,
        **told_place(fixture, match),
        sheet=sheet.number,
        score=[score.a, score.b],
        reason=reason.strip()[:200],
    )
    return sheet


def told_place(fixture: Fixture, match: Match) -> dict[str, Any]:
    """Where something happened, for the log: the pairing, who met, the board where teams meet, and a later stage."""
    later = {"stage": fixture.stage.number} if fixture.stage.number > 1 else {}
    if fixture.match_id is not None:
        names = [entry.name for entry in (fixture.entry_a, fixture.entry_b) if entry is not None]
        return {"fixture": fixture.key, "players": names, **later}
    seated = Match.objects.select_related("side_a", "side_b").get(pk=match.pk)
    board = fixture.boards.get(match=match)
    return {"fixture": fixture.key, "board": board.number, "players": [seated.name_a, seated.name_b], **later}


def lock_fixture(match: Match) -> tuple[Event, Fixture]:
    """The fixture that the match decides, alone or with other boards, and its event, which is locked."""
    fixture = _find_fixture(match)
    event = lock_event(fixture.stage.event)
    return event, _find_fixture(match)


def _find_fixture(match: Match) -> Fixture:
    people = ("entry_a__player", "entry_a__partner", "entry_b__player", "entry_b__partner")
    fixture = find_fixture(match, *people)
    if fixture is None:
        raise Conflict("match_not_in_draw", _("This match belongs to no draw any more."))
    return fixture
