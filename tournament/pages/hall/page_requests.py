"""Players who ask on the desk for their page: let in, or not."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.entries.page_requests import answer_page_request
from tournament.models import PageRequest
from tournament.pages.following import find_tournament
from tournament.pages.hall.desk import answer
from tournament.roles.permissions import require


@require_POST
@login_required
def answer_one(request: HttpRequest, tournament_slug: str, request_id: str, action: str) -> HttpResponse:
    """Say yes or no to one player, and show on the desk what came of it."""
    tournament = find_tournament(tournament_slug)
    found = PageRequest.objects.select_related("entry__player", "entry__partner", "entry__event__tournament")
    asked = get_object_or_404(found, pk=int(request_id), entry__event__in=tournament.events.all())
    director = require(request.user, asked.entry.event, "change_entries")

    def say() -> str:
        answer_page_request(asked, yes=action == "yes", by=director, at=timezone.now())
        said = _("The page of %(name)s is open.") if action == "yes" else _("The page of %(name)s stays closed.")
        return said % {"name": asked.entry.name}

    return answer(request, tournament, say)
