"""A player's challenges on the private page: whom they may challenge now, and their own open challenge."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.entries.challenges import challenge_by_link, withdraw_by_link
from tournament.pages.match.mine import entry_of, render_mine, until_it_ends


@require_POST
@csrf_protect
@until_it_ends
def challenge(request: HttpRequest, token: str, entry_id: int) -> HttpResponse:
    entry = entry_of(token)
    try:
        challenge_by_link(entry, challenged=entry_id, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(request, _("Your challenge has been made. You can play at once."))
    return redirect("my-entry", token=token)


@require_POST
@csrf_protect
@until_it_ends
def withdraw(request: HttpRequest, token: str, number: int) -> HttpResponse:
    entry = entry_of(token)
    try:
        withdraw_by_link(entry, number=number, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(request, _("Your challenge has been withdrawn."))
    return redirect("my-entry", token=token)
