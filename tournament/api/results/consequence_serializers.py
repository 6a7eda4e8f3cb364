"""What a correction would cost, as the API tells it before the correction is made."""

from rest_framework import serializers

from tournament.api.results.serializers import SIDES
from tournament.draw.reconcile import Repair


class FallenMatchSerializer(serializers.Serializer):
    stage = serializers.IntegerField()
    key = serializers.CharField()
    names = serializers.CharField()
    score = serializers.CharField()


class SeatChangeSerializer(serializers.Serializer):
    stage = serializers.IntegerField()
    key = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    before = serializers.CharField(help_text="The player who sat there, or would have; empty if there is no such seat.")
    after = serializers.CharField()


class PlacingChangeSerializer(serializers.Serializer):
    stage = serializers.IntegerField()
    section = serializers.CharField(help_text="Empty for the whole field.")
    name = serializers.CharField()
    before = serializers.ListField(child=serializers.IntegerField(), allow_null=True, help_text="Best and worst place.")
    after = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class RatingMoveSerializer(serializers.Serializer):
    system = serializers.CharField()
    name = serializers.CharField()
    before = serializers.DecimalField(max_digits=12, decimal_places=4, allow_null=True)
    after = serializers.DecimalField(max_digits=12, decimal_places=4, allow_null=True)


class PrizeChangeSerializer(serializers.Serializer):
    section = serializers.CharField(help_text="The ranking that the pool is for; empty for the whole field.")
    pool = serializers.CharField(help_text="The side pool or calcutta; empty for a prize of the event.")
    name = serializers.CharField()
    before = serializers.IntegerField(
        allow_null=True, help_text="In the smallest unit; null while it is still played for."
    )
    after = serializers.IntegerField(allow_null=True)
    paid = serializers.IntegerField(help_text="What has been paid out already.")
    to_give_back = serializers.IntegerField(help_text="What was paid out beyond what is due afterwards.")
    currency = serializers.CharField(source="currency.code")


class ConsequenceSerializer(serializers.Serializer):
    """The cost of a correction with this repair; everything that is not listed stays as it is."""

    repair = serializers.ChoiceField(choices=[repair.value for repair in Repair])
    matches = FallenMatchSerializer(many=True, help_text="Matches that have begun and would be void.")
    seats = SeatChangeSerializer(many=True)
    placings = PlacingChangeSerializer(many=True)
    prizes = PrizeChangeSerializer(many=True)
    ratings = RatingMoveSerializer(many=True)
