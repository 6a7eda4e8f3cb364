"""The deadline of a match, moved by its director on the page of the match."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.pages.match.forms import DeadlineForm
from tournament.pages.match.match import match_for, render_match
from tournament.pages.returning import refuse
from tournament.results.deadlines import move_deadline


@require_POST
@login_required
def move(request: HttpRequest, match_id: int) -> HttpResponse:
    """Give the match a deadline of its own."""
    match, director, _allowed = match_for(request, match_id, "move_deadline")
    form = DeadlineForm(request.POST)
    if not form.is_valid():
        return render_match(request, match, {"deadline_form": form}, 400)
    try:
        move_deadline(match, **form.cleaned_data, by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return render_match(request, match, {"deadline_form": form}, refusal.status)
    return redirect(match)
