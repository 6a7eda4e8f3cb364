"""The log of a tournament or an event: filtered, page by page, or as a file."""

from collections.abc import Collection

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from tournament.exports.log import log_table
from tournament.log.filter import LogFilter
from tournament.log.public import as_public
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
    form, allowed = LogFilter(request.GET, tournament=tournament), actions_of(request.user, tournament)
    context = {
        "form": form,
        "tournament": tournament,
        "may": allowed,
        "deleted_events": Event.everything.filter(tournament=tournament).exclude(deleted_at=None).order_by("id"),
        "page": _page(request, form, allowed),
    }
    return render(request, "tournament/event/log.html", context, status=200 if form.is_valid() else 400)


@require_safe
@login_required
def event_log(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, _user = event_for(request, tournament_slug, event_slug, "read_log")
    form, allowed = LogFilter(request.GET, tournament=event.tournament, event=event), actions_of(request.user, event)
    snapshot = take_snapshot(event.pk)
    context = {
        "form": form,
        "event": snapshot,
        "stage": snapshot.stage,
        "may": allowed,
        "page": _page(request, form, allowed),
    }
    return render(request, "tournament/event/event_log.html", context, status=200 if form.is_valid() else 400)


@require_safe
@login_required
def tournament_log_file(request: HttpRequest, tournament_slug: str, format: str) -> HttpResponse:
    tournament, _user = kept_tournament_for(request, tournament_slug, "read_log")
    form, allowed = LogFilter(request.GET, tournament=tournament), actions_of(request.user, tournament)
    return _file(form, allowed, tournament.slug, format)


@require_safe
@login_required
def event_log_file(request: HttpRequest, tournament_slug: str, event_slug: str, format: str) -> HttpResponse:
    event, _user = event_for(request, tournament_slug, event_slug, "read_log")
    form, allowed = LogFilter(request.GET, tournament=event.tournament, event=event), actions_of(request.user, event)
    return _file(form, allowed, f"{tournament_slug}-{event.slug}", format)


def _page(request: HttpRequest, form: LogFilter, allowed: Collection[str]) -> Page:
    """Return the page of the rows that was asked for, as a reader with these actions is told them."""
    page = Paginator(form.rows(allowed), ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = as_public(page.object_list, allowed)
    return page


def _file(form: LogFilter, allowed: Collection[str], name: str, format: str) -> HttpResponse:
    """Answer with the rows that match the filter, as a file. Raises Http404 for a filter that cannot be read."""
    if not form.is_valid():
        raise Http404
    return answer_file(log_table(as_public(form.rows(allowed), allowed)), name=f"log-{slugify(name)}", format=format)
