"""Entries and their members: what clients send and what they read."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from players.models import MAX_COUNTRY, MAX_NAME
from tournament.api.fields import IdField, LineField, NumberField, StrictBooleanField, StrictSerializer, TextField
from tournament.api.remembered import RememberedSerializer
from tournament.draw.chain import club_of, country_of
from tournament.entries.enrolment import MAX_ENTRIES, MAX_MEMBERS, MAX_PAIR
from tournament.entries.lists import MAX_TEXT
from tournament.models import Departure, Entry
from tournament.models.event import MAX_FAMILY
from tournament.snapshot import members_of

SEEDS = (1, MAX_ENTRIES)


NAME = f"Of a player at most {MAX_NAME} characters; of a pair two such names, as in `Anna Berg & Bo Holm`."


class NewMemberSerializer(StrictSerializer):
    """A member of a team: either ``name``, or ``player`` for a known one."""

    name = LineField(most=MAX_PAIR, required=False, help_text=NAME)
    player = IdField(required=False)
    club = LineField(most=MAX_NAME, required=False, allow_blank=True, default="")
    country = LineField(most=MAX_COUNTRY, required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("name" in attrs) == ("player" in attrs):
            raise ValidationError(_("Give either a player's name or a player's id."), code="name_or_player")
        return attrs


REASONS = "reasons"
"""The key of a serializer's context that says whether the reader is told families and reasons of leaving."""

CONFIRMED = "What `confirm_bye` says has been read."


class NewEntrySerializer(NewMemberSerializer):
    """Either ``name``, or ``player`` for a known one. A team has a ``name`` and ``members``."""

    seed = NumberField(within=SEEDS, required=False, allow_null=True, default=None)
    members = NewMemberSerializer(  # type: ignore[call-arg]
        many=True,
        required=False,
        default=list,
        max_length=MAX_MEMBERS,
        help_text="In the order of the boards, then the reserves.",
    )


class ConfirmedEntrySerializer(NewEntrySerializer):
    confirmed = StrictBooleanField(required=False, default=False, help_text=CONFIRMED)


class EntryListSerializer(StrictSerializer):
    """Either ``entries``, or ``text``: one name per line, with tabs or semicolons before club and country.

    A pair is written as `Anna & Bo`, a team as `Team name: Anna, Bo, Carl`.
    """

    entries = NewEntrySerializer(many=True, required=False, allow_empty=False, max_length=MAX_ENTRIES)  # type: ignore[call-arg]
    text = TextField(required=False, max_length=MAX_TEXT, trim_whitespace=False)
    confirmed = StrictBooleanField(required=False, default=False, help_text=CONFIRMED)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("entries" in attrs) == ("text" in attrs):
            raise ValidationError(_("Give either entries or text."), code="entries_or_text")
        return attrs


class SeedSerializer(StrictSerializer):
    seed = NumberField(within=SEEDS, allow_null=True)


class FamilySerializer(StrictSerializer):
    """Any word that entries of the same family share; empty for none. They do not meet in round 1."""

    family = LineField(most=MAX_FAMILY, allow_blank=True)


class HomeEveningSerializer(StrictSerializer):
    """0 for Monday to 6 for Sunday; null for any day."""

    weekday = NumberField(within=(0, 6), allow_null=True)


class MemberSerializer(serializers.Serializer):
    """A member of a team; members beyond the number of boards in the event are reserves."""

    board = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()


class EntrySerializer(serializers.ModelSerializer):
    """Reads the entry as :func:`tournament.draw.chain.load_people` loads it.

    For readers without a role in the event (:data:`REASONS`) family and reason of leaving are empty.
    """

    name = serializers.CharField()
    club = serializers.SerializerMethodField()
    country = serializers.SerializerMethodField()
    members = serializers.SerializerMethodField(help_text="The members of a team, in the order of the boards.")

    class Meta:
        model = Entry
        fields = [
            *("id", "number", "seed", "player", "partner", "reentry", "name", "club", "country", "family", "presence"),
            "home_evening",
            "members",
            *("waiting", "checked_in_at", "left_at", "left_kind", "left_reason", "left_bracket", "bye_taken"),
        ]

    def to_representation(self, instance: Entry) -> dict[str, Any]:
        told = super().to_representation(instance)
        return told if self.context.get(REASONS, True) else {**told, "family": "", "left_reason": ""}

    def get_club(self, entry: Entry) -> str:
        return club_of(entry)

    def get_country(self, entry: Entry) -> str:
        return country_of(entry)

    @extend_schema_field(MemberSerializer(many=True))
    def get_members(self, entry: Entry) -> Any:
        return MemberSerializer(members_of(entry), many=True).data


class EntryViewSerializer(RememberedSerializer):
    """An entry, and whether it is still in."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    seed = serializers.IntegerField(allow_null=True)
    player = serializers.IntegerField(source="player_id")
    partner = serializers.IntegerField(source="partner_id", allow_null=True)
    name = serializers.CharField()
    club = serializers.CharField()
    country = serializers.CharField()
    presence = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The rounds from which the entry is in, then out, then in again, ...",
    )
    home_evening = serializers.IntegerField(allow_null=True, help_text="The weekday of home matches, 0 for Monday.")
    members = MemberSerializer(many=True, help_text="The members of a team, in the order of the boards.")
    waiting = serializers.BooleanField(help_text="On the waiting list.")
    checked_in = serializers.BooleanField()
    left_kind = serializers.ChoiceField(choices=["", *Departure.values], help_text="How it left; empty if it did not.")
    left_main_only = serializers.BooleanField(help_text="It left only the main bracket.")
    bye_taken = serializers.IntegerField(help_text="The pairing of round 1 whose bye a late entry took; 0 for none.")
