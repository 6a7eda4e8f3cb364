"""Official lists, publications, lines and start values, as they are sent and answered."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.lists.draft import Draft
from matches.lists.moves import Moves, Step
from players.lists.document import criteria_from_json
from players.lists.make import MOST_CLASSES
from players.lists.models import MAX_KIND, MOST_PLACES, OfficialList, Publication, PublishedLine, StartValue
from players.lists.signing import key_id
from players.lists.starts import StartPreview
from players.lists.values import Criteria, Provisional
from players.models import MAX_CODE, MAX_NAME
from players.ratings import SYSTEMS
from players.registry.matching import Outcome
from tournament.api.fields import (
    IdField,
    LineField,
    NumberField,
    StrictBooleanField,
    StrictChoiceField,
    StrictDateField,
    StrictIntegerField,
    StrictSerializer,
)
from tournament.api.registry.serializers import CountsSerializer

RATING = "A decimal number as text, so that no digit is lost."
MOST_RATING = 1_000_000


class RatingClassSerializer(StrictSerializer):
    name = LineField(max_length=MAX_NAME)
    least = StrictIntegerField(
        min_value=-MOST_RATING, max_value=MOST_RATING, help_text="The rating from which it begins."
    )


class CriteriaSerializer(StrictSerializer):
    """Who stands on a list, and in which class; 0 and empty texts ask for nothing."""

    experience = NumberField(default=0, help_text="Below this a player is provisional.")
    active_months = NumberField(default=0, help_text="Within how many months a player must have played.")
    active_since = StrictDateField(default=None, allow_null=True, help_text="Or since which day.")
    members = StrictBooleanField(default=False)
    nation = LineField(max_length=3, default="", allow_blank=True)
    club = IdField(default=None, allow_null=True, help_text="The id of the club whose players alone stand on it.")
    provisional = StrictChoiceField(choices=[one.value for one in Provisional], default=Provisional.BY_RATING.value)
    classes = RatingClassSerializer(  # type: ignore[call-arg]
        many=True, default=list, max_length=MOST_CLASSES, help_text="The highest first."
    )
    class_matches = NumberField(default=0, help_text="Over how many matches a class looks back.")
    class_months = NumberField(default=0, help_text="For how many months a player who has risen stays.")


def criteria_of(sent: dict[str, Any]) -> Criteria:
    """Return the criteria that were sent."""
    since = sent["active_since"]
    return Criteria(
        **{
            **sent,
            "active_since": since.isoformat() if since else "",
            "club": sent["club"] or 0,
            "provisional": Provisional(sent["provisional"]),
            "classes": tuple((one["name"], one["least"]) for one in sent["classes"]),
        }
    )


def criteria_told(values: dict[str, Any]) -> dict[str, Any]:
    """Return stored criteria as they are answered."""
    criteria = criteria_from_json(values) if values else Criteria()
    told = asdict(criteria)
    classes = [{"name": name, "least": least} for name, least in criteria.classes]
    return {
        **told,
        "active_since": criteria.active_since or None,
        "club": criteria.club or None,
        "provisional": criteria.provisional.value,
        "classes": classes,
    }


@extend_schema_field({"type": "object", "additionalProperties": True})
class ParametersField(serializers.JSONField):
    """The parameters of a rating system by name; what they may be is for the system to say."""


class OfficialListSerializer(serializers.ModelSerializer):
    """Reads ``federation`` as loaded, and ``newest`` and ``newest_of``."""

    federation = serializers.CharField(source="federation.code", default="")
    parameters = ParametersField()
    criteria = serializers.SerializerMethodField(help_text="Of the next publication.")
    newest = serializers.IntegerField(allow_null=True, help_text="The number of the newest publication.")
    newest_of = serializers.DateField(allow_null=True, help_text="Its day.")

    class Meta:
        model = OfficialList
        fields = [
            *("slug", "name", "federation", "kind", "parameters", "places", "counts_from", "criteria"),
            *("newest", "newest_of"),
        ]

    @extend_schema_field(CriteriaSerializer)
    def get_criteria(self, found: OfficialList) -> dict[str, Any]:
        return criteria_told(found.criteria)


class _ListTerms(StrictSerializer):
    criteria = CriteriaSerializer(required=False)
    parameters = ParametersField(required=False, help_text="One that is left out has its default.")
    places = StrictIntegerField(min_value=0, max_value=MOST_PLACES, required=False, help_text="Decimal places.")
    counts_from = StrictDateField(required=False, allow_null=True, help_text="The day from which matches count.")

    def validate_parameters(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise serializers.ValidationError("The parameters are an object.")
        return value


class NewListSerializer(_ListTerms):
    name = LineField(most=MAX_NAME)
    slug = LineField(
        max_length=40, required=False, allow_blank=True, default="", help_text="Empty: made from the name."
    )
    federation = LineField(
        most=MAX_CODE, required=False, allow_blank=True, default="", help_text="Its code; empty for administrators."
    )
    kind = LineField(most=MAX_KIND, help_text="One of " + ", ".join(f"`{slug}`" for slug in SYSTEMS) + ".")


class ListChangesSerializer(_ListTerms):
    name = LineField(most=MAX_NAME, required=False)


class PublicationSerializer(serializers.ModelSerializer):
    list = serializers.CharField(source="official_list.slug")
    criteria = serializers.SerializerMethodField()
    key_id = serializers.SerializerMethodField(help_text="The short name of the key.")

    class Meta:
        model = Publication
        fields = [
            *("list", "number", "as_of", "matches_until", "memberships_until", "criteria", "matches", "corrections"),
            *("sha256", "signature", "key", "key_id", "published_at"),
        ]

    @extend_schema_field(CriteriaSerializer)
    def get_criteria(self, found: Publication) -> dict[str, Any]:
        return criteria_told(found.criteria)

    def get_key_id(self, found: Publication) -> str:
        return key_id(found.key)


class PublishedLineSerializer(serializers.ModelSerializer):
    player = serializers.IntegerField(source="player_id", help_text="The id of the player now.")
    person = serializers.IntegerField(help_text="The id that the signed file has: a merge does not change it.")
    class_name = serializers.CharField()

    class Meta:
        model = PublishedLine
        fields = [
            *("place", "rank", "rank_to", "player", "person", "number", "title", "name", "nation", "club"),
            *("class_name", "value", "delta", "experience", "matches", "wins", "last_played"),
        ]


class HistoryLineSerializer(PublishedLineSerializer):
    publication = serializers.IntegerField(source="publication.number")
    as_of = serializers.DateField(source="publication.as_of")

    class Meta(PublishedLineSerializer.Meta):
        fields = ["publication", "as_of", *PublishedLineSerializer.Meta.fields]


class ListCorrectionSerializer(serializers.Serializer):
    match = serializers.IntegerField()
    was = serializers.CharField(help_text="What was counted, in words; empty for nothing.")
    now = serializers.CharField(help_text="What is counted now; empty for nothing.")
    why = serializers.CharField()


class RatingStepSerializer(serializers.Serializer):
    match = serializers.IntegerField(source="counted.match")
    at = serializers.DateTimeField(help_text="When it ended: matches are rated in this order.")
    length = serializers.IntegerField(source="counted.length")
    weight = serializers.IntegerField(source="counted.weight", help_text="In hundredths.")
    won = serializers.BooleanField()
    opponent = serializers.IntegerField(help_text="The id of the player.")
    before = serializers.DecimalField(10, 4, help_text=RATING)
    after = serializers.DecimalField(10, 4, help_text=RATING)


class RatingMovesSerializer(serializers.Serializer):
    published = serializers.DecimalField(
        10, 4, allow_null=True, help_text="Of the publication before; null if not on it."
    )
    value = serializers.DecimalField(10, 4, allow_null=True)
    corrected = serializers.DecimalField(
        10, 4, allow_null=True, help_text="The part of the change that comes from corrections before."
    )
    begins = serializers.DecimalField(10, 4, help_text="The rating with which the steps begin.")
    steps = RatingStepSerializer(many=True)
    earlier = RatingStepSerializer(many=True, help_text="Matches of earlier publications that were rated again.")
    corrections = ListCorrectionSerializer(many=True, help_text="In the player's own matches.")


def moves_told(moves: Moves) -> dict[str, Any]:
    """Return the moves with what is computed of them."""
    steps: tuple[Step, ...] = moves.steps
    return {
        **{name: getattr(moves, name) for name in ("published", "value", "corrected", "begins", "earlier")},
        "steps": steps,
    }


class ListCutSerializer(StrictSerializer):
    of = StrictDateField(help_text="The day of the list.")
    matches_until = StrictDateField(help_text="The last day whose matches count.")
    members_on = StrictDateField(help_text="The day of the memberships.")


class PublishSerializer(ListCutSerializer):
    digest = LineField(max_length=64, help_text="That of the draft that you saw.")


class ListDraftCountsSerializer(serializers.Serializer):
    new = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    gone = serializers.IntegerField()
    corrections = serializers.IntegerField()


class ListDraftLineSerializer(serializers.Serializer):
    rank = serializers.IntegerField(help_text="0 for a provisional player.")
    player = serializers.IntegerField()
    name = serializers.CharField()
    value = serializers.CharField(help_text=RATING)
    delta = serializers.CharField(allow_null=True)
    experience = serializers.IntegerField()
    matches = serializers.IntegerField()
    class_name = serializers.CharField()


class ListDraftSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    digest = serializers.CharField(help_text="To publish exactly this.")
    matches = serializers.IntegerField(help_text="How many are counted in this publication.")
    counts = ListDraftCountsSerializer()
    corrections = ListCorrectionSerializer(many=True)
    not_ended = serializers.ListField(
        child=serializers.IntegerField(), help_text="Events that declare the list and count once they have ended."
    )
    lines = ListDraftLineSerializer(many=True)


COUNTED = ("new", "changed", "unchanged", "gone", "corrections")
OF_LINE = ("rank", "player", "value", "delta", "experience", "matches", "class_name")


def draft_told(draft: Draft) -> dict[str, Any]:
    """Return the draft as it is answered, but for its corrections and the events that have not ended."""
    counts = {name: len(getattr(draft, name)) for name in COUNTED}
    lines = [
        {
            **{name: getattr(line, name) for name in OF_LINE},
            "name": draft.known[line.player].name,
        }
        for line in draft.made.lines
    ]
    digest, matches = draft.made.sha256, draft.made.matches
    return {"number": draft.head.number, "digest": digest, "matches": matches, "counts": counts, "lines": lines}


class StartValueSerializer(serializers.ModelSerializer):
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.name")

    class Meta:
        model = StartValue
        fields = ["player", "name", "value", "experience", "as_of", "source"]


class StartRowSerializer(serializers.Serializer):
    row = serializers.IntegerField(source="listed.row", help_text="The number of the row in the file.")
    name = serializers.CharField(source="listed.name")
    fate = serializers.ChoiceField(choices=[fate.value for fate in Outcome])
    player = serializers.IntegerField(allow_null=True)
    value = serializers.DecimalField(10, 4, allow_null=True, help_text=RATING)
    experience = serializers.IntegerField()
    why = serializers.CharField()
    candidates = serializers.ListField(child=serializers.IntegerField())


class StartPreviewSerializer(serializers.Serializer):
    digest = serializers.CharField()
    counts = CountsSerializer()
    rows = StartRowSerializer(many=True)


def starts_told(preview: StartPreview) -> dict[str, Any]:
    """Return the preview with how many rows came to each fate."""
    return {"digest": preview.digest, "counts": preview.counts, "rows": preview.rows}
