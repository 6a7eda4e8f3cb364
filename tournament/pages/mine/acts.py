"""What players do on the page behind their private link besides reporting: check in, call the director, leave again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.entries.present import check_in_by_link
from tournament.entries.self_entry import take_back_self_entry
from tournament.mine.call_director import call_director_by_link
from tournament.pages.match.mine import entry_of, match_of, render_mine, until_it_ends


@require_POST
@csrf_protect
@until_it_ends
def check_in(request: HttpRequest, token: str) -> HttpResponse:
    entry = entry_of(token)
    try:
        check_in_by_link(entry, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    return redirect("my-entry", token=token)


@require_POST
@csrf_protect
@until_it_ends
def call_director(request: HttpRequest, token: str, match_id: str) -> HttpResponse:
    entry = entry_of(token)
    match = match_of(entry, int(match_id))
    try:
        call_director_by_link(entry, match, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(request, _("The director has been called."))
    return redirect("my-entry", token=token)


@require_POST
@csrf_protect
@until_it_ends
def take_back(request: HttpRequest, token: str) -> HttpResponse:
    """Remove the entry that the reader has made."""
    entry = entry_of(token)
    event = entry.event
    try:
        take_back_self_entry(entry, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(request, _("Your entry has been removed."))
    return redirect("event", event.tournament.slug, event.slug)
