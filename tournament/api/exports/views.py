"""The API for tables of an event, of its log and of ranking lists."""

from collections.abc import Set

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import RankingList
from tournament.api.events.views import event_for, find_event
from tournament.api.exports.files import FILES, TABLE, ExportView
from tournament.api.problems import form_errors
from tournament.api.roles.serializers import EventLogQuerySerializer, LogQuerySerializer
from tournament.api.schema import problems
from tournament.exports.log import log_table
from tournament.exports.tables import PUBLIC_EXPORTS, Subject, make_table
from tournament.log.filter import LogFilter
from tournament.log.public import as_public
from tournament.models import Tournament
from tournament.roles.authors import SEES_REASONS
from tournament.roles.permissions import actions_of, require_among


class EventTableView(ExportView):
    @extend_schema(
        summary="Get the standings, results, pairings, schedule or entries of an event as a table",
        description=f"Those of every stage drawn; the last column, `stage`, says which. {FILES}",
        parameters=[OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(PUBLIC_EXPORTS))],
        responses=TABLE | problems(conflicts=("event_not_drawn", "standings_stale")),
    )
    def get(self, request: Request, event_id: int, name: str) -> Response:
        if name not in PUBLIC_EXPORTS:
            raise Http404
        event = find_event(event_id)
        return Response(make_table(name, Subject(event, with_reasons=SEES_REASONS in actions_of(request.user, event))))


class RankingTableView(ExportView):
    @extend_schema(
        summary="Get a ranking list as a table, the best first",
        description=FILES,
        responses=TABLE | problems(),
    )
    def get(self, request: Request, system: str) -> Response:
        get_object_or_404(RankingList, system=system)
        return Response(make_table("ranking", Subject(system=system)))


class LogTable(ExportView):
    permission_classes = [IsAuthenticated]

    def answer(self, form: LogFilter, allowed: Set[str]) -> Response:
        if not form.is_valid():
            raise ValidationError(form_errors(form))
        return Response(log_table(as_public(form.rows(allowed), allowed)))


class TournamentLogTableView(LogTable):
    @extend_schema(
        summary="Get the log of a tournament as a table, the latest row first",
        description=FILES,
        parameters=[LogQuerySerializer],
        responses=TABLE | problems(403),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        _user, allowed = require_among(request.user, tournament, "read_log")
        return self.answer(LogFilter(request.query_params, tournament=tournament), allowed)


class EventLogTableView(LogTable):
    @extend_schema(
        summary="Get the log of an event as a table, the latest row first",
        description=FILES,
        parameters=[EventLogQuerySerializer],
        responses=TABLE | problems(403),
    )
    def get(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "read_log")
        form = LogFilter(request.query_params, tournament=event.tournament, event=event)
        return self.answer(form, actions_of(request.user, event))
