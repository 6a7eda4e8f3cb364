"""What officers and directors send about official lists, and what they read."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.models import MAX_REASON
from players.lists.policies import ListPolicy
from players.lists.policy import MOST_WEIGHT, RULES
from tournament.api.fields import (
    LineField,
    NumberField,
    StrictBooleanField,
    StrictChoiceField,
    StrictDateField,
    StrictSerializer,
    TextField,
    ToldLength,
)
from tournament.events.declaring import MOST_LISTS
from tournament.models import EventReport, RatingVerdict, ReportState
from tournament.models.report import MAX_SAID
from tournament.reporting.inbox import ReportLine

DECIDED = [ReportState.ACCEPTED.value, ReportState.RETURNED.value, ReportState.QUEUED.value]


class EventReportSerializer(serializers.ModelSerializer):
    list = serializers.CharField(source="official_list.slug")
    name = serializers.CharField(source="event.name", help_text="The name of the event.")
    state = serializers.ChoiceField(choices=ReportState.values)
    is_open_again = serializers.BooleanField(
        help_text="Whether the event has been opened again since the report was accepted: its results may change."
    )

    class Meta:
        model = EventReport
        fields = ["id", "event", "name", "list", "state", "digest", "arrived_at", "changed_at", "is_open_again"]


class ReportedMatchSerializer(serializers.Serializer):
    match = serializers.IntegerField(source="verdict.match")
    place = serializers.CharField(help_text="The key in the draw, with the board of a match of teams.")
    at = serializers.DateTimeField(source="verdict.at", help_text="When it ended: they are rated in this order.")
    winner = serializers.SerializerMethodField(help_text="The id of the player; null without a winner.")
    loser = serializers.SerializerMethodField(help_text="The id of the player; null without a winner.")
    length = serializers.IntegerField(source="verdict.length")
    rated = serializers.BooleanField(source="verdict.counts")
    why_not = serializers.ChoiceField(
        source="verdict.why_not", choices=list(RULES), allow_null=True, help_text="What keeps it out."
    )
    why = serializers.CharField(help_text="That in a sentence; empty for a match that counts.")
    weight = serializers.IntegerField(source="verdict.weight", help_text="In hundredths.")

    def get_winner(self, line: ReportLine) -> int | None:
        return line.verdict.winner or None

    def get_loser(self, line: ReportLine) -> int | None:
        return line.verdict.loser or None


class ReportStepSerializer(serializers.Serializer):
    state = serializers.ChoiceField(choices=ReportState.values)
    said = serializers.CharField()
    by = serializers.CharField(source="by.shown_name", default="")
    at = serializers.DateTimeField()


class WholeEventReportSerializer(EventReportSerializer):
    matches = ReportedMatchSerializer(many=True)
    steps = ReportStepSerializer(many=True)

    class Meta(EventReportSerializer.Meta):
        fields = [*EventReportSerializer.Meta.fields, "matches", "steps"]


class DecisionSerializer(StrictSerializer):
    state = StrictChoiceField(choices=DECIDED)
    digest = LineField(max_length=64, help_text="That of the report that you saw.")
    said = TextField(
        required=False, allow_blank=True, default="", validators=[ToldLength(MAX_SAID)], help_text="The question."
    )


class AnswerReportSerializer(StrictSerializer):
    said = TextField(allow_blank=True, validators=[ToldLength(MAX_SAID)])


class RatingRulingSerializer(StrictSerializer):
    list = LineField(max_length=40, help_text="The slug of the official list.")
    verdict = StrictChoiceField(choices=RatingVerdict.values, help_text="`policy` takes earlier rulings back.")
    reason = LineField(allow_blank=True, max_length=MAX_REASON)


class RatedLineSerializer(serializers.Serializer):
    list = serializers.CharField(source="name")
    rated = serializers.BooleanField(source="counts", allow_null=True, help_text="Null before the match is decided.")
    why_not = serializers.CharField(source="code", help_text="The code of what keeps it out, or empty.")
    why = serializers.CharField(help_text="That in a sentence, or empty.")


class SanctionSerializer(StrictSerializer):
    weight = NumberField(
        within=(1, MOST_WEIGHT), required=False, allow_null=True, default=None, help_text="In hundredths."
    )


class DeclarationSerializer(StrictSerializer):
    rated_for = serializers.ListField(child=LineField(max_length=40), validators=[ToldLength(MOST_LISTS)])
    event_class = LineField(max_length=1, allow_blank=True)
    online = StrictBooleanField()
    reason = LineField(allow_blank=True, max_length=MAX_REASON)


@extend_schema_field({"type": "object", "additionalProperties": True})
class RulesField(serializers.JSONField):
    """The rules of a policy; what they may be is for the policy to say."""


class NewPolicySerializer(StrictSerializer):
    valid_from = StrictDateField()
    rules = RulesField(help_text="Rules by name; one that is left out has its default.")


class PolicySerializer(serializers.ModelSerializer):
    rules = RulesField()
    by = serializers.CharField(source="by.shown_name", default="")

    class Meta:
        model = ListPolicy
        fields = ["id", "valid_from", "rules", "by", "at"]
