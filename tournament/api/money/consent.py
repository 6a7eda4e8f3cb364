"""Consent in the API: a change after play has begun is answered with what it moves, and sent again with the digest."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import LineField, StrictSerializer
from tournament.models import Purpose
from tournament.money.closing import MAX_REASON, Consent

CLOSED = (
    "Once play has begun, the answer is `confirm_moves` with what the change would move, and nothing is stored. "
    "Send the same again with a `reason` and the `digest` of those moves. If they are others by then, the answer is "
    "`confirm_moves` again."
)
CLOSED_REFUSALS = ("reason_missing",)
CLOSED_CONFLICTS = ("confirm_moves",)
REASON_HELP = "Why, for the log. Needed once play has begun."
DIGEST_HELP = "The `digest` of the moves that you saw: it confirms exactly those. Needed once play has begun."
CONSENT = [
    OpenApiParameter("reason", OpenApiTypes.STR, description=REASON_HELP),
    OpenApiParameter("digest", OpenApiTypes.STR, description=DIGEST_HELP),
]


class ConsentSerializer(StrictSerializer):
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON, help_text=REASON_HELP)
    digest = LineField(required=False, allow_blank=True, default="", max_length=64, help_text=DIGEST_HELP)


class MoveSerializer(serializers.Serializer):
    """What is due on an account before and after: above 0 comes in, below 0 goes out."""

    account = serializers.CharField()
    purpose = serializers.ChoiceField(choices=Purpose.values)
    name = serializers.CharField()
    currency = serializers.CharField()
    before = serializers.IntegerField(allow_null=True, help_text="Null while the place can still change.")
    after = serializers.IntegerField(allow_null=True, help_text="Null while the place can still change.")
    paid = serializers.IntegerField(help_text="What has come in or gone out: `after` less `paid` is then open.")


class ListMoveSerializer(serializers.Serializer):
    """What a list of prizes pays before and after, first place first."""

    purpose = serializers.ChoiceField(choices=Purpose.values)
    section = serializers.CharField(help_text="A bracket; empty for the whole field.")
    pool = serializers.CharField(help_text="The name of a side pool.")
    currency = serializers.CharField()
    before = serializers.ListField(child=serializers.IntegerField())
    after = serializers.ListField(child=serializers.IntegerField())


class KeptMoveSerializer(serializers.Serializer):
    currency = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class MovesSerializer(serializers.Serializer):
    """Everything that a change of money moves."""

    digest = serializers.CharField()
    accounts = MoveSerializer(many=True)
    lists = ListMoveSerializer(many=True)
    kept = KeptMoveSerializer(many=True, help_text="What the house keeps; empty if that stays the same.")


def consent_from(data: Mapping[str, Any]) -> Consent:
    """Return the consent in validated data."""
    return Consent(reason=data["reason"], digest=data["digest"])


def consent_sent(data: object) -> Consent:
    """Return the consent that was sent by itself. Raises ValidationError."""
    found = ConsentSerializer(data=data)
    found.is_valid(raise_exception=True)
    return consent_from(found.validated_data)


def consent_in_query(request: Request) -> Consent:
    """Return the consent in the address, for a request that has no body. Raises ValidationError."""
    query = request.query_params
    return consent_sent({name: query[name] for name in ("reason", "digest") if name in query})
