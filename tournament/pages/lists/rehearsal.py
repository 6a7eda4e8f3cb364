"""The rehearsal of a switch: a season replayed from files, and every difference to the official list."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.errors import Refusal
from players.lists.make import system_of
from players.lists.officers import require_keeper
from players.lists.rehearsal import rehearse
from players.tables import MAX_FILE
from tournament.pages.lists.forms import RehearsalForm
from tournament.pages.lists.published import find_list
from tournament.pages.returning import refuse

MOST_SHOWN = 500


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the files, and show what comes out of them; nothing is stored."""
    found = find_list(slug)
    require_keeper(request.user, found)
    form = RehearsalForm(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"list": found, "form": form}
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        starts, results, official = (
            sent[name].read(MAX_FILE + 1) if sent[name] else b"" for name in ("starts", "results", "official")
        )
        try:
            done = rehearse(system_of(found), starts=starts or None, results=results, official=official)
        except Refusal as refusal:
            refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
        else:
            context |= {"done": done, "differences": done.differences[:MOST_SHOWN], "unread": done.unread[:MOST_SHOWN]}
            status = 200
    return render(request, "tournament/lists/rehearsal.html", context, status=status)
