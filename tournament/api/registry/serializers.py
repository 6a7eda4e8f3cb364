"""Federations, clubs, people and their rows, as they are sent and answered."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.models import (
    MAX_CODE,
    MAX_NAME,
    Club,
    ExternalId,
    Federation,
    FormerValue,
    Gender,
    Membership,
    Norm,
    Player,
    RegistryImport,
    RegistryRole,
    Title,
    Visibility,
    VisibilityRequest,
)
from players.registry.matching import MemberFate, Outcome
from players.registry.models import MAX_ISSUER, MAX_NUMBER, MAX_PATTERN, MAX_SOURCE
from players.registry.names import own_name
from players.registry.people import born_of
from players.registry.records import MAX_EVIDENCE
from players.registry.roll import Standing
from tournament.api.fields import (
    IdField,
    LineField,
    NumberField,
    StrictBooleanField,
    StrictChoiceField,
    StrictDateField,
    StrictSerializer,
    TextField,
)

SHOWN = "One of " + ", ".join(Visibility.values) + "."
BORN = "A year, or a day such as `1961-05-02`; empty if unknown."


def _line(most: int, **kwargs: Any) -> LineField:
    return LineField(most=most, required=False, allow_blank=True, default="", **kwargs)


class FederationSerializer(serializers.ModelSerializer):
    """Reads ``federation.parent`` as loaded."""

    parent = serializers.CharField(  # type: ignore[assignment]
        source="parent.code", default="", help_text="The code of the one above."
    )

    class Meta:
        model = Federation
        fields = ["code", "name", "country", "parent", "year_starts_month", "year_starts_day", "number_pattern"]


class FederationDataSerializer(StrictSerializer):
    code = LineField(most=MAX_CODE)
    name = LineField(most=MAX_NAME)
    country = _line(3, help_text="An ISO 3166 or Olympic code.")
    parent = _line(MAX_CODE, help_text="The code of the federation above.")  # type: ignore[assignment]
    year_starts_month = NumberField(within=(1, 12), default=1)
    year_starts_day = NumberField(within=(1, 28), default=1)
    number_pattern = _line(MAX_PATTERN, help_text="What every member number looks like, such as `\\d{1,4}`.")


class ClubSerializer(serializers.ModelSerializer):
    """Reads ``club.federation`` as loaded."""

    federation = serializers.CharField(source="federation.code", default="")

    class Meta:
        model = Club
        fields = ["id", "name", "code", "town", "federation"]


class ClubDataSerializer(StrictSerializer):
    name = LineField(most=MAX_NAME)
    code = _line(MAX_CODE)
    town = _line(MAX_NAME)
    federation = _line(MAX_CODE, help_text="The code of the federation that the club belongs to.")


class PersonDataSerializer(StrictSerializer):
    given = _line(MAX_NAME)
    family = LineField(most=MAX_NAME)
    country = _line(3, help_text="An ISO 3166 or Olympic code.")
    club = _line(MAX_NAME)
    town = _line(MAX_NAME)
    born = _line(10, help_text=BORN)
    gender = StrictChoiceField(choices=["", *Gender.values], required=False, default="")


class MembershipSerializer(serializers.ModelSerializer):
    """Reads federation and club as loaded; one of the two is empty."""

    federation = serializers.CharField(source="federation.code", default="")
    club = serializers.SerializerMethodField(help_text="The id of the club.")
    kind = serializers.ChoiceField(choices=Membership.Kind.values)

    class Meta:
        model = Membership
        fields = ["id", "federation", "club", "kind", "number", "starts", "ends", "paid_on", "source"]

    @extend_schema_field({"type": ["integer", "null"]})
    def get_club(self, row: Membership) -> int | None:
        return row.club_id


class TermSerializer(StrictSerializer):
    starts = StrictDateField()
    ends = StrictDateField(required=False, allow_null=True, default=None)
    paid_on = StrictDateField(required=False, allow_null=True, default=None)
    number = _line(MAX_NUMBER)
    source = _line(MAX_SOURCE)  # type: ignore[assignment]


class NewMembershipSerializer(TermSerializer):
    federation = _line(MAX_CODE, help_text="The code of the federation; or the club.")
    club = IdField(required=False, allow_null=True, default=None)
    kind = LineField(max_length=20, help_text="One of " + ", ".join(Membership.Kind.values) + ".")


class NumberSerializer(serializers.ModelSerializer):
    class Meta:
        model = ExternalId
        fields = ["id", "issuer", "value", "verified_at"]


class NewNumberSerializer(StrictSerializer):
    issuer = LineField(most=MAX_ISSUER, help_text="For a federation its code in small letters.")
    value = LineField(most=MAX_NUMBER)


class TitleSerializer(serializers.ModelSerializer):
    class Meta:
        model = Title
        fields = ["id", "issuer", "code", "on", "evidence"]


class NewTitleSerializer(StrictSerializer):
    issuer = LineField(most=MAX_ISSUER)
    code = LineField(most=MAX_CODE)
    on = StrictDateField()
    evidence = TextField(required=False, allow_blank=True, default="", max_length=MAX_EVIDENCE)


class NormSerializer(serializers.ModelSerializer):
    class Meta:
        model = Norm
        fields = ["id", "issuer", "kind", "thirds", "on", "evidence", "void_reason"]


class NewNormSerializer(StrictSerializer):
    issuer = LineField(most=MAX_ISSUER)
    kind = LineField(most=MAX_CODE)
    thirds = NumberField(within=(1, 30), default=3)
    on = StrictDateField()
    evidence = TextField(required=False, allow_blank=True, default="", max_length=MAX_EVIDENCE)


class VoidNormSerializer(StrictSerializer):
    reason = LineField(most=200)


class AliasSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    spelling = serializers.CharField()


class NewAliasSerializer(StrictSerializer):
    spelling = LineField(most=MAX_NAME)


class FormerValueSerializer(serializers.ModelSerializer):
    field = serializers.ChoiceField(choices=FormerValue.Field.values)

    class Meta:
        model = FormerValue
        fields = ["field", "value", "until", "at"]


class VisibilitySerializer(StrictSerializer):
    visibility = LineField(max_length=20, help_text=SHOWN)


class VisibilityRequestSerializer(serializers.ModelSerializer):
    wanted = serializers.CharField(help_text=SHOWN)

    class Meta:
        model = VisibilityRequest
        fields = ["id", "player", "wanted", "at", "granted", "answered_at"]


class WishAnswerSerializer(StrictSerializer):
    granted = StrictBooleanField()


class UserNameSerializer(StrictSerializer):
    username = LineField(max_length=150)


class RegistryRoleSerializer(serializers.ModelSerializer):
    """Reads ``role.user`` as loaded."""

    user = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=RegistryRole.Role.values)

    class Meta:
        model = RegistryRole
        fields = ["id", "user", "role", "since"]


class RegisteredPersonSerializer(serializers.ModelSerializer):
    """Everything that the registry has of a person, for those who keep it and the person. `name` is what is public."""

    own_name = serializers.SerializerMethodField(help_text="The whole name, which may not be public.")
    club = serializers.CharField(source="club.name", default="")
    born = serializers.SerializerMethodField(help_text=BORN)
    visibility = serializers.CharField(help_text=SHOWN)
    gender = serializers.CharField()
    numbers = NumberSerializer(source="external_ids", many=True)
    memberships = MembershipSerializer(source="body_memberships", many=True)
    titles = TitleSerializer(many=True)
    norms = NormSerializer(many=True)
    aliases = AliasSerializer(many=True)
    former = FormerValueSerializer(source="former_values", many=True)
    requests = VisibilityRequestSerializer(source="visibility_requests", many=True)

    class Meta:
        model = Player
        fields = [
            *("id", "public_id", "name", "own_name", "given", "family", "country", "club", "town", "born", "gender"),
            *("visibility", "numbers", "memberships", "titles", "norms", "aliases", "former", "requests"),
        ]

    def get_own_name(self, player: Player) -> str:
        return own_name(player)

    def get_born(self, player: Player) -> str:
        return born_of(player)


class FederationMemberSerializer(serializers.Serializer):
    """A member as the officers of the federation see them."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The whole name.")
    club = serializers.CharField()
    country = serializers.CharField()
    number = serializers.CharField()
    membership = serializers.ChoiceField(Standing.choices, help_text="How the membership stands today.")


