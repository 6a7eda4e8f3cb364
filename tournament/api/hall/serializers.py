"""The hall in the API: what there is to do, tables, breaks, and when the events will finish."""

from rest_framework import serializers

from players.models import MAX_NAME
from tournament.api.events.fixtures import WaitSerializer
from tournament.api.fields import (
    IdField,
    LineField,
    NumberField,
    StrictBooleanField,
    StrictDateTimeField,
    StrictSerializer,
)
from tournament.api.remembered import RememberedSerializer
from tournament.hall.addresses import LONGEST
from tournament.hall.tables import MAX_TABLE
from tournament.hall.values import Doing
from tournament.models import Announcement, Break, Table
from tournament.models.announcement import MAX_ANNOUNCEMENT


class CallMatchSerializer(StrictSerializer):
    table = NumberField(
        within=(1, MAX_TABLE),
        required=False,
        allow_null=True,
        default=None,
        help_text="The number of a table; null for the best free one.",
    )


class CallReadySerializer(StrictSerializer):
    event = IdField(
        required=False, allow_null=True, default=None, help_text="Call only the matches of this event; null for all."
    )


class MoveMatchSerializer(StrictSerializer):
    table = NumberField(within=(1, MAX_TABLE))


class NewTablesSerializer(StrictSerializer):
    first = NumberField(within=(1, MAX_TABLE))
    last = NumberField(within=(1, MAX_TABLE))


class TableTermsSerializer(StrictSerializer):
    """Send only what changes."""

    event = IdField(allow_null=True, required=False, help_text="The event that the table is reserved for.")
    streamed = StrictBooleanField(required=False)
    out_of_order = StrictBooleanField(required=False)


class SiteAddressSerializer(StrictSerializer):
    site_address = LineField(
        most=LONGEST,
        allow_blank=True,
        help_text="The start of the addresses in QR codes, such as `https://play.example.org`; empty for the default.",
    )


class TableSerializer(serializers.ModelSerializer):
    class Meta:
        model = Table
        fields = ["number", "event", "streamed", "out_of_order"]


class NewBreakSerializer(StrictSerializer):
    name = LineField(most=MAX_NAME)
    starts_at = StrictDateTimeField()
    ends_at = StrictDateTimeField()


class BreakSerializer(serializers.ModelSerializer):
    class Meta:
        model = Break
        fields = ["id", "name", "starts_at", "ends_at"]


class ReportedSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="The number of the sheet, to confirm or dispute it by.")
    by = serializers.CharField(help_text="The name of the side that reported it; empty for a scorer.")
    score = serializers.ListField(child=serializers.IntegerField())
    is_over = serializers.BooleanField(help_text="Whether it ends the match: only then can it be confirmed.")


class DeskMatchSerializer(RememberedSerializer):
    """An open match, and what is to be done about it."""

    match = serializers.IntegerField(source="id")
    key = serializers.CharField()
    event = serializers.IntegerField(source="event_id")
    board = serializers.IntegerField(help_text="The number of the board between two teams; else 0.")
    length = serializers.IntegerField()
    teams = serializers.ListField(child=serializers.CharField(), help_text="The two teams; empty between players.")
    a = serializers.CharField()
    b = serializers.CharField()
    doing = serializers.ChoiceField(choices=[doing.value for doing in Doing])
    sheet = serializers.IntegerField(source="base", help_text="The `base` of the next result, 0 for none so far.")
    score = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    reports = ReportedSerializer(
        many=True, help_text="Reports that nobody has confirmed; of a dispute for those who settle it."
    )
    dispute = serializers.CharField(help_text="Why it is disputed, for those who settle it; else empty.")
    since = serializers.DateTimeField(help_text="When both players became known.")
    table = serializers.IntegerField(allow_null=True)
    called_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When it is expected to end.")
    minutes = serializers.IntegerField(help_text="How long it has been played, not counting breaks.")
    is_late = serializers.BooleanField()
    busy = serializers.CharField(help_text="Which of the players is at another table; empty if none is.")
    waits_for = WaitSerializer(allow_null=True, help_text="The same in figures; null if none is.")
    has_table = serializers.BooleanField(
        help_text="For a ready match: whether it can be called without naming a table, as always where there are none."
    )
    other_tables = serializers.ListField(
        source="other_numbers",
        child=serializers.IntegerField(),
        help_text="If it has no table: free tables that could be named, which are reserved for others or streamed.",
    )
    runs_into = serializers.CharField(source="pause", help_text="The break that it would run into; empty for none.")


