"""The tables that everybody may download: of an event, and ranking lists."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from players.models import RankingList
from tournament.exports.tables import PUBLIC_EXPORTS, Subject, make_table
from tournament.pages.files import answer_file
from tournament.pages.following import find_event
from tournament.roles.authors import SEES_REASONS
from tournament.roles.permissions import actions_of


@require_safe
def event_file(request: HttpRequest, tournament_slug: str, event_slug: str, name: str, format: str) -> HttpResponse:
    if name not in PUBLIC_EXPORTS:
        raise Http404
    event = find_event(tournament_slug, event_slug)
    table = make_table(name, Subject(event, with_reasons=SEES_REASONS in actions_of(request.user, event)))
    return answer_file(table, name=f"{tournament_slug}-{event_slug}-{name}", format=format)


@require_safe
def ranking_file(request: HttpRequest, system: str, format: str) -> HttpResponse:
    get_object_or_404(RankingList, system=system)
    return answer_file(make_table("ranking", Subject(system=system)), name=f"ranking-{system}", format=format)
