"""The only writer of rulings: what a director decides about a match is stored with its reason, and never silently."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import Conclusion, Match, Ruling, SheetSource, SheetState
from matches.services import Claim, current_sheet, describe_change, submit_sheet
from players.errors import Conflict, Refusal
from players.models import User
from rules.rulings import (
    LengthSchool,
    Proposal,
    RulingKind,
    RulingRefused,
    rule_crawford_annulled,
    rule_crawford_stands,
    rule_penalty_points,
    rule_resumed,
    rule_wrong_length,
)
from rules.sheet import GameResult, Terms


@dataclass(frozen=True, slots=True)
class RulingRequest:
    """The ruling that a director makes, and what he says of the match.

    ``games`` are those that were played, legal or not; none if the ruling is about the start. ``points`` are the
    penalty points given away by side A and side B in all; ``score`` is where the match is resumed, ``crawford_done``
    after its Crawford game. ``next_begun``: a game after the last of these has begun. ``played_to`` is the length that
    the players played to. ``base`` is the number of the current sheet that the director saw, 0 for none; ``key`` makes
    a repeated request harmless.
    """

    kind: RulingKind
    key: str
    reason: str
    base: int = 0
    games: tuple[GameResult, ...] = ()
    points: tuple[int, int] = (0, 0)
    score: tuple[int, int] = (0, 0)
    crawford_done: bool = False
    next_begun: bool = False
    played_to: int = 0


def propose(terms: Terms, request: RulingRequest, *, recorded: bool) -> Proposal:
    """What would stand by the ruling, without anything being changed. Raises Refusal where it may not be made."""
    games = request.games
    guard = {"next_begun": request.next_begun, "recorded": recorded}
    try:
        match request.kind:
            case RulingKind.PENALTY_POINTS:
                a, b = request.points
                return rule_penalty_points(terms, against_a=a, against_b=b, games=games)
            case RulingKind.RESUMED:
                a, b = request.score
                return rule_resumed(terms, a=a, b=b, crawford_done=request.crawford_done, games=games)
            case RulingKind.CRAWFORD_ANNULLED:
                return rule_crawford_annulled(terms, games, **guard)
            case RulingKind.CRAWFORD_STANDS:
                return rule_crawford_stands(terms, games, **guard)
            case RulingKind.LENGTH_POSTED:
                return rule_wrong_length(terms, games, agreed=request.played_to, school=LengthSchool.POSTED)
            case RulingKind.LENGTH_AGREED:
                return rule_wrong_length(terms, games, agreed=request.played_to, school=LengthSchool.AGREED)
    except RulingRefused as refused:
        raise Refusal(refused.code, _(refused.template) % refused.params) from None


@transaction.atomic
def make_ruling(match: Match, *, request: RulingRequest, by: User | None, at: datetime) -> tuple[Ruling, bool]:
    """The ruling is stored, and what it proposes stands: new terms, or a new sheet in place of the current one.

    Returns the ruling and whether it is new: a request whose key is known changes nothing. A result counts as recorded
    once its sheet is confirmed. Raises Refusal without a reason and where the ruling may not be made, and Conflict if
    another sheet became current since the director looked, if the key was used for something else, if a new start comes
    after the first sheet, and if the length that a draw fixes would change.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    reason = request.reason.strip()[:200]
    if not reason:
        raise Refusal("reason_missing", _("A ruling says why it was made."))
    if not request.key or len(request.key) > 64:
        raise Refusal("key_invalid", _("A submission carries a key of 1 to 64 characters."))
    known = match.rulings.filter(key=request.key).first()
    if known is not None:
        if (known.kind, known.reason) != (request.kind, reason):
            raise Conflict("key_reused", _("This submission's key was used before for another result."))
        return known, False
    current = current_sheet(match)
    if request.base != (current.number if current else 0):
        raise Conflict("sheet_changed", describe_change(match, current))
    recorded = current is not None and current.state == SheetState.CONFIRMED
    proposal = propose(match.terms, request, recorded=recorded)
    before = _change_terms(match, proposal)
    sheet = None
    if proposal.games or proposal.awarded_to:
        claim = Claim(
            key=request.key,
            base=request.base,
            games=proposal.games,
            conclusion=Conclusion.WALKOVER if proposal.awarded_to else Conclusion.PLAYED,
            awarded_to=proposal.awarded_to,
            confirmed=True,
            reason=reason,
        )
        sheet, is_new = submit_sheet(match, claim=claim, source=SheetSource.DESK, by=by, at=at)
        if not is_new:
            raise Conflict("key_reused", _("This submission's key was used before for another result."))
    elif current is not None:
        current.state = SheetState.SUPERSEDED
        current.save(update_fields=["state"])
    ruling = Ruling(
        match=match,
        key=request.key,
        kind=proposal.kind,
        template=proposal.template,
        params=dict(proposal.params),
        reason=reason,
        before=before,
        sheet=sheet,
        by=by,
        at=at,
    )
    ruling.full_clean()
    ruling.save()
    return ruling, True


def _change_terms(match: Match, proposal: Proposal) -> dict[str, object]:
    """The match has the proposed terms; returns those that changed, as they were. Raises Conflict where none may."""
    terms = proposal.terms
    if terms.length != match.length:
        raise Conflict("length_of_the_draw", _("The draw fixes the length of this match; a ruling cannot change it."))
    a, b = terms.start
    proposed = {"start_a": a, "start_b": b, "crawford_done": terms.crawford_done, "waived": sorted(terms.waived)}
    before = {name: getattr(match, name) for name, value in proposed.items() if getattr(match, name) != value}
    if before.keys() - {"waived"} and match.sheets.exists():
        raise Conflict("start_after_sheet", _("The start of this match cannot change: a result was entered for it."))
    for name in before:
        setattr(match, name, proposed[name])
    if before:
        match.full_clean()
        match.save(update_fields=list(before))
    return before
