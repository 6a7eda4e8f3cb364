"""The exports of federations and organisers: how tables are written, downloaded, and made by a worker."""

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Conflict, Refusal, Refused
from players.models import Federation, User
from tournament.exports.keepers import Keeper, keeper_of, require_keeper
from tournament.exports.kinds import KINDS, kinds_for
from tournament.exports.layout import preview, write_long
from tournament.exports.profiles import (
    change_profile,
    checked,
    file_name,
    make_profile,
    open_at_once,
    open_table,
    remove_profile,
)
from tournament.exports.spool import spooled
from tournament.jobs.exports import check_export, file_of
from tournament.jobs.services import start_job
from tournament.models import ExportProfile, KeptExport
from tournament.pages.exports.forms import DaysForm, ProfileForm, initial_of, this_year
from tournament.pages.registry.bodies import find_federation
from tournament.pages.returning import refuse
from tournament.roles.permissions import require_signed_in

PREVIEWED = 8
"""How many lines of a table stand beside its form."""
KEPT_SHOWN = 30


@require_safe
@login_required
@never_cache
def exports(request: HttpRequest, code: str = "") -> HttpResponse:
    """Show the exports of the federation of this code, or those that the user keeps as an organiser."""
    keeper = _keeper(request, code)
    first, last = this_year()
    days = DaysForm(request.GET if request.GET else None, initial={"first": first, "last": last})
    if days.is_valid():
        first, last = days.days()
    kept = keeper.kept_exports.defer("data").select_related("by")
    context = {
        "federation": keeper if isinstance(keeper, Federation) else None,
        "profiles": [(one, KINDS[one.kind].label) for one in keeper.export_profiles.select_related("official_list")],
        "kinds": [(slug, kind.label) for slug, kind in kinds_for(keeper).items()],
        "days": days,
        "first": first,
        "last": last,
        "kept": kept.annotate(is_empty=Q(data__isnull=True))[:KEPT_SHOWN],
    }
    return render(request, "tournament/exports/exports.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_profile(request: HttpRequest, kind: str, code: str = "") -> HttpResponse:
    keeper = _keeper(request, code)
    if kind not in kinds_for(keeper):
        raise Http404
    return _edit(request, keeper, ProfileForm(request.POST or None, kind=kind, keeper=keeper), None)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def profile_page(request: HttpRequest, profile_id: int) -> HttpResponse:
    profile = _profile(request, profile_id)
    keeper = keeper_of(profile)
    form = ProfileForm(request.POST or None, kind=profile.kind, keeper=keeper, initial=initial_of(profile))
    return _edit(request, keeper, form, profile)


def _edit(request: HttpRequest, keeper: Keeper, form: ProfileForm, profile: ExportProfile | None) -> HttpResponse:
    """Show the form beside its preview, or store it; one that is refused comes back as it was typed."""
    shown, status = profile, 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                shown = checked(keeper, form.data_of_profile(), at=timezone.now())
                if "show" not in request.POST:
                    return _store(request, keeper, form, profile)
                status = 200
            except Refusal as refusal:
                refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
                status = refusal.status
    context = {
        "federation": keeper if isinstance(keeper, Federation) else None,
        "exports": _address(keeper),
        "form": form,
        "profile": profile,
        "kind": KINDS[form.kind].label,
    }
    return render(request, "tournament/exports/profile.html", context | _preview(shown), status=status)


def _store(request: HttpRequest, keeper: Keeper, form: ProfileForm, profile: ExportProfile | None) -> HttpResponse:
    by, now, data = _user(request), timezone.now(), form.data_of_profile()
    if profile is None:
        make_profile(keeper, data, by=by, at=now)
    else:
        change_profile(profile, data, by=by, at=now)
    messages.success(request, _("The profile has been saved."))
    return redirect(_address(keeper))


def _preview(profile: ExportProfile | None) -> dict[str, object]:
    """Return the first lines as the profile writes those of this year, or why there are none."""
    if profile is None:
        return {}
    first, last = this_year()
    try:
        table, layout = open_table(profile, first=first, last=last)
        return {"titles": layout.titles, "lines": preview(table, layout, most=PREVIEWED)}
    except Refused as refused:
        return {"titles": [title for _name, title in profile.columns], "lines": [], "why_empty": str(refused)}


@require_safe
@login_required
@never_cache
def export_file(request: HttpRequest, profile_id: int) -> FileResponse | HttpResponse:
    """Send the file of these days, or offer to have it made if that takes too long to wait for."""
    profile = _profile(request, profile_id)
    first, last = _days(DaysForm(request.GET))
    try:
        table, layout = open_at_once(profile, first=first, last=last)
    except Conflict as conflict:
        if conflict.code != "export_too_long":
            raise
        context = {"profile": profile, "first": first, "last": last, "why": conflict}
        return render(request, "tournament/exports/long.html", context, status=409)
    file, name = spooled(write_long(table, layout)), file_name(profile, last)
    return FileResponse(file, as_attachment=True, filename=name, content_type=layout.media_type)


def _days(form: DaysForm) -> tuple[date, date]:
    if not form.is_valid():
        raise Refusal("day_unreadable", _("A day is written as 2026-11-22."))
    return form.days()


@require_POST
@login_required
def make_file(request: HttpRequest, profile_id: int) -> HttpResponse:
    """Have a worker make the file of these days."""
    profile = _profile(request, profile_id)
    first, last = _days(DaysForm(request.POST))
    given = check_export(profile, first=first, last=last, by=_user(request))
    return redirect(start_job("export", given=given, by=_user(request), at=timezone.now()))


@require_POST
@login_required
def remove(request: HttpRequest, profile_id: int) -> HttpResponse:
    profile = _profile(request, profile_id)
    remove_profile(profile, by=_user(request))
    messages.success(request, _("The profile has been removed."))
    return redirect(_address(keeper_of(profile)))


@require_safe
@login_required
@never_cache
def kept_file(request: HttpRequest, export_id: int) -> HttpResponse:
    kept = get_object_or_404(KeptExport.objects.select_related("federation", "organiser"), pk=export_id)
    require_keeper(_user(request), keeper_of(kept))
    answer = HttpResponse(file_of(kept), content_type="application/octet-stream")
    answer["Content-Disposition"] = f'attachment; filename="{kept.name}"'
    return answer


def _profile(request: HttpRequest, profile_id: int) -> ExportProfile:
    found = ExportProfile.objects.select_related("federation", "organiser", "official_list__federation")
    profile = get_object_or_404(found, pk=profile_id)
    require_keeper(_user(request), keeper_of(profile))
    return profile


def _keeper(request: HttpRequest, code: str) -> Keeper:
    keeper = find_federation(code) if code else _user(request)
    require_keeper(_user(request), keeper)
    return keeper


def _address(keeper: Keeper) -> str:
    return reverse("exports", args=[keeper.code]) if isinstance(keeper, Federation) else reverse("my-exports")


def _user(request: HttpRequest) -> User:
    return require_signed_in(request.user)
