"""The API for draws as files: the file of an event, and the check of any file."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import Refusal, in_words
from tournament.api.access import ApiView
from tournament.api.parsing import BytesParser
from tournament.api.schema import problems
from tournament.past.draw_file import draw_file_bytes, find_drawn_event
from tournament.proof.check import Report, check_file
from tournament.proof.faults import FileFault
from tournament.proof.findings import Finding, Verdict
from tournament.proof.page_limits import MOST_BYTES_OF_A_PAGE, refuse_long_work
from tournament.proof.read import read_draw_file
from tournament.roles.throttling import VerifyThrottle

FAULTS = (
    *("file_too_large", "file_not_text", "file_not_json", "file_too_deep", "key_twice", "number_invalid"),
    *("key_missing", "key_unknown", "list_length", "number_out_of_range", "value_wrong", "not_a_draw_file"),
    *("version_unknown", "format_unknown", "draw_file_too_long"),
)


class FindingOfDrawSerializer(serializers.Serializer):
    verdict = serializers.ChoiceField(choices=[verdict.value for verdict in Verdict])
    code = serializers.CharField()
    place = serializers.CharField(help_text="Where in the draw; empty for the file as a whole.")
    message = serializers.SerializerMethodField(help_text="One sentence, in the requested language.")

    def get_message(self, finding: Finding) -> str:
        return in_words(finding)


class DrawnLotSerializer(serializers.Serializer):
    number = serializers.IntegerField(
        allow_null=True, help_text="The number of the entry; null where the lot is that of a place."
    )
    name = serializers.CharField()
    line = serializers.CharField(help_text="The fourth line that is hashed: `12`, or `pairing 3` for a late entry.")
    lot = serializers.CharField(help_text="SHA-256 in hex.")


class DrawnUrnSerializer(serializers.Serializer):
    chain = serializers.IntegerField(source="urn.chain")
    number = serializers.IntegerField(source="urn.number")
    stage = serializers.IntegerField(source="urn.stage")
    scope = serializers.CharField(source="urn.scope")
    lots = DrawnLotSerializer(many=True, help_text="The smallest first.")


class DrawReportSerializer(serializers.Serializer):
    """What was found in a draw file."""

    holds = serializers.BooleanField(help_text="Whether nothing is wrong.")
    findings = FindingOfDrawSerializer(many=True)
    lots = DrawnUrnSerializer(many=True)


class DrawFileParser(BytesParser):
    media_type = "application/json"
    limit = MOST_BYTES_OF_A_PAGE


class DrawFileRenderer(BaseRenderer):
    """The bytes of a file that is JSON already."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: bytes, media_type: str | None = None, context: object = None) -> bytes:
        return data


class DrawFileView(ApiView):
    renderer_classes = [DrawFileRenderer]

    @extend_schema(
        summary="Get the draws of an event as a file that anybody can check",
        description="`draw.json`, as `docs/draw-file.md` describes it; also of a deleted event that had been drawn.",
        responses={(200, "application/json"): OpenApiTypes.OBJECT} | problems(),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(draw_file_bytes(find_drawn_event(event_id)))


class CheckDrawView(ApiView):
    takes_keys = False
    permission_classes = [AllowAny]
    parser_classes = [DrawFileParser]
    throttle_classes = [VerifyThrottle]

    @extend_schema(
        summary="Check a draw file",
        description="Computes everything in a `draw.json` again, of this server or another. Nothing is stored.",
        request={"application/json": OpenApiTypes.OBJECT},
        responses={200: DrawReportSerializer} | problems(413, 415, 429, refusals=FAULTS),
    )
    def post(self, request: Request) -> Response:
        data = request.data if isinstance(request.data, bytes) else b""
        return Response(DrawReportSerializer(_report_on(data)).data)


def _report_on(data: bytes) -> Report:
    try:
        file = read_draw_file(data, MOST_BYTES_OF_A_PAGE)
        refuse_long_work(file)
    except FileFault as fault:
        raise Refusal(fault.code, in_words(fault)) from fault
    return check_file(file)
