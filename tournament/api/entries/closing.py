"""The API for the public value of a draw: entries closed and reopened, dice, and rounds of drand."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import MAX_REASON
from tournament.api.access import ApiView, user_of
from tournament.api.events.views import DRAW_REFUSALS, event_for, find_event
from tournament.api.fields import LineField, NumberField, StrictSerializer
from tournament.api.schema import WRITE, problems
from tournament.draw.beacon import MAX_RANDOMNESS, MAX_SIGNATURE, MOST_ROUND, enter_round
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.closings import closings_of
from tournament.draw.dice import MAX_TYPED_DICE, type_dice
from tournament.models import Event

NOT_NOW = ("entries_not_closed", "other_public_source", "public_value_known", "event_drawn", "event_finished")
"""The codes of a value that is not to become known in this way, or not now."""


class GivenWordSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="The number of the entry.")
    word = serializers.CharField()


class ClosingSerializer(serializers.Serializer):
    """Closed entries, with the public value that becomes known after that."""

    number = serializers.IntegerField()
    stage = serializers.IntegerField()
    source = serializers.CharField(help_text="`dice`, `words` or `drand`.")  # type: ignore[assignment]
    digest = serializers.CharField(help_text="SHA-256 of everything in the draw, in hex.")
    closed_at = serializers.DateTimeField()
    first = serializers.CharField(help_text="The user who typed the dice in first; empty while nobody has.")
    second = serializers.CharField(help_text="The person who repeated them, which made them the public value.")
    by_link = serializers.BooleanField(help_text="Whether the second had only the private link of that player.")
    drand_round = serializers.IntegerField(allow_null=True, help_text="Of drand's chain quicknet.")
    round_at = serializers.DateTimeField(allow_null=True, help_text="When the round becomes known.")
    round_address = serializers.CharField(help_text="Where drand publishes the round.")
    signature = serializers.CharField(
        help_text="In hex: the BLS signature of drand, whose SHA-256 is the value of its round."
    )
    words = GivenWordSerializer(many=True)
    value = serializers.CharField(help_text="Empty until it is known.")
    known_at = serializers.DateTimeField(allow_null=True)
    voided_at = serializers.DateTimeField(allow_null=True)
    void_reason = serializers.CharField(help_text="Empty if the draw was taken back.")
    is_used = serializers.BooleanField(help_text="Whether the stage has been drawn with it.")


class CloseSerializer(StrictSerializer):
    round = NumberField(
        max_value=MOST_ROUND,
        required=False,
        help_text="For drand: a round at least a minute ahead; left out, the next one.",
    )


class ReasonSerializer(StrictSerializer):
    reason = LineField(max_length=MAX_REASON, allow_blank=True)


class DiceSerializer(StrictSerializer):
    dice = LineField(max_length=MAX_TYPED_DICE, help_text="At least twelve digits from 1 to 6.")


class RoundSerializer(StrictSerializer):
    round = NumberField(min_value=1, max_value=MOST_ROUND)
    randomness = LineField(max_length=MAX_RANDOMNESS, help_text="In hex.")
    signature = LineField(max_length=MAX_SIGNATURE, help_text="In hex.")


def _answer(event: Event) -> Response:
    return Response(ClosingSerializer(closings_of(event), many=True).data)


class ClosingsView(ApiView):
    @extend_schema(
        summary="List the closings of an event, with their public values",
        description="Void ones stay listed.",
        responses={200: ClosingSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return _answer(find_event(event_id))

    @extend_schema(
        summary="Close entries for the next draw",
        description="For events with a `public_source`. From then on everything in the draw is fixed; for drand the "
        "round is named now. If entries are closed already nothing changes.",
        request=CloseSerializer,
        responses={200: ClosingSerializer(many=True)}
        | problems(
            *WRITE,
            refusals=(*DRAW_REFUSALS, "drand_round_not_ahead", "drand_round_too_far"),
            conflicts=(
                *("not_checked_in", "stage_waits", "no_public_value", "event_drawn", "event_finished"),
                "closings_too_many",
            ),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "make_draw")
        data = CloseSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        close_entries(event, **data.validated_data, by=user_of(request), at=timezone.now())
        return _answer(event)


class ReopenEntriesView(ApiView):
    @extend_schema(
        summary="Reopen the entries of an event",
        description="The public value is void, and stays listed with the reason.",
        request=ReasonSerializer,
        responses={200: ClosingSerializer(many=True)}
        | problems(
            *WRITE, refusals=("reason_missing",), conflicts=("entries_not_closed", "event_drawn", "event_finished")
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "make_draw")
        data = ReasonSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        reopen_entries(event, **data.validated_data, by=user_of(request), at=timezone.now())
        return _answer(event)


class DiceView(ApiView):
    @extend_schema(
        summary="Type in the dice thrown in the hall",
        description="The first user's dice stay hidden until another person has typed in the same: then they are the "
        "public value.",
        request=DiceSerializer,
        responses={200: ClosingSerializer(many=True)}
        | problems(*WRITE, refusals=("dice_unreadable", "dice_too_few"), conflicts=("dice_differ", *NOT_NOW)),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "type_dice")
        data = DiceSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        type_dice(event, **data.validated_data, by=user_of(request), at=timezone.now())
        return _answer(event)


class RoundView(ApiView):
    @extend_schema(
        summary="Type in the round of drand that was named",
        description="Where there is a network the server fetches it by itself. The randomness must be the SHA-256 of "
        "the signature, and the signature drand's of this round of its chain quicknet.",
        request=RoundSerializer,
        responses={200: ClosingSerializer(many=True)}
        | problems(
            *WRITE,
            refusals=("drand_round_other", "drand_not_hex", "drand_not_proved", "drand_not_signed"),
            conflicts=("drand_round_not_yet", *NOT_NOW),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "make_draw")
        data = RoundSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        enter_round(event, **data.validated_data, by=user_of(request), at=timezone.now())
        return _answer(event)
