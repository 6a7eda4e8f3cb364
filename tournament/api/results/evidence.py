"""The API for records of a match: a player proposes one to those who enter its result, by their private link."""

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from matches.evidence import Evidence
from rules.score import Side
from tournament.api.fields import LineField, StrictSerializer
from tournament.api.parsing import RecordParser, RecordTextParser, SGFParser
from tournament.api.results.sheet_serializers import SIDES
from tournament.api.results.sheets import OTHERS, SideView, find_own
from tournament.api.schema import WRITE, problems
from tournament.entries.report import propose_record_by_link


class ProposalSerializer(StrictSerializer):
    name = LineField(max_length=200, required=False, default="record", help_text="The name of the file.")
    left = serializers.ChoiceField(
        choices=SIDES,
        required=False,
        help_text="The side in the left column of the record; the names tell, if they are those of the match.",
    )


class ProposedSerializer(serializers.ModelSerializer):
    """A record that was proposed: its digest, who proposed it, and who is in its left column."""

    side = serializers.SerializerMethodField()
    left = serializers.SerializerMethodField()

    class Meta:
        model = Evidence
        fields = ["id", "name", "sha256", "side", "left", "at"]

    def get_side(self, evidence: Evidence) -> str:
        return evidence.side.lower()

    def get_left(self, evidence: Evidence) -> str:
        return "b" if evidence.exchanged else "a"


class MyRecordView(SideView):
    takes_keys = False  # the same record again is the one that is there
    parser_classes = [RecordTextParser, RecordParser, SGFParser]

    @extend_schema(
        summary="Propose a record of a match of one's own, by its private link",
        description="Those who enter the result see it beside the score sheet, and nothing else follows. The body is "
        "the record in any format that is read. The same again changes nothing.",
        parameters=[ProposalSerializer],
        request={
            "text/plain": OpenApiTypes.STR,
            "application/octet-stream": OpenApiTypes.BINARY,
            "application/x-go-sgf": OpenApiTypes.BINARY,
        },
        responses={201: ProposedSerializer}
        | problems(
            *WRITE,
            *(410, 429),
            refusals=("record_breaks_rule", "record_sides_unclear", "record_of_other_length"),
            conflicts=(
                *("match_changed", "record_has_match", "records_too_many", "event_finished", "entry_gone", *OTHERS),
            ),
        ),
        auth=[],
    )
    def post(self, request: Request, token: str, match_id: int) -> Response:
        entry, match, _side = find_own(token, match_id)
        told = ProposalSerializer.valid(request.query_params.dict())
        data = request.data if isinstance(request.data, bytes) else b""
        left = Side(told["left"].upper()) if "left" in told else None
        proposed = propose_record_by_link(entry, match, data, name=told["name"], left=left, at=timezone.now())
        return Response(ProposedSerializer(proposed).data, status=201)
