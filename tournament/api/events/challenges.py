"""The API for challenges: what a ladder is paired by."""

from datetime import date

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
from tournament.draw.challenge_rows import deadline_of
from tournament.draw.challenges import PEOPLE, challenge, ladder_in_play, withdraw_challenge
from tournament.models import Challenge, Entry

CONFLICTS = ("no_ladder", "not_on_the_ladder", "challenge_open", "challenge_too_soon", "event_finished")


class NewChallengeSerializer(StrictSerializer):
    """The ids of two entries of the ladder."""

    challenger = IdField()
    challenged = IdField()


class ChallengeSerializer(serializers.ModelSerializer):
    stage = serializers.IntegerField(source="stage.number", help_text="The number of the stage.")
    deadline = serializers.SerializerMethodField(help_text="The last day to play, unless its fixture has another.")

    class Meta:
        model = Challenge
        fields = ["stage", "number", "challenger", "challenged", "made_at", "deadline", "withdrawn_at"]

    def get_deadline(self, made: Challenge) -> date:
        return deadline_of(made, made.stage.event.tournament.zone)


class ChallengesView(ApiView):
    @extend_schema(
        summary="List the challenges of an event",
        description="In order of making, with those that were withdrawn. The match of challenge 7 is `H1-7`.",
        responses={200: ChallengeSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, event_id: int) -> Response:
        found = Challenge.objects.filter(stage__event=find_event(event_id)).order_by("stage__number", "number")
        return Response(ChallengeSerializer(found.select_related("stage__event__tournament"), many=True).data)

    @extend_schema(
        summary="Enter a challenge",
        description="Between two entries of the ladder in play; they can play at once. Nobody has two open challenges.",
        request=NewChallengeSerializer,
        responses={201: ChallengeSerializer} | problems(*WRITE, refusals=("out_of_reach",), conflicts=CONFLICTS),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "make_challenge")
        data = NewChallengeSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        people = Entry.objects.filter(event=event).select_related("player", "partner")
        two = {side: get_object_or_404(people, pk=data.validated_data[side]) for side in ("challenger", "challenged")}
        made = challenge(event, **two, by=user_of(request), at=timezone.now())
        return Response(ChallengeSerializer(made).data, status=201)


class ChallengeView(ApiView):
    @extend_schema(
        summary="Withdraw a challenge",
        description="Of the ladder in play, by its number, until its match begins.",
        responses={204: None}
        | problems(*ACT, conflicts=("no_ladder", "challenge_gone", "challenge_begun", "event_finished")),
    )
    def delete(self, request: Request, event_id: int, number: int) -> Response:
        event = event_for(request, event_id, "make_challenge")
        found = Challenge.objects.select_related(*PEOPLE, "stage__event__tournament")
        made = get_object_or_404(found, stage=ladder_in_play(event), number=number)
        withdraw_challenge(made, by=user_of(request), at=timezone.now())
        return Response(status=204)
