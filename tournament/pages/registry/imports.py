"""The import of members from a file: each row is shown with what becomes of it before anything is stored."""

import base64

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Conflict, Refusal
from players.models import Federation, RegistryImport, User
from players.registry.matching import NEW, Choices, MemberFate
from players.registry.member_import import MemberPreview, preview_members
from players.registry.names import shown_name
from players.registry.roles import reach_of, require_federation, rights_over
from players.tables import MAX_FILE
from tournament.pages.carried import carried, carry
from tournament.pages.registry.bodies import find_federation
from tournament.pages.registry.fates import Detail, details_of
from tournament.pages.registry.forms import MemberFileForm
from tournament.registry.imports import import_members, undo_import
from tournament.roles.permissions import require_signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def import_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the form for a file, the preview of the file that was sent, or import what was previewed."""
    federation, by = find_federation(code), require_signed_in(request.user)
    require_federation(by, federation)
    if request.method != "POST":
        return _page(request, federation, MemberFileForm())
    if "carried" in request.POST:
        return _choose(request, federation)
    form = MemberFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, federation, form, status=400)
    file = form.cleaned_data["file"]
    try:
        return _preview(request, federation, file.name, file.read(MAX_FILE + 1), {})
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return _page(request, federation, form, status=refusal.status)


def _choose(request: HttpRequest, federation: Federation) -> HttpResponse:
    """Show the preview again with what was chosen, or import it."""
    told = carried(request.POST["carried"])
    name, data = told["name"], base64.b64decode(told["data"])
    chosen = _chosen(request)
    if "import" not in request.POST:
        return _preview(request, federation, name, data, chosen)
    by, now = require_signed_in(request.user), timezone.now()
    digest = request.POST.get("digest", "")[:64]
    try:
        kept = import_members(federation, data, name=name, chosen=chosen, digest=digest, by=by, at=now)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return _preview(request, federation, name, data, chosen, status=refusal.status)
    counts = kept.report["counts"]
    messages.success(request, _("Imported: %(new)s new, %(changed)s changed.") % counts)
    if counts["ambiguous"] or counts["refused"]:
        messages.info(request, _("Left out: %(ambiguous)s ambiguous, %(refused)s refused.") % counts)
    return redirect("federation", federation.code)


def _chosen(request: HttpRequest) -> Choices:
    """Return what was chosen for the rows; a choice that no form offers is none."""
    found = {}
    for name in request.POST:
        value, line = str(request.POST[name]), name.removeprefix("row-")
        is_number = line.isascii() and line.isdecimal() and len(line) < 9
        if name != line and is_number and (value == NEW or (value.isascii() and value.isdecimal() and len(value) < 19)):
            found[int(line)] = value
    return found


def _preview(
    request: HttpRequest, federation: Federation, name: str, data: bytes, chosen: Choices, *, status: int = 200
) -> HttpResponse:
    by, now = require_signed_in(request.user), timezone.now()
    preview = preview_members(federation, data, chosen=chosen, by=by, at=now)
    kept = carry({"name": name, "data": base64.b64encode(data).decode()})
    rows = _rows(preview, by)
    return _page(request, federation, MemberFileForm(), status=status, preview=preview, rows=rows, carried=kept)


def _rows(preview: MemberPreview, by: User) -> list[tuple[MemberFate, str, list[Detail], list[tuple[int, str]]]]:
    """Return each row, whom it means, how it was read, and whom it may mean by their ids.

    Of people whom the officer does not keep, the words tell no more than everybody may read.
    """
    people = {one.pk: one for fate in preview.fates for one in (*fate.candidates, fate.player) if one is not None}
    rights = rights_over(reach_of(by), people.values())
    words = {}
    for pk, player in people.items():
        is_own = rights[pk].is_own
        told = (shown_name(player, sees_own=is_own), player.club, player.birth_year if is_own else None)
        words[pk] = " · ".join(str(one) for one in told if one)
    return [
        (
            fate,
            words[fate.player.pk] if fate.player else "",
            details_of(fate),
            [(one.pk, words[one.pk]) for one in fate.candidates],
        )
        for fate in preview.fates
    ]


def _page(
    request: HttpRequest, federation: Federation, form: MemberFileForm, *, status: int = 200, **shown: object
) -> HttpResponse:
    context = {"federation": federation, "form": form, **shown}
    return render(request, "tournament/registry/import.html", context, status=status)


@require_POST
@login_required
def undo(request: HttpRequest, import_id: int) -> HttpResponse:
    kept = _import(import_id)
    try:
        undo_import(kept, by=require_signed_in(request.user), at=timezone.now())
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("The import has been undone."))
    assert kept.federation is not None  # noqa: S101 - imports of members have one
    return redirect("federation", kept.federation.code)


@require_safe
@login_required
@never_cache
def file(request: HttpRequest, import_id: int) -> HttpResponse:
    """Answer with the file that was imported, to officers of the federation."""
    kept = _import(import_id)
    assert kept.federation is not None  # noqa: S101 - imports of members have one
    require_federation(require_signed_in(request.user), kept.federation)
    if kept.data is None:
        raise Refusal("import_file_gone", _("The file has been deleted with what was kept about somebody in it."))
    answer = HttpResponse(bytes(kept.data), content_type="application/octet-stream")
    answer["Content-Disposition"] = f'attachment; filename="import-{kept.pk}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _import(import_id: int) -> RegistryImport:
    members = RegistryImport.objects.filter(kind=RegistryImport.Kind.MEMBERS).select_related("federation")
    return get_object_or_404(members, pk=import_id)