class MemberFateSerializer(serializers.Serializer):
    """What becomes of a row of a file of members."""

    line = serializers.IntegerField(help_text="The number of the row in the file.")
    name = serializers.CharField()
    outcome = serializers.ChoiceField(choices=[outcome.value for outcome in Outcome])
    player = serializers.SerializerMethodField(help_text="Whom the row means; null for somebody new.")
    candidates = serializers.SerializerMethodField(help_text="Whom it may mean, by id.")
    changes = serializers.ListField(child=serializers.CharField())
    new_club = serializers.CharField(help_text="The name of a club of the federation that the row makes.")
    code = serializers.CharField()
    reason = serializers.CharField()

    @extend_schema_field({"type": ["integer", "null"]})
    def get_player(self, fate: MemberFate) -> int | None:
        return fate.player.pk if fate.player else None

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_candidates(self, fate: MemberFate) -> list[int]:
        return [player.pk for player in fate.candidates]


class CountsSerializer(serializers.Serializer):
    new = serializers.IntegerField()
    same = serializers.IntegerField()
    changed = serializers.IntegerField()
    ambiguous = serializers.IntegerField()
    refused = serializers.IntegerField()


class MemberPreviewSerializer(serializers.Serializer):
    digest = serializers.CharField()
    counts = CountsSerializer()
    rows = MemberFateSerializer(source="fates", many=True)


class RegistryImportSerializer(serializers.ModelSerializer):
    counts = serializers.SerializerMethodField(help_text="How many rows came to each outcome.")

    class Meta:
        model = RegistryImport
        fields = ["id", "file_name", "sha256", "at", "undone_at", "counts"]

    @extend_schema_field(CountsSerializer)
    def get_counts(self, kept: RegistryImport) -> dict[str, int]:
        return {one.value: kept.report.get("counts", {}).get(one.value, 0) for one in Outcome}


class SuspectsSerializer(serializers.Serializer):
    players = serializers.SerializerMethodField(help_text="People who may be one person, by id.")

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_players(self, suspects: Any) -> list[int]:
        return [player.pk for player in suspects.people]
