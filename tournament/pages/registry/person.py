"""What the registry has of a person: read by those who keep it and by the person, and changed in small forms.

A form that is refused comes back as it was typed, on the page with everything else.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.errors import Refusal
from players.models import Alias, Club, ExternalId, Federation, Membership, Norm, Player, User, VisibilityRequest
from players.registry.memberships import add_membership, change_membership, year_of
from players.registry.names import own_name
from players.registry.people import add_alias, person_of, remove_alias
from players.registry.records import add_number, give_title, note_norm, remove_number, void_norm
from players.registry.roles import Reach, Rights, appoint, forbidden, reach_of, rights_over, roles_at
from players.registry.visibility import ask_visibility
from tournament.pages.registry.forms import (
    AliasForm,
    BodyForm,
    MembershipForm,
    NormForm,
    NumberForm,
    PersonForm,
    ReasonForm,
    TitleForm,
    UserForm,
    VisibilityForm,
    first_of_year,
)
from tournament.pages.returning import Returned, refuse
from tournament.registry.people import answer_request, edit_person, show_as
from tournament.roles.permissions import require_signed_in

Data = Mapping[str, Any]
Act = Callable[[Player, forms.Form, int, User, datetime], object]


@require_safe
@login_required
@never_cache
def person(request: HttpRequest, player_id: int) -> HttpResponse:
    player, reach, rights = _found(request, player_id)
    return _page(request, player, reach, rights)


@require_POST
@login_required
def act(request: HttpRequest, player_id: int, action: str) -> HttpResponse:
    """Do what a form of the page asks, or show it again as it was typed."""
    player, reach, rights = _found(request, player_id)
    row = request.POST.get("row", "")
    number = int(row) if row.isascii() and row.isdecimal() and len(row) < 19 else 0
    form = _form(action, player, reach, request.POST)
    if not form.is_valid():
        return _page(request, player, reach, rights, Returned(action, number, form), status=400)
    try:
        ACTS[action](player, form, number, require_signed_in(request.user), timezone.now())
    except Refusal as refusal:
        refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
        return _page(request, player, reach, rights, Returned(action, number, form), status=refusal.status)
    messages.success(request, _("Saved."))
    return redirect("person", player.pk)


def _found(request: HttpRequest, player_id: int) -> tuple[Player, Reach, Rights]:
    """Find the person for a user who may see what is recorded of them. Raises Forbidden and Http404."""
    player = get_object_or_404(Player.objects.select_related("club__federation"), pk=player_id, merged_into=None)
    reach = reach_of(require_signed_in(request.user))
    rights = rights_over(reach, [player])[player.pk]
    if not rights.sees:
        raise forbidden()
    return player, reach, rights


def _page(
    request: HttpRequest,
    player: Player,
    reach: Reach,
    rights: Rights,
    returned: Returned | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    made = {name: _form(name, player, reach) for name in (*OPEN, "visibility", "ask")}
    if returned is not None and returned.kind in made:
        made[returned.kind] = returned.form  # type: ignore[assignment]
    memberships = list(player.body_memberships.select_related("federation", "club"))
    context = {
        "player": player,
        "own_name": own_name(player),
        "rights": rights,
        "is_member": player.pk in reach.members,
        "forms": made,
        "returned": returned,
        "memberships": [(row, _row_form(row, returned)) for row in memberships],
        "bodies": _bodies(reach, player),
        "numbers": player.external_ids.all(),
        "titles": player.titles.all(),
        "norms": [(norm, _reason_form(norm, returned)) for norm in player.norms.all()],
        "aliases": player.aliases.all(),
        "former": player.former_values.select_related("by").order_by("-pk"),
        "requests": player.visibility_requests.filter(granted__isnull=True),
        "users": roles_at(player) if rights.edits else [],
    }
    return render(request, "tournament/registry/person.html", context, status=status)


def _row_form(row: Membership, returned: Returned | None) -> MembershipForm:
    if returned is not None and (returned.kind, returned.row) == ("change-membership", row.pk):
        return returned.form  # type: ignore[return-value]
    told = {name: getattr(row, name) for name in ("kind", "starts", "ends", "paid_on", "number")}
    return MembershipForm(initial=told, prefix=None, auto_id=f"%s-membership-{row.pk}")


def _reason_form(norm: Norm, returned: Returned | None) -> ReasonForm:
    if returned is not None and (returned.kind, returned.row) == ("void-norm", norm.pk):
        return returned.form  # type: ignore[return-value]
    return ReasonForm(auto_id=f"%s-norm-{norm.pk}")


def _form(action: str, player: Player, reach: Reach, data: Data | None = None) -> forms.Form:
    """Return the form of the action, with its fields named apart from those of the others."""
    ids = f"%s-{action}"
    if action == "edit":
        return PersonForm(data, initial=asdict(person_of(player)), auto_id=ids)
    if action == "membership":
        federation = Federation.objects.filter(pk__in=reach.federations).first()
        starts = year_of(federation, timezone.localdate())[0] if federation else None
        return BodyForm(data, initial=first_of_year(starts), bodies=_bodies(reach, player), auto_id=ids)
    if action in ("visibility", "ask"):
        return VisibilityForm(data, initial={"visibility": player.visibility}, auto_id=ids)
    return FORMS.get(action, forms.Form)(data, auto_id=ids)


def _bodies(reach: Reach, player: Player) -> list[tuple[str, str]]:
    """Return the federations and clubs of which the user may make the person a member."""
    federations = Federation.objects.all() if reach.everywhere else Federation.objects.filter(pk__in=reach.federations)
    kept = Q(pk__in=reach.clubs) | Q(federation__in=reach.federations)
    clubs = Club.objects.all() if reach.everywhere else Club.objects.filter(kept)
    clubs = clubs.filter(Q(federation__isnull=False) | Q(pk=player.club_id))
    return [
        *((f"federation-{pk}", name) for pk, name in federations.values_list("pk", "name")),
        *((f"club-{pk}", name) for pk, name in clubs.order_by("name").values_list("pk", "name")),
    ]


FORMS: Mapping[str, type[forms.Form]] = {
    "number": NumberForm,
    "title": TitleForm,
    "norm": NormForm,
    "alias": AliasForm,
    "user": UserForm,
    "void-norm": ReasonForm,
    "change-membership": MembershipForm,
}
OPEN = ("edit", "membership", "number", "title", "norm", "alias", "user")
"""The forms that stand open on the page, each with the name of its action."""


def _row(model: Any, player: Player, number: int) -> Any:
    """Return the person's row of this id. Raises Http404."""
    found = model.objects.filter(player=player, pk=number).first()
    if found is None:
        raise Http404
    return found


