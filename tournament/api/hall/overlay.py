"""The overlay of a stream in the API: one table or one match, for tools that draw it themselves."""

from typing import Any

from django.db.models import BigIntegerField
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView
from tournament.api.schema import problems
from tournament.models import Tournament
from tournament.pictures.overlay import overlay_of_match, overlay_of_table

MOST_TABLES = 32767


class OverlaySideSerializer(serializers.Serializer):
    name = serializers.CharField(source="label")
    country = serializers.CharField(source="flag", help_text="The code of the country, such as DK; empty if unknown.")
    club = serializers.CharField(help_text="The club, or the team; empty for none.")
    points = serializers.IntegerField(allow_null=True, help_text="Null before the first game and while in dispute.")
    away = serializers.IntegerField(allow_null=True, help_text="The points still to win.")
    is_winner = serializers.BooleanField()


class OverlayMatchSerializer(serializers.Serializer):
    """A match as a stream shows it. What is not known of a match in play, such as the cube, is left out."""

    match = serializers.IntegerField(source="card.match_id", allow_null=True)
    event = serializers.IntegerField(source="event_id")
    event_name = serializers.CharField(source="event")
    tournament_name = serializers.CharField(source="tournament")
    round = serializers.CharField(source="card.round", help_text="The name of the round, in the requested language.")
    table = serializers.IntegerField(source="card.table", allow_null=True)
    length = serializers.IntegerField(source="card.length")
    state = serializers.CharField(source="card.state", help_text="The `status` of its fixture, such as `playing`.")
    is_crawford = serializers.BooleanField(source="card.crawford", help_text="Whether the Crawford game is played.")
    is_post_crawford = serializers.BooleanField(source="card.post_crawford")
    a = OverlaySideSerializer(source="card.a")
    b = OverlaySideSerializer(source="card.b")
    clock_minutes = serializers.IntegerField(
        source="minutes", allow_null=True, help_text="The minutes of each side for the match; null without clocks."
    )
    clock_delay = serializers.IntegerField(source="clock.delay", allow_null=True, default=None, help_text="In seconds.")
    called_at = serializers.DateTimeField(source="call.called_at", allow_null=True, default=None)
    started_at = serializers.DateTimeField(source="call.started_at", allow_null=True, default=None)


class TableOverlaySerializer(serializers.Serializer):
    """What a stream of one table shows now."""

    table = serializers.IntegerField()
    shown = OverlayMatchSerializer(allow_null=True, help_text="Null if no match is called to the table.")


def _answer(data: Any) -> Response:
    """Answer to a page of any origin: overlays are drawn by tools of their own, and everybody may read this."""
    return Response(data, headers={"Access-Control-Allow-Origin": "*"})


class TableOverlayView(ApiView):
    @extend_schema(
        summary="Show the match at a table, for the overlay of a stream",
        description="The match that is called to the table, and for ten minutes after its result the last one there. "
        "Pages of other origins may read it.",
        responses={200: TableOverlaySerializer} | problems(),
    )
    def get(self, request: Request, tournament_id: int, number: int) -> Response:
        if tournament_id > BigIntegerField.MAX_BIGINT:
            raise Http404
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        if number > MOST_TABLES or not tournament.tables.filter(number=number).exists():
            raise Http404
        shown = overlay_of_table(tournament, number, at=timezone.now())
        return _answer(TableOverlaySerializer({"table": number, "shown": shown}).data)


class MatchOverlayView(ApiView):
    @extend_schema(
        summary="Show a match, for the overlay of a stream",
        description="Pages of other origins may read it.",
        responses={200: OverlayMatchSerializer} | problems(),
    )
    def get(self, request: Request, match_id: int) -> Response:
        shown = overlay_of_match(match_id)
        if shown is None:
            raise Http404
        return _answer(OverlayMatchSerializer(shown).data)
