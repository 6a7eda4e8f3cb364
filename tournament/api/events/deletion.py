"""The API for deleting and restoring a tournament or an event."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.events.serializers import EventSerializer, TournamentSerializer
from tournament.api.events.views import answer_snapshot, event_for
from tournament.api.roles.serializers import DeletionSerializer
from tournament.api.schema import ACT, WRITE, problems
from tournament.events import deletion
from tournament.models import Event, Tournament
from tournament.roles.permissions import may, require
from tournament.snapshot import take_snapshot


class WarningsSerializer(serializers.Serializer):
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="What was in play when it was deleted, one sentence each."
    )


def _typed(request: Request) -> str:
    data = DeletionSerializer(data=request.data)
    data.is_valid(raise_exception=True)
    return str(data.validated_data["name"])


class DeleteTournamentView(ApiView):
    @extend_schema(
        summary="Delete a tournament",
        description="It is hidden, and its owner can restore it. `name` must be its name.",
        request=DeletionSerializer,
        responses={200: WarningsSerializer} | problems(*WRITE, refusals=("name_differs",)),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "delete_tournament")
        warnings = [reason for event in tournament.events.order_by("id") for reason in deletion.reasons_to_keep(event)]
        deletion.delete_tournament(tournament, typed=_typed(request), by=user_of(request), at=timezone.now())
        return Response({"warnings": warnings})


class RestoreTournamentView(ApiView):
    @extend_schema(
        summary="Restore a deleted tournament",
        request=None,
        responses={200: TournamentSerializer} | problems(*ACT, conflicts=("not_deleted", "season_exists")),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament.everything, pk=tournament_id)
        if tournament.deleted_at is not None and not may(request.user, tournament, "restore_tournament"):
            tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "restore_tournament")
        restored = deletion.restore_tournament(tournament, by=user_of(request), at=timezone.now())
        return Response(TournamentSerializer(restored).data)


class DeleteEventView(ApiView):
    @extend_schema(
        summary="Delete an event",
        description="It is hidden, and can be restored. `name` must be its name.",
        request=DeletionSerializer,
        responses={200: WarningsSerializer} | problems(*WRITE, refusals=("name_differs",)),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "delete_event")
        warnings = deletion.reasons_to_keep(event)
        deletion.delete_event(event, typed=_typed(request), by=user_of(request), at=timezone.now())
        return Response({"warnings": warnings})


class RestoreEventView(ApiView):
    @extend_schema(
        summary="Restore a deleted event",
        request=None,
        responses={200: EventSerializer} | problems(*ACT, conflicts=("not_deleted",)),
    )
    def post(self, request: Request, event_id: int) -> Response:
        kept = Event.everything.filter(tournament__deleted_at=None).select_related("tournament")
        event = get_object_or_404(kept, pk=event_id)
        require(request.user, event, "restore_event")
        deletion.restore_event(event, by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))
