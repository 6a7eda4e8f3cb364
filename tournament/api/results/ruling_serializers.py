"""Rulings in the API: what a director sends and what clients read."""

from collections.abc import Mapping
from itertools import starmap
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from matches.history import Ruled
from matches.models import MAX_REASON, MOST_GAMES
from matches.rulings import RulingRequest
from rules.ruling_kinds import FIELDS, RULINGS, DeclaredRuling, FieldKind, RulingField
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
from tournament.api.results.serializers import SIDES, NewGameSerializer, RepairSerializer, games_from
from tournament.formats.options import MAX_LENGTH
from tournament.roles.authors import NAMES, author

KINDS = [kind.value for kind in RULINGS]
SUBMISSION = ("key", "base", "ruling_count", "kind", "reason", "preview", "repair")


def _field_for(field: RulingField) -> serializers.Field:
    about: dict[str, Any] = {"required": False, "help_text": field.description}
    match field.kind:
        case FieldKind.POINTS:
            return PairField(child=NumberField(), **about)
        case FieldKind.GAMES:
            return NewGameSerializer(many=True, max_length=MOST_GAMES, **about)  # type: ignore[call-arg]
        case FieldKind.LENGTH:
            return NumberField(min_value=1, max_value=MAX_LENGTH, **about)
        case FieldKind.FLAG:
            return StrictBooleanField(**about)
        case FieldKind.SIDE:
            return StrictChoiceField(choices=SIDES, **about)


def _describe(kind: RulingKind, ruling: DeclaredRuling) -> str:
    needed = " and ".join(f"`{field.name}`" for field in ruling.needs)
    return f"- `{kind.value}`: {needed}" + (f", {ruling.note}" if ruling.note else "")


class NewRulingSerializer(RepairSerializer):
    __doc__ = "\n".join(["A ruling, and what its kind needs.", "", *starmap(_describe, RULINGS.items())])

    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    base = NumberField(help_text="The number of the current score sheet that you saw; 0 for none.")
    ruling_count = NumberField(help_text="The number of rulings on the match that you saw.")
    kind = StrictChoiceField(choices=KINDS)
    reason = LineField(
        allow_blank=True, max_length=MAX_REASON, help_text="Why the ruling was made; it must not be empty."
    )
    preview = StrictBooleanField(required=False, default=False, help_text="Return what it would change; store nothing.")

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {field.name: _field_for(field) for field in FIELDS}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        ruling = RULINGS[RulingKind(attrs["kind"])]
        missing = [field.name for field in ruling.needs if field.name not in attrs]
        if missing:
            message = ErrorDetail(_("A ruling of this kind needs this field."), code="required")
            raise ValidationError({name: [message] for name in missing})
        known = {*SUBMISSION, *(field.name for field in (*ruling.needs, *ruling.takes))}
        unused = [name for name in attrs if name not in known]
        if unused:
            message = ErrorDetail(_("A ruling of this kind does not have this field."), code="unknown")
            raise ValidationError({name: [message] for name in unused})
        if "games" in attrs and "final" in attrs:
            message = ErrorDetail(_("Enter either the games or a final score, not both."), code="final_with_games")
            raise ValidationError({"final": [message]})
        return attrs


def ruling_from(data: Mapping[str, Any], key: str) -> RulingRequest:
    """Return the request held by a valid :class:`NewRulingSerializer`."""
    return RulingRequest(
        kind=RulingKind(data["kind"]),
        key=key,
        reason=data["reason"],
        base=data["base"],
        ruling_count=data["ruling_count"],
        **{field.name: _value_of(field, data[field.name]) for field in FIELDS if field.name in data},
    )


def _value_of(field: RulingField, value: Any) -> Any:
    match field.kind:
        case FieldKind.POINTS:
            return tuple(value)
        case FieldKind.GAMES:
            return games_from(value)
        case FieldKind.SIDE:
            return Side(value)
    return value


class RuledScoreSerializer(serializers.Serializer):
    """A score, and the length of the match at that time."""

    length = serializers.IntegerField()
    score = serializers.SerializerMethodField(help_text="Side A's points first.")
    phase = serializers.ChoiceField(choices=[phase.value for phase in Phase])
    is_crawford = serializers.BooleanField(help_text="The next game is the Crawford game.")
    winner = serializers.ChoiceField(choices=SIDES, allow_null=True)

    def get_score(self, score: Any) -> list[int]:
        return [score.a, score.b]


class RulingSerializer(serializers.Serializer):
    """A ruling: its rule, its reason, and what it changed."""

    number = serializers.IntegerField(help_text="Counted from 1 in each match.")
    kind = serializers.ChoiceField(source="row.kind", choices=[kind.value for kind in RulingKind])
    rule = serializers.SerializerMethodField(help_text="One sentence, in the requested language.")
    rule_source = serializers.CharField(source="principle.source", help_text="Where the rule is found.")
    explanation = serializers.CharField(source="row.explanation", help_text="The ruling in one sentence.")
    reason = serializers.CharField(source="row.reason")
    before = RuledScoreSerializer(
        allow_null=True, help_text="While the match is in dispute, null for all but those who settle it."
    )
    after = RuledScoreSerializer(allow_null=True, help_text="As `before`.")
    sheet = serializers.IntegerField(allow_null=True, help_text="The number of the score sheet that it made, if any.")
    by = serializers.SerializerMethodField(help_text="For people with a role, the user; for others, desk or director.")
    at = serializers.DateTimeField(source="row.at")

    def get_rule(self, ruled: Ruled) -> str:
        return _(ruled.principle.sentence)

    def get_by(self, ruled: Ruled) -> str:
        return author(ruled.row.by, bool(self.context.get(NAMES)), rules=True)
