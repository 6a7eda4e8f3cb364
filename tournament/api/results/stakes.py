"""What an undecided match is worth on official lists, as clients read it."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.reporting.stakes import Stake

CHANGES = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)


class StakeSerializer(serializers.Serializer):
    """What an undecided match is worth on an official list: how both ratings change with either winner."""

    name = serializers.CharField(help_text="The name of the list.")
    publication = serializers.IntegerField(
        source="number", help_text="The number of the publication whose ratings are taken; 0 for start values."
    )
    if_a_wins = serializers.SerializerMethodField(help_text="The changes of side A and of side B.")
    if_b_wins = serializers.SerializerMethodField(help_text="The changes of side A and of side B.")

    @extend_schema_field(CHANGES)
    def get_if_a_wins(self, stake: Stake) -> list[str]:
        return [f"{change:.2f}" for change in (stake.if_won.a_if_a, stake.if_won.b_if_a)]

    @extend_schema_field(CHANGES)
    def get_if_b_wins(self, stake: Stake) -> list[str]:
        return [f"{change:.2f}" for change in (stake.if_won.a_if_b, stake.if_won.b_if_b)]
