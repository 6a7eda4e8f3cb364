"""Roles in a tournament, and invitations: creating, withdrawing and accepting them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from players.errors import Conflict, Refusal
from tournament.events import appoint
from tournament.models import Invitation, Role, Tournament
from tournament.pages.following import find_tournament, kept_tournament_for, tournament_for
from tournament.pages.people.forms import InvitationForm, RoleForm
from tournament.pages.people.session import require_not_too_often
from tournament.pages.returning import refuse
from tournament.pages.site import link_for_others
from tournament.roles.permissions import actions_of, require_signed_in, require_to_take
from tournament.roles.sign_up import SignUpForm
from tournament.sign_in.adapter import start_session


@login_required
@never_cache
def roles_page(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the roles to everybody who has one, and a new invitation's link once."""
    if request.method == "POST":
        tournament, user = tournament_for(request, tournament_slug, "change_roles")
        form = InvitationForm(request.POST, tournament=tournament)
        if form.is_valid():
            try:
                invitation, token = appoint.invite(tournament, **form.cleaned_data, by=user, at=timezone.now())
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                link = link_for_others(request, tournament, reverse("invitation", args=[token]))
                made = {"form": InvitationForm(tournament=tournament), "link": link, "invitation": invitation}
                return _roles_page(request, tournament, made)
        return _roles_page(request, tournament, {"form": form}, status=400)
    tournament, _user = kept_tournament_for(request, tournament_slug, "see_roles")
    return _roles_page(request, tournament, {"form": InvitationForm(tournament=tournament)})


def _roles_page(request: HttpRequest, tournament: Tournament, extra: dict, status: int = 200) -> HttpResponse:
    now = timezone.now()
    held = list(tournament.appointments.select_related("user", "event").order_by("id"))
    held.sort(key=lambda appointment: -appoint.STRENGTH[Role(appointment.role)])
    may = actions_of(request.user, tournament)
    above = [] if "change_directors" in may else [role.value for role in appoint.WHOLE_TOURNAMENT]
    context = {
        "tournament": tournament,
        "may": may,
        "appointments": [(held_one, RoleForm(appointment=held_one, above=above)) for held_one in held],
        "above": above,
        "last_owner": appoint.last_owner(held),
        "invitations": appoint.open_invitations(tournament, now).select_related("event", "made_by"),
    }
    return render(request, "tournament/people/roles.html", {**context, **extra}, status=status)


@require_POST
@login_required
def change_role(request: HttpRequest, tournament_slug: str, appointment_id: int) -> HttpResponse:
    tournament, user = tournament_for(request, tournament_slug, "change_roles")
    appointment = get_object_or_404(tournament.appointments, pk=appointment_id)
    try:
        appoint.change_role(appointment, role=request.POST.get("role", ""), by=user, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("roles", tournament_slug)


@require_POST
@login_required
def take_role(request: HttpRequest, tournament_slug: str, appointment_id: int) -> HttpResponse:
    """Remove a user's role, or give up one's own."""
    tournament = find_tournament(tournament_slug)
    appointment = get_object_or_404(tournament.appointments, pk=appointment_id)
    user = require_to_take(request.user, appointment)
    try:
        appoint.take_role(appointment, by=user, at=timezone.now())
    except Conflict as conflict:
        messages.error(request, str(conflict))
    own = appointment.user_id == user.pk
    return redirect("tournament", tournament_slug) if own else redirect("roles", tournament_slug)


@require_POST
@login_required
def withdraw_invitation(request: HttpRequest, tournament_slug: str, invitation_id: int) -> HttpResponse:
    tournament, user = tournament_for(request, tournament_slug, "change_roles")
    invitation = get_object_or_404(tournament.invitations, pk=invitation_id)
    try:
        appoint.withdraw_invitation(invitation, by=user, at=timezone.now())
    except Conflict as conflict:
        messages.error(request, str(conflict))
    return redirect("roles", tournament_slug)


@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link offers; users who are signed in accept it here."""
    found = _invitation(token)
    if request.method == "POST":
        appoint.accept_invitation(token, by=require_signed_in(request.user), at=timezone.now())
        return _accepted(request, found)
    return _invitation_page(request, found, {"token": token})


@never_cache
def sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Create a user who accepts the invitation by signing up; nobody can without an open invitation."""
    found = _invitation(token)
    if request.method == "POST":
        require_not_too_often(request)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        appoint.require_open(found, timezone.now())
        name, password = form.cleaned_data["username"], form.cleaned_data["password1"]
        try:
            appointment = appoint.sign_up(token, username=name, password=password, at=timezone.now())
        except Refusal as refusal:
            if refusal.field != "username":
                raise
            refuse(form, refusal, field="username")
        else:
            start_session(request, appointment.user)
            return _accepted(request, found)
    return _invitation_page(request, found, {"token": token, "form": form}, status=400 if form.is_bound else 200)


def _invitation(token: str) -> Invitation:
    found = appoint.find_invitation(token)
    if found is None:
        raise Http404(_("This invitation link is not valid."))
    return found


def _invitation_page(request: HttpRequest, found: Invitation, extra: dict, status: int = 200) -> HttpResponse:
    try:
        appoint.require_open(found, timezone.now())
    except Conflict as conflict:
        context = {"invitation": found, "closed": str(conflict)}
        return render(request, "tournament/people/invitation.html", context, status=410)
    return render(request, "tournament/people/invitation.html", {"invitation": found, **extra}, status=status)


def _accepted(request: HttpRequest, found: Invitation) -> HttpResponse:
    messages.success(request, _("Welcome: you now have the role of %(role)s.") % {"role": Role(found.role).label})
    return redirect(found.event or found.tournament)
