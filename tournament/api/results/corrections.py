"""The API for corrections and reports: previewing what a correction costs; making, confirming and disputing reports."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.results.consequence_serializers import ConsequenceSerializer
from tournament.api.results.serializers import (
    EndAdvanceSerializer,
    ReportSerializer,
    ResultSerializer,
    SheetSerializer,
    VoidSerializer,
    repair_from,
)
from tournament.api.results.views import (
    CONFLICTS,
    KEY_HEADER,
    REFUSALS,
    REPAIR_REFUSALS,
    VOID_CONFLICTS,
    answer_sheet,
    claim_sent,
    event_and_match_for,
    match_for,
    may_repair,
)
from tournament.api.schema import WRITE, problems
from tournament.corrections.changes import EnterResult, VoidResult
from tournament.corrections.preview import preview_correction
from tournament.results.enter import end_advance
from tournament.results.reports import confirm_result, dispute_result, report_result

REPORT_CONFLICTS = ("report_gone", "result_confirmed", "event_finished", "match_not_in_draw")


class ResultPreviewView(ApiView):
    takes_keys = False  # it reads the key that the result will be entered under

    @extend_schema(
        summary="Preview the cost of a result with each repair",
        description="Send what entering the result takes; nothing is stored. Repairs that cannot be made, or "
        "cost the same as an earlier one, are left out.",
        parameters=[KEY_HEADER],
        request=ResultSerializer,
        responses={200: ConsequenceSerializer(many=True)}
        | problems(*WRITE, refusals=(*REFUSALS, *REPAIR_REFUSALS), conflicts=CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        event, match = event_and_match_for(request, match_id, "enter_result")
        claim, _data = claim_sent(request)
        change = EnterResult(match, claim, by=user_of(request), at=timezone.now())
        costs = preview_correction(event, change)
        return Response(ConsequenceSerializer(costs, many=True).data)


class VoidPreviewView(ApiView):
    takes_keys = False

    @extend_schema(
        summary="Preview the cost of taking a result back",
        request=VoidSerializer,
        responses={200: ConsequenceSerializer(many=True)}
        | problems(*WRITE, refusals=REPAIR_REFUSALS, conflicts=VOID_CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        event, match = event_and_match_for(request, match_id, "void_result")
        data = VoidSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        said = data.validated_data
        change = VoidResult(match, said["base"], said["reason"], by=user_of(request), at=timezone.now())
        costs = preview_correction(event, change)
        return Response(ConsequenceSerializer(costs, many=True).data)


class EndAdvanceView(ApiView):
    @extend_schema(
        summary="End an advance by ruling",
        description="The score of the match decides again.",
        request=EndAdvanceSerializer,
        responses={204: OpenApiResponse(description="Done.")}
        | problems(
            *WRITE,
            refusals=REPAIR_REFUSALS,
            conflicts=("nobody_advanced", "later_match_begun", "event_finished", "match_not_in_draw"),
        ),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "repair_result")
        data = EndAdvanceSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        repair, reason = repair_from(data.validated_data), data.validated_data["reason"]
        allowed = may_repair(request)
        end_advance(match, reason=reason, repair=repair, may_repair=allowed, by=user_of(request), at=timezone.now())
        return Response(status=204)


class ReportsView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Report a result, to be confirmed",
        description="As a scorer's report, it counts once the opponent or the desk confirms it. `base` is the "
        "number of the scorer's own open report, 0 for none.",
        parameters=[KEY_HEADER],
        request=ResultSerializer,
        responses={201: SheetSerializer}
        | problems(
            *WRITE,
            refusals=(*REFUSALS, "report_of_award"),
            conflicts=(*CONFLICTS, "report_changed", "result_confirmed"),
        ),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        claim, _data = claim_sent(request)
        sheet = report_result(match, claim=claim, side=None, by=user_of(request), at=timezone.now())
        return answer_sheet(match, sheet.number, 201)


class ConfirmView(ApiView):
    @extend_schema(
        summary="Confirm a reported result",
        description="A report in dispute takes the role that settles it.",
        request=ReportSerializer,
        responses={200: SheetSerializer}
        | problems(*WRITE, refusals=("report_not_over",), conflicts=(*REPORT_CONFLICTS, "later_match_begun")),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "confirm_report")
        data = ReportSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sheet = confirm_result(match, number=data.validated_data["number"], by=user_of(request), at=timezone.now())
        return answer_sheet(match, sheet.number, 200)


class DisputeView(ApiView):
    @extend_schema(
        summary="Mark a reported result as disputed",
        request=ReportSerializer,
        responses={200: SheetSerializer}
        | problems(*WRITE, refusals=("reason_unprintable",), conflicts=REPORT_CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "settle_report")
        data = ReportSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sheet = dispute_result(match, **data.validated_data, by=user_of(request), at=timezone.now())
        return answer_sheet(match, sheet.number, 200)
