"""An officer's pages of a list: making it, changing it, and taking over the values of an official list."""

import base64
from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.errors import Refusal
from players.lists.make import change_list, make_list
from players.lists.models import OfficialList
from players.lists.officers import require_keeper
from players.lists.published import names_now
from players.lists.starts import Choices, StartPreview, import_starts, preview_starts, read_listed
from players.models import Federation, Player, User
from players.ratings import SYSTEMS
from players.registry.matching import Outcome
from players.registry.names import shown_name
from players.registry.records import numbers_of
from players.registry.roles import reach_of, require_federation, rights_over
from players.tables import MAX_FILE
from tournament.pages.carried import carried, carry
from tournament.pages.lists.forms import CriteriaForm, ListForm, NewListForm, StartsForm, typed_of
from tournament.pages.lists.published import find_list
from tournament.pages.parameters import refuse_system
from tournament.pages.registry.bodies import find_federation
from tournament.pages.returning import refuse
from tournament.roles.permissions import require_signed_in

PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_list(request: HttpRequest, code: str) -> HttpResponse:
    """Choose a rating system, then say everything else about the list."""
    federation, by = find_federation(code), require_signed_in(request.user)
    require_federation(by, federation)
    kind = request.GET.get("kind", "")
    if kind not in SYSTEMS:
        context = {"federation": federation, "systems": SYSTEMS.values()}
        return render(request, "tournament/lists/systems.html", context)
    form = NewListForm(request.POST or None, federation=federation, kind=kind)
    if form.is_valid():
        try:
            return redirect(_made(form, federation, kind, by))
        except Refusal as refusal:
            refuse_system(form, refusal)
    return _form_page(request, form, _("New list"), federation=federation, kind=kind)


def _made(form: NewListForm, federation: Federation, kind: str, by: User) -> OfficialList:
    data = form.cleaned_data
    return make_list(
        name=data["name"],
        slug=data["slug"],
        federation=federation,
        kind=kind,
        parameters=form.parameters(),
        places=data["places"],
        counts_from=form.counted_from(),
        criteria=form.criteria(),
        by=by,
        at=timezone.now(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def edit_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name and the criteria, and before the first publication everything but system and address."""
    found = find_list(slug)
    by = require_keeper(request.user, found)
    typed, form = typed_of(found), CriteriaForm(federation=found.federation)
    if found.publications.exists():
        form = CriteriaForm(request.POST or None, initial=typed, federation=found.federation)
    else:
        form = ListForm(request.POST or None, initial=typed, federation=found.federation, kind=found.kind)
    if form.is_valid():
        changes: dict[str, object] = {"name": form.cleaned_data["name"], "criteria": form.criteria()}
        if isinstance(form, ListForm):
            changes |= {"parameters": form.parameters(), "places": form.cleaned_data["places"]}
            changes |= {"counts_from": form.counted_from()}
        try:
            change_list(found, by=by, at=timezone.now(), **changes)
        except Refusal as refusal:
            refuse_system(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect(found)
    title = _("Edit %(name)s") % {"name": found.name}
    return _form_page(request, form, title, federation=found.federation, kind=found.kind, list=found)


def _form_page(request: HttpRequest, form: CriteriaForm, title: str, *, kind: str, **shown: object) -> HttpResponse:
    names = getattr(form, "parameter_names", [])
    context = {
        "form": form,
        "title": title,
        "system": SYSTEMS.get(kind),
        "own": [form[name] for name in form.fields if name not in names],
        "parameters": [form[name] for name in names],
        **shown,
    }
    return render(request, "tournament/lists/form.html", context, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def starts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the start values, the preview of the file that was sent, or import what was previewed."""
    found = find_list(slug)
    by = require_keeper(request.user, found)
    if request.method != "POST":
        return _starts_page(request, found, StartsForm())
    if "carried" in request.POST:
        return _confirm(request, found, by)
    form = StartsForm(request.POST, request.FILES)
    if not form.is_valid():
        return _starts_page(request, found, form, status=400)
    data = form.cleaned_data
    try:
        return _preview(request, found, data["source"], data["as_of"], data["file"].read(MAX_FILE + 1))
    except Refusal as refusal:
        refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
        return _starts_page(request, found, form, status=refusal.status)


def _confirm(request: HttpRequest, found: OfficialList, by: User) -> HttpResponse:
    told = carried(request.POST["carried"])
    source, as_of, data = told["source"], date.fromisoformat(told["as_of"]), base64.b64decode(told["data"])
    digest = request.POST.get("digest", "")[:64]
    try:
        done = import_starts(
            found, read_listed(data), as_of=as_of, source=source, digest=digest, by=by, chosen=_chosen(request)
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return _preview(request, found, source, as_of, data, status=refusal.status)
    messages.success(request, _("Start values stored: %(new)s new, %(changed)s changed.") % done.counts)
    return redirect("list-starts", found.slug)


def _chosen(request: HttpRequest) -> Choices:
    """Return who was chosen for the rows; what no form offers is no choice."""
    found = {}
    for name, player in request.POST.items():
        row = name.removeprefix("row-")
        if name != row and all(text.isascii() and text.isdecimal() and len(text) < 19 for text in (row, str(player))):
            found[int(row)] = int(str(player))
    return found


def _preview(
    request: HttpRequest, found: OfficialList, source: str, as_of: date, data: bytes, *, status: int = 200
) -> HttpResponse:
    preview = preview_starts(found, read_listed(data), as_of=as_of, source=source)
    people = {row.player for row in preview.rows if row.player is not None}
    kept = carry({"source": source, "as_of": as_of.isoformat(), "data": base64.b64encode(data).decode()})
    options = _options(found, preview, require_signed_in(request.user), _chosen(request))
    counts = preview.counts
    return _starts_page(
        request,
        found,
        StartsForm(initial={"source": source, "as_of": as_of}),
        status=status,
        preview=preview,
        counts=counts,
        stored=counts["new"] + counts["changed"],
        names=names_now(people),
        lines=[(row, options.get(row.listed.row, [])) for row in preview.rows],
        carried=kept,
        source=source,
        as_of=as_of,
    )


def _options(
    found: OfficialList, preview: StartPreview, by: User, chosen: Choices
) -> dict[int, list[tuple[int, str, bool]]]:
    """Return between whom an officer chooses, by the number of the row: id, words, and whether they were chosen.

    Of people whom the officer does not keep, the words tell no more than everybody may read.
    """
    rows = preview.of(Outcome.AMBIGUOUS)
    people = Player.objects.select_related("club").in_bulk({pk for row in rows for pk in row.candidates})
    rights = rights_over(reach_of(by), people.values())
    numbers = dict(numbers_of(found.federation, people.values())) if found.federation else {}
    words = {}
    for pk, player in people.items():
        is_own = rights[pk].is_own
        told = (shown_name(player, sees_own=is_own), numbers.get(pk) if is_own else None, player.club)
        words[pk] = " · ".join(str(one) for one in (*told, player.birth_year if is_own else None) if one)
    return {
        row.listed.row: [(pk, words[pk], chosen.get(row.listed.row) == pk) for pk in row.candidates if pk in words]
        for row in rows
    }


def _starts_page(
    request: HttpRequest, found: OfficialList, form: StartsForm, *, status: int = 200, **shown: object
) -> HttpResponse:
    context: dict[str, object] = {"list": found, "form": form, **shown}
    if "preview" not in shown:
        rows = found.start_values.select_related("player").order_by("-value", "player_id")
        context["page"] = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    return render(request, "tournament/lists/starts.html", context, status=status)
