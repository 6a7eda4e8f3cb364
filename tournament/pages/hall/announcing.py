"""Announcements on the desk: made and withdrawn by the directors of the tournament, or of one of its events."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.hall.announcements import announce, withdraw_announcement
from tournament.models import Announcement
from tournament.pages.following import find_tournament
from tournament.pages.hall.desk import desk_page
from tournament.pages.hall.forms import AnnouncementForm
from tournament.pages.returning import refuse
from tournament.roles.permissions import forbidden, reaches_in, require, require_signed_in


@require_POST
@login_required
def make(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Announce what is typed; refused, it comes back to the desk."""
    tournament = find_tournament(tournament_slug)
    reaches = reaches_in(request.user, tournament)
    asked = request.POST.get("event", "")
    if not reaches["announce"].whole and asked not in map(str, reaches["announce"].events):
        raise forbidden(tournament, "announce")
    form = AnnouncementForm(request.POST, tournament=tournament, reach=reaches["announce"])
    if form.is_valid():
        at = timezone.now()
        text, event = form.cleaned_data["text"], form.cleaned_data["event"]
        director = require_signed_in(request.user)
        try:
            announce(tournament, text=text, event=event, ends_at=form.ends_at(at), by=director, at=at)
        except Refusal as refusal:
            refuse(form, refusal, field="text")
        else:
            messages.success(request, _("Announced."))
            return redirect("desk", tournament.slug)
    return desk_page(request, tournament, reaches, Refusal.status, {"announce_form": form})


@require_POST
@login_required
def withdraw(request: HttpRequest, tournament_slug: str, announcement_id: int) -> HttpResponse:
    tournament = find_tournament(tournament_slug)
    found = get_object_or_404(Announcement.objects.select_related("event"), tournament=tournament, pk=announcement_id)
    director = require(request.user, found.event or tournament, "announce")
    withdraw_announcement(found, by=director, at=timezone.now())
    return redirect("desk", tournament.slug)
