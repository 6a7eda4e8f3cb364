"""Players, ranking lists, the tables that events are made from, and verdicts on records."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.models import Player, RankingList, Rating
from players.ratings import RATINGS
from rules.profiles import RuleProfile
from rules.records.replay import Replay, Verdict
from tournament.api.problems import translated
from tournament.api.schema import FindingSerializer
from tournament.formats.options import OptionField


class PlayerSerializer(serializers.ModelSerializer):
    """Reads ``player.club`` as loaded."""

    club = serializers.CharField(source="club.name", default="")

    class Meta:
        model = Player
        fields = ["id", "name", "country", "club"]


class PlayerRatingSerializer(serializers.ModelSerializer):
    system = serializers.CharField(source="ranking_list.system")

    class Meta:
        model = Rating
        fields = ["system", "value", "experience", "matches", "wins"]


class PlayerDetailSerializer(PlayerSerializer):
    ratings = PlayerRatingSerializer(many=True)

    class Meta(PlayerSerializer.Meta):
        fields = [*PlayerSerializer.Meta.fields, "ratings"]


class RankingListSerializer(serializers.ModelSerializer):
    name = serializers.SerializerMethodField()

    class Meta:
        model = RankingList
        fields = ["system", "name", "computed_at", "matches"]

    def get_name(self, ranking: RankingList) -> str:
        system = RATINGS.get(ranking.system)
        return _(system.name) if system else ranking.system


class RatingSerializer(serializers.ModelSerializer):
    """A line of a ranking list. Equal ratings share a place."""

    place = serializers.IntegerField(read_only=True)
    name = serializers.CharField(source="player.name")
    club = serializers.CharField(source="player.club.name", default="")
    country = serializers.CharField(source="player.country")

    class Meta:
        model = Rating
        fields = ["place", "player", "name", "club", "country", "value", "experience", "matches", "wins"]


class NamedSerializer(serializers.Serializer):
    """A line of a table, with its texts in the reader's language."""

    slug = serializers.CharField()
    name = serializers.SerializerMethodField()

    def get_name(self, line: Any) -> str:
        return _(line.name)


class OptionFieldSerializer(serializers.Serializer):
    """One of a format's own options; ``choices`` maps slugs to names, a number lies from `least` to `most`."""

    slug = serializers.CharField(source="name")
    name = serializers.SerializerMethodField()
    description = serializers.SerializerMethodField()
    kind = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.SerializerMethodField()
    least = serializers.IntegerField()
    most = serializers.IntegerField()

    def get_name(self, line: OptionField) -> str:
        return _(line.label)

    def get_description(self, line: OptionField) -> str:
        return _(line.help) if line.help else ""

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_choices(self, line: OptionField) -> dict[str, str]:
        return {slug: _(name) for slug, name in line.choices}


class FormatSerializer(NamedSerializer):
    description = serializers.SerializerMethodField()
    min_entrants = serializers.IntegerField()
    max_entrants = serializers.IntegerField()
    open_entries = serializers.BooleanField(help_text="Entries stay open after the draw.")
    takes_late = serializers.BooleanField(help_text="Late entries may take a bye of round 1.")
    pairs_by_round = serializers.BooleanField(help_text="Entrants may miss rounds, leave and come back.")
    allows_reentry = serializers.BooleanField(help_text="Players who are out may enter again.")
    options = OptionFieldSerializer(source="fields", many=True)

    def get_description(self, line: Any) -> str:
        return _(line.description)


class TieBreakSerializer(serializers.Serializer):
    """Reads a line of TIEBREAKS as slug and value."""

    slug = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField()
    description = serializers.SerializerMethodField()
    source = serializers.SerializerMethodField()  # type: ignore[assignment]
    higher_is_better = serializers.SerializerMethodField()
    byes = serializers.SerializerMethodField(help_text="How a bye counts, in a sentence.")
    walkovers = serializers.SerializerMethodField(help_text="How a walkover counts.")
    withdrawals = serializers.SerializerMethodField(help_text="How matches of a player who withdrew count.")

    def get_slug(self, line: Any) -> str:
        return line[0]

    def get_name(self, line: Any) -> str:
        return _(line[1].name)

    def get_description(self, line: Any) -> str:
        return _(line[1].description)

    def get_source(self, line: Any) -> str:
        return line[1].source

    def get_higher_is_better(self, line: Any) -> bool:
        return line[1].higher_is_better

    def get_byes(self, line: Any) -> str:
        return _(line[1].byes)

    def get_walkovers(self, line: Any) -> str:
        return _(line[1].walkovers)

    def get_withdrawals(self, line: Any) -> str:
        return _(line[1].withdrawals)


class ProfileSerializer(NamedSerializer):
    """A rule profile: `parameters` by name, where each is `stated`, and the `defaults` that the text does not state."""

    source = serializers.CharField()  # type: ignore[assignment]
    parameters = serializers.DictField()
    stated = serializers.DictField(
        child=serializers.CharField(), help_text="The place of the sentence: text, heading, and words to find it by."
    )
    defaults = serializers.SerializerMethodField()

    def get_defaults(self, profile: RuleProfile) -> list[str]:
        return sorted(profile.defaults)


class VerdictSerializer(serializers.Serializer):
    """The verdict of a replayed match record; `finding` is null if everything in it holds."""

    verdict = serializers.ChoiceField(choices=[verdict.value for verdict in Verdict])
    length = serializers.IntegerField(help_text="0 for a money session, or if the record cannot be read.")
    money = serializers.BooleanField(help_text="Whether the record is of a money session.")
    names = serializers.ListField(child=serializers.CharField(), help_text="Side A's first.")
    games = serializers.SerializerMethodField(help_text="How many games hold.")
    plays = serializers.IntegerField(help_text="How many rolls were played, including dances.")
    score = serializers.SerializerMethodField()
    finding = serializers.SerializerMethodField()
    notes = serializers.SerializerMethodField(help_text="What was read into it, and what no board can prove.")

    def get_games(self, replay: Replay) -> int:
        return len(replay.games)

    def get_score(self, replay: Replay) -> list[int]:
        return [replay.score.a, replay.score.b]

    @extend_schema_field(FindingSerializer(allow_null=True))
    def get_finding(self, replay: Replay) -> dict[str, object] | None:
        return translated(replay.finding) if replay.finding else None

    @extend_schema_field(FindingSerializer(many=True))
    def get_notes(self, replay: Replay) -> list[dict[str, object]]:
        return [translated(note) for note in replay.notes]
