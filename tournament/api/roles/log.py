"""The API for an event's history, open to everybody, and for the log, open to users with a role."""

from collections.abc import Set
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import Api, Pages
from tournament.api.events.views import event_for, find_event
from tournament.api.problems import form_errors
from tournament.api.roles.serializers import (
    EventLogQuerySerializer,
    HistorySerializer,
    LogEntrySerializer,
    LogQuerySerializer,
)
from tournament.api.schema import problems
from tournament.log.filter import LogFilter
from tournament.log.public import as_public
from tournament.log.words import PUBLIC_VERBS
from tournament.models import LogEntry, Tournament
from tournament.roles.authors import NAMES, SEES_NAMES
from tournament.roles.permissions import actions_of, require_among

LEFT_OUT = (
    "`address` and `agent` are for owners, notes on invitations for those who may invite, and what is claimed of a "
    "match in dispute for those who settle it: for others they are empty or left out."
)


class EventHistoryView(Api, generics.ListAPIView):
    serializer_class = HistorySerializer
    pagination_class = Pages
    queryset = LogEntry.objects.none()

    allowed: Set[str] = frozenset()

    def get_queryset(self) -> QuerySet[LogEntry]:
        event = find_event(self.kwargs["event_id"])
        self.allowed = actions_of(self.request.user, event)
        return event.log.filter(verb__in=PUBLIC_VERBS).select_related("actor").order_by("-id")

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), NAMES: SEES_NAMES in self.allowed}

    def paginate_queryset(self, queryset: Any) -> Any:
        """Return a page of the rows, as the reader is told them."""
        return as_public(super().paginate_queryset(queryset) or (), self.allowed)

    @extend_schema(
        summary="Show the history of an event, the latest first",
        description="While a match is in dispute, what is claimed of it is told to those who settle it alone: for all "
        "others the detail of such a step has `withheld`, and neither score nor games.",
        responses={200: HistorySerializer(many=True)} | problems(),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return self.list(request)


class LogView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = LogEntrySerializer
    pagination_class = Pages
    queryset = LogEntry.objects.none()

    def answer(self, form: LogFilter, allowed: Set[str]) -> Response:
        if not form.is_valid():
            raise ValidationError(form_errors(form))
        page = as_public(self.paginate_queryset(form.rows(allowed)) or (), allowed)
        return self.get_paginated_response(LogEntrySerializer(page, many=True).data)


class TournamentLogView(LogView):
    @extend_schema(
        summary="Show the log of a tournament, the latest first",
        description=LEFT_OUT,
        parameters=[LogQuerySerializer],
        responses={200: LogEntrySerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        _user, allowed = require_among(request.user, tournament, "read_log")
        return self.answer(LogFilter(request.query_params, tournament=tournament), allowed)


class EventLogView(LogView):
    @extend_schema(
        summary="Show the log of an event, the latest first",
        description=LEFT_OUT,
        parameters=[EventLogQuerySerializer],
        responses={200: LogEntrySerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "read_log")
        form = LogFilter(request.query_params, tournament=event.tournament, event=event)
        return self.answer(form, actions_of(request.user, event))
