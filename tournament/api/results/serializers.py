"""Results in the API: claims about a match, and its score sheets as clients read them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.claims import MAX_CUBE, Claim
from matches.error_rates import rates_of, write_rate
from matches.models import MAX_REASON, MOST_GAMES, Conclusion, Match, Scoresheet, SheetSource, SheetState
from rules.equity import DEFAULT_TABLE, TABLES, win_tenths
from rules.score import Ending, Level, MatchScore, Phase, Side
from rules.sheet import GameResult, Terms
from tournament.api.authors import AuthorField
from tournament.api.fields import (
    IdField,
    KeyField,
    LineField,
    NumberField,
    PairField,
    StrictBooleanField,
    StrictChoiceField,
    StrictDateTimeField,
    StrictIntegerField,
    StrictSerializer,
    ToldLeast,
    ToldMost,
)
from tournament.api.results.stakes import StakeSerializer
from tournament.draw.reconcile import Repair
from tournament.models import Fixture
from tournament.models.team import fixture_of
from tournament.reporting.stakes import Stake
from tournament.snapshot import SheetSnapshot, view_sheet

SIDES = [side.value for side in Side]
ENDINGS = [ending.value for ending in Ending]
LEVELS = [level.value for level in Level]


class ErrorRatesSerializer(StrictSerializer):
    """The error rates of side A and side B, with up to three decimals."""

    error_rates = serializers.ListField(
        child=serializers.DecimalField(max_digits=9, decimal_places=3), min_length=2, max_length=2, allow_null=True
    )


class NewGameSerializer(StrictSerializer):
    """`cube` as it stood at the end, before a refused double; `level` 1 single, 2 gammon, 3 backgammon."""

    winner = StrictChoiceField(choices=SIDES)
    cube = StrictIntegerField(required=False, default=1, validators=[ToldLeast(1), ToldMost(MAX_CUBE)])
    level = StrictChoiceField(choices=LEVELS, required=False, default=Level.SINGLE.value)
    ending = StrictChoiceField(choices=ENDINGS, required=False, default=Ending.BEAROFF.value)


class RepairSerializer(StrictSerializer):
    """What becomes of later matches that would lose a player."""

    repair = StrictChoiceField(
        choices=[repair.value for repair in Repair],
        required=False,
        allow_null=True,
        default=None,
        help_text="`swap`: seats change in matches without a score. `replay`: matches that have begun are "
        "void. `stand`: the entry that advanced stays, by ruling. The last two need a `reason`.",
    )


class ResultSerializer(RepairSerializer):
    """All games so far, or only a `final` score, or an award (`conclusion` and `awarded_to`, and the games if any)."""

    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    base = NumberField(help_text="The number of the current score sheet that you saw; 0 for none.")
    games = NewGameSerializer(many=True, required=False, default=list, max_length=MOST_GAMES)  # type: ignore[call-arg]
    final = PairField(required=False, allow_null=True, default=None)
    conclusion = StrictChoiceField(
        choices=Conclusion.values,
        required=False,
        default=Conclusion.PLAYED.value,
        help_text="How it was decided; void: neither side came.",
    )
    awarded_to = StrictChoiceField(choices=SIDES, required=False, allow_null=True, default=None)
    confirmed = StrictBooleanField(
        required=False, default=False, help_text="The warnings of `confirm_warnings` have been read."
    )
    played_at = StrictDateTimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="When the match ended, if not just now, back to the first day of the tournament; ratings go by it. "
        "To change it takes a `reason`.",
    )
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON)


class ReserveSerializer(StrictSerializer):
    side = StrictChoiceField(choices=SIDES)
    player = IdField(help_text="A reserve of the team, or the board's own member to return.")


class WalkoverSerializer(StrictSerializer):
    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    to = StrictChoiceField(
        choices=SIDES, allow_null=True, help_text="The side that wins the match; null if neither side came."
    )
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON)


class VoidSerializer(RepairSerializer):
    base = NumberField(help_text="The number of the current score sheet that you saw.")
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON)


class ReportSerializer(StrictSerializer):
    """A report of the match, by the number of its sheet."""

    number = NumberField(help_text="The number of the reported sheet.")
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON)


class EndAdvanceSerializer(RepairSerializer):
    reason = LineField(max_length=MAX_REASON)


def repair_from(data: Mapping[str, Any]) -> Repair | None:
    """Return the repair held by a valid :class:`RepairSerializer`."""
    return Repair(data["repair"]) if data["repair"] else None


def void_from(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid :class:`VoidSerializer` in the form that the service takes."""
    return {**data, "repair": repair_from(data)}


