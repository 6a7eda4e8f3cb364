"""The only writer of rulings: it stores a director's decision about a match with its reason, and never silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.claims import Claim, claim_of, refuse_large_cubes
from matches.models import (
    MAX_REASON,
    MAX_SUBMISSION_KEY,
    Conclusion,
    Match,
    Ruling,
    Scoresheet,
    SheetSource,
    SheetState,
    ruled_values,
)
from matches.services import current_sheet, describe_change, submit_sheet, supersede_open
from players.errors import Conflict, Refusal
from players.models import User
from rules.ruling_kinds import RULINGS, Case, Statement
from rules.rulings import Proposal, RulingKind, RulingRefused
from rules.score import Side
from rules.sheet import Terms


@dataclass(frozen=True, slots=True)
class RulingRequest(Statement):
    """The ruling a director makes, with what they state about the match: what :data:`RULINGS` requires for its kind.

    ``base`` is the number of the current sheet that the director saw, 0 for none, ``ruling_count`` the number of
    rulings. ``key`` makes a repeated request harmless.
    """

    kind: RulingKind
    key: str
    reason: str
    base: int = 0
    ruling_count: int = 0


@transaction.atomic
def make_ruling(match: Match, *, request: RulingRequest, by: User | None, at: datetime) -> tuple[Ruling, bool]:
    """Store the ruling and what it proposes: new terms, or a new sheet in place of the current one.

    Returns the ruling and whether it is new: a request whose key is known changes nothing. A result counts as recorded
    once its sheet is confirmed. Raises Refusal without a reason and where the ruling may not be made, and Conflict if
    another sheet became current or another ruling was made since the director looked, or if the key was used for
    something else.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    rulings = list(match.rulings.select_related("by"))
    known = known_ruling(rulings, request)
    if known is not None:
        return known, False
    proposal = propose(match, rulings, current_sheet(match), request)
    before = change_terms(match, proposal.terms)
    if before:
        match.full_clean()
        match.save(update_fields=list(before))
    ruling = new_ruling(match, proposal, request, before=before, after_sheet=match.sheets.count(), by=by, at=at)
    ruling.sheet = _replace_sheet(match, proposal, request, by=by, at=at)
    ruling.full_clean()
    ruling.save()
    return ruling, True


def known_ruling(rulings: Sequence[Ruling], request: RulingRequest) -> Ruling | None:
    """Return the one of the match's rulings that this request has already made, by its key; None if it is new.

    Raises Refusal without a reason or a key, and Conflict if the key was used for something else.
    """
    reason = request.reason.strip()[:MAX_REASON]
    if not reason:
        raise Refusal("reason_missing", _("Give a reason for the ruling."))
    if not request.key or len(request.key) > MAX_SUBMISSION_KEY:
        raise Refusal("key_invalid", _("A submission must carry a key of 1 to 64 characters."))
    known = next((ruling for ruling in rulings if ruling.key == request.key), None)
    if known is not None and (known.kind, known.reason, known.said) != (request.kind, reason, request.as_json()):
        raise key_is_reused()
    return known


def propose(match: Match, rulings: Sequence[Ruling], current: Scoresheet | None, request: RulingRequest) -> Proposal:
    """Return what a new ruling proposes. Raises Refusal and Conflict as :func:`make_ruling` does."""
    if request.base != (current.number if current else 0):
        raise Conflict("sheet_changed", describe_change(match, current))
    if request.ruling_count != len(rulings):
        raise Conflict("ruling_changed", _describe_rulings(rulings))
    return _propose(match, rulings, current, request)


def new_ruling(
    match: Match,
    proposal: Proposal,
    request: RulingRequest,
    *,
    before: dict[str, object],
    after_sheet: int,
    by: User | None,
    at: datetime,
) -> Ruling:
    """Make the ruling, without its sheet, and without storing it."""
    return Ruling(
        match=match,
        key=request.key,
        kind=proposal.kind,
        template=proposal.template,
        params=_names(match, proposal),
        reason=request.reason.strip()[:MAX_REASON],
        said=request.as_json(),
        before=before,
        after_sheet=after_sheet,
        by=by,
        at=at,
    )


