"""The officer's page of an event: approving it for a list, and changing what it declared."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.errors import Refusal
from players.lists.models import OfficialList
from players.lists.officers import keeps, require_keeper, require_officer
from players.models import User
from tournament.events.redeclare import redeclare
from tournament.events.terms import DECLARED
from tournament.models import Event
from tournament.pages.reporting.forms import ApproveForm, RedeclareForm
from tournament.pages.returning import refuse
from tournament.pages.zone import show_times_of
from tournament.reporting.counting import lists_of
from tournament.reporting.decide import sanction_event, withdraw_sanction


def _event_for(request: HttpRequest, event_id: int) -> tuple[Event, User]:
    user = require_officer(request.user)
    event = get_object_or_404(Event.objects.select_related("tournament"), pk=event_id)
    show_times_of(event.tournament)
    return event, user


@require_safe
@login_required
def event_page(request: HttpRequest, event_id: int) -> HttpResponse:
    return _render(request, *_event_for(request, event_id))


def _render(request: HttpRequest, event: Event, user: User, status: int = 200, **typed: object) -> HttpResponse:
    standing = {one.official_list_id: one for one in event.sanctions.filter(withdrawn_at=None)}
    lists = [(one, standing.get(one.pk), ApproveForm()) for one in lists_of(event) if keeps(user, one)]
    form = RedeclareForm(initial={name: getattr(event, name) for name in DECLARED})
    context = {"event_row": event, "lists": lists, "form": form, **typed}
    return render(request, "tournament/reporting/event.html", context, status=status)


@require_POST
@login_required
def approve(request: HttpRequest, event_id: int, slug: str, action: str) -> HttpResponse:
    """Approve the event for a list, or withdraw that."""
    event, user = _event_for(request, event_id)
    official_list = get_object_or_404(OfficialList.objects.select_related("federation"), slug=slug)
    require_keeper(user, official_list)
    if action == "withdraw":
        withdraw_sanction(event, official_list, by=user, at=timezone.now())
        return redirect("officer-event", event_id)
    form = ApproveForm(request.POST)
    if not form.is_valid():
        standing = event.sanctions.filter(official_list=official_list, withdrawn_at=None).first()
        return _render(request, event, user, 400, lists=[(official_list, standing, form)])
    sanction_event(event, official_list, weight=form.cleaned_data["weight"], by=user, at=timezone.now())
    return redirect("officer-event", event_id)


@require_POST
@login_required
def declare(request: HttpRequest, event_id: int) -> HttpResponse:
    event, user = _event_for(request, event_id)
    form = RedeclareForm(request.POST)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            redeclare(event, **form.declared_terms(), reason=reason, by=user, at=timezone.now())
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("officer-event", event_id)
    return _render(request, event, user, 400, form=form)