def games_from(games: Sequence[Mapping[str, Any]]) -> tuple[GameResult, ...]:
    """Return the games held by valid :class:`NewGameSerializer` objects."""
    return tuple(
        GameResult(Side(game["winner"]), game["cube"], Level(game["level"]), Ending(game["ending"])) for game in games
    )


def claim_from(data: dict[str, Any], key: str) -> Claim:
    """Return the claim held by a valid :class:`ResultSerializer`."""
    return Claim(
        key=key,
        base=data["base"],
        games=games_from(data["games"]),
        final=None if data["final"] is None else (data["final"][0], data["final"][1]),
        conclusion=Conclusion(data["conclusion"]),
        awarded_to=Side(data["awarded_to"]) if data["awarded_to"] else None,
        confirmed=data["confirmed"],
        reason=data["reason"],
        played_at=data["played_at"],
    )


@dataclass(frozen=True, slots=True)
class SheetDetail:
    """A stored sheet, current or not, with the scores that its games give."""

    row: Scoresheet
    view: SheetSnapshot

    @classmethod
    def of(cls, terms: Terms, row: Scoresheet) -> "SheetDetail":
        return cls(row, view_sheet(terms, row))

    @property
    def score(self) -> MatchScore:
        return self.view.score


class ScoreSerializer(serializers.Serializer):
    """Reads ``score``, a MatchScore."""

    score = serializers.SerializerMethodField(help_text="Side A's points first; null while the match is in dispute.")
    phase = serializers.ChoiceField(
        source="score.phase",
        choices=[phase.value for phase in Phase],
        allow_null=True,
        help_text="Null without a score.",
    )
    is_crawford = serializers.BooleanField(
        source="score.is_crawford", default=False, help_text="The next game is the Crawford game."
    )
    winner = serializers.ChoiceField(source="score.winner", choices=SIDES, allow_null=True)

    def get_score(self, subject: Any) -> list[int] | None:
        return [subject.score.a, subject.score.b] if subject.score else None


class GameSerializer(serializers.Serializer):
    """A game of a sheet, the score after it, and what that means for the next game."""

    number = serializers.IntegerField()
    winner = serializers.ChoiceField(choices=SIDES)
    cube = serializers.IntegerField()
    level = serializers.ChoiceField(choices=LEVELS)
    ending = serializers.ChoiceField(choices=ENDINGS)
    points = serializers.IntegerField(help_text="Cube times level.")
    was_crawford = serializers.BooleanField(help_text="This was the Crawford game.")
    score_after = serializers.ListField(
        child=serializers.IntegerField(), help_text="With the penalty points given after it."
    )
    phase_after = serializers.ChoiceField(choices=[phase.value for phase in Phase])


def game_lines(view: SheetSnapshot) -> list[dict[str, object]]:
    """Return the games in the form that :class:`GameSerializer` shows."""
    return [
        {
            "number": number,
            "winner": game.winner,
            "cube": game.cube,
            "level": game.level.value,
            "ending": game.ending,
            "points": game.points,
            "was_crawford": before.is_crawford,
            "score_after": [after.a, after.b],
            "phase_after": after.phase,
        }
        for number, (game, before, after) in enumerate(
            zip(view.games, view.scores, view.scores[1:], strict=False), start=1
        )
    ]


class PenaltySerializer(serializers.Serializer):
    """Penalty points that a ruling gave to the opponent of the side that gave them away."""

    after = serializers.IntegerField(help_text="The game after which they were given; 0 is before game 1.")
    against_a = serializers.IntegerField()
    against_b = serializers.IntegerField()


class SheetSerializer(ScoreSerializer):
    """One claim about the match, under the terms that it had at the time.

    At most one is current: `live` while the match goes on, `confirmed` after it. A report is `reported` until the
    opponent or the desk confirms it, and `disputed` where another report or the live sheet differs.
    """

    number = serializers.IntegerField(source="row.number")
    state = serializers.ChoiceField(source="row.state", choices=SheetState.values)
    source = serializers.ChoiceField(source="row.source", choices=SheetSource.values)  # type: ignore[assignment]
    side = serializers.CharField(source="row.side", help_text="A or B if that side reported it; else empty.")
    conclusion = serializers.ChoiceField(source="row.conclusion", choices=Conclusion.values)
    awarded_to = serializers.ChoiceField(source="view.awarded_to", choices=SIDES, allow_null=True)
    length = serializers.IntegerField(source="view.terms.length")
    start = serializers.SerializerMethodField(help_text="0-0, or where a ruling resumed the match.")
    penalties = PenaltySerializer(source="view.terms.penalties", many=True)
    is_final_only = serializers.BooleanField(source="view.is_final_only", help_text="The games are not known.")
    games = serializers.SerializerMethodField()
    reason = serializers.CharField(source="row.reason")
    by = AuthorField(source="view.by", help_text="For people with a role, the user; for others, the desk.")
    at = serializers.DateTimeField(source="row.at")
    played_at = serializers.DateTimeField(source="row.played_at", help_text="When the match reached that result.")

    def get_start(self, sheet: SheetDetail) -> list[int]:
        return list(sheet.view.terms.start)

    @extend_schema_field(GameSerializer(many=True))
    def get_games(self, sheet: SheetDetail) -> list[dict[str, object]]:
        return game_lines(sheet.view)


