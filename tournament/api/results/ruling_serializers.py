"""Rulings: what a director asks for, and what was ruled as it is read."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from matches.history import Ruled
from matches.rulings import RulingRequest
from rules.rulings import RulingKind
from rules.score import Phase, Side
from tournament.api.fields import (
    KeyField,
    LineField,
    NumberField,
    PairField,
    StrictBooleanField,
    StrictChoiceField,
)
from tournament.api.results.serializers import MAX_GAMES, SIDES, NewGameSerializer, RepairSerializer, games_from
from tournament.formats.options import MAX_LENGTH

KINDS = [kind.value for kind in RulingKind if kind is not RulingKind.UNDONE]
SUBMISSION = ("key", "base", "ruling_count", "kind", "reason", "preview", "repair")

NEEDED: dict[RulingKind, tuple[str, ...]] = {
    RulingKind.PENALTY_POINTS: ("penalty_points",),
    RulingKind.CRAWFORD_ANNULLED: ("games", "next_begun"),
    RulingKind.CRAWFORD_STANDS: ("games", "next_begun"),
    RulingKind.LENGTH_POSTED: ("played_to",),
    RulingKind.LENGTH_AGREED: ("played_to",),
    RulingKind.RESUMED: ("score", "crawford_done"),
    RulingKind.CLOCK_LOST: ("awarded_to",),
    RulingKind.CLOCK_PENALTY: ("penalty_points",),
    RulingKind.AWARDED: ("awarded_to",),
}
ALLOWED = {RulingKind.LENGTH_POSTED: ("games", "final"), RulingKind.LENGTH_AGREED: ("games", "final")}
"""What a ruling of a kind may say besides what it needs; nothing for a kind left out."""


class NewRulingSerializer(RepairSerializer):
    """A ruling, and what its kind needs.

    `penalty_points`: `penalty_points`. `crawford_annulled`, `crawford_stands`: `games` and `next_begun`.
    `length_posted`, `length_agreed`: `played_to`, and `games` or `final` if they are not those of the current sheet.
    `resumed`: `score` and `crawford_done`. `clock_lost`, `awarded`: `awarded_to`, who wins. `clock_penalty`:
    `penalty_points`, besides those given there already.
    """

    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    base = NumberField(help_text="The number of the current score sheet that you saw; 0 for none.")
    ruling_count = NumberField(help_text="The number of rulings on the match that you saw.")
    kind = StrictChoiceField(choices=KINDS)
    reason = LineField(allow_blank=True, max_length=200, help_text="Why. A ruling without a reason is refused.")
    preview = StrictBooleanField(required=False, default=False, help_text="Tell what it would change; store nothing.")
    penalty_points = PairField(
        child=NumberField(),
        required=False,
        help_text="That side A and side B gave away before the next game, in all; 0, 0 takes them back.",
    )
    games = NewGameSerializer(  # type: ignore[call-arg]
        many=True, required=False, max_length=MAX_GAMES, help_text="All that were played, legal or not."
    )
    final = PairField(
        child=NumberField(),
        required=False,
        help_text="The score at which the players stopped, if the games are not known.",
    )
    next_begun = StrictBooleanField(required=False, help_text="A game after the last of `games` has begun.")
    played_to = NumberField(required=False, min_value=1, max_value=MAX_LENGTH, help_text="The length played to.")
    score = PairField(
        child=NumberField(), required=False, help_text="Where the match is resumed, side A's points first."
    )
    awarded_to = StrictChoiceField(choices=SIDES, required=False, help_text="Who wins by the ruling.")
    crawford_done = StrictBooleanField(required=False, help_text="Its Crawford game has been played.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        kind = RulingKind(attrs["kind"])
        missing = [name for name in NEEDED[kind] if name not in attrs]
        if missing:
            message = ErrorDetail(_("A ruling of this kind needs this field."), code="required")
            raise ValidationError({name: [message] for name in missing})
        known = {*SUBMISSION, *NEEDED[kind], *ALLOWED.get(kind, ())}
        unused = [name for name in attrs if name not in known]
        if unused:
            message = ErrorDetail(_("A ruling of this kind has no such field."), code="unknown")
            raise ValidationError({name: [message] for name in unused})
        if "games" in attrs and "final" in attrs:
            message = ErrorDetail(_("Enter either the games or a final score, not both."), code="final_with_games")
            raise ValidationError({"final": [message]})
        return attrs


def ruling_from(data: Mapping[str, Any], key: str) -> RulingRequest:
    """The request that a valid :class:`NewRulingSerializer` holds."""
    said = {name: data[name] for name in ("next_begun", "crawford_done", "played_to") if name in data}
    said |= {name: tuple(data[name]) for name in ("penalty_points", "final", "score") if name in data}
    if "awarded_to" in data:
        said["awarded_to"] = Side(data["awarded_to"])
    if "games" in data:
        said["games"] = games_from(data["games"])
    return RulingRequest(
        kind=RulingKind(data["kind"]),
        key=key,
        reason=data["reason"],
        base=data["base"],
        ruling_count=data["ruling_count"],
        **said,
    )


class RuledScoreSerializer(serializers.Serializer):
    """A score, and the length that the match had then."""

    length = serializers.IntegerField()
    score = serializers.SerializerMethodField(help_text="Side A's points first.")
    phase = serializers.ChoiceField(choices=[phase.value for phase in Phase])
    is_crawford = serializers.BooleanField(help_text="The next game is the Crawford game.")
    winner = serializers.ChoiceField(choices=SIDES, allow_null=True)

    def get_score(self, score: Any) -> list[int]:
        return [score.a, score.b]


class RulingSerializer(serializers.Serializer):
    """What a director ruled, by which rule, why, and what it changed."""

    number = serializers.IntegerField(help_text="Counted from 1 in each match.")
    kind = serializers.ChoiceField(source="row.kind", choices=KINDS)
    rule = serializers.SerializerMethodField(help_text="One sentence, in the language asked for.")
    rule_source = serializers.CharField(source="principle.source", help_text="Where the rule is found.")
    explanation = serializers.CharField(source="row.explanation", help_text="What was ruled, in a sentence.")
    reason = serializers.CharField(source="row.reason")
    before = RuledScoreSerializer()
    after = RuledScoreSerializer()
    sheet = serializers.IntegerField(allow_null=True, help_text="The number of the score sheet that it made, if any.")
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="row.at")

    def get_rule(self, ruled: Ruled) -> str:
        return _(ruled.principle.sentence)

    def get_by(self, ruled: Ruled) -> str:
        return str(ruled.row.by or "")
