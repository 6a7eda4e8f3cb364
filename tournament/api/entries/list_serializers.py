"""Whole lists of entries: what clients send and read when they import, seed, remove or check in many at once."""

from rest_framework import serializers

from tournament.api.entries.serializers import SEEDS
from tournament.api.fields import MAX_ID, IdField, LineField, NumberField, StrictSerializer
from tournament.entries.enrolment import MAX_ENTRIES
from tournament.entries.imports import Outcome
from tournament.models.event import MAX_FAMILY


class PersonSerializer(serializers.Serializer):
    name = serializers.CharField()
    club = serializers.CharField()
    country = serializers.CharField()
    player = serializers.IntegerField(source="player_id", allow_null=True, help_text="Null for a new player.")


class FateSerializer(serializers.Serializer):
    """What becomes of a row; one that is left out has a code and a reason."""

    line = serializers.IntegerField(source="line.line", help_text="The number of the row in the file, from 1.")
    name = serializers.CharField()
    seed = serializers.IntegerField(source="line.seed", allow_null=True)
    outcome = serializers.ChoiceField(choices=[outcome.value for outcome in Outcome])
    people = PersonSerializer(many=True, help_text="Whom the row enters.")
    bye = serializers.BooleanField(help_text="It takes a bye of a draw that has been made.")
    moving = serializers.ListField(
        child=serializers.CharField(), help_text="Ready matches, by their players: one of them waits again for that."
    )
    code = serializers.CharField()
    reason = serializers.CharField(help_text="One sentence, in the requested language.")


class ImportPreviewSerializer(serializers.Serializer):
    """The fate of each row; the digest confirms exactly these."""

    digest = serializers.CharField()
    rows = FateSerializer(many=True, source="fates")


class SeedingFieldsSerializer(StrictSerializer):
    seed = NumberField(within=SEEDS, allow_null=True)
    family = LineField(most=MAX_FAMILY, allow_blank=True)


class SeedingRowSerializer(SeedingFieldsSerializer):
    """An entry as it is wanted; ``base`` is what the sender saw before."""

    id = IdField()
    base = SeedingFieldsSerializer()


class SeedingSerializer(StrictSerializer):
    entries = SeedingRowSerializer(many=True, allow_empty=False, max_length=MAX_ENTRIES)  # type: ignore[call-arg]


class SeedingProposalSerializer(serializers.Serializer):
    """The entries with the seeds proposed, in the form in which seeds are set."""

    entries = SeedingRowSerializer(many=True)


class SeedByQuerySerializer(serializers.Serializer):
    """What seeds are to follow: a ranking list, or an earlier event."""

    ranking = serializers.CharField(required=False, max_length=40)
    event = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    most = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ENTRIES)


class ChosenSerializer(StrictSerializer):
    entries = serializers.ListField(child=IdField(), allow_empty=False, max_length=MAX_ENTRIES)


class GainSerializer(serializers.Serializer):
    """A match that is awarded because somebody leaves."""

    stage = serializers.IntegerField()
    key = serializers.CharField(help_text="The fixture in the draw.")
    winner = serializers.CharField()
    began = serializers.BooleanField(help_text="It had begun, and is lost with what was played on its sheet.")


class ConsequencesSerializer(serializers.Serializer):
    """What would follow now; the digest confirms exactly this."""

    gains = GainSerializer(many=True)
    moved_up = serializers.ListField(child=serializers.CharField(), help_text="The players who leave the waiting list.")
    later = serializers.BooleanField(help_text="Opponents who are not known yet may gain as well.")
    digest = serializers.CharField()
