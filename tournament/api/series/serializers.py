"""Series, their events and standings, as they are sent and answered."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.models import MAX_NAME
from players.points import POINTS
from tournament.api.fields import (
    IdField,
    LineField,
    NumberField,
    StrictBooleanField,
    StrictIntegerField,
    StrictSerializer,
)
from tournament.models import Series
from tournament.series.make import MOST_NUMBER, MOST_WEIGHT
from tournament.series.standings import Counted, SeriesTable

SYSTEMS = "One of " + ", ".join(f"`{slug}`" for slug in POINTS) + "."
BEST = "How many results of each player count; null for all."
DIVISION = "1 for the strongest, as the point system counts them."
DESIGNATED = "How many places get points; null for all."
MEMBERS = "Whether results count for those alone who were members when the event ended."


@extend_schema_field({"type": "object", "additionalProperties": True})
class PointParametersField(serializers.JSONField):
    """The parameters of a point system by name; what they may be is for the system to say."""


class SeriesSerializer(serializers.ModelSerializer):
    """Reads ``federation`` as loaded."""

    federation = serializers.CharField(source="federation.code")
    points = serializers.CharField(help_text="The point system.")
    parameters = PointParametersField()

    class Meta:
        model = Series
        fields = ["slug", "name", "federation", "points", "parameters", "best", "members_only", "made_at"]


class _SeriesTerms(StrictSerializer):
    parameters = PointParametersField(required=False, help_text="One that is left out has its default.")
    best = StrictIntegerField(min_value=1, max_value=MOST_NUMBER, required=False, allow_null=True, help_text=BEST)
    members_only = StrictBooleanField(required=False, help_text=MEMBERS)

    def validate_parameters(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise serializers.ValidationError("The parameters are an object.")
        return value


class NewSeriesSerializer(_SeriesTerms):
    name = LineField(most=MAX_NAME)
    slug = LineField(
        max_length=40, required=False, allow_blank=True, default="", help_text="Empty: made from the name."
    )
    points = LineField(most=20, help_text=SYSTEMS)


class SeriesChangesSerializer(_SeriesTerms):
    name = LineField(most=MAX_NAME, required=False)
    points = LineField(most=20, required=False, help_text=f"{SYSTEMS} Send its parameters too.")


class SeriesEventChangesSerializer(StrictSerializer):
    number = NumberField(required=False, help_text="Its place in the order.")
    division = StrictIntegerField(min_value=1, max_value=MOST_NUMBER, required=False, help_text=DIVISION)
    weight = StrictIntegerField(min_value=0, max_value=MOST_WEIGHT, required=False, help_text="In hundredths.")
    designated = StrictIntegerField(
        min_value=1, max_value=MOST_NUMBER, required=False, allow_null=True, help_text=DESIGNATED
    )


class NewSeriesEventSerializer(StrictSerializer):
    event = IdField()
    number = NumberField(
        required=False, allow_null=True, default=None, help_text="Its place in the order; null for the last."
    )
    division = StrictIntegerField(min_value=1, max_value=MOST_NUMBER, default=1, help_text=DIVISION)
    weight = StrictIntegerField(min_value=0, max_value=MOST_WEIGHT, default=100, help_text="In hundredths.")
    designated = StrictIntegerField(
        min_value=1, max_value=MOST_NUMBER, allow_null=True, default=None, help_text=DESIGNATED
    )


class SeriesEventSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    event = serializers.IntegerField(help_text="Its id.")
    tournament = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(
        choices=[one.value for one in Counted],
        help_text="`ended` counts; `computing` counts too, but its standings are being computed; `open` and `of_many`, "
        "an event of pairs or teams, do not.",
    )
    division = serializers.IntegerField()
    weight = serializers.IntegerField(help_text="In hundredths.")
    designated = serializers.IntegerField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class SeriesResultSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="That of the event in the series.")
    points = serializers.CharField(help_text="A decimal number as text, so that no digit is lost.")
    counts = serializers.BooleanField(help_text="False for one that is dropped, as others are better.")


class SeriesLineSerializer(serializers.Serializer):
    place = serializers.IntegerField()
    place_to = serializers.IntegerField(help_text="The last of the places that are shared.")
    player = serializers.IntegerField()
    name = serializers.CharField(help_text="As everybody may read it.")
    country = serializers.CharField()
    club = serializers.CharField()
    points = serializers.CharField(help_text="A decimal number as text, so that no digit is lost.")
    results = SeriesResultSerializer(many=True)


class SeriesTableSerializer(SeriesSerializer):
    """A series with its events in order and its standings."""

    events = SeriesEventSerializer(many=True)
    standings = SeriesLineSerializer(many=True)

    class Meta(SeriesSerializer.Meta):
        fields = [*SeriesSerializer.Meta.fields, "events", "standings"]


def table_told(table: SeriesTable) -> dict[str, Any]:
    """Return a series with its table as it is answered."""
    events = [
        {
            "number": row.number,
            "event": row.event_id,
            "tournament": row.event.tournament.name,
            "name": row.event.name,
            "state": how.value,
            "division": row.division,
            "weight": row.weight,
            "designated": row.designated,
            "ended_at": row.event.finished_at,
        }
        for row, how in table.events
    ]
    lines = [
        {
            "place": line.place,
            "place_to": line.place_to,
            "player": line.player.pk,
            "name": line.player.name,
            "country": line.player.country,
            "club": line.player.club.name if line.player.club else "",
            "points": str(line.points),
            "results": [
                {"number": award.number, "points": str(award.points), "counts": award.counts}
                for award in line.awards
                if award is not None
            ],
        }
        for line in table.lines
    ]
    told = SeriesSerializer(table.series).data
    return {
        **told,
        "events": SeriesEventSerializer(events, many=True).data,
        "standings": SeriesLineSerializer(lines, many=True).data,
    }
