"""What clients send to the door: an event's rules, departures, replaced players, lateness, duplicates."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from matches.models import MAX_REASON
from players.models import MAX_COUNTRY, MAX_NAME
from tournament.api.entries.serializers import NAME
from tournament.api.fields import (
    IdField,
    KeyField,
    LineField,
    NumberField,
    StrictBooleanField,
    StrictChoiceField,
    StrictSerializer,
)
from tournament.entries.attendance import MOST_ENTRIES, MOST_LATE_MINUTES
from tournament.entries.enrolment import MAX_PAIR
from tournament.entries.links import link_of
from tournament.models import Departure, Entry, Event
from tournament.results.rulings import MOST_MINUTES


class DoorSerializer(StrictSerializer):
    """The entry limit, the check-in rule and the lateness penalty of an event; null for no limit and no penalty."""

    max_entries = NumberField(
        within=(2, MOST_ENTRIES), allow_null=True, help_text="Further entries go on the waiting list."
    )
    check_in = StrictBooleanField(help_text="Draw only players who have checked in.")
    late_minutes = NumberField(
        within=(1, MOST_LATE_MINUTES), allow_null=True, help_text="Minutes late for each penalty point."
    )


class EntryLinkSerializer(serializers.Serializer):
    entry = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    link = serializers.SerializerMethodField(help_text="The path of the entry's private page on this server.")

    def get_link(self, entry: Entry) -> str:
        return link_of(entry)


class DoorViewSerializer(serializers.ModelSerializer):
    class Meta:
        model = Event
        fields = ["id", "max_entries", "check_in", "late_minutes"]


class LeaveSerializer(StrictSerializer):
    """How an entry leaves. Only an entry that withdraws may play on, or leave only the main bracket."""

    kind = StrictChoiceField(choices=Departure.values)
    reason = LineField(max_length=MAX_REASON, required=False, allow_blank=True, default="")
    plays_on = StrictBooleanField(required=False, default=False, help_text="Leave after the match that has begun.")
    only_main = StrictBooleanField(
        required=False, default=False, help_text="Leave the main bracket alone, and play in the consolation."
    )


class ReplacementSerializer(StrictSerializer):
    """Either ``name`` (in doubles, the names of both players), or ``player`` for a known one."""

    name = LineField(most=MAX_PAIR, required=False, help_text=NAME)
    player = IdField(required=False)
    club = LineField(most=MAX_NAME, required=False, allow_blank=True, default="")
    country = LineField(most=MAX_COUNTRY, required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("name" in attrs) == ("player" in attrs):
            message = _("Give a player's name, or the id of an existing player.")
            raise ValidationError({"name": [ErrorDetail(message, code="required")]})
        return attrs


class LatenessSerializer(StrictSerializer):
    """How many minutes each side came late; the policy of the event says what that costs."""

    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    minutes_a = NumberField(within=(0, MOST_MINUTES), required=False, default=0)
    minutes_b = NumberField(within=(0, MOST_MINUTES), required=False, default=0)
    preview = StrictBooleanField(required=False, default=False, help_text="Return what it would change; store nothing.")


class DuplicateSerializer(StrictSerializer):
    duplicate = IdField(help_text="The player whose entries, matches and ratings this one takes over.")
