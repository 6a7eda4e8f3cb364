"""The API for the adviser: formats compared for one field, as far as they have been simulated."""

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
from tournament.forecast.advice import (
    MOST_EVENTS,
    MOST_PLAYERS,
    MOST_TABLES,
    AdviceLine,
    Question,
    advise,
    is_complete,
)
from tournament.formats.options import MAX_LENGTH, MAX_LENGTHS
from tournament.models.event import BOARDS
from tournament.roles.throttling import AddressThrottle


class AdviceThrottle(AddressThrottle):
    """A rate limit, since an answer may take half a second and start a task afterwards."""

    scope = "advice"
    rate = "60/min"


@extend_schema_field(OpenApiTypes.STR)
class LengthsField(serializers.Field):
    """Match lengths as `9,7,5`, the final first."""

    default_error_messages = {"lengths": _("Write match lengths like 9,7,5, the final first.")}

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
    lengths = LengthsField(
        default=(7,), help_text="Points to win, such as `7`, or from the final backwards, such as `9,7,5`."
    )
    tables = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="By default enough for all matches."
    )
    boards = serializers.ChoiceField(choices=BOARDS, default=1, help_text="2 to 9 for teams with this many boards.")


class AdviceLineSerializer(serializers.Serializer):
    """A format's figures: means over its simulated events, unless stated otherwise."""

    format = serializers.CharField()
    count = serializers.IntegerField(help_text="Events simulated so far.")
    wanted = serializers.IntegerField(help_text="Events that will be simulated.")
    matches = serializers.FloatField()
    matches_of_a_player = serializers.FloatField()
    fewest_matches = serializers.FloatField(help_text="Matches of the player who has the fewest.")
    rounds = serializers.FloatField(help_text="The longest chain of matches, one after the other.")
    waiting_minutes = serializers.FloatField(help_text="Waiting time of a player, before their last match.")
    rematches = serializers.FloatField()
    byes = serializers.FloatField()
    hours_median = serializers.FloatField(help_text="After this many hours half of the events are over.")
    hours_p90 = serializers.FloatField(help_text="After this many hours nine tenths of the events are over.")
    p_best_wins = serializers.FloatField(
        allow_null=True, help_text=f"How often the best player wins; null before {MOST_EVENTS} events are simulated."
    )
    p_best_wins_error = serializers.FloatField(allow_null=True, help_text="Its standard error.")
    p_best_wins_low = serializers.FloatField(allow_null=True, help_text="The lower bound of its 95 % interval.")
    p_best_wins_high = serializers.FloatField(allow_null=True)
    p_by_chance = serializers.FloatField(help_text="How often each player would win if chance alone decided.")


class AdviceAnswer(serializers.Serializer):
    players = serializers.IntegerField()
    tables = serializers.IntegerField(allow_null=True)
    lengths = serializers.ListField(child=serializers.IntegerField())
    boards = serializers.IntegerField(help_text="Boards of a team; 1 without teams.")
    complete = serializers.BooleanField(help_text="False while more events are being simulated: ask again.")
    formats = AdviceLineSerializer(many=True)


class AdviceView(ApiView):
    throttle_classes = [AdviceThrottle]

    @extend_schema(
        summary="Compare formats for a field",
        description="Formats that have not been simulated yet are left out; the complete answer is always the same.",
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
                "formats": [_figures(line, question) for line in lines if line.summary],
            }
        )


def _figures(line: AdviceLine, question: Question) -> dict[str, object]:
    figures = asdict(line.summary) if line.summary else {}
    del figures["violations"]
    best = line.best_wins
    return {
        "format": line.format,
        "wanted": line.wanted,
        **figures,
        "p_best_wins": best and best.value,
        "p_best_wins_error": best and best.error,
        "p_best_wins_low": best and best.low,
        "p_best_wins_high": best and best.high,
        "p_by_chance": question.by_chance,
    }
