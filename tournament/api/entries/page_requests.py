"""The API for players who ask the desk for their page, and for the desk that lets them in."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from tournament.api.access import ApiView, user_of
from tournament.api.events.views import event_for, find_event
from tournament.api.fields import IdField, KeyField, StrictSerializer
from tournament.api.schema import ACT, WRITE, problems
from tournament.entries.links import link_of
from tournament.entries.page_requests import (
    WAITS,
    PageRequestState,
    answer_page_request,
    ask_for_page,
    request_by_token,
    state_of,
    token_of_request,
    waiting_requests,
)
from tournament.models import PageRequest
from tournament.roles.permissions import require
from tournament.roles.throttling import AskThrottle

PEOPLE = ("entry__player", "entry__partner", "entry__event__tournament")


class NewPageRequestSerializer(StrictSerializer):
    entry = IdField(help_text="Whose page is asked for.")
    key = KeyField(help_text="Makes a repeated request the same one.")


class WaitingRequestSerializer(serializers.Serializer):
    """Somebody who asks for the page of an entry. Say yes only if their phone shows the same number."""

    id = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry_id")
    name = serializers.CharField(source="entry.name")
    number = serializers.IntegerField()
    asked_at = serializers.DateTimeField()


class PageRequestSerializer(serializers.Serializer):
    """A request as the phone that asked sees it."""

    number = serializers.IntegerField(help_text="To be shown to the director.")
    token = serializers.SerializerMethodField(help_text="By which the phone asks what has been answered. A secret.")
    state = serializers.SerializerMethodField(help_text="`waiting`, `yes`, `no` or `ended`.")
    ends_at = serializers.SerializerMethodField(help_text="Until when the desk can answer.")
    link = serializers.SerializerMethodField(help_text="After a yes: the path of the private page; else empty.")

    def get_token(self, asked: PageRequest) -> str:
        return token_of_request(asked)

    def get_state(self, asked: PageRequest) -> str:
        return state_of(asked, timezone.now()).value

    def get_ends_at(self, asked: PageRequest) -> str:
        return (asked.asked_at + WAITS).isoformat()

    def get_link(self, asked: PageRequest) -> str:
        return link_of(asked.entry) if state_of(asked, timezone.now()) is PageRequestState.YES else ""


class PageRequestsView(ApiView):
    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        return [AskThrottle()] if self.request.method == "POST" else []

    @extend_schema(
        summary="List who asks for their page and waits for an answer (directors)",
        responses={200: WaitingRequestSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        waiting = waiting_requests(event.tournament, timezone.now()).filter(entry__event=event)
        return Response(WaitingRequestSerializer(waiting, many=True).data)

    @extend_schema(
        summary="Ask the desk for one's own page",
        description="For a player who has no code. The desk compares the number, and answers within ten minutes.",
        request=NewPageRequestSerializer,
        auth=[],
        responses={201: PageRequestSerializer}
        | problems(*WRITE, 429, conflicts=("entry_gone", "page_requests_too_many")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = find_event(event_id)
        data = NewPageRequestSerializer.valid(request.data)
        entry = get_object_or_404(event.entries.select_related("event"), pk=data["entry"])
        made = ask_for_page(entry, key=data["key"], at=timezone.now())
        return Response(PageRequestSerializer(made).data, status=201)


class AskedPageView(ApiView):
    authentication_classes = ()
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Read what the desk has answered, with the token of the request",
        auth=[],
        responses={200: PageRequestSerializer} | problems(),
    )
    def get(self, request: Request, token: str) -> Response:
        found = request_by_token(token)
        if found is None:
            raise Http404
        answer = Response(PageRequestSerializer(found).data)
        answer["Cache-Control"] = "no-store"
        return answer


class AnswerPageRequestView(ApiView):
    permission_classes = [IsAuthenticated]
    yes = False

    @extend_schema(
        summary="Answer a player who asks for their page",
        description="After a yes the phone that asked, and no other, gets the private link.",
        request=None,
        responses={200: WaitingRequestSerializer}
        | problems(*ACT, conflicts=("page_request_answered", "page_request_ended")),
    )
    def post(self, request: Request, request_id: int) -> Response:
        asked = get_object_or_404(PageRequest.objects.select_related(*PEOPLE), pk=request_id)
        require(request.user, asked.entry.event, "change_entries")
        answered = answer_page_request(asked, yes=self.yes, by=user_of(request), at=timezone.now())
        return Response(WaitingRequestSerializer(answered).data)