class SideSerializer(serializers.Serializer):
    player = serializers.IntegerField(source="pk")
    name = serializers.CharField()


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """A match, its place in a draw if it has one, and those of its sheets that were loaded, in order."""

    row: Match
    sheets: tuple[SheetDetail, ...]
    ruling_count: int = 0
    stakes: Sequence[Stake] = ()

    @property
    def fixture(self) -> Fixture | None:
        return fixture_of(self.row)

    @property
    def board(self) -> int | None:
        """Return the match's board number in a match between two teams; None if it is not part of one."""
        board = getattr(self.row, "board", None)
        return board.number if board is not None else None

    @property
    def current(self) -> SheetDetail | None:
        return next((sheet for sheet in self.sheets if sheet.row.state in Scoresheet.CURRENT), None)

    @property
    def score(self) -> MatchScore | None:
        """Return the score of the current sheet; what is disputed is no score."""
        if any(sheet.row.state == SheetState.DISPUTED for sheet in self.sheets):
            return None
        return self.current.score if self.current else self.row.terms.opening


class MatchSummarySerializer(ScoreSerializer):
    id = serializers.IntegerField(source="row.pk")
    length = serializers.IntegerField(source="row.length")
    a = SideSerializer(source="row.side_a")
    b = SideSerializer(source="row.side_b")
    event = serializers.IntegerField(source="fixture.stage.event_id", allow_null=True)
    fixture = serializers.CharField(source="fixture.key", allow_null=True)
    board = serializers.IntegerField(allow_null=True, help_text="The number of the board, where two teams meet.")
    sheet = serializers.IntegerField(
        source="current.row.number", default=0, help_text="The `base` of the next result; 0 for none so far."
    )


class WinProbabilitySerializer(serializers.Serializer):
    """Chances before the next game, if both play equally well; in tenths of a percent, adding up to 1000."""

    table = serializers.ChoiceField(choices=list(TABLES), help_text="The match equity table.")
    a = serializers.IntegerField()
    b = serializers.IntegerField()


class MatchSerializer(MatchSummarySerializer):
    """A match with every score sheet ever claimed for it; while it is in dispute only those who settle it see them."""

    profile = serializers.CharField(source="row.profile")
    crawford = serializers.BooleanField(source="row.crawford", help_text="The Crawford rule is in force.")
    start = serializers.SerializerMethodField(help_text="0-0, or where a ruling resumed the match.")
    penalties = PenaltySerializer(source="row.terms.penalties", many=True)
    ruling_count = serializers.IntegerField(help_text="The `ruling_count` of the next ruling.")
    win_probability = serializers.SerializerMethodField(
        help_text="Null once it is decided or in dispute, beyond the end of the table, and in an event that does not "
        "show it (`shows_chances`)."
    )
    record = serializers.CharField(
        source="row.record_verdict", allow_null=True, help_text="The verdict on its imported record, if any."
    )
    accepted_for = serializers.CharField(
        source="row.accepted_for",
        allow_null=True,
        help_text="Why a record that does not prove it was accepted as this match, which is not rated then; else null.",
    )
    error_rates = serializers.SerializerMethodField(help_text="Side A's first; null while they are not known.")
    stakes = StakeSerializer(
        many=True,
        help_text="What it is worth on the official lists that its event declares, until it is decided; none where "
        "the ratings of both are not public.",
    )
    created_at = serializers.DateTimeField(source="row.created_at")
    sheets = SheetSerializer(many=True)

    def get_start(self, match: MatchDetail) -> list[int]:
        return [match.row.start_a, match.row.start_b]

    def get_error_rates(self, match: MatchDetail) -> list[str] | None:
        rates = rates_of(match.row)
        return [write_rate(rate) for rate in rates] if rates else None

    @extend_schema_field(WinProbabilitySerializer(allow_null=True))
    def get_win_probability(self, match: MatchDetail) -> dict[str, object] | None:
        shown = match.fixture is None or match.fixture.stage.event.shows_chances
        tenths = win_tenths(match.score) if match.score and shown else None
        return tenths and {"table": DEFAULT_TABLE.slug, "a": tenths[0], "b": tenths[1]}
