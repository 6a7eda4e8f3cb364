"""The API for a tournament's roles and for invitations to them."""

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.problems import form_errors
from tournament.api.roles.serializers import (
    NOTES,
    AcceptSerializer,
    AppointmentSerializer,
    InvitationSerializer,
    MadeInvitationSerializer,
    NewInvitationSerializer,
    RoleSerializer,
    SignUpSerializer,
)
from tournament.api.schema import ACT, WRITE, problems
from tournament.events import appoint
from tournament.hall.site import site_for_others
from tournament.models import Appointment, Event, Invitation, Tournament
from tournament.roles.authors import SEES_NOTES
from tournament.roles.permissions import actions_of, require, require_to_take
from tournament.roles.sign_up import SignUpForm
from tournament.roles.throttling import SignInThrottle

ROLE_REFUSALS = ("role_unknown", "deputy_without_event", "role_of_the_tournament")
ROLE_CONFLICTS = ("last_owner", "role_gone")
ROLE_DENIALS = ("role_above_yours",)
ACCEPT_CONFLICTS = ("invitation_used", "invitation_withdrawn", "invitation_expired", "role_held")


def _tournament_for(request: Request, tournament_id: int, action: str) -> Tournament:
    tournament = get_object_or_404(Tournament, pk=tournament_id)
    require(request.user, tournament, action)
    return tournament


def _find_appointment(appointment_id: int) -> Appointment:
    present = Appointment.objects.filter(tournament__deleted_at=None).select_related("tournament", "user")
    return get_object_or_404(present, pk=appointment_id)


class RolesView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="tournaments_roles_list",
        summary="List the roles in a tournament",
        responses={200: AppointmentSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = _tournament_for(request, tournament_id, "see_roles")
        held = tournament.appointments.select_related("user").order_by("id")
        return Response(AppointmentSerializer(held, many=True).data)


class RoleView(ApiView):
    @extend_schema(
        summary="Change a role",
        description="Only an owner can make or change owners and directors.",
        request=RoleSerializer,
        responses={200: AppointmentSerializer}
        | problems(*WRITE, refusals=ROLE_REFUSALS, conflicts=ROLE_CONFLICTS, denials=ROLE_DENIALS),
    )
    def patch(self, request: Request, appointment_id: int) -> Response:
        appointment = _find_appointment(appointment_id)
        user = require(request.user, appointment.tournament, "change_roles")
        data = RoleSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        changed = appoint.change_role(appointment, **data.validated_data, by=user, at=timezone.now())
        return Response(AppointmentSerializer(changed).data)

    @extend_schema(
        summary="Take a role away, or give up your own",
        responses={204: None} | problems(*ACT, conflicts=ROLE_CONFLICTS, denials=ROLE_DENIALS),
    )
    def delete(self, request: Request, appointment_id: int) -> Response:
        appointment = _find_appointment(appointment_id)
        user = require_to_take(request.user, appointment)
        appoint.take_role(appointment, by=user, at=timezone.now())
        return Response(status=204)


class InvitationsView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="tournaments_invitations_list",
        summary="List the invitations that can still be accepted",
        responses={200: InvitationSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = _tournament_for(request, tournament_id, "see_roles")
        told = {NOTES: SEES_NOTES in actions_of(request.user, tournament)}
        found = appoint.open_invitations(tournament, timezone.now()).select_related("made_by")
        return Response(InvitationSerializer(found, many=True, context=told).data)

    @extend_schema(
        summary="Invite a person to a role",
        description="Only this answer holds the link and its token: just a hash is stored. It works once.",
        request=NewInvitationSerializer,
        responses={201: MadeInvitationSerializer}
        | problems(
            *WRITE,
            refusals=(*ROLE_REFUSALS, "note_invalid", "days_out_of_range"),
            conflicts=("invitations_too_many",),
            denials=ROLE_DENIALS,
        ),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = _tournament_for(request, tournament_id, "change_roles")
        data = NewInvitationSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        wanted = dict(data.validated_data)
        if wanted["event"] is not None:
            wanted["event"] = get_object_or_404(Event, pk=wanted["event"], tournament=tournament)
        invitation, token = appoint.invite(tournament, **wanted, by=user_of(request), at=timezone.now())
        path = reverse("invitation", args=[token])
        link = f"{site_for_others(request._request, tournament)}{path}"
        made = MadeInvitationSerializer(invitation, context={"token": token, "link": link})
        return Response(made.data, status=201)


class WithdrawInvitationView(ApiView):
    @extend_schema(
        summary="Withdraw an invitation",
        request=None,
        responses={200: InvitationSerializer} | problems(*ACT, conflicts=("invitation_used",), denials=ROLE_DENIALS),
    )
    def post(self, request: Request, invitation_id: int) -> Response:
        present = Invitation.objects.filter(tournament__deleted_at=None).select_related("tournament")
        invitation = get_object_or_404(present, pk=invitation_id)
        require(request.user, invitation.tournament, "change_roles")
        withdrawn = appoint.withdraw_invitation(invitation, by=user_of(request), at=timezone.now())
        return Response(InvitationSerializer(withdrawn).data)


class AcceptView(ApiView):
    @extend_schema(
        summary="Accept an invitation, and take its role",
        request=AcceptSerializer,
        responses={200: AppointmentSerializer}
        | problems(*WRITE, refusals=("invitation_unknown",), conflicts=ACCEPT_CONFLICTS),
    )
    def post(self, request: Request) -> Response:
        data = AcceptSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        held = appoint.accept_invitation(data.validated_data["token"], by=user_of(request), at=timezone.now())
        return Response(AppointmentSerializer(held).data)


class SignUpView(ApiView):
    permission_classes = [AllowAny]
    throttle_classes = [SignInThrottle]

    @extend_schema(
        summary="Create an account by accepting an invitation",
        description="An account can be created only with an open invitation.",
        request=SignUpSerializer,
        responses={201: AppointmentSerializer}
        | problems(413, 415, 429, refusals=("invitation_unknown", "username_taken"), conflicts=ACCEPT_CONFLICTS),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        data = SignUpSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        token, name, password = (data.validated_data[field] for field in ("token", "username", "password"))
        now = timezone.now()
        appoint.require_open(appoint.known_invitation(token), now)
        form = SignUpForm({"username": name, "password1": password, "password2": password})
        if not form.is_valid():
            found = form_errors(form)
            raise ValidationError({"password" if name.startswith("password") else name: found[name] for name in found})
        held = appoint.sign_up(token, username=form.cleaned_data["username"], password=password, at=now)
        return Response(AppointmentSerializer(held).data, status=201)
