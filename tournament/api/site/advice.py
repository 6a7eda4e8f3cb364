"""Formats side by side for a field, as far as they have been played out."""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView
from tournament.api.fields import StrictSerializer
from tournament.api.schema import problems
from tournament.forecast.advice import MOST_PLAYERS, MOST_TABLES, AdviceLine, Question, advise, is_complete
from tournament.formats.options import MAX_LENGTH, MAX_LENGTHS
from tournament.models.event import BOARDS
from tournament.roles.throttling import AddressThrottle


class AdviceThrottle(AddressThrottle):
    """An answer may take half a second, and a task after it."""

    scope = "advice"
    rate = "60/min"


@extend_schema_field(OpenApiTypes.STR)
class LengthsField(serializers.Field):
    """Match lengths as `9,7,5`, the final first."""

    default_error_messages = {"lengths": _("Match lengths are written like 9,7,5, the final first.")}

    def to_internal_value(self, data: Any) -> tuple[int, ...]:
        parts = str(data).split(",")
        if len(parts) > MAX_LENGTHS or not all(part.isascii() and part.isdecimal() for part in parts):
            self.fail("lengths")
        lengths = tuple(int(part[:4]) for part in parts)
        if not all(1 <= length <= MAX_LENGTH for length in lengths):
            self.fail("lengths")
        return lengths


class AdviceQuestion(StrictSerializer):
    players = serializers.IntegerField(min_value=2, max_value=MOST_PLAYERS)
    lengths = LengthsField(default=(7,), help_text="Points to win, such as `7`, or from the final backwards `9,7,5`.")
    tables = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="Enough for all matches unless given."
    )
    boards = serializers.ChoiceField(
        choices=BOARDS, default=1, help_text="3, 5, 7 or 9: the players are teams of so many boards."
    )


class AdviceLineSerializer(serializers.Serializer):
    """Means of an event, where nothing else is said."""

    format = serializers.CharField()
    count = serializers.IntegerField(help_text="Events played so far.")
    wanted = serializers.IntegerField(help_text="Events that will be played.")
    matches = serializers.FloatField()
    matches_of_a_player = serializers.FloatField()
    fewest_matches = serializers.FloatField(help_text="Of whoever has the fewest.")
    rounds = serializers.FloatField(help_text="Pairings that follow one another.")
    waiting_minutes = serializers.FloatField(help_text="Of a player, before the last match.")
    rematches = serializers.FloatField()
    byes = serializers.FloatField()
    hours_median = serializers.FloatField(help_text="After which half of the events are over.")
    hours_p90 = serializers.FloatField(help_text="After which nine tenths of the events are over.")
    p_best_wins = serializers.FloatField(help_text="How often the best player comes first.")
    p_best_wins_low = serializers.FloatField(help_text="The lower bound of its 95 % interval.")
    p_best_wins_high = serializers.FloatField()


class AdviceAnswer(serializers.Serializer):
    players = serializers.IntegerField()
    tables = serializers.IntegerField(allow_null=True)
    lengths = serializers.ListField(child=serializers.IntegerField())
    boards = serializers.IntegerField(help_text="Of a team; 1 without teams.")
    complete = serializers.BooleanField(help_text="False: ask again; more events are being played.")
    formats = AdviceLineSerializer(many=True)


class AdviceView(ApiView):
    throttle_classes = [AdviceThrottle]

    @extend_schema(
        summary="Formats side by side for a field",
        description="Formats that have not been played yet are left out; the complete answer is always the same.",
        parameters=[AdviceQuestion],
        responses={200: AdviceAnswer} | problems(429),
    )
    def get(self, request: Request) -> Response:
        asked = AdviceQuestion(data=dict(request.query_params.items()))
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        question = Question(data["players"], data.get("tables"), data["lengths"], data["boards"])
        lines = advise(question)
        return Response(
            {
                "players": question.players,
                "tables": question.tables,
                "lengths": list(question.lengths),
                "boards": question.boards,
                "complete": is_complete(lines),
                "formats": [_figures(line) for line in lines if line.summary],
            }
        )


def _figures(line: AdviceLine) -> dict[str, object]:
    figures = asdict(line.summary) if line.summary else {}
    del figures["violations"]
    low, _best, high = line.best_wins
    return {
        "format": line.format,
        "wanted": line.wanted,
        **figures,
        "p_best_wins_low": low,
        "p_best_wins_high": high,
    }
