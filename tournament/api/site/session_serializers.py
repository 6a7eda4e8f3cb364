"""Signing in as a program, and who is signed in."""

from rest_framework import serializers

from tournament.api.fields import LineField, NumberField, StrictChoiceField, StrictSerializer, TextField
from tournament.models import AccessToken, Appointment, Scope
from tournament.sign_in.tokens import DAYS_VALID, MAX_DAYS_VALID, MAX_NAME


class SignInSerializer(StrictSerializer):
    username = TextField(max_length=150)
    password = TextField(max_length=4096, trim_whitespace=False)
    code = LineField(
        max_length=20, required=False, default="", help_text="Of the authenticator app, for users with a second factor."
    )
    name = LineField(max_length=MAX_NAME, required=False, default="API", help_text="What the token is called.")
    scope = StrictChoiceField(
        choices=Scope.values, required=False, default=Scope.WRITE.value, help_text="What the token may do."
    )
    days = NumberField(
        min_value=1,
        max_value=MAX_DAYS_VALID,
        required=False,
        default=DAYS_VALID,
        help_text="How many days the token is valid.",
    )


class HeldTokenSerializer(serializers.ModelSerializer):
    scopes = serializers.ListField(child=serializers.CharField(), help_text="`read`, or `read` and `write`.")

    class Meta:
        model = AccessToken
        fields = ["name", "scopes", "expires_at"]
        extra_kwargs = {"expires_at": {"help_text": "Null for a token that does not expire."}}


class TokenSerializer(HeldTokenSerializer):
    token = serializers.SerializerMethodField(help_text="Send it as `Authorization: Bearer <token>`; shown only now.")

    class Meta(HeldTokenSerializer.Meta):
        fields = ["token", *HeldTokenSerializer.Meta.fields]

    def get_token(self, token: AccessToken) -> str:
        return str(self.context["key"])


class OwnRoleSerializer(serializers.ModelSerializer):
    """Reads ``appointment.tournament`` as loaded. Without ``event`` the role applies to the whole tournament."""

    tournament_name = serializers.CharField(source="tournament.name")
    role = serializers.CharField()

    class Meta:
        model = Appointment
        fields = ["tournament", "tournament_name", "event", "role", "since"]


class MeSerializer(serializers.Serializer):
    user = serializers.CharField(help_text="The user name.")
    administrator = serializers.BooleanField(help_text="Whether the user may do everything, in all tournaments.")
    roles = OwnRoleSerializer(many=True, help_text="In tournaments that have not been deleted.")
    token = HeldTokenSerializer(allow_null=True, help_text="Null for a session of the pages.")
