"""The API for records beside a match: proposed by a private link; attached, listed and detached by its scorers."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from matches.evidence import Evidence
from rules.score import Side
from tournament.api.access import ApiView, user_of
from tournament.api.fields import LineField, StrictSerializer
from tournament.api.parsing import RecordParser, RecordTextParser, SGFParser
from tournament.api.results.sheet_serializers import SIDES
from tournament.api.results.sheets import OTHERS, SideView, find_own
from tournament.api.results.views import match_for
from tournament.api.schema import ACT, WRITE, problems
from tournament.entries.report import propose_record_by_link
from tournament.results.evidence import attach_record, detach_record


class ProposalSerializer(StrictSerializer):
    name = LineField(max_length=200, required=False, default="record", help_text="The name of the file.")
    left = serializers.ChoiceField(
        choices=SIDES,
        required=False,
        help_text="The side in the left column of the record; the names tell, if they are those of both sides.",
    )


class AttachedSerializer(serializers.ModelSerializer):
    """A record beside a match: its digest, the side that proposed it, and the side in its left column."""

    side = serializers.SerializerMethodField(help_text="Empty if somebody attached it who enters results.")
    left = serializers.SerializerMethodField()

    class Meta:
        model = Evidence
        fields = ["id", "name", "sha256", "side", "left", "at"]

    def get_side(self, evidence: Evidence) -> str:
        return evidence.side.lower()

    def get_left(self, evidence: Evidence) -> str:
        return "b" if evidence.exchanged else "a"


PARSERS = [RecordTextParser, RecordParser, SGFParser]
BODY = {
    "text/plain": OpenApiTypes.STR,
    "application/octet-stream": OpenApiTypes.BINARY,
    "application/x-go-sgf": OpenApiTypes.BINARY,
}
SENT = ("record_breaks_rule", "record_sides_unclear", "record_of_other_length")
HELD = ("match_changed", "record_has_match", "record_attached", "records_too_many", "event_finished")


def sent_record(request: Request) -> tuple[bytes, str, Side | None]:
    """Return the record of the body, the name of its file, and who is said to be in its left column."""
    told = ProposalSerializer.valid(request.query_params.dict())
    data = request.data if isinstance(request.data, bytes) else b""
    return data, told["name"], Side(told["left"].upper()) if "left" in told else None


class MyRecordView(SideView):
    takes_keys = False  # the same record again is the one that is there
    parser_classes = PARSERS

    @extend_schema(
        summary="Propose a record of a match of one's own, by its private link",
        description="Those who enter the result see it beside the score sheet, and nothing else follows. The body is "
        "the record in any format that is read. The same again changes nothing.",
        parameters=[ProposalSerializer],
        request=BODY,
        responses={201: AttachedSerializer}
        | problems(*WRITE, *(410, 429), refusals=SENT, conflicts=(*HELD, "entry_gone", *OTHERS)),
        auth=[],
    )
    def post(self, request: Request, token: str, match_id: int) -> Response:
        entry, match, _side = find_own(token, match_id)
        data, name, left = sent_record(request)
        proposed = propose_record_by_link(entry, match, data, name=name, left=left, at=timezone.now())
        return Response(AttachedSerializer(proposed).data, status=201)


class RecordsView(ApiView):
    permission_classes = [IsAuthenticated]
    parser_classes = PARSERS

    @extend_schema(
        operation_id="matches_records_list",
        summary="List the records attached to a match",
        description="For those who may enter its result.",
        responses={200: AttachedSerializer(many=True)} | problems(403, 409, conflicts=("match_not_in_draw",)),
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        return Response(AttachedSerializer(Evidence.attached.filter(match=match), many=True).data)

    @extend_schema(
        summary="Attach a record to a match",
        description="For those who may enter its result, which stays what it is. The body is the record in any format "
        "that is read. The same again changes nothing.",
        parameters=[ProposalSerializer],
        request=BODY,
        responses={201: AttachedSerializer} | problems(*WRITE, refusals=SENT, conflicts=(*HELD, "match_not_in_draw")),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        data, name, left = sent_record(request)
        attached = attach_record(match, data, name=name, left=left, by=user_of(request), at=timezone.now())
        return Response(AttachedSerializer(attached).data, status=201)


class RecordView(ApiView):
    @extend_schema(
        summary="Detach a record from a match",
        description="The score sheet stays as it is. The record is free to be attached to another match, or imported.",
        responses={204: None}
        | problems(*ACT, conflicts=("record_not_attached", "event_finished", "match_not_in_draw")),
    )
    def delete(self, request: Request, match_id: int, evidence_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        evidence = get_object_or_404(Evidence.objects.defer("data"), match=match, pk=evidence_id)
        detach_record(match, evidence.pk, by=user_of(request), at=timezone.now())
        return Response(status=204)
