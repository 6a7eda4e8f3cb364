"""The pairings of an event as clients read them: who meets, the live score, calls, boards and error rates."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.error_rates import write_rate
from rules.score import MatchScore
from tournament.api.remembered import RememberedSerializer
from tournament.snapshot import BoardSnapshot, FixtureSnapshot, FixtureState
from tournament.snapshot.states import MatchState


class SeatSerializer(serializers.Serializer):
    entry = serializers.IntegerField(source="entry.id", allow_null=True, help_text="Null until somebody sits here.")
    label = serializers.CharField(help_text="The player's name, or which winner or loser will sit here.")  # type: ignore[assignment]
    feed = serializers.CharField(
        help_text="`bye`, `winner:M1-1`, `loser:M1-1`, `round:2` (a loser of main round 2, placed later), or empty."
    )
    is_bye = serializers.BooleanField()
    is_winner = serializers.BooleanField()


class CallSerializer(serializers.Serializer):
    table = serializers.IntegerField(
        allow_null=True, help_text="The number of the table; null if the hall has none and players are called by name."
    )
    called_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True, help_text="Null until the players have begun.")


class WaitSerializer(serializers.Serializer):
    player = serializers.IntegerField(source="player_id", help_text="The player who is busy with another match.")
    name = serializers.CharField(help_text="Their name, or that of their pair or team.")
    event = serializers.IntegerField(source="event_id", help_text="The event of that match.")
    table = serializers.IntegerField(allow_null=True, help_text="Where they sit; null if at no numbered table.")


class BoardSeatSerializer(serializers.Serializer):
    player = serializers.IntegerField(source="player_id")
    label = serializers.CharField(help_text="The player's name.")  # type: ignore[assignment]
    is_winner = serializers.BooleanField()


class PlayedSerializer(serializers.Serializer):
    """A match with its live score. ``sheet`` is the ``base`` of the next result, 0 for none so far."""

    number = serializers.IntegerField()
    length = serializers.IntegerField()
    state = serializers.ChoiceField(choices=[state.value for state in FixtureState])
    match = serializers.IntegerField(source="match_id", allow_null=True)
    score = serializers.SerializerMethodField(help_text="Null without one, and while the match is in dispute.")
    phase = serializers.SerializerMethodField(help_text="Null without a score.")
    is_crawford = serializers.BooleanField(help_text="The next game is the Crawford game.")
    status = serializers.ChoiceField(
        choices=[state.value for state in MatchState], help_text="What its result is worth, and what it waits for."
    )
    sheet = serializers.IntegerField(source="sheet.number", default=0)
    conclusion = serializers.CharField(source="sheet.conclusion", allow_null=True)
    call = CallSerializer(allow_null=True, help_text="Null unless the match is called.")
    waits_for = WaitSerializer(
        allow_null=True,
        help_text="Whom a ready match waits for, because they are busy elsewhere; null if all its players are free. "
        "Between teams, once every board waits.",
    )

    def get_score(self, played: FixtureSnapshot | BoardSnapshot) -> list[int] | None:
        score = _shown_score(played)
        return [score.a, score.b] if score else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_phase(self, played: FixtureSnapshot | BoardSnapshot) -> str | None:
        score = _shown_score(played)
        return score.phase if score else None


def _shown_score(played: FixtureSnapshot | BoardSnapshot) -> MatchScore | None:
    """Return the score, but none while the match is in dispute: the desk settles what it is."""
    return None if played.status is MatchState.DISPUTED else played.score


class BoardSerializer(PlayedSerializer):
    """One board of a match between two teams."""

    a = BoardSeatSerializer()
    b = BoardSeatSerializer()


class FixtureSerializer(RememberedSerializer, PlayedSerializer):
    """A published pairing with its live score. Between teams, the boards have the matches and scores."""

    key = serializers.CharField()
    bracket = serializers.CharField()
    round = serializers.IntegerField()
    a = SeatSerializer()
    b = SeatSerializer()
    advanced = serializers.IntegerField(
        source="advanced.id", allow_null=True, default=None, help_text="The entry that advances instead, by ruling."
    )
    why = serializers.CharField(help_text="Why these two meet.")
    is_by_hand = serializers.BooleanField(help_text="The director has changed this pairing; `why` has the reason.")
    deadline = serializers.DateField(
        allow_null=True, help_text="The last day to play, where rounds have dates, and of a challenge."
    )
    is_extended = serializers.BooleanField(help_text="The deadline was moved or extended for this match.")
    decided_on = serializers.DateField(
        allow_null=True, help_text="The first day on which the match is decided by rule if nobody has begun it."
    )
    plays_on = serializers.DateField(allow_null=True, help_text="The home evening of side A in this round.")
    is_overdue = serializers.SerializerMethodField(help_text="The deadline has passed and the match is not over.")
    boards = BoardSerializer(many=True, help_text="The boards of a match between teams.")
    error_rates = serializers.SerializerMethodField(
        help_text="Both sides' error rates, side A's first; null while they are open or do not count."
    )
    is_rate_open = serializers.BooleanField(help_text="It has been played, and its error rates are missing.")
    is_drawn = serializers.BooleanField(help_text="Two teams have shared the boards: half a win for each.")
    boards_won = serializers.SerializerMethodField(
        help_text="Boards won by the teams, side A's first; null before they begin."
    )

    def get_is_overdue(self, fixture: FixtureSnapshot) -> bool:
        return fixture.is_overdue(self.context["today"])

    def get_error_rates(self, fixture: FixtureSnapshot) -> list[str] | None:
        return [write_rate(rate) for rate in fixture.rates] if fixture.rates else None

    def get_boards_won(self, fixture: FixtureSnapshot) -> list[int] | None:
        if not fixture.boards or fixture.a.points is None or fixture.b.points is None:
            return None
        return [fixture.a.points, fixture.b.points]
