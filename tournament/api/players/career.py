"""The API for a player's career and for two players across the board."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from matches.rating_line import rating_line
from players.models import Player
from players.ratings import DEFAULT_RATING
from tournament.api.access import ApiView
from tournament.api.schema import problems
from tournament.career.career import career_of
from tournament.career.versus import versus_of


class CareerPersonSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class BalanceSerializer(serializers.Serializer):
    """Matches played to their end: walkovers and forfeits are not counted."""

    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    points_for = serializers.IntegerField()
    points_against = serializers.IntegerField()


class CareerResultSerializer(serializers.Serializer):
    """A decided match as one of its players sees it; `award` if it was not played to its end."""

    match = serializers.IntegerField(source="match_id")
    at = serializers.DateTimeField()
    length = serializers.IntegerField()
    own = serializers.IntegerField()
    theirs = serializers.IntegerField()
    won = serializers.BooleanField()
    award = serializers.BooleanField(source="is_award")
    opponents = CareerPersonSerializer(many=True)
    partner = CareerPersonSerializer(allow_null=True)
    event = serializers.IntegerField(allow_null=True)


class CareerEventSerializer(serializers.Serializer):
    """An event that the player entered; `place` is null until it has ended."""

    event = serializers.IntegerField()
    name = serializers.CharField()
    slug = serializers.CharField()
    tournament = serializers.CharField()
    tournament_slug = serializers.CharField()
    starts_on = serializers.DateField()
    team = serializers.CharField()
    partner = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    place_to = serializers.IntegerField(allow_null=True)
    entrants = serializers.IntegerField()
    balance = BalanceSerializer()


class OpponentSerializer(serializers.Serializer):
    player = CareerPersonSerializer(source="person")
    balance = BalanceSerializer()


class RatingPointSerializer(serializers.Serializer):
    """The rating after a match; the first is the one before it."""

    at = serializers.DateTimeField()
    match = serializers.IntegerField(source="match_id")
    value = serializers.FloatField()


class CareerSerializer(serializers.Serializer):
    balance = BalanceSerializer()
    titles = serializers.IntegerField(help_text="Events won alone.")
    finals = serializers.IntegerField(help_text="Events that ended with place 1 or 2.")
    streak = serializers.IntegerField(help_text="Matches won in a row up to now; negative if they were lost.")
    form = CareerResultSerializer(many=True, help_text="The latest ten, the latest first.")
    events = CareerEventSerializer(many=True)
    opponents = OpponentSerializer(many=True, help_text="Those met most often.")
    ratings = RatingPointSerializer(many=True)


class VersusSerializer(serializers.Serializer):
    balance = BalanceSerializer(help_text="As the first player sees it.")
    longest_win = serializers.IntegerField(help_text="In points; 0 for none.")
    longest_loss = serializers.IntegerField()
    results = CareerResultSerializer(many=True)


class CareerView(ApiView):
    @extend_schema(summary="Show what a player has done in all events", responses={200: CareerSerializer} | problems())
    def get(self, request: Request, player_id: int) -> Response:
        player = get_object_or_404(Player, pk=player_id, merged_into__isnull=True)
        career = career_of(player)
        names = ("balance", "titles", "finals", "streak", "form", "events", "opponents")
        shown = {name: getattr(career, name) for name in names}
        return Response(CareerSerializer({**shown, "ratings": rating_line(DEFAULT_RATING, player.pk)}).data)


class VersusView(ApiView):
    @extend_schema(summary="Show the matches between two players", responses={200: VersusSerializer} | problems())
    def get(self, request: Request, player_id: int, other_id: int) -> Response:
        people = Player.objects.filter(merged_into__isnull=True)
        other = get_object_or_404(people.exclude(pk=player_id), pk=other_id)
        return Response(VersusSerializer(versus_of(get_object_or_404(people, pk=player_id), other)).data)
