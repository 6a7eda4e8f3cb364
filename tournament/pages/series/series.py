"""Series on pages: everybody reads the standings, officers of the federation make and change them."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Refusal
from players.models import Federation
from players.points import POINTS
from players.registry.roles import reach_of, require_federation
from tournament.hall.site import site_of
from tournament.models import Event, Series, SeriesEvent
from tournament.pages.parameters import refuse_system
from tournament.pages.registry.bodies import find_federation
from tournament.pages.returning import refuse
from tournament.pages.series.forms import (
    TERMS,
    NewSeriesForm,
    SeriesEventForm,
    SeriesEventTermsForm,
    SeriesForm,
    asked_by,
    host_of,
    terms_told,
    typed_of,
    typed_terms,
)
from tournament.roles.permissions import require_signed_in
from tournament.series.make import (
    add_series_event,
    change_series,
    change_series_event,
    delete_series,
    make_series,
    remove_series_event,
)
from tournament.series.standings import Counted, table_of

OFFERED = 100
"""How many events an officer chooses from; others are named by their address."""


@require_safe
def series(request: HttpRequest, code: str, slug: str) -> HttpResponse:
    """Show the standings of the series, with what each player got for each event."""
    found = find_series(code, slug)
    table = table_of(found)
    context = {
        "series": found,
        "federation": found.federation,
        "table": table,
        "system": POINTS.get(found.points),
        "waiting": [row for row, how in table.events if how is Counted.OPEN],
        "computing": [row for row, how in table.events if how is Counted.COMPUTING],
        "of_many": [row for row, how in table.events if how is Counted.OF_MANY],
        "keeps": reach_of(request.user).keeps_federation(found.federation),
    }
    return render(request, "tournament/series/series.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_series(request: HttpRequest, code: str) -> HttpResponse:
    """Choose a point system, then say everything else about the series."""
    federation, by = find_federation(code), require_signed_in(request.user)
    require_federation(by, federation)
    points = request.GET.get("points", "")
    if points not in POINTS:
        return _systems_page(request, federation)
    form = NewSeriesForm(request.POST or None, points=points)
    if form.is_valid():
        try:
            slug = form.cleaned_data["slug"]
            made = make_series(federation, form.series(), slug=slug, by=by, at=timezone.now())
            return redirect("series-events", federation.code, made.slug)
        except Refusal as refusal:
            refuse_system(form, refusal)
    title = _("New series: %(system)s") % {"system": _(POINTS[points].name)}
    return _form_page(request, form, title, federation)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def edit_series(request: HttpRequest, code: str, slug: str) -> HttpResponse:
    """Change what the series is, with its own point system or another one; its address stays."""
    found, by = find_series(code, slug), require_signed_in(request.user)
    require_federation(by, found.federation)
    points = request.GET.get("points", found.points)
    if points not in POINTS:
        return _systems_page(request, found.federation, series=found)
    form = SeriesForm(request.POST or None, initial=typed_of(found, points), points=points)
    if form.is_valid():
        try:
            changed = change_series(found, form.series(), by=by)
        except Refusal as refusal:
            refuse_system(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect(changed)
    return _form_page(request, form, _("Edit %(name)s") % {"name": found.name}, found.federation, series=found)


@require_POST
@login_required
def remove_series(request: HttpRequest, code: str, slug: str) -> HttpResponse:
    found, by = find_series(code, slug), require_signed_in(request.user)
    delete_series(found, by=by)
    messages.success(request, _("“%(name)s” has been deleted.") % {"name": found.name})
    return redirect("federation", found.federation.code)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def series_events(request: HttpRequest, code: str, slug: str) -> HttpResponse:
    """Show the events of the series in order, and add one."""
    found, by = find_series(code, slug), require_signed_in(request.user)
    require_federation(by, found.federation)
    form, status = SeriesEventForm(request.POST or None, points=found.points, hosts=_hosts(request)), 200
    if form.is_valid():
        try:
            add_series_event(found, form.cleaned_data["event"], **form.terms(), by=by)
        except Refusal as refusal:
            refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
        else:
            messages.success(request, _("Saved."))
            return redirect("series-events", code, slug)
    if form.errors:
        status = 400
    present = Event.objects.filter(boards=1, doubles=False).select_related("tournament")
    rows = SeriesEvent.objects.filter(series=found, event__in=Event.objects.all())
    asked = asked_by(found.points)
    context = {
        "series": found,
        "federation": found.federation,
        "form": form,
        "rows": [(row, terms_told(row, asked)) for row in rows.select_related("event__tournament").order_by("number")],
        "offered": present.exclude(in_series__series=found).order_by("-tournament__starts_on", "-pk")[:OFFERED],
    }
    return render(request, "tournament/series/events.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def edit_event(request: HttpRequest, code: str, slug: str, row_id: int) -> HttpResponse:
    """Change the place of an event in the series, and what the point system asks of it."""
    found, by = find_series(code, slug), require_signed_in(request.user)
    require_federation(by, found.federation)
    row = _find_row(found, row_id)
    form = SeriesEventTermsForm(request.POST or None, initial=typed_terms(row), points=found.points)
    if form.is_valid():
        kept = {name: getattr(row, name) for name in TERMS}
        try:
            change_series_event(row, **{**kept, **form.terms()}, by=by)
        except Refusal as refusal:
            refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
        else:
            messages.success(request, _("Saved."))
            return redirect("series-events", code, slug)
    context = {"series": found, "federation": found.federation, "row": row, "form": form}
    return render(request, "tournament/series/event.html", context, status=400 if form.errors else 200)


@require_POST
@login_required
def remove_event(request: HttpRequest, code: str, slug: str, row_id: int) -> HttpResponse:
    found, by = find_series(code, slug), require_signed_in(request.user)
    require_federation(by, found.federation)
    remove_series_event(_find_row(found, row_id), by=by)
    messages.success(request, _("The event is no longer in the series."))
    return redirect("series-events", code, slug)


def find_series(code: str, slug: str) -> Series:
    """Find the series by the code of its federation, in whatever letters, and its address. Raises Http404."""
    rows = Series.objects.select_related("federation")
    return get_object_or_404(rows, federation__code=code.upper(), slug=slug)


def _find_row(series: Series, row_id: int) -> SeriesEvent:
    rows = SeriesEvent.objects.filter(series=series, event__in=Event.objects.all())
    return get_object_or_404(rows.select_related("series__federation", "event__tournament"), pk=row_id)


def _hosts(request: HttpRequest) -> set[str]:
    """Return the hosts under which this site is known."""
    return {host_of(one) for one in (site_of(request), settings.SITE_ADDRESS) if one}


def _systems_page(request: HttpRequest, federation: Federation, *, series: Series | None = None) -> HttpResponse:
    context = {"federation": federation, "series": series, "systems": POINTS.values()}
    return render(request, "tournament/series/systems.html", context)


def _form_page(
    request: HttpRequest, form: SeriesForm, title: str, federation: Federation, *, series: Series | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "title": title,
        "federation": federation,
        "series": series,
        "system": POINTS[form.points],
        "own": [form[name] for name in form.fields if name not in form.parameter_names],
        "parameters": [form[name] for name in form.parameter_names],
    }
    return render(request, "tournament/series/form.html", context, status=400 if form.errors else 200)
