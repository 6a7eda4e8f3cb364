"""Rulings on a match: the director first sees what one would change, then makes it."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.history import Ruled, load_history
from matches.models import Match
from matches.rulings import RulingRequest
from matches.services import describe_change
from players.errors import Conflict, Refusal
from players.models import User
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.pages.match.match import match_for, render_match
from tournament.pages.match.offering import make_or_offer
from tournament.pages.match.ruling_forms import RULING_FORMS, LateForm
from tournament.results.enter import MayRepair
from tournament.results.rulings import preview_ruling, rule_late, rule_match
from tournament.snapshot import SheetSnapshot, view_sheet


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
        problem = " ".join(map(str, form.non_field_errors())) or _("Something is missing or is not a number.")
        return render_match(request, match, {**typed, "problem": problem}, 400)
    try:
        seen = _sheet_seen(match, form.cleaned_data["base"])
        confirmed, at = form.cleaned_data["confirmed"], timezone.now()
        if isinstance(form, LateForm):
            ruled, _is_new = rule_late(match, late=form.lateness(), by=director, at=at, preview=not confirmed)
            if not confirmed:
                return render_match(request, match, {**typed, "preview": ruled, "previewed": form})
        else:
            asked = form.request(match.terms, seen)

            def change(repair: Repair | None, reason: str, may_repair: MayRepair) -> None:
                rule_match(match, request=asked, repair=repair, may_repair=may_repair, by=director, at=at)

            if not confirmed and (preview := _preview(match, asked, director)):
                return render_match(request, match, {**typed, "preview": preview, "previewed": form})
            if offered := make_or_offer(request, match, form, change, may_repair="repair_result" in allowed):
                return render_match(request, match, offered, offered["status"])
    except Conflict as conflict:
        # The input is about a match that has changed, so the forms start afresh.
        return render_match(request, match, {"ruling": way, "refusal": conflict}, conflict.status)
    except Refusal as refusal:
        form.data = {**request.POST.dict(), "key": uuid.uuid4().hex}
        return render_match(request, match, {**typed, "refusal": refusal}, refusal.status)
    messages.success(request, _("The ruling has been made."))
    return redirect(f"{match.get_absolute_url()}#rulings")


def _preview(match: Match, asked: RulingRequest, director: User) -> Ruled | None:
    """Return what the ruling would change; None if a repair of later matches must be chosen as well."""
    try:
        return preview_ruling(match, request=asked, by=director, at=timezone.now())
    except RepairNeeded:
        return None


def _sheet_seen(match: Match, number: int) -> SheetSnapshot | None:
    """Return the sheet that the form showed, or None if it showed none. Raises Conflict if another is now current."""
    current = load_history(match).current
    if number != (current.number if current else 0):
        raise Conflict("sheet_changed", describe_change(match, current))
    return view_sheet(match.terms, current) if current else None
