"""Deleting a tournament or an event by typing its name, and restoring it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.events import deletion
from tournament.models import Event
from tournament.pages.following import event_for, kept_tournament_for, tournament_for
from tournament.pages.people.forms import DeletionForm
from tournament.roles.permissions import require


@login_required
def delete_tournament(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, user = tournament_for(request, tournament_slug, "delete_tournament")
    form = DeletionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            deletion.delete_tournament(tournament, typed=form.cleaned_data["name"], by=user, at=timezone.now())
        except Refusal as refusal:
            form.add_error("name", str(refusal))
        else:
            messages.success(
                request, _("“%(name)s” has been deleted. Its owner can restore it.") % {"name": tournament.name}
            )
            return redirect("log", tournament_slug)
    events = tournament.events.order_by("id")
    context = {
        "form": form,
        "subject": tournament,
        "warnings": [sentence for event in events for sentence in deletion.reasons_to_keep(event)],
    }
    return render(request, "tournament/event/delete.html", context, status=400 if form.is_bound else 200)


@login_required
def delete_event(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, user = event_for(request, tournament_slug, event_slug, "delete_event")
    form = DeletionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            deletion.delete_event(event, typed=form.cleaned_data["name"], by=user, at=timezone.now())
        except Refusal as refusal:
            form.add_error("name", str(refusal))
        else:
            messages.success(
                request, _("“%(name)s” has been deleted. It can be restored from the log.") % {"name": event.name}
            )
            return redirect("tournament", tournament_slug)
    context = {
        "form": form,
        "subject": event,
        "warnings": deletion.reasons_to_keep(event),
        "was_drawn": event.log.filter(verb="make_draw").exists(),
    }
    return render(request, "tournament/event/delete.html", context, status=400 if form.is_bound else 200)


@require_POST
@login_required
def restore_tournament(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, user = kept_tournament_for(request, tournament_slug, "restore_tournament")
    try:
        deletion.restore_tournament(tournament, by=user, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("tournament", tournament_slug)


@require_POST
@login_required
def restore_event(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    kept = Event.everything.select_related("tournament").filter(tournament__deleted_at=None)
    event = get_object_or_404(kept, tournament__slug=tournament_slug, slug=event_slug)
    user = require(request.user, event, "restore_event")
    try:
        deletion.restore_event(event, by=user, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("log", tournament_slug)
