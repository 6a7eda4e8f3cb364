"""The API for play-offs: matches that only separate tied entries."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.events.views import event_for, find_event
from tournament.api.fields import IdField, StrictSerializer
from tournament.api.schema import ACT, WRITE, problems
from tournament.draw.play_offs import enter_play_off, void_play_off
from tournament.models import Entry, Event, PlayOff
from tournament.roles.permissions import require

CONFLICTS = ("play_off_not_used", "play_off_too_early", "later_match_begun", "event_finished")


class NewPlayOffSerializer(StrictSerializer):
    """The ids of two tied entries."""

    winner = IdField()
    loser = IdField()


class PlayOffSerializer(serializers.ModelSerializer):
    class Meta:
        model = PlayOff
        fields = ["id", "winner", "loser"]


class PlayOffsView(ApiView):
    @extend_schema(
        summary="List the play-offs of a stage",
        responses={200: PlayOffSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, event_id: int, number: int) -> Response:
        stage = get_object_or_404(find_event(event_id).stages, number=number)
        return Response(PlayOffSerializer(stage.play_offs.all(), many=True).data)

    @extend_schema(
        summary="Enter the winner of a play-off",
        description="Between two entries that share a place, once the stage is played. It decides the tie and "
        "counts for nothing else, and replaces what was entered for these two before.",
        request=NewPlayOffSerializer,
        responses={201: PlayOffSerializer} | problems(*WRITE, refusals=("play_off_not_tied",), conflicts=CONFLICTS),
    )
    def post(self, request: Request, event_id: int, number: int) -> Response:
        event = event_for(request, event_id, "enter_play_off")
        stage = get_object_or_404(event.stages, number=number)
        data = NewPlayOffSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        people = Entry.objects.filter(event=event).select_related("player", "partner")
        winner, loser = (get_object_or_404(people, pk=data.validated_data[side]) for side in ("winner", "loser"))
        play_off = enter_play_off(stage, winner=winner, loser=loser, by=user_of(request), at=timezone.now())
        return Response(PlayOffSerializer(play_off).data, status=201)


class PlayOffView(ApiView):
    @extend_schema(
        summary="Take a play-off back",
        responses={204: None} | problems(*ACT, conflicts=("play_off_gone", "later_match_begun", "event_finished")),
    )
    def delete(self, request: Request, play_off_id: int) -> Response:
        play_off = get_object_or_404(_present(), pk=play_off_id)
        require(request.user, play_off.stage.event, "enter_play_off")
        void_play_off(play_off, by=user_of(request), at=timezone.now())
        return Response(status=204)


def _present() -> QuerySet[PlayOff]:
    """Return the play-offs of events that are not deleted."""
    return PlayOff.objects.filter(stage__event__in=Event.objects.all()).select_related("stage__event__tournament")
