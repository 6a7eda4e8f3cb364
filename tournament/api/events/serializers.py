"""Tournaments and events: what clients send, and the snapshot that they read."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.lists.policy import CLASSES
from players.models import MAX_NAME
from rules.profiles import DEFAULT_PROFILE, PROFILES
from tournament.api.entries.serializers import EntryViewSerializer
from tournament.api.events.fixtures import FixtureSerializer
from tournament.api.fields import (
    LineField,
    NumberField,
    StrictBooleanField,
    StrictChoiceField,
    StrictDateField,
    StrictDateTimeField,
    StrictSerializer,
    ToldLength,
)
from tournament.api.money.consent import ConsentSerializer
from tournament.api.remembered import RememberedSerializer
from tournament.events.declaring import MOST_LISTS
from tournament.events.stages import MAX_QUALIFIERS
from tournament.events.terms import MOST_CLOCK_DELAY, MOST_CLOCK_MINUTES, MOST_CONFIRM_MINUTES
from tournament.formats.options import MAX_LENGTH, MAX_LENGTHS, Seeding
from tournament.models import Carry, Event, Tournament
from tournament.models.event import BOARDS
from tournament.pictures.progress import round_now
from tournament.ranking import tiebreaks
from tournament.ranking.tiebreaks import MAX_TIEBREAKS
from tournament.snapshot import (
    EventSnapshot,
    StageSnapshot,
    StandingSnapshot,
)


class TournamentSerializer(serializers.ModelSerializer):
    ends_on = serializers.DateField(source="last_day", read_only=True, help_text="The last day.")
    time_zone = serializers.CharField(
        source="zone.key", read_only=True, help_text="The zone of the times on its pages and sheets."
    )

    class Meta:
        model = Tournament
        fields = ["id", "name", "slug", "place", "starts_on", "ends_on", "time_zone", "created_at"]


class NewTournamentSerializer(StrictSerializer):
    name = LineField(most=MAX_NAME)
    place = LineField(max_length=MAX_NAME, required=False, allow_blank=True, default="")
    starts_on = StrictDateField()
    ends_on = StrictDateField(
        required=False, help_text="The last day. Left out, it is the first; in a change it keeps as many days."
    )
    time_zone = LineField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="Such as `Europe/Oslo`; empty for that of the server.",
    )


OPTIONS_SCHEMA = {
    "type": "object",
    "description": "`lengths` from the final backwards, the last holding for all earlier rounds; `seeding`; and the "
    "format's own options, which `/formats/` lists.",
    "properties": {
        "lengths": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": MAX_LENGTH},
            "minItems": 1,
            "maxItems": MAX_LENGTHS,
        },
        "seeding": {"type": "string", "enum": [seeding.value for seeding in Seeding]},
    },
    "required": ["lengths"],
    "additionalProperties": {
        "anyOf": [
            {"type": ["integer", "boolean", "string"]},
            {"type": "array", "items": {"type": "integer"}},
        ]
    },
}


@extend_schema_field(OPTIONS_SCHEMA)
class OptionsField(serializers.DictField):
    """A JSON object; what it may hold is for the format to say."""


@extend_schema_field({"type": "string", "enum": ["", *CLASSES]})
class ClassField(LineField):
    """The class of an event; which there are says the service."""


class EventTermsSerializer(StrictSerializer):
    """The terms of an event. A change names only what changes."""

    name = LineField(most=MAX_NAME)
    format = LineField(max_length=30, help_text="A slug of `/formats/`.")
    options = OptionsField()
    profile = LineField(max_length=20, default="wbgf", help_text="A slug of `/profiles/`.")
    crawford = StrictBooleanField(
        required=False, help_text="Whether the Crawford game is played; by default what the profile says of matches."
    )
    doubles = StrictBooleanField(default=False, help_text="Entries are pairs.")
    boards = NumberField(
        within=(BOARDS[0], BOARDS[-1]),
        default=1,
        help_text="2 to 9 for an event of teams with this many boards. If it is even, matches can be drawn, which only "
        "formats that rank by wins take.",
    )
    tiebreaks = serializers.ListField(
        child=LineField(max_length=30),
        validators=[ToldLength(MAX_TIEBREAKS)],
        default=lambda: list(tiebreaks.DEFAULT_TIEBREAKS),
        help_text="Slugs of `/tiebreaks/`, the first decides first; at most five.",
    )
    starts_at = StrictDateTimeField(required=False, allow_null=True, help_text="The planned start.")
    clock_minutes = NumberField(
        within=(1, MOST_CLOCK_MINUTES),
        required=False,
        allow_null=True,
        help_text="Minutes for each point of a match; null for no clocks.",
    )
    clock_delay = NumberField(
        within=(0, MOST_CLOCK_DELAY), required=False, allow_null=True, help_text="Seconds before each play."
    )
    public_source = LineField(
        max_length=20, default="none", help_text="Of the draw's public value: `none`, `dice`, `words` or `drand`."
    )
    phones = StrictBooleanField(
        default=True, help_text="Players may report game by game during play; without it, only the whole match."
    )
    confirm_minutes = NumberField(
        within=(1, MOST_CONFIRM_MINUTES),
        required=False,
        allow_null=True,
        help_text="A complete report counts once nobody has objected for so long; null for no limit.",
    )
    shows_chances = StrictBooleanField(
        default=False, help_text="The public sees how likely either side of a match in play is to win."
    )
    rated_for = serializers.ListField(
        child=LineField(max_length=40),
        validators=[ToldLength(MOST_LISTS)],
        default=list,
        help_text="Slugs of the official lists for which the event counts, declared before its draw.",
    )
    event_class = ClassField(default="", allow_blank=True, help_text="Empty for an event without a class.")
    online = StrictBooleanField(default=False, help_text="The matches are played online.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if "crawford" in attrs or self.partial:
            return attrs
        return attrs | {"crawford": PROFILES.get(attrs["profile"], DEFAULT_PROFILE).crawford}


class EventChangeSerializer(ConsentSerializer, EventTermsSerializer):
    """What changes of the terms of an event; with consent, if it moves a prize that somebody has won."""


class FinishSerializer(StrictSerializer):
    confirmed = StrictBooleanField(
        required=False, default=False, help_text="The event ends without the error rates of `rates_open`."
    )


class NewStageSerializer(ConsentSerializer):
    """A stage after the last one.

    `qualifiers` is how many qualify from the previous stage, or from each of its groups; 0 admits all who have a life
    left.
    """

    format = LineField(max_length=30, help_text="A slug of `/formats/`.")
    options = OptionsField()
    qualifiers = NumberField(within=(0, MAX_QUALIFIERS))
    carry = StrictChoiceField(choices=Carry.values, default=Carry.NONE.value)


class EventSummarySerializer(serializers.ModelSerializer):
    """Reads ``event.entry_count`` and ``event.stages`` as loaded."""

    format = serializers.SerializerMethodField()
    entries = serializers.IntegerField(source="entry_count", read_only=True)
    is_drawn = serializers.SerializerMethodField()

    class Meta:
        model = Event
        fields = [
            *("id", "name", "slug", "tournament", "format", "profile", "crawford", "boards"),
            *("entries", "is_drawn", "version", "finished_at"),
        ]

    def get_format(self, event: Event) -> str:
        return event.stages.all()[0].format

    def get_is_drawn(self, event: Event) -> bool:
        return event.stages.all()[0].drawn_at is not None


class ClockSerializer(serializers.Serializer):
    minutes = serializers.IntegerField(help_text="Minutes for each point of a match.")
    delay = serializers.IntegerField(help_text="Seconds before each play.")


class StandingSerializer(RememberedSerializer):
    """A line of a ranking."""

    place = serializers.IntegerField()
    place_to = serializers.IntegerField(help_text="The last place of a shared one.")
    entry = serializers.IntegerField(source="entry.id")
    name = serializers.CharField(source="entry.name")
    played = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField(help_text="Drawn matches of a team: half a win each, and not among the wins.")
    rate_wins = serializers.IntegerField(
        help_text="Matches with the lower error rate, where that is a second win, and not among the wins."
    )
    points_for = serializers.IntegerField()
    points_against = serializers.IntegerField()
    tiebreaks = serializers.SerializerMethodField(
        help_text="By slug: a whole number (a rating in hundredths), a fraction such as `7/2`, or null."
    )
    decided_by = serializers.CharField(help_text="The tie-break that put this line below the one above, or empty.")
    note = serializers.CharField(
        help_text="An explanation of this place where it needs one, such as a tie that nothing breaks."
    )
    why = serializers.CharField(help_text="How the place was won.")

    @extend_schema_field({"type": "object", "additionalProperties": {"type": ["integer", "string", "null"]}})
    def get_tiebreaks(self, line: StandingSnapshot) -> dict[str, int | str | None]:
        return dict(line.tiebreaks)


class UrnSerializer(serializers.Serializer):
    """An open urn: a lot is SHA-256 of link, public value, digest and name, each on a line of its own."""

    chain = serializers.IntegerField(help_text="1, unless the server lost its secret or used every link.")
    number = serializers.IntegerField(help_text="The number of the link, counted from the anchor.")
    scope = serializers.CharField(help_text="What is decided, such as `draw`, `round 2` or `late 12`.")
    link = serializers.CharField(help_text="In hex; its SHA-256 is the link before it.")
    public_value = serializers.CharField(help_text="Empty for an event without a public value.")
    digest = serializers.CharField(help_text="SHA-256 in hex of the document of what was known.")
    opened_at = serializers.DateTimeField()


class StageSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    format = serializers.CharField()
    options = serializers.SerializerMethodField()
    qualifiers = serializers.IntegerField(
        allow_null=True, help_text="How many qualify from the previous stage; null for the first stage."
    )
    carry = serializers.CharField(
        help_text="Which earlier matches count: `none`, `met` (between two who are both here) or `all`."
    )
    crossing = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2),
        help_text="The pairs of round 1 of a stage after groups, until its draw: `A1` and `B2`; empty for a bye.",
    )
    drawn_at = serializers.DateTimeField(allow_null=True)
    seed = serializers.CharField(help_text="The link of the first urn of the draw. Empty until the draw.")
    seed_hash = serializers.CharField(
        help_text="SHA-256 of the seed in hex, public before the draw: the link revealed last, or the anchor."
    )
    draw_hash = serializers.CharField(
        help_text="SHA-256 in hex of the document of terms, format, options and entries, public before the draw."
    )
    anchor = serializers.CharField(
        help_text="The link before the first of the event's chain. Empty for a draw made before there were lots."
    )
    urns = UrnSerializer(many=True, help_text="The urns of the draw, in the order in which they were opened.")
    notes = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the draw could not avoid, such as a rematch in a round that nobody has begun.",
    )
    matches = serializers.IntegerField(help_text="Matches of its draw, or of the rounds paired so far.")
    done = serializers.IntegerField()
    fixtures = FixtureSerializer(many=True)
    standings = StandingSerializer(many=True)
    sections = serializers.SerializerMethodField(help_text="The rankings of a consolation or of groups, by bracket.")
    standings_version = serializers.IntegerField(help_text="The version of the event that the standings include.")
    standings_matches = serializers.IntegerField(help_text="How many results the standings include.")

    @extend_schema_field(OPTIONS_SCHEMA)
    def get_options(self, stage: StageSnapshot) -> dict[str, object]:
        return stage.options.as_dict()

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object"}}})
    def get_sections(self, stage: StageSnapshot) -> dict[str, object]:
        return {bracket: StandingSerializer(lines, many=True).data for bracket, lines in stage.sections.items()}


class TournamentNameSerializer(serializers.Serializer):
    id = serializers.IntegerField(source="tournament_id")
    name = serializers.CharField(source="tournament_name")
    slug = serializers.CharField(source="tournament_slug")


class EventSerializer(serializers.Serializer):
    """The event as it is: terms, entries, pairings, bracket, live scores and standings."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    slug = serializers.CharField()
    tournament = TournamentNameSerializer(source="*")
    profile = serializers.CharField()
    crawford = serializers.BooleanField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    version = serializers.IntegerField(help_text="Counts the changes of the event.")
    hall_version = serializers.IntegerField(help_text="Counts what happens in the hall: calls, tables, breaks.")
    starts_at = serializers.DateTimeField(allow_null=True)
    clock = ClockSerializer(allow_null=True)
    is_drawn = serializers.BooleanField()
    finished_at = serializers.DateTimeField(allow_null=True)
    standings_are_current = serializers.BooleanField()
    doubles = serializers.BooleanField()
    boards = serializers.IntegerField(help_text="1, or the number of boards in an event of teams.")
    max_entries = serializers.IntegerField(allow_null=True)
    self_entry = serializers.BooleanField(help_text="Players enter themselves until the draw.")
    self_entry_until = serializers.DateTimeField(allow_null=True, help_text="Null for the draw alone.")
    check_in = serializers.BooleanField(help_text="Only players who have checked in are drawn.")
    late_minutes = serializers.IntegerField(allow_null=True, help_text="Minutes late for each penalty point.")
    public_source = serializers.CharField(help_text="Where the public value of its draws comes from, or `none`.")
    phones = serializers.BooleanField(help_text="Players may report game by game during play.")
    confirm_minutes = serializers.IntegerField(
        allow_null=True, help_text="Minutes after which a complete report counts if nobody has objected."
    )
    shows_chances = serializers.BooleanField(
        help_text="The public sees how likely either side of a match in play is to win."
    )
    rated_for = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of the official lists for which the event counts."
    )
    event_class = serializers.CharField(help_text="`A` to `D`, or empty.")
    online = serializers.BooleanField(help_text="The matches are played online.")
    entries_closed = serializers.BooleanField(help_text="Entries are closed for a draw with a public value.")
    byes_left = serializers.IntegerField(help_text="Byes that late entries may take.")
    round = serializers.SerializerMethodField(
        help_text="The round that `stage` is in, in words, with the total where it is known; empty if it is in none."
    )
    entries = EntryViewSerializer(many=True)
    waiting = EntryViewSerializer(many=True)
    gone = EntryViewSerializer(many=True, help_text="Those who left before the draw.")
    stage = StageSerializer(help_text="The last stage that is drawn, or the first.")
    stages = StageSerializer(many=True)

    def get_round(self, event: EventSnapshot) -> str:
        return round_now(event, today=self.context.get("today") or timezone.localdate())
