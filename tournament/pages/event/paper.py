"""The pages for printing."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.pages.following import event_shown, find_event
from tournament.pages.site import site_for_codes
from tournament.pictures.paper import SHEETS
from tournament.roles.permissions import actions_of, require


@require_safe
def contents(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """List what can be printed for the event."""
    event = find_event(tournament_slug, event_slug)
    snapshot = event_shown(request, event)
    allowed = actions_of(request.user, event)
    context = {
        "event": snapshot,
        "stage": snapshot.stage,
        "may": allowed,
        "sheets": [(slug, sheet) for slug, sheet in SHEETS.items() if not sheet.action or sheet.action in allowed],
    }
    return render(request, "tournament/paper/contents.html", context)


@require_safe
def sheet(request: HttpRequest, tournament_slug: str, event_slug: str, slug: str) -> HttpResponse:
    if slug not in SHEETS:
        raise Http404
    event = find_event(tournament_slug, event_slug)
    chosen = SHEETS[slug]
    if chosen.action:
        require(request.user, event, chosen.action)
    snapshot = event_shown(request, event)
    site = site_for_codes(request, event.tournament)
    context = {
        "event": snapshot,
        "stage": snapshot.stage,
        "sheet": chosen,
        "site": site,
        **chosen.content(snapshot, site),
    }
    return render(request, chosen.template(slug), context)
