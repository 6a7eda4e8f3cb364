"""The pages for printing."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from tournament.pages.following import event_shown, find_event
from tournament.pages.site import site_for_codes
from tournament.pictures.paper import ROUND, SHEETS, Sheet
from tournament.roles.permissions import actions_of, require
from tournament.snapshot import EventSnapshot

IN_ONE_GO = Sheet(gettext_noop("Everything for this round"), "A4", lambda _event, _site: {})


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
        "in_one_go": [(slug, SHEETS[slug], is_chosen) for slug, is_chosen in ROUND.items()],
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
    context = _context(event_shown(request, event), chosen, site_for_codes(request, event.tournament))
    return render(request, chosen.template(slug), context)


@require_safe
def everything(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show several sheets below each other, to be printed in one go: those of ``?sheet=``, or else the usual ones."""
    event = find_event(tournament_slug, event_slug)
    snapshot = event_shown(request, event)
    asked = request.GET.getlist("sheet") or [slug for slug, is_chosen in ROUND.items() if is_chosen]
    site = site_for_codes(request, event.tournament)
    parts = []
    for slug in (slug for slug in ROUND if slug in asked):
        values = {**_context(snapshot, SHEETS[slug], site), "frame": "tournament/paper/bare.html"}
        parts.append(render_to_string(SHEETS[slug].template(slug), values, request=request))
    whole = {**_context(snapshot, IN_ONE_GO, site), "parts": parts}
    return render(request, "tournament/paper/round.html", whole)


def _context(snapshot: EventSnapshot, sheet: Sheet, site: str) -> Mapping[str, object]:
    return {
        "event": snapshot,
        "stage": snapshot.stage,
        "sheet": sheet,
        "site": site,
        "today": timezone.localdate(),
        **sheet.content(snapshot, site),
    }
