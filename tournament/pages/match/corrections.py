"""The desk's decisions on reports and on advances by ruling."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Conflict, Forbidden, Refusal
from tournament.corrections.changes import EndAdvance
from tournament.corrections.undo import undo_step
from tournament.draw.reconcile import Repair
from tournament.log.words import tell
from tournament.models import LogEntry
from tournament.money.closing import MovesUnconfirmed
from tournament.pages.following import event_for
from tournament.pages.match.forms import EndAdvanceForm, ReportForm
from tournament.pages.match.match import match_for, render_match
from tournament.pages.match.offering import make_or_offer
from tournament.pages.money.consent import ConsentForm, ask_for_consent
from tournament.pages.returning import refuse
from tournament.results.reports import confirm_result, dispute_result
from tournament.roles.permissions import require_undo


@require_POST
@login_required
def settle(request: HttpRequest, match_id: int, action: str) -> HttpResponse:
    """Confirm a report on behalf of the desk, or mark it as disputed."""
    match, director, _allowed = match_for(
        request, match_id, "confirm_report" if action == "confirm" else "settle_report"
    )
    form = ReportForm(request.POST)
    if not form.is_valid():
        unclear = Refusal("report_missing", _("Choose the report to confirm."))
        return render_match(request, match, {"refusal": unclear}, unclear.status)
    number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
    try:
        if action == "confirm":
            confirm_result(match, number=number, by=director, at=timezone.now())
        else:
            dispute_result(match, number=number, reason=reason, by=director, at=timezone.now())
    except Refusal as refusal:
        return render_match(request, match, {"refusal": refusal}, refusal.status)
    messages.success(
        request,
        _("The result has been confirmed.") if action == "confirm" else _("The report has been marked as disputed."),
    )
    return redirect(match)


@require_POST
@login_required
def end_advance_of(request: HttpRequest, match_id: int) -> HttpResponse:
    """End an advance by ruling, first showing the later matches that would be lost."""
    match, director, allowed = match_for(request, match_id, "repair_result")
    form = EndAdvanceForm(request.POST)
    if not form.is_valid():
        return render_match(request, match, {"end_advance_form": form}, 400)

    change = EndAdvance(match, form.cleaned_data["reason"], by=director, at=timezone.now())
    try:
        if offered := make_or_offer(request, match, form, change, may_repair="repair_result" in allowed):
            return render_match(request, match, {"end_advance_form": form, **offered}, offered["status"])
    except (Conflict, Forbidden) as refusal:
        return render_match(request, match, {"end_advance_form": form, "refusal": refusal}, refusal.status)
    except Refusal as refusal:
        refuse(form, refusal)
        return render_match(request, match, {"end_advance_form": form}, refusal.status)
    messages.success(request, _("The score once again decides who advances."))
    return redirect(match)


@require_POST
@login_required
def undo(request: HttpRequest, tournament_slug: str, event_slug: str, row_id: int) -> HttpResponse:
    """Undo one of the event's most recent steps; a refusal is shown on its history page."""
    event, _user = event_for(request, tournament_slug, event_slug, "undo")
    row = get_object_or_404(LogEntry.objects.select_related("event"), pk=row_id, event=event)
    director = require_undo(request.user, row)
    history, asked = reverse("history", args=[tournament_slug, event_slug]), ConsentForm(request.POST)
    try:
        undo_step(row, consent=asked.consent, by=director, at=timezone.now())
    except MovesUnconfirmed as unconfirmed:
        return ask_for_consent(request, event, unconfirmed, what=f"{_('Undo')}: {tell(row)}", form=asked, back=history)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The step has been undone."))
        if row.detail.get("repair") == Repair.REPLAY:
            messages.warning(request, _("Results that this correction voided have to be entered again."))
    return redirect(history)
