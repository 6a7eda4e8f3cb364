"""The sheet of one side as its phone sends and reads it: the sides are a and b, and an ending is one word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.claims import MAX_CUBE
from matches.models import MAX_REASON, MOST_GAMES, Match, Objector
from matches.side_sheets import SheetStatus, SideSheet, Told
from rules.keeper import WORDS, table_of, word_of
from rules.score import MatchScore, Side
from rules.sheet import GameResult
from tournament.api.fields import (
    KeyField,
    LineField,
    NumberField,
    StrictBooleanField,
    StrictChoiceField,
    StrictIntegerField,
    StrictSerializer,
    TextField,
    ToldLeast,
    ToldMost,
)
from tournament.api.schema import ProblemSerializer
from tournament.entries.handed import LONGEST
from tournament.pictures.draw import round_name
from tournament.snapshot import BoardSnapshot, EventSnapshot, FixtureSnapshot

SIDES = ["a", "b"]


@extend_schema_field({"type": "string", "description": f"One of {', '.join(WORDS)}."})
class WordField(StrictChoiceField):
    """How a game ended, in one word."""


class KeptGameSerializer(StrictSerializer):
    """A game as the phone knows it; `at` and `score` are taken along unread."""

    winner = StrictChoiceField(choices=SIDES)
    ending = WordField(choices=list(WORDS))
    cube = StrictIntegerField(
        validators=[ToldLeast(1), ToldMost(MAX_CUBE)], help_text="As it stood at the end, before a refused double."
    )
    at = LineField(required=False, allow_blank=True, max_length=40)
    score = LineField(required=False, allow_blank=True, max_length=40)


class SheetClaimSerializer(StrictSerializer):
    """All games that the side has kept so far."""

    key = KeyField(help_text="Another for every claim; the same again for the same claim.")
    base = NumberField(help_text="The `number` that the phone knew last; 0 for none.")
    games = KeptGameSerializer(many=True, max_length=MOST_GAMES, help_text="None withdraws the report.")  # type: ignore[call-arg]
    agree = StrictBooleanField(
        required=False, default=False, help_text="The player says that the match is over with this score."
    )
    confirmed = StrictBooleanField(
        required=False, default=True, help_text="False: legal but unlikely games are asked about first."
    )


class AnswerSerializer(StrictSerializer):
    """The opponent's report that is confirmed or disputed."""

    number = NumberField(help_text="The `number` of `theirs`.")
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON)


class HandedSerializer(StrictSerializer):
    """A sheet that was handed over, and the opponent's yes to it: each `<payload>.<mac>` in base64url."""

    sheet = TextField(max_length=LONGEST)
    yes = TextField(required=False, allow_blank=True, default="", max_length=LONGEST)


class PointsSerializer(serializers.Serializer):
    a = serializers.IntegerField()
    b = serializers.IntegerField()


class ToldGameSerializer(serializers.Serializer):
    winner = serializers.ChoiceField(choices=SIDES)
    ending = serializers.CharField(help_text="One word, as it is sent.")
    cube = serializers.IntegerField()
    at = serializers.DateTimeField(help_text="When it was first told.")
    score = serializers.CharField(help_text="After it, as `3-2`.")


class ToldSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    games = ToldGameSerializer(many=True)
    final = PointsSerializer(allow_null=True, help_text="For a report of a final score alone.")
    by = serializers.CharField()
    at = serializers.DateTimeField()


class PlayersSerializer(serializers.Serializer):
    a = serializers.CharField()
    b = serializers.CharField()


class NamedEventSerializer(serializers.Serializer):
    name = serializers.CharField()
    slug = serializers.CharField()
    url = serializers.CharField()


class PointsGivenSerializer(PointsSerializer):
    after = serializers.IntegerField(help_text="The game after which the points were given to the sides.")


class KindSerializer(serializers.Serializer):
    cubes = serializers.ListField(child=serializers.IntegerField(), help_text="At the end of a game played out.")
    drops = serializers.ListField(child=serializers.IntegerField(), help_text="Before the double that was refused.")
    endings = serializers.ListField(child=serializers.CharField())


class RulesSerializer(serializers.Serializer):
    """What a phone without a network needs to refuse what the rules refuse."""

    length = serializers.IntegerField()
    crawford = serializers.BooleanField()
    start = serializers.ListField(child=serializers.IntegerField(), help_text="The score before game 1.")
    crawford_done = serializers.BooleanField()
    waived = serializers.ListField(
        child=serializers.IntegerField(), help_text="The games whose cube stands although it was the Crawford game."
    )
    penalties = PointsGivenSerializer(many=True)
    scores = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="By score, the place in `kinds` of what its next game can be: `3-2`; `6-2c` before the Crawford "
        "game, `6-2p` after it.",
    )
    kinds = KindSerializer(many=True)


