"""The API for official lists, for officers and for directors who answer them."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.lists.models import OfficialList
from players.lists.officers import keeps, require_officer
from players.lists.policies import ListPolicy
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.events.views import find_event
from tournament.api.filtering import ReportFilter
from tournament.api.reporting.serializers import (
    AnswerReportSerializer,
    DecisionSerializer,
    DeclarationSerializer,
    EventReportSerializer,
    NewPolicySerializer,
    PolicySerializer,
    RatedLineSerializer,
    RatingRulingSerializer,
    SanctionSerializer,
    WholeEventReportSerializer,
)
from tournament.api.results.views import find_match
from tournament.api.schema import ACT, WRITE, problems
from tournament.events.redeclare import redeclare
from tournament.models import Event, EventReport, RatingVerdict, ReportState
from tournament.models.team import event_of
from tournament.reporting.decide import rule_on_rating, sanction_event, set_policy, withdraw_sanction
from tournament.reporting.inbox import lines_of, reports_for
from tournament.reporting.reports import answer_report, decide_report
from tournament.reporting.shown import rated_lines
from tournament.roles.permissions import forbidden, may

SAID = ("said_empty", "said_too_long", "said_unprintable")
POLICY_CODES = (
    *("policy_lengths_crossed", "policy_nothing_counts", "policy_number_out_of_range", "policy_class_unknown"),
    *("policy_rule_unknown", "policy_rule_invalid", "policy_rules_not_an_object", "time_out_of_range"),
)


def find_list(slug: str) -> OfficialList:
    """Find the official list. Raises Http404."""
    return get_object_or_404(OfficialList.objects.select_related("federation"), slug=slug)


def report_for(request: Request, report_id: int) -> EventReport:
    """Find the report for its officer, or for those who may end the event. Raises Http404 and Forbidden."""
    reports = EventReport.objects.filter(event__in=Event.objects.all())
    report = reports.select_related("event__tournament", "official_list__federation").filter(pk=report_id).first()
    if report is None:
        raise Http404
    user = user_of(request)
    if not keeps(user, report.official_list) and not may(user, report.event, "finish_event"):
        raise forbidden(report.event, "finish_event")
    return report


def _answer(report: EventReport) -> Response:
    report.matches = lines_of(report)  # type: ignore[attr-defined]
    return Response(WholeEventReportSerializer(report).data)


class ReportsView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = EventReportSerializer
    pagination_class = Pages
    filterset_class = ReportFilter
    queryset = EventReport.objects.none()

    def get_queryset(self) -> QuerySet[EventReport]:
        return reports_for(require_officer(self.request.user))

    @extend_schema(
        summary="List the reports of events for the lists of which you are an officer, the latest first",
        responses={200: EventReportSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request) -> Response:
        return self.list(request)


class ReportView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Show the report of an event: each match, and whether it counts",
        responses={200: WholeEventReportSerializer} | problems(403),
    )
    def get(self, request: Request, report_id: int) -> Response:
        return _answer(report_for(request, report_id))


class DecisionView(ApiView):
    @extend_schema(
        summary="Accept the report of an event, return it with a question, or keep it for later",
        description="Only accepted reports count for the list.",
        request=DecisionSerializer,
        responses={200: WholeEventReportSerializer}
        | problems(*WRITE, refusals=SAID, conflicts=("report_outdated", "event_running")),
    )
    def post(self, request: Request, report_id: int) -> Response:
        report = report_for(request, report_id)
        sent = DecisionSerializer.valid(request.data)
        state, said = ReportState(sent["state"]), sent["said"]
        decided = decide_report(report, state, digest=sent["digest"], said=said, by=user_of(request), at=timezone.now())
        return _answer(decided)


class AnswerReportView(ApiView):
    @extend_schema(
        summary="Answer the officer's question about the report of an event",
        request=AnswerReportSerializer,
        responses={200: WholeEventReportSerializer} | problems(*WRITE, refusals=SAID, conflicts=("no_question",)),
    )
    def post(self, request: Request, report_id: int) -> Response:
        report = report_for(request, report_id)
        said = AnswerReportSerializer.valid(request.data)["said"]
        return _answer(answer_report(report, said=said, by=user_of(request), at=timezone.now()))


class RatedView(ApiView):
    @extend_schema(
        summary="Show for which official lists a match counts, and what keeps it out of the others",
        responses={200: RatedLineSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = find_match(match_id)
        event = event_of(match)
        lines = rated_lines(event, match) if event is not None else []
        return Response(RatedLineSerializer(lines, many=True).data)

    @extend_schema(
        summary="Rule whether a match counts for an official list; its score stands",
        request=RatingRulingSerializer,
        responses={200: RatedLineSerializer(many=True)}
        | problems(*WRITE, refusals=("reason_missing",), conflicts=("match_not_in_draw",)),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = find_match(match_id)
        sent = RatingRulingSerializer.valid(request.data)
        official_list, verdict = find_list(sent["list"]), RatingVerdict(sent["verdict"])
        rule_on_rating(
            match, official_list, verdict=verdict, reason=sent["reason"], by=user_of(request), at=timezone.now()
        )
        return self.get(request, match_id)


class SanctionView(ApiView):
    @extend_schema(
        summary="Approve an event for an official list",
        request=SanctionSerializer,
        responses={204: OpenApiResponse(description="Done.")} | problems(*WRITE, refusals=("weight_out_of_range",)),
    )
    def put(self, request: Request, event_id: int, slug: str) -> Response:
        event, official_list = find_event(event_id), find_list(slug)
        weight = SanctionSerializer.valid(request.data)["weight"]
        sanction_event(event, official_list, weight=weight, by=user_of(request), at=timezone.now())
        return Response(status=204)

    @extend_schema(
        summary="Withdraw the approval of an event for an official list",
        responses={204: OpenApiResponse(description="Done.")} | problems(*ACT),
    )
    def delete(self, request: Request, event_id: int, slug: str) -> Response:
        withdraw_sanction(find_event(event_id), find_list(slug), by=user_of(request), at=timezone.now())
        return Response(status=204)


class DeclarationView(ApiView):
    @extend_schema(
        summary="Change what an event is rated for after its draw, as an officer and with a reason",
        request=DeclarationSerializer,
        responses={204: OpenApiResponse(description="Done.")}
        | problems(
            *WRITE, refusals=("list_unknown", "lists_too_many", "class_unknown", "reason_missing", "list_missing")
        ),
    )
    def put(self, request: Request, event_id: int) -> Response:
        event = find_event(event_id)
        redeclare(event, **DeclarationSerializer.valid(request.data), by=user_of(request), at=timezone.now())
        return Response(status=204)


class PoliciesView(ApiView):
    @extend_schema(
        summary="List what has been decided about what counts for an official list",
        responses={200: PolicySerializer(many=True)} | problems(),
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = ListPolicy.objects.filter(official_list=find_list(slug)).select_related("by")
        return Response(PolicySerializer(rows, many=True).data)

    @extend_schema(
        summary="Let another policy hold for an official list from a day on",
        request=NewPolicySerializer,
        responses={201: PolicySerializer} | problems(*WRITE, refusals=POLICY_CODES, conflicts=("policy_same",)),
    )
    def post(self, request: Request, slug: str) -> Response:
        official_list = find_list(slug)
        made = set_policy(
            official_list, **NewPolicySerializer.valid(request.data), by=user_of(request), at=timezone.now()
        )
        return Response(PolicySerializer(made).data, status=201)
