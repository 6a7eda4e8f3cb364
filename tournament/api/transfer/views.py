"""The API for whole events as files: the file of an event, and the check of any file."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import in_words
from tournament.api.access import ApiView
from tournament.api.events.views import find_event
from tournament.api.parsing import BytesParser
from tournament.api.proof.views import DrawFileRenderer
from tournament.api.schema import problems
from tournament.interchange.faults import Fault
from tournament.roles.authors import SEES_REASONS
from tournament.roles.permissions import actions_of
from tournament.roles.throttling import VerifyThrottle
from tournament.transfer.export import export_bytes
from tournament.transfer.judge import MOST_BYTES_OF_A_PAGE, judge_on_page
from tournament.transfer.report import report_bytes


class FileFaultSerializer(serializers.Serializer):
    code = serializers.CharField()
    pointer = serializers.CharField(help_text="A JSON Pointer (RFC 6901); empty for the file as a whole.")
    message = serializers.SerializerMethodField(help_text="One sentence, in the requested language.")

    def get_message(self, fault: Fault) -> str:
        return in_words(fault)


class FileEventSerializer(serializers.Serializer):
    name = serializers.CharField()
    entrants = serializers.IntegerField()
    stages = serializers.ListField(child=serializers.CharField(), help_text="The format of each stage.")
    pairings = serializers.IntegerField()
    outcomes = serializers.DictField(child=serializers.IntegerField(), help_text="How many pairings stand how.")


class FileSummarySerializer(serializers.Serializer):
    tournament = serializers.CharField()
    profile = serializers.CharField()
    generator = serializers.CharField()
    people = serializers.IntegerField()
    events = FileEventSerializer(many=True)


class JudgementSerializer(serializers.Serializer):
    """What was found in an event file."""

    holds = serializers.BooleanField(help_text="Whether nothing is wrong.")
    faults = FileFaultSerializer(many=True, help_text="Up to a hundred of them.")
    summary = serializers.SerializerMethodField()

    @extend_schema_field(FileSummarySerializer(allow_null=True))
    def get_summary(self, judgement: object) -> object:
        return judgement.summary or None  # type: ignore[attr-defined]


class EventFileParser(BytesParser):
    media_type = "application/json"
    limit = MOST_BYTES_OF_A_PAGE


class EventFileView(ApiView):
    renderer_classes = [DrawFileRenderer]

    @extend_schema(
        summary="Get a whole event as a file of the open format",
        description="As `docs/interchange.md` describes it. The same event always gives the same bytes.",
        responses={(200, "application/json"): OpenApiTypes.OBJECT} | problems(),
    )
    def get(self, request: Request, event_id: int) -> Response:
        event = find_event(event_id)
        with_reasons = SEES_REASONS in actions_of(request.user, event)
        return Response(export_bytes(event.tournament, [event], with_reasons=with_reasons))


class ReportRenderer(BaseRenderer):
    """The bytes of a tournament report."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(self, data: bytes, media_type: str | None = None, context: object = None) -> bytes:
        return data


class EventReportView(ApiView):
    renderer_classes = [ReportRenderer]

    @extend_schema(
        summary="Get the Swiss part of an event as a tournament report",
        description="TRF26 of FIDE: players, rounds and who won, without lengths and scores.",
        responses={(200, "text/plain"): OpenApiTypes.STR} | problems(conflicts=("no_swiss_stage",)),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(report_bytes(find_event(event_id)))


class CheckEventFileView(ApiView):
    takes_keys = False
    permission_classes = [AllowAny]
    parser_classes = [EventFileParser]
    throttle_classes = [VerifyThrottle]

    @extend_schema(
        summary="Check a file of the open format",
        description=(
            "Judges its form, what it refers to, the score sheets by the rules, and makes its draws again. "
            "Whatever the file is, the answer says what is wrong with it. Nothing is stored."
        ),
        request={"application/json": OpenApiTypes.OBJECT},
        responses={200: JudgementSerializer} | problems(413, 415, 429),
    )
    def post(self, request: Request) -> Response:
        data = request.data if isinstance(request.data, bytes) else b""
        return Response(JudgementSerializer(judge_on_page(data)).data)