class SheetStateSerializer(serializers.Serializer):
    """What the phone of one side is told of its match, whatever it has sent."""

    match = serializers.IntegerField()
    event = NamedEventSerializer()
    round = serializers.CharField()
    table = serializers.CharField(help_text="Empty without a table.")
    length = serializers.IntegerField()
    side = serializers.ChoiceField(choices=SIDES)
    players = PlayersSerializer()
    crawford = serializers.BooleanField()
    phones = serializers.BooleanField(help_text="Games may be sent while the match goes on.")
    status = serializers.CharField(help_text="`open`, `disputed`, `confirmed` or `closed`.")
    number = serializers.IntegerField(help_text="Of the own report; 0 for none.")
    games = ToldGameSerializer(many=True)
    final = PointsSerializer(allow_null=True)
    score = PointsSerializer(help_text="After the own games.")
    theirs = ToldSerializer(allow_null=True)
    desk = ToldSerializer(allow_null=True, help_text="The live sheet of the desk, or a scorer's report.")
    agreed = serializers.IntegerField(help_text="How many games both sides have alike.")
    differs_at = serializers.IntegerField(allow_null=True)
    desk_differs_at = serializers.IntegerField(allow_null=True)
    objection = serializers.ChoiceField(choices=[*SIDES, "desk"], allow_null=True)
    confirm_by = serializers.DateTimeField(
        allow_null=True, help_text="When a complete report becomes the result if nobody objects."
    )
    result = PointsSerializer(allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField(), help_text="Own games that are unlikely.")
    rules = RulesSerializer()


class SheetProblemSerializer(ProblemSerializer):
    """A conflict about the match, with the sheet as it is now: nothing that was sent is lost unseen."""

    sheet = SheetStateSerializer(required=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played: in the event, as the fixture or as one of its boards."""

    event: EventSnapshot
    fixture: FixtureSnapshot
    played: FixtureSnapshot | BoardSnapshot

    @property
    def round(self) -> str:
        stage = next(stage for stage in self.event.stages if self.fixture in stage.fixtures)
        return round_name(stage, self.fixture)

    @property
    def table(self) -> str:
        call = self.played.call
        return str(call.table) if call is not None and call.table is not None else ""


def games_kept(games: Sequence[Mapping[str, Any]]) -> tuple[GameResult, ...]:
    """Return the games held by valid :class:`KeptGameSerializer` objects."""
    return tuple(GameResult(Side(game["winner"].upper()), game["cube"], *WORDS[game["ending"]]) for game in games)


def state_as_dict(match: Match, place: Place, side: Side, sheet: SideSheet) -> dict[str, object]:
    """Return the sheet of the side as :class:`SheetStateSerializer` shows it."""
    own, event = sheet.own, place.event
    is_report = own is not None and sheet.status in (SheetStatus.OPEN, SheetStatus.DISPUTED)
    return {
        "match": match.pk,
        "event": {
            "name": event.name,
            "slug": event.slug,
            "url": reverse("event", args=[event.tournament_slug, event.slug]),
        },
        "round": place.round,
        "table": place.table,
        "length": match.length,
        "side": side.lower(),
        "players": {"a": place.played.a.label, "b": place.played.b.label},
        "crawford": match.crawford,
        "phones": event.phones,
        "status": SheetStatus.CLOSED if event.finished_at and sheet.result is None else sheet.status,
        "number": own.number if own is not None and is_report else 0,
        "games": _games(own) if own is not None else [],
        "final": _points(own.final) if own is not None else None,
        "score": _points(sheet.score),
        "theirs": _told(sheet.theirs),
        "desk": _told(sheet.desk),
        "agreed": sheet.agreed,
        "differs_at": sheet.differs_at,
        "desk_differs_at": sheet.desk_differs_at,
        "objection": {"": None, Objector.DESK: "desk"}.get(sheet.objection, sheet.objection.lower()),
        "confirm_by": sheet.confirm_by,
        "result": _points(sheet.result),
        "warnings": list(sheet.warnings),
        "rules": table_of(match.terms),
    }


def _told(told: Told | None) -> dict[str, object] | None:
    if told is None:
        return None
    final = _points(told.final)
    return {"number": told.number, "games": _games(told), "final": final, "by": told.by, "at": told.at}


def _games(told: Told) -> list[dict[str, object]]:
    return [
        {
            "winner": one.game.winner.lower(),
            "ending": word_of(one.game),
            "cube": one.game.cube,
            "at": one.at,
            "score": f"{one.score.a}-{one.score.b}",
        }
        for one in told.games
    ]


def _points(score: MatchScore | None) -> dict[str, int] | None:
    return None if score is None else {"a": score.a, "b": score.b}