def _add_membership(player: Player, form: forms.Form, _row_id: int, by: User, _at: datetime) -> object:
    kind, _dash, pk = form.cleaned_data["body"].partition("-")
    body: Federation | Club
    if kind == "federation":
        body = get_object_or_404(Federation, pk=int(pk))
    else:
        body = get_object_or_404(Club, pk=int(pk))
    assert isinstance(form, MembershipForm)  # noqa: S101 - the form of this action
    return add_membership(player, body, kind=form.cleaned_data["kind"], term=form.term(), by=by)


ACTS: Mapping[str, Act] = {
    "edit": lambda player, form, _row_id, by, at: edit_person(player, form.person(), by=by, at=at),  # type: ignore[attr-defined]
    "membership": _add_membership,
    "change-membership": lambda player, form, row, by, _at: change_membership(
        _row(Membership, player, row),
        term=form.term(),  # type: ignore[attr-defined]
        by=by,
    ),
    "number": lambda player, form, _row_id, by, at: add_number(player, **form.cleaned_data, by=by, at=at),
    "remove-number": lambda player, _form, row, by, at: remove_number(_row(ExternalId, player, row), by=by, at=at),
    "title": lambda player, form, _row_id, by, _at: give_title(player, **form.cleaned_data, by=by),
    "norm": lambda player, form, _row_id, by, _at: note_norm(player, **form.cleaned_data, by=by),
    "void-norm": lambda player, form, row, by, _at: void_norm(_row(Norm, player, row), **form.cleaned_data, by=by),
    "alias": lambda player, form, _row_id, by, at: add_alias(player, **form.cleaned_data, by=by, at=at),
    "remove-alias": lambda player, _form, row, by, _at: remove_alias(_row(Alias, player, row), by=by),
    "visibility": lambda player, form, _row_id, by, at: show_as(player, form.cleaned_data["visibility"], by=by, at=at),
    "ask": lambda player, form, _row_id, by, at: ask_visibility(player, form.cleaned_data["visibility"], by=by, at=at),
    "grant": lambda player, _form, row, by, at: answer_request(
        _row(VisibilityRequest, player, row), granted=True, by=by, at=at
    ),
    "deny": lambda player, _form, row, by, at: answer_request(
        _row(VisibilityRequest, player, row), granted=False, by=by, at=at
    ),
    "user": lambda player, form, _row_id, by, at: appoint(player, **form.cleaned_data, by=by, at=at),
}
