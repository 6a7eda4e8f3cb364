"""Rulings on a match: the director first sees what one would change, then makes it."""

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.history import Ruled, load_history
from matches.models import Match
from matches.services import describe_change
from players.errors import Conflict, Refusal
from players.models import User
from players.questions import digest_of
from tournament.corrections.changes import Correction, Rule, RuleLate
from tournament.corrections.paper import Paper
from tournament.draw.reconcile import Repair
from tournament.pages.match.match import match_for, render_match
from tournament.pages.match.offering import make_or_offer
from tournament.pages.match.ruling_forms import RULING_FORMS, AnyForm, LateForm
from tournament.pages.returning import refuse, retype
from tournament.results.enter import MayRepair
from tournament.snapshot import SheetSnapshot, view_sheet


class _Unseen(Exception):  # noqa: N818
    """The ruling changes something else than what the director has said yes to: it is taken back, and shown first."""

    def __init__(self, ruled: Ruled) -> None:
        super().__init__()
        self.ruled = ruled


@require_http_methods(["GET", "POST"])
@login_required
def rule(request: HttpRequest, match_id: int, way: str) -> HttpResponse:
    """Show the consequences of the ruling, or make it once confirmed; anything refused comes back as typed."""
    match, director, allowed = match_for(request, match_id, "rule_match")
    if request.method == "GET":
        # A visitor who had to sign in before their ruling was accepted lands here.
        return redirect(match)
    form = RULING_FORMS[way](request.POST)
    typed = {f"{way}_form": form, "ruling": way}
    if not form.is_valid():
        return render_match(request, match, typed, 400)
    try:
        change = _ruling_of(match, form, director)
        if offered := make_or_offer(request, match, form, change, may_repair="repair_result" in allowed):
            return render_match(request, match, offered, offered["status"])
    except _Unseen as unseen:
        asked = {"preview": unseen.ruled, "previewed": form, "question": _question(unseen.ruled)}
        return render_match(request, match, {**typed, **asked, "is_new": bool(form.cleaned_data["confirmed"])})
    except Conflict as conflict:
        # What was typed comes back to be sent again, now for the match as the page shows it.
        return render_match(request, match, {**typed, "is_outdated": True, "refusal": conflict}, conflict.status)
    except Refusal as refusal:
        refuse(form, refusal)
        retype(form, key=uuid.uuid4().hex)
        return render_match(request, match, typed, refusal.status)
    messages.success(request, _("The ruling has been made."))
    return redirect(f"{match.get_absolute_url()}#rulings")


@dataclass(frozen=True)
class _Rule(Rule):
    """The ruling; without a repair, whose cost is confirmed instead, it raises _Unseen unless this is ``confirmed``."""

    confirmed: str

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> Ruled:
        with transaction.atomic():
            ruled = super().__call__(repair, reason, may_repair)
            return ruled if repair is not None else _require_seen(ruled, self.confirmed)


@dataclass(frozen=True)
class _RuleLate(RuleLate):
    """The ruling for lateness; it raises _Unseen unless what it changes is ``confirmed``."""

    confirmed: str

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> Ruled:
        with transaction.atomic():
            return _require_seen(super().__call__(repair, reason, may_repair), self.confirmed)

    def on_paper(self, paper: Paper, repair: Repair, reason: str) -> Ruled:
        return _require_seen(super().on_paper(paper, repair, reason), self.confirmed)


def _ruling_of(match: Match, form: AnyForm, director: User) -> Correction:
    """Return the ruling that the valid form asks for."""
    seen, confirmed = _sheet_seen(match, form.cleaned_data["base"]), form.cleaned_data["confirmed"]
    at = timezone.now()
    if isinstance(form, LateForm):
        return _RuleLate(match, form.lateness(), confirmed, by=director, at=at)
    return _Rule(match, form.request(match.terms, seen), confirmed, by=director, at=at)


def _require_seen(ruled: Ruled, confirmed: str) -> Ruled:
    if confirmed != _question(ruled):
        raise _Unseen(ruled)
    return ruled


def _question(ruled: Ruled) -> str:
    """Return the digest of what the director is asked to confirm."""
    row = ruled.row
    return digest_of(row.match_id, row.kind, row.said, row.params, row.reason, ruled.scores)


def _sheet_seen(match: Match, number: int) -> SheetSnapshot | None:
    """Return the sheet that the form showed, or None if it showed none. Raises Conflict if another is now current."""
    current = load_history(match).current
    if number != (current.number if current else 0):
        raise Conflict("sheet_changed", describe_change(match, current))
    return view_sheet(match.terms, current) if current else None
