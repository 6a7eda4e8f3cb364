"""The API for announcements."""

from collections.abc import Mapping

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.hall.serializers import AnnouncementSerializer, NewAnnouncementSerializer
from tournament.api.schema import ACT, WRITE, problems
from tournament.hall.announcements import announce, current, withdraw_announcement
from tournament.models import Announcement, Tournament
from tournament.roles.permissions import forbidden, reaches_in, require

REFUSALS = (
    *("announcement_empty", "announcement_too_long", "announcement_unprintable", "announcement_is_over"),
    *("announcements_too_many", "event_of_another_tournament", "time_out_of_range"),
)

TOURNAMENT = OpenApiParameter(
    "tournament_id", OpenApiTypes.STR, OpenApiParameter.PATH, description="The id of the tournament, or its slug."
)


def find_tournament(named: str) -> Tournament:
    """Find the tournament that is named by its id or by its slug. Raises Http404."""
    by_id = Tournament.objects.filter(pk=named).first() if named.isdecimal() and len(named) <= 15 else None
    return by_id or get_object_or_404(Tournament, slug=named)


class AnnouncementsView(ApiView):
    @extend_schema(
        summary="List what is announced now, the newest first",
        parameters=[TOURNAMENT],
        responses={200: AnnouncementSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        tournament = find_tournament(tournament_id)
        return Response(AnnouncementSerializer(current(tournament, None, timezone.now()), many=True).data)

    @extend_schema(
        summary="Announce something to everybody, or to the players of one event",
        parameters=[TOURNAMENT],
        request=NewAnnouncementSerializer,
        responses={201: AnnouncementSerializer} | problems(*WRITE, refusals=REFUSALS),
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        tournament = find_tournament(tournament_id)
        reach = reaches_in(request.user, tournament)["announce"]
        named = request.data.get("event") if isinstance(request.data, Mapping) else None
        if not reach.whole and (type(named) is not int or named not in reach.events):
            raise forbidden(tournament, "announce")
        data = NewAnnouncementSerializer.valid(request.data)
        asked = data.pop("event")
        event = get_object_or_404(tournament.events, pk=asked) if asked is not None else None
        made = announce(tournament, **data, event=event, by=user_of(request), at=timezone.now())
        return Response(AnnouncementSerializer(made).data, status=201)


class AnnouncementView(ApiView):
    @extend_schema(summary="Withdraw an announcement", parameters=[TOURNAMENT], responses={204: None} | problems(*ACT))
    def delete(self, request: Request, tournament_id: str, announcement_id: int) -> Response:
        found = get_object_or_404(
            Announcement.objects.select_related("event", "tournament"),
            tournament=find_tournament(tournament_id),
            pk=announcement_id,
        )
        require(request.user, found.event or found.tournament, "announce")
        withdraw_announcement(found, by=user_of(request), at=timezone.now())
        return Response(status=204)
