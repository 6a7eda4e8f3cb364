"""Roles, invitations, deletions and the log in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.models import MAX_NAME
from tournament.api.fields import IdField, LineField, NumberField, StrictDateField, StrictSerializer, TextField
from tournament.events.appoint import DAYS_VALID, MAX_DAYS_VALID
from tournament.log.words import tell
from tournament.models import Appointment, Invitation, LogEntry, Role
from tournament.models.roles import MAX_NOTE
from tournament.roles.authors import NAMES, author, is_ruling

UNTOLD = frozenset({"kept", "was", "side_pools", "lots", "moves"})
"""What a row keeps only for undoing it; and who is in a pool or a lot, or owes what: that is not for everybody."""

NOTES = "notes"
"""The key of a serializer's context that says whether the reader is told for whom invitations are meant."""

ROLE_HELP = "One of " + ", ".join(Role.values) + "."


class AppointmentSerializer(serializers.ModelSerializer):
    """Reads ``appointment.user`` as loaded. Without ``event`` the role applies to the whole tournament."""

    user = serializers.CharField(source="user.username")
    role = serializers.CharField(help_text=ROLE_HELP)

    class Meta:
        model = Appointment
        fields = ["id", "user", "role", "event", "since"]


class RoleSerializer(StrictSerializer):
    role = LineField(max_length=20, help_text=ROLE_HELP)


class NewInvitationSerializer(StrictSerializer):
    role = LineField(max_length=20, help_text=ROLE_HELP)
    event = IdField(required=False, allow_null=True, default=None, help_text="For a role in this event only.")
    note = LineField(
        most=MAX_NOTE, required=False, allow_blank=True, default="", help_text="A note on the person it is meant for."
    )
    days = NumberField(within=(1, MAX_DAYS_VALID), default=DAYS_VALID, help_text="How many days it is valid.")


class InvitationSerializer(serializers.ModelSerializer):
    """Reads ``invitation.made_by`` as loaded."""

    note = serializers.SerializerMethodField(help_text="For those who may invite; empty for others.")
    role = serializers.CharField(help_text=ROLE_HELP)
    made_by = serializers.CharField(source="made_by.username", default="")

    class Meta:
        model = Invitation
        fields = ["id", "role", "event", "note", "made_by", "made_at", "expires_at", "withdrawn_at"]

    def get_note(self, invitation: Invitation) -> str:
        return invitation.note if self.context.get(NOTES, True) else ""


class MadeInvitationSerializer(InvitationSerializer):
    token = serializers.SerializerMethodField(help_text="Shown only now.")
    link = serializers.SerializerMethodField(help_text="The page that accepts it.")

    class Meta(InvitationSerializer.Meta):
        fields = [*InvitationSerializer.Meta.fields, "token", "link"]

    def get_token(self, invitation: Invitation) -> str:
        return str(self.context["token"])

    def get_link(self, invitation: Invitation) -> str:
        return str(self.context["link"])


class AcceptSerializer(StrictSerializer):
    token = LineField(max_length=200)


class SignUpSerializer(AcceptSerializer):
    username = TextField(max_length=150)
    password = TextField(max_length=4096, trim_whitespace=False)


class DeletionSerializer(StrictSerializer):
    name = LineField(max_length=MAX_NAME, help_text="The exact name of what is deleted.")


class HistorySerializer(serializers.ModelSerializer):
    """The part of a log row that everybody may read."""

    by = serializers.SerializerMethodField(help_text="For people with a role, the user; for others, desk or director.")
    sentence = serializers.SerializerMethodField(help_text="In the reader's language.")
    detail = serializers.SerializerMethodField()

    class Meta:
        model = LogEntry
        fields = ["id", "at", "by", "verb", "sentence", "detail"]

    def get_by(self, entry: LogEntry) -> str:
        return author(entry.actor, bool(self.context.get(NAMES)), rules=is_ruling(entry.verb))

    def get_sentence(self, entry: LogEntry) -> str:
        return tell(entry)

    def get_detail(self, entry: LogEntry) -> dict[str, Any]:
        """Return the detail without the names in :data:`UNTOLD`."""
        return {name: value for name, value in entry.detail.items() if name not in UNTOLD}


class LogEntrySerializer(HistorySerializer):
    """A log row with where it came from: page, API, command, task or program, and the client's address and name."""

    by = serializers.CharField(source="actor.username", default="")  # type: ignore[assignment]
    event = serializers.SerializerMethodField()
    detail = serializers.JSONField()  # type: ignore[assignment]

    class Meta(HistorySerializer.Meta):
        fields = [*HistorySerializer.Meta.fields, "event", "way", "address", "agent"]

    @extend_schema_field({"type": ["integer", "null"]})
    def get_event(self, entry: LogEntry) -> Any:
        return entry.event_id


class EventLogQuerySerializer(StrictSerializer):
    """The rows to show: those that match everything given."""

    by = LineField(max_length=150, required=False, help_text="A user name.")
    verb = LineField(max_length=30, required=False)
    day = StrictDateField(required=False, help_text="In the time zone of the hall.")
    q = LineField(max_length=80, required=False, help_text="Words that the detail contains.")


class LogQuerySerializer(EventLogQuerySerializer):
    event = LineField(max_length=80, required=False, help_text="The slug of an event.")
