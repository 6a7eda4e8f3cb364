"""The log of a tournament or an event: filtered, page by page, or as a file."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from tournament.exports.log import log_table
from tournament.log.filter import LogFilter
from tournament.models import Event
from tournament.pages.files import answer_file
from tournament.pages.following import event_for, kept_tournament_for
from tournament.roles.permissions import actions_of
from tournament.snapshot import take_snapshot

ROWS_ON_A_PAGE = 100


@require_safe
@login_required
def tournament_log(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, _user = kept_tournament_for(request, tournament_slug, "read_log")
    form = LogFilter(request.GET, tournament=tournament)
    context = {
        "form": form,
        "tournament": tournament,
        "may": actions_of(request.user, tournament),
        "deleted_events": Event.everything.filter(tournament=tournament).exclude(deleted_at=None).order_by("id"),
        "page": Paginator(form.rows(), ROWS_ON_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "tournament/event/log.html", context, status=200 if form.is_valid() else 400)


@require_safe
@login_required
def event_log(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, _user = event_for(request, tournament_slug, event_slug, "read_log")
    form = LogFilter(request.GET, tournament=event.tournament, event=event)
    snapshot = take_snapshot(event.pk)
    context = {
        "form": form,
        "event": snapshot,
        "stage": snapshot.stage,
        "may": actions_of(request.user, event),
        "page": Paginator(form.rows(), ROWS_ON_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "tournament/event/event_log.html", context, status=200 if form.is_valid() else 400)


@require_safe
@login_required
def tournament_log_file(request: HttpRequest, tournament_slug: str, format: str) -> HttpResponse:
    tournament, _user = kept_tournament_for(request, tournament_slug, "read_log")
    return _file(LogFilter(request.GET, tournament=tournament), tournament.slug, format)


@require_safe
@login_required
def event_log_file(request: HttpRequest, tournament_slug: str, event_slug: str, format: str) -> HttpResponse:
    event, _user = event_for(request, tournament_slug, event_slug, "read_log")
    form = LogFilter(request.GET, tournament=event.tournament, event=event)
    return _file(form, f"{tournament_slug}-{event.slug}", format)


def _file(form: LogFilter, name: str, format: str) -> HttpResponse:
    """Answer with the rows that match the filter, as a file. Raises Http404 for a filter that cannot be read."""
    if not form.is_valid():
        raise Http404
    return answer_file(log_table(form.rows()), name=f"log-{slugify(name)}", format=format)