class DeskTableSerializer(RememberedSerializer):
    """A table, and the match that is called to it."""

    number = serializers.IntegerField()
    event = serializers.IntegerField(source="event_id", allow_null=True)
    streamed = serializers.BooleanField()
    out_of_order = serializers.BooleanField()
    match = serializers.IntegerField(source="match.id", allow_null=True, default=None)


class PaceSerializer(serializers.Serializer):
    seconds_a_point = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="How many matches it is learnt from; 0 for the default.")


class QueueSerializer(serializers.Serializer):
    """A jackpot that waits for more entrants."""

    event = serializers.IntegerField(source="event_id")
    letters = serializers.CharField(help_text="The letters of the jackpot, such as C.")
    size = serializers.IntegerField(help_text="How many entrants it takes.")
    names = serializers.ListField(child=serializers.CharField(), help_text="The names of those who wait.")


class OpenDirectorCallSerializer(serializers.Serializer):
    """A match whose players have called the director; ``taken_by`` is who comes, empty while nobody does."""

    match = serializers.IntegerField(source="match_id")
    event = serializers.IntegerField(source="event_id")
    a = serializers.CharField()
    b = serializers.CharField()
    table = serializers.IntegerField(allow_null=True)
    called_at = serializers.DateTimeField()
    taken_at = serializers.DateTimeField(allow_null=True)
    taken_by = serializers.CharField(allow_blank=True)


class DirectorCallSerializer(serializers.Serializer):
    called_at = serializers.DateTimeField()
    taken_at = serializers.DateTimeField(allow_null=True, help_text="When somebody set out; null while nobody has.")
    done_at = serializers.DateTimeField(allow_null=True)


class HallSerializer(serializers.Serializer):
    """Every open match of the tournament in the order of the desk, every table, and every jackpot that waits."""

    at = serializers.DateTimeField()
    pace = PaceSerializer()
    matches = DeskMatchSerializer(many=True)
    tables = DeskTableSerializer(many=True)
    queues = QueueSerializer(many=True, help_text="Jackpots that wait for more entrants.")
    director_calls = OpenDirectorCallSerializer(many=True, help_text="Matches whose players have called the director.")


class DayLineSerializer(serializers.Serializer):
    """When an event will be over.

    Half, and nine tenths, of its simulated runs end by then; null until that is known.
    """

    event = serializers.IntegerField(source="event.pk")
    name = serializers.CharField(source="event.name")
    starts_at = serializers.DateTimeField(source="event.starts_at", allow_null=True)
    matches = serializers.IntegerField(source="event.matches", help_text="Published matches, not counting byes.")
    decided = serializers.IntegerField(source="event.decided")
    finished_at = serializers.DateTimeField(source="event.finished_at", allow_null=True)
    half = serializers.DateTimeField(allow_null=True)
    nine_tenths = serializers.DateTimeField(allow_null=True)
    as_of = serializers.DateTimeField(allow_null=True)


class DaySerializer(serializers.Serializer):
    pace = PaceSerializer()
    events = DayLineSerializer(source="lines", many=True)
    breaks = BreakSerializer(many=True)


class NewAnnouncementSerializer(StrictSerializer):
    text = LineField(most=MAX_ANNOUNCEMENT, help_text=f"At most {MAX_ANNOUNCEMENT} characters on one line.")
    event = IdField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only to the players of this event; null for everybody.",
    )
    ends_at = StrictDateTimeField(
        required=False, allow_null=True, default=None, help_text="Until when it is shown; null until it is withdrawn."
    )


class AnnouncementSerializer(serializers.ModelSerializer):
    class Meta:
        model = Announcement
        fields = ["id", "text", "event", "made_at", "ends_at"]