@transaction.atomic
def undo_ruling(ruling: Ruling, *, reason: str, by: User | None, at: datetime) -> Ruling:
    """Undo the ruling: restore its terms, and re-enter the sheet that stood before it.

    Raises Conflict unless it is the last ruling of its match and the sheet it made is the current one.
    """
    match = Match.objects.select_for_update().get(pk=ruling.match_id)
    rulings = list(match.rulings.select_related("by"))
    current = current_sheet(match)
    made = ruling.sheet
    if rulings[-1] != ruling or (current.pk if current else None) != (made.pk if made else None):
        raise Conflict("undo_depends", _("A later change depends on this one. Undo the later change first."))
    stood = match.sheets.filter(number=ruling.after_sheet).exclude(state=SheetState.VOID).first()
    if len(rulings) > 1 and rulings[-2].after_sheet == ruling.after_sheet:
        stood = None  # set aside by the ruling before it, which made no sheet
    sheets = match.sheets.count()
    before = {name: getattr(match, name) for name in ruling.before}
    for name, value in ruling.before.items():
        setattr(match, name, value)
    if before:
        match.full_clean()
        match.save(update_fields=list(before))
    sheet = None
    if stood is not None:
        again = replace(
            claim_of(stood),
            key=f"undo-ruling-{ruling.pk}",
            base=current.number if current else 0,
            confirmed=True,
            reason=reason,
        )
        sheet, _is_new = submit_sheet(
            match, claim=again, source=SheetSource.DESK, by=by, at=at, played_at=stood.played_at
        )
    else:
        supersede_open(match, by=by, at=at, reason=reason)
    undone = Ruling(
        match=match,
        key=f"undo-{ruling.pk}",
        kind=RulingKind.UNDONE,
        template=gettext_noop("Ruling %(number)s has been undone."),
        params={"number": len(rulings), "first": match.name_a, "second": match.name_b},
        reason=reason,
        said={"undoes": ruling.pk},
        before=before,
        after_sheet=sheets,
        sheet=sheet,
        by=by,
        at=at,
    )
    undone.full_clean()
    undone.save()
    return undone


def _propose(match: Match, rulings: Sequence[Ruling], current: Scoresheet | None, request: RulingRequest) -> Proposal:
    """Return the ruling's proposal. Raises Refusal if it may not be made."""
    declared = RULINGS.get(request.kind)
    if declared is None:
        raise Refusal("ruling_unknown", _("A ruling can only be undone from the event's history."))
    claim = claim_of(current) if current and not declared.sets_aside else Claim(key="")
    if claim.conclusion == Conclusion.VOID:
        raise Refusal("ruling_on_award", _("This match is void. Take that result back before you rule on its games."))
    if claim.awarded_to:
        raise Refusal(
            "ruling_on_award", _("This match was awarded. Take that result back before you rule on its games.")
        )
    games, final = request.games, request.final
    if games is None:
        games, final = claim.games, final or claim.final
    refuse_large_cubes(games)
    case = Case(
        terms=match.terms,
        posted=match.terms_without(rulings).length,
        games=games,
        final=final,
        final_entered=claim.final is not None,
        recorded=current is not None and current.state == SheetState.CONFIRMED,
        statement=request,
    )
    try:
        return declared.propose(case)
    except RulingRefused as refused:
        raise Refusal(refused.code, _(refused.template) % refused.params) from None


def _names(match: Match, proposal: Proposal) -> dict[str, object]:
    """Return the parameters of the proposal's sentence, with the players' names."""
    names = {"first": match.name_a, "second": match.name_b}
    if proposal.awarded_to:
        names["name"] = match.name_a if proposal.awarded_to is Side.A else match.name_b
    return {**proposal.params, **names}


def _replace_sheet(
    match: Match,
    proposal: Proposal,
    request: RulingRequest,
    *,
    by: User | None,
    at: datetime,
) -> Scoresheet | None:
    """Make the proposal the current sheet; without games or a result, leave the match with no current sheet."""
    claim = claim_proposed(proposal, request)
    if claim is None:
        supersede_open(match, by=by, at=at, reason=request.reason)
        return None
    sheet, is_new = submit_sheet(match, claim=claim, source=SheetSource.DESK, by=by, at=at)
    if not is_new:
        raise key_is_reused()
    return sheet


def claim_proposed(proposal: Proposal, request: RulingRequest) -> Claim | None:
    """Return the claim that the ruling makes; None if it leaves neither games nor a result."""
    if not (proposal.games or proposal.final or proposal.awarded_to):
        return None
    conclusion = Conclusion.PLAYED
    if proposal.awarded_to:
        has_begun = proposal.games or proposal.terms.start != (0, 0)
        conclusion = Conclusion.FORFEIT if has_begun else Conclusion.WALKOVER
    return Claim(
        key=request.key,
        base=request.base,
        games=proposal.games,
        final=proposal.final,
        conclusion=conclusion,
        awarded_to=proposal.awarded_to,
        confirmed=True,
        reason=request.reason,
    )


def key_is_reused() -> Conflict:
    return Conflict("key_reused", _("This submission's key has already been used for another result."))


def change_terms(match: Match, terms: Terms) -> dict[str, object]:
    """Give the match these terms without storing it; return the previous values of those that changed."""
    proposed = ruled_values(terms)
    before = {name: getattr(match, name) for name, value in proposed.items() if getattr(match, name) != value}
    for name in before:
        setattr(match, name, proposed[name])
    return before


def _describe_rulings(rulings: Sequence[Ruling]) -> str:
    who = rulings[-1].by if rulings else None
    sentence = _("In the meantime %(who)s made a ruling on this match. Look at it before you make another.")
    return sentence % {"who": who or _("somebody")}
