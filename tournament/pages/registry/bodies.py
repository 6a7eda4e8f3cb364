"""Federations and clubs: everybody reads what they are, those who keep them edit, appoint and see their members."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Refusal
from players.lists.published import lists_with_newest
from players.models import Club, Federation, Player, RegistryRole, User
from players.registry.bodies import ClubData, FederationData, create_club, create_federation, edit_federation
from players.registry.find import suspected_duplicates
from players.registry.memberships import members_on
from players.registry.people import Person, create_person
from players.registry.roles import appoint, dismiss, forbidden, reach_of, require_club, require_federation, roles_at
from players.registry.visibility import requests_before
from players.services import name_order
from tournament.models import Series
from tournament.pages.registry.forms import ClubForm, FederationForm, PersonForm, UserForm
from tournament.pages.returning import refuse
from tournament.registry.people import edit_club as change_club
from tournament.roles.permissions import require_signed_in

PAGE = 100


@require_safe
def federations(request: HttpRequest) -> HttpResponse:
    found = Federation.objects.select_related("parent").annotate(clubs_in=Count("clubs"))
    context = {"federations": found, "reach": reach_of(request.user)}
    return render(request, "tournament/registry/federations.html", context)


@require_safe
def federation(request: HttpRequest, code: str) -> HttpResponse:
    """Show the federation with its clubs, and to its officers what they can do and who else may."""
    found = find_federation(code)
    keeps = reach_of(request.user).keeps_federation(found)
    today = timezone.localdate()
    context = {
        "federation": found,
        "keeps": keeps,
        "lists": lists_with_newest(found.official_lists.all()),
        "series": Series.objects.filter(federation=found).select_related("federation"),
        "clubs": found.clubs.annotate(people=Count("players")).order_by("name"),
        "members": Player.objects.filter(members_on(found, today), merged_into=None).count(),
        "roles": roles_at(found) if keeps else [],
        "form": UserForm(),
        "wishes": requests_before(found) if keeps else [],
        "appoints": keeps,
        "imports": found.imports.select_related("by").defer("data")[:10] if keeps else [],
    }
    return render(request, "tournament/registry/federation.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_federation(request: HttpRequest) -> HttpResponse:
    by = _user(request)
    if not reach_of(by).everywhere:
        raise forbidden()

    def store(form: FederationForm) -> HttpResponse:
        return redirect("federation", create_federation(form.federation(), by=by).code)

    title = _("New federation")
    return form_page(request, FederationForm(request.POST or None), store, title=title, back=("federations",))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def edit(request: HttpRequest, code: str) -> HttpResponse:
    found, by = find_federation(code), _user(request)
    require_federation(by, found)
    told = FederationData(
        **{name: getattr(found, name) for name in FederationData.__slots__ if name != "parent"},
        parent=found.parent.code if found.parent else "",
    )

    def store(form: FederationForm) -> HttpResponse:
        return redirect("federation", edit_federation(found, form.federation(), by=by).code)

    form = FederationForm(request.POST or None, initial=asdict(told))
    return form_page(request, form, store, title=_("Edit %(name)s") % {"name": found.name}, back=("federation", code))


@require_safe
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the club with its players, and to those who keep it what they can do and who else may."""
    found = get_object_or_404(Club.objects.select_related("federation"), pk=club_id)
    reach = reach_of(request.user)
    keeps = reach.keeps_club(found) or (found.federation_id is None and reach.is_officer)
    people = found.players.filter(merged_into__isnull=True).order_by(name_order(), "id")
    context = {
        "club": found,
        "keeps": keeps,
        "appoints": reach.everywhere or found.federation_id in reach.federations,
        "page": Paginator(people, PAGE).get_page(request.GET.get("page")),
        "roles": roles_at(found) if keeps else [],
        "form": UserForm(),
    }
    return render(request, "tournament/registry/club.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_club(request: HttpRequest, code: str) -> HttpResponse:
    found, by = find_federation(code), _user(request)
    require_federation(by, found)

    def store(form: ClubForm) -> HttpResponse:
        return redirect("club", create_club(form.club(), by=by).pk)

    form = ClubForm(request.POST or None, initial={"federation": found.code})
    return form_page(request, form, store, title=_("New club"), back=("federation", found.code))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def edit_club(request: HttpRequest, club_id: int) -> HttpResponse:
    found = get_object_or_404(Club.objects.select_related("federation"), pk=club_id)
    by = _user(request)
    if found.federation_id is not None or not reach_of(by).is_officer:
        require_club(by, found)
    told = ClubData(found.name, found.code, found.town, found.federation.code if found.federation else "")

    def store(form: ClubForm) -> HttpResponse:
        return redirect("club", change_club(found, form.club(), by=by).pk)

    form = ClubForm(request.POST or None, initial=asdict(told))
    return form_page(request, form, store, title=_("Edit %(name)s") % {"name": found.name}, back=("club", club_id))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_person(request: HttpRequest) -> HttpResponse:
    """Take a person into the registry; a manager in their own club."""
    by = _user(request)
    reach = reach_of(by)
    if not reach:
        raise forbidden()
    clubs = Club.objects.filter(pk__in=reach.clubs)[:1]
    initial = asdict(Person("", "", club=clubs[0].name if clubs and not reach.is_officer else ""))

    def store(form: PersonForm) -> HttpResponse:
        return redirect("person", create_person(form.person(), by=by, at=timezone.now()).pk)

    form = PersonForm(request.POST or None, initial=initial)
    return form_page(request, form, store, title=_("New person"), back=("players",))


@require_safe
@login_required
@never_cache
def duplicates(request: HttpRequest) -> HttpResponse:
    """List people who may be one person to officers, who then merge or leave them."""
    if not reach_of(_user(request)).is_officer:
        raise forbidden()
    return render(request, "tournament/registry/duplicates.html", {"groups": suspected_duplicates()})


@require_POST
@login_required
def appoint_officer(request: HttpRequest, code: str) -> HttpResponse:
    return _appoint(request, find_federation(code), reverse("federation", args=[code]))


@require_POST
@login_required
def appoint_manager(request: HttpRequest, club_id: int) -> HttpResponse:
    return _appoint(request, get_object_or_404(Club, pk=club_id), reverse("club", args=[club_id]))


def _appoint(request: HttpRequest, place: Federation | Club, back: str) -> HttpResponse:
    try:
        role = appoint(place, username=request.POST.get("username", "")[:150], by=_user(request), at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("%(name)s has this role now.") % {"name": role.user.get_username()})
    return redirect(back)


@require_POST
@login_required
def end_role(request: HttpRequest, role_id: int) -> HttpResponse:
    role = get_object_or_404(RegistryRole.objects.select_related("federation", "club", "user"), pk=role_id)
    dismiss(role, by=_user(request))
    messages.success(request, _("%(name)s no longer has this role.") % {"name": role.user.get_username()})
    if role.federation is not None:
        return redirect("federation", role.federation.code)
    return redirect("club", role.club_id) if role.club_id else redirect("person", role.player_id)


def find_federation(code: str) -> Federation:
    """Find the federation by its code in whatever letters. Raises Http404."""
    return get_object_or_404(Federation.objects.select_related("parent"), code=code.upper())


def _user(request: HttpRequest) -> User:
    return require_signed_in(request.user)


def form_page(
    request: HttpRequest,
    form: forms.Form,
    store: Callable[[Any], HttpResponse],
    *,
    title: str,
    back: tuple[object, ...],
) -> HttpResponse:
    """Show the form, or store it; one that is refused comes back as it was typed."""
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                return store(form)
            except Refusal as refusal:
                refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
                status = refusal.status
        else:
            status = 400
    context = {"form": form, "title": title, "back_url": reverse(str(back[0]), args=back[1:])}
    return render(request, "tournament/registry/form.html", context, status=status)
