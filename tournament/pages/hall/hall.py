"""The hall: its day plan for everybody, its tables, breaks and site address for directors."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.errors import Refusal
from tournament.forecast.day import plan_of_the_day
from tournament.hall import tables as services
from tournament.hall.desk import take_desk
from tournament.hall.site import set_site_address
from tournament.hall.values import DeskTable
from tournament.models import Tournament
from tournament.pages.following import find_tournament, tournament_for
from tournament.pages.hall.following import hall_page
from tournament.pages.hall.forms import BreakForm, SiteForm, TablesForm, TableTermsForm
from tournament.roles.permissions import actions_of


@require_safe
def day(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the events with their start and expected finish times, and the breaks."""
    return day_page(request, find_tournament(tournament_slug), BreakForm())


def day_page(request: HttpRequest, tournament: Tournament, form: BreakForm) -> HttpResponse:
    status, now = 400 if form.is_bound else 200, timezone.now()
    return hall_page(
        request,
        tournament,
        template="hall/day",
        at=now,
        context=lambda _versions: {
            "form": form,
            "may": actions_of(request.user, tournament),
            **plan_of_the_day(tournament, at=now),
        },
        is_kept=False,  # its forecasts come from a worker, and its form from the request
        status=status,
    )


@require_POST
@login_required
def add_break(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, director = tournament_for(request, tournament_slug, "change_hall")
    form = BreakForm(request.POST)
    if form.is_valid():
        try:
            services.add_break(tournament, **form.cleaned_data, by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("day", tournament.slug)
    return day_page(request, tournament, form)


@require_POST
@login_required
def remove_break(request: HttpRequest, tournament_slug: str, break_id: int) -> HttpResponse:
    tournament, director = tournament_for(request, tournament_slug, "change_hall")
    services.remove_break(tournament, break_id=break_id, by=director, at=timezone.now())
    return redirect("day", tournament.slug)


@login_required
def tables(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the tables in the hall, and add a range of table numbers."""
    tournament, director = tournament_for(request, tournament_slug, "change_hall")
    desk = take_desk(tournament, at=timezone.now())
    form = TablesForm(request.POST or None, initial={"first": _next_number(desk.tables)})
    if request.method == "POST" and form.is_valid():
        try:
            new = services.add_tables(tournament, **form.cleaned_data, by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            sentence = ngettext("%(count)s table added.", "%(count)s tables added.", len(new)) % {"count": len(new)}
            messages.success(request, sentence)
            return redirect("tables", tournament.slug)
    return _tables_page(request, tournament, desk.tables, form, SiteForm.of(tournament))


def _next_number(found: Sequence[DeskTable]) -> int:
    return max((table.number for table in found), default=0) + 1


def _tables_page(
    request: HttpRequest, tournament: Tournament, found: Sequence[DeskTable], form: TablesForm, site_form: SiteForm
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "may": actions_of(request.user, tournament),
        "form": form,
        "site_form": site_form,
        "tables": found,
        "events": tournament.events.filter(finished_at__isnull=True).order_by("pk"),
    }
    status = 400 if form.is_bound or site_form.is_bound else 200
    return render(request, "tournament/hall/tables.html", context, status=status)


@require_POST
@login_required
def set_site(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Save the site address; one that is refused comes back as typed."""
    tournament, director = tournament_for(request, tournament_slug, "change_hall")
    form = SiteForm(request.POST)
    if form.is_valid():
        try:
            set_site_address(tournament, **form.cleaned_data, by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error("address", str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect(f"{reverse('tables', args=[tournament.slug])}#site")
    found = take_desk(tournament, at=timezone.now()).tables
    return _tables_page(request, tournament, found, TablesForm(initial={"first": _next_number(found)}), form)


@require_POST
@login_required
def update_table(request: HttpRequest, tournament_slug: str, number: int) -> HttpResponse:
    tournament, director = tournament_for(request, tournament_slug, "change_hall")
    form = TableTermsForm(request.POST, events=tournament.events.all())
    try:
        if not form.is_valid():
            raise Refusal("event_of_another_tournament", _("This event belongs to another tournament."))
        services.update_table(tournament, number=number, **form.cleaned_data, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("tables", tournament.slug)
