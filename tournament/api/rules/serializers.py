"""Questions to the rules engine and its answers."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rules.disputes import Dispute, Outcome
from rules.equity import DEFAULT_TABLE, TABLES
from rules.errors import NotationError
from rules.ids import Situation, parse_id
from rules.notations import read_play
from rules.plays import Fault, Roll
from rules.profiles import DEFAULT_PROFILE, PROFILES
from rules.score import MatchScore, Phase
from tournament.api.fields import StrictChoiceField, StrictSerializer
from tournament.referee.answers import MAX_PLAY_LENGTH, sentence

MAX_LENGTH = 32767


@extend_schema_field(OpenApiTypes.STR)
class SituationField(serializers.Field):
    """Any id of `rules.ids`; a Position ID's `+` must be sent as `%2B`."""

    def to_internal_value(self, data: Any) -> Situation:
        try:
            return parse_id(str(data))
        except NotationError as error:
            raise serializers.ValidationError(sentence(error), code="id") from error


@extend_schema_field(OpenApiTypes.STR)
class RollField(serializers.Field):
    """Two dice such as `31`."""

    default_error_messages = {"roll": gettext_lazy("A roll is two dice, each showing 1 to 6, such as 31.")}

    def to_internal_value(self, data: Any) -> Roll:
        text = str(data)
        if len(text) != 2 or not set(text) <= set("123456"):
            self.fail("roll")
        return int(text[0]), int(text[1])


@extend_schema_field(OpenApiTypes.STR)
class PlayField(serializers.Field):
    """A play such as `24/18 13/11`; an empty text is a roll that was not played."""

    default_error_messages = {
        "play": gettext_lazy("Write a play like 24/18 13/11, bar/20* or 6/off(2), always forward.")
    }

    def to_internal_value(self, data: Any) -> str:
        text = str(data)
        if len(text) > MAX_PLAY_LENGTH:
            self.fail("play")
        return text


class ProfileQuestion(StrictSerializer):
    profile = StrictChoiceField(choices=list(PROFILES), default=DEFAULT_PROFILE.slug)


class PlaysQuestion(ProfileQuestion):
    position = SituationField(help_text="Position ID, `Position ID:Match ID`, XGID or OGID. Send `+` as `%2B`.")
    roll = RollField(required=False, help_text="Two dice, such as `31`; without it the roll in the id.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        roll = attrs.get("roll") or attrs["position"].dice
        if roll is None:
            raise serializers.ValidationError(
                {"roll": [serializers.ErrorDetail(_("The id has no roll: send one, such as 31."), code="required")]}
            )
        return attrs | {"roll": roll}


class JudgeQuestion(PlaysQuestion):
    play = PlayField(
        help_text="Such as `24/18 13/11`, `bar/20*`, `6/off(2)`, or `S1-S5 S12-W9` with the rows of the Danish leaflet "
        "(side A is white); empty if the roll was not played."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        try:
            return attrs | {"play": read_play(attrs["play"], attrs["position"].on_roll)}
        except NotationError as error:
            sentence = str(PlayField.default_error_messages["play"])
            raise serializers.ValidationError({"play": [serializers.ErrorDetail(sentence, code="play")]}) from error


class WholeNumberField(serializers.IntegerField):
    """A whole number in a query."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MAX_LENGTH, **kwargs)


class EquityQuestion(StrictSerializer):
    length = WholeNumberField(help_text="Points that win the match.")
    a = WholeNumberField(help_text="Points of side A.")
    b = WholeNumberField(help_text="Points of side B.")
    crawford_done = serializers.BooleanField(default=False, help_text="The Crawford game has been played.")
    table = StrictChoiceField(choices=list(TABLES), default=DEFAULT_TABLE.slug)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            score = MatchScore(attrs["length"], attrs["a"], attrs["b"], crawford_done=attrs["crawford_done"])
        except ValueError as error:
            raise serializers.ValidationError(_("No match can have this score."), code="score") from error
        return {"score": score, "table": TABLES[attrs["table"]]}


class WrittenPlaySerializer(serializers.Serializer):
    play = serializers.CharField(help_text="As players write it.")
    position = serializers.CharField(help_text="The Position ID after it, the opponent on roll.")


class PlaysAnswer(serializers.Serializer):
    position = serializers.CharField(help_text="The Position ID, seen by the player on roll.")
    roll = serializers.CharField()
    profile = serializers.CharField()
    plays = WrittenPlaySerializer(many=True, help_text="Empty if the roll cannot be played.")


class FaultSerializer(serializers.Serializer):
    code = serializers.ChoiceField(choices=[*(fault.value for fault in Fault), "ambiguous_play"])
    message = serializers.CharField(help_text="One sentence, in the requested language.")
    rule = serializers.CharField(help_text="The row of the table of rules.")
    move = serializers.CharField(
        allow_null=True, help_text="The first move that cannot be made; null if the whole play is wrong."
    )
    filled_in = serializers.BooleanField(
        help_text="The profile's own text does not state the rule; it is taken from the other texts."
    )


class DisputeSerializer(serializers.Serializer):
    dispute = serializers.ChoiceField(choices=[dispute.value for dispute in Dispute])
    question = serializers.CharField(help_text="In the requested language.")
    outcome = serializers.ChoiceField(choices=[outcome.value for outcome in Outcome])
    message = serializers.CharField(help_text="What follows, in the requested language.")
    rule = serializers.CharField(help_text="The row of the table of rules.")
    filled_in = serializers.BooleanField(
        help_text="The profile's own text does not state the rule; it is taken from the other texts."
    )


class DisputesAnswer(serializers.Serializer):
    profile = serializers.CharField()
    disputes = DisputeSerializer(many=True)


class JudgeAnswer(PlaysAnswer):
    play = serializers.CharField()
    legal = serializers.BooleanField()
    after = serializers.CharField(
        allow_null=True, help_text="The Position ID after a legal play, the opponent on roll."
    )
    fault = FaultSerializer(allow_null=True)
    follows = DisputeSerializer(
        allow_null=True, help_text="What follows the illegal play; null if it is legal, or only misspelt."
    )
    made = serializers.CharField(
        allow_null=True,
        help_text="The Position ID that an illegal play left, the opponent on roll; null if the checkers "
        "cannot be moved like that.",
    )


class EquityAnswer(serializers.Serializer):
    table = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    phase = serializers.ChoiceField(choices=[phase.value for phase in Phase])
    a = serializers.FloatField(help_text="The probability that side A wins the match, if both play equally well.")
    b = serializers.FloatField()
