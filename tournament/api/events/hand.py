"""The API for a director's changes of a draw: two seats swapped, or a pairing set, with a reason."""

from functools import partial

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import MAX_REASON
from tournament.api.access import ApiView, user_of
from tournament.api.events.views import event_for, find_event
from tournament.api.fields import IdField, LineField, NumberField, StrictBooleanField, StrictSerializer
from tournament.api.schema import ACT, WRITE, problems
from tournament.draw.hand import change_draw, end_changes, preview_change
from tournament.formats.moves import MoveKind
from tournament.models import Entry, HandChange

REFUSALS = (
    *("reason_missing", "reason_too_long", "draw_change_unknown", "draw_change_same", "draw_change_no_bye"),
    *("draw_change_stands", "draw_change_not_paired", "draw_change_all_meet", "draw_change_both_byes"),
    *("draw_change_impossible", "draw_change_nothing"),
)
CONFLICTS = ("event_finished", "stage_not_drawn", "stage_waits", "round_begun", "later_match_begun", "draw_changed")


class NewDrawChangeSerializer(StrictSerializer):
    """Two entries, by id, whose seats are swapped or who are to meet; without `b`, the bye of a Swiss round."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in MoveKind])
    a = IdField()
    b = IdField(required=False, allow_null=True, default=None)
    reason = LineField(allow_blank=True, most=MAX_REASON)
    base = NumberField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The number of the last change that the sender saw, 0 for none.",
    )
    preview = StrictBooleanField(default=False, help_text="Only say what would change; nothing is stored.")


class DrawChangeSerializer(serializers.ModelSerializer):
    """A change as the draw takes it into account; `round` is 0 for a swap in the layout of the draw."""

    a = serializers.IntegerField(source="entry_a_id")
    b = serializers.IntegerField(source="entry_b_id", allow_null=True, help_text="Null for a bye.")

    class Meta:
        model = HandChange
        fields = ["number", "kind", "round", "a", "b", "reason", "at", "ended_at"]


class ChangedPairingSerializer(serializers.Serializer):
    key = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class DrawChangesView(ApiView):
    @extend_schema(
        operation_id="events_draw_changes_list",
        summary="List a director's changes of a draw, also those taken back",
        responses={200: DrawChangeSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, event_id: int, number: int) -> Response:
        stage = get_object_or_404(find_event(event_id).stages, number=number)
        return Response(DrawChangeSerializer(stage.hand_changes.all(), many=True).data)

    @extend_schema(
        summary="Swap two seats of a draw, or set a pairing",
        description="For a stage that is drawn, or a Swiss round that is paired, until a match that would lose a "
        "player, or any match of that round, has begun. The answer lists the changes that do it: a Swiss swap is two "
        "pairings. The pairings say for good that the director changed them, and why.",
        request=NewDrawChangeSerializer,
        responses={
            201: DrawChangeSerializer(many=True),
            200: OpenApiResponse(
                ChangedPairingSerializer(many=True), "With `preview`: the pairings that would change."
            ),
        }
        | problems(*WRITE, refusals=REFUSALS, conflicts=CONFLICTS),
    )
    def post(self, request: Request, event_id: int, number: int) -> Response:
        event = event_for(request, event_id, "make_draw")
        stage = get_object_or_404(event.stages, number=number)
        data = NewDrawChangeSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        people = Entry.objects.filter(event=event).select_related("player", "partner")
        a = get_object_or_404(people, pk=asked["a"])
        b = get_object_or_404(people, pk=asked["b"]) if asked["b"] is not None else None
        kind, by, now = MoveKind(asked["kind"]), user_of(request), timezone.now()
        said = {"kind": kind, "a": a, "b": b, "reason": asked["reason"], "base": asked["base"]}
        change = partial(change_draw, stage, **said, by=by, at=now)
        if asked["preview"]:
            return Response(ChangedPairingSerializer(preview_change(stage, change), many=True).data)
        return Response(DrawChangeSerializer(change(), many=True).data, status=201)


class DrawChangeView(ApiView):
    @extend_schema(
        summary="Take a change of a draw back",
        responses={204: None} | problems(*ACT, conflicts=("draw_change_gone", *CONFLICTS)),
    )
    def delete(self, request: Request, event_id: int, number: int, change: int) -> Response:
        event = event_for(request, event_id, "make_draw")
        stage = get_object_or_404(event.stages, number=number)
        get_object_or_404(stage.hand_changes, number=change)
        end_changes(stage, numbers=[change], by=user_of(request), at=timezone.now())
        return Response(status=204)
