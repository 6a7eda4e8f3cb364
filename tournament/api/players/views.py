"""The API for players, ranking lists, and the tables that events are made from."""

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import SIDES, Match
from matches.services import prefetch_open_sheets
from players.models import Player, RankingList, Rating
from rules.profiles import PROFILES
from tournament.api.access import Api, ApiView, Pages
from tournament.api.filtering import PlayerFilter, PlayerMatchFilter, RatingFilter
from tournament.api.players.serializers import (
    FormatSerializer,
    PlayerDetailSerializer,
    PlayerSerializer,
    ProfileSerializer,
    RankingListSerializer,
    RatingSerializer,
    TieBreakSerializer,
)
from tournament.api.results.serializers import MatchDetail, MatchSummarySerializer, SheetDetail
from tournament.api.schema import problems
from tournament.formats import FORMATS
from tournament.models import listed_matches
from tournament.ranking.tiebreaks import TIEBREAKS


class PlayersView(Api, generics.ListAPIView):
    serializer_class = PlayerSerializer
    pagination_class = Pages
    filterset_class = PlayerFilter
    queryset = Player.objects.filter(merged_into__isnull=True).select_related("club").order_by("folded_name", "id")

    @extend_schema(summary="Find players by name", responses={200: PlayerSerializer(many=True)} | problems())
    def get(self, request: Request) -> Response:
        return self.list(request)


class PlayerView(Api, generics.RetrieveAPIView):
    serializer_class = PlayerDetailSerializer
    lookup_url_kwarg = "player_id"
    queryset = Player.objects.select_related("club").prefetch_related(
        Prefetch("ratings", queryset=Rating.objects.select_related("ranking_list").order_by("ranking_list__system"))
    )

    @extend_schema(
        summary="Show a player with their ratings",
        responses={
            200: PlayerDetailSerializer,
            302: OpenApiResponse(description="The player was merged into the one at `Location`."),
        }
        | problems(),
    )
    def get(self, request: Request, player_id: int) -> Response:
        merged = Player.objects.filter(pk=player_id).values_list("merged_into", flat=True).first()
        if merged is not None:
            address = request.build_absolute_uri(reverse("api:player", args=[merged]))
            return Response(status=302, headers={"Location": address})
        return self.retrieve(request)


class PlayerMatchesView(Api, generics.ListAPIView):
    serializer_class = MatchSummarySerializer
    pagination_class = Pages
    filterset_class = PlayerMatchFilter
    queryset = Match.objects.none()

    def get_queryset(self) -> QuerySet[Match]:
        player = get_object_or_404(Player, pk=self.kwargs["player_id"])
        return (
            listed_matches(player)
            .select_related(*SIDES, "fixture__stage", "board__fixture__stage")
            .prefetch_related(prefetch_open_sheets())
            .order_by("-id")
        )

    @extend_schema(
        summary="List the matches of a player, the latest first",
        responses={200: MatchSummarySerializer(many=True)} | problems(),
    )
    def get(self, request: Request, player_id: int) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        details = [
            MatchDetail(match, tuple(SheetDetail.of(match.terms, row) for row in match.open_sheets)) for match in page
        ]
        return self.get_paginated_response(MatchSummarySerializer(details, many=True).data)


class RankingListsView(Api, generics.ListAPIView):
    serializer_class = RankingListSerializer
    pagination_class = Pages
    queryset = RankingList.objects.order_by("system")

    @extend_schema(summary="List the ranking lists", responses={200: RankingListSerializer(many=True)} | problems())
    def get(self, request: Request) -> Response:
        return self.list(request)


class RankingView(Api, generics.ListAPIView):
    serializer_class = RatingSerializer
    pagination_class = Pages
    filterset_class = RatingFilter
    queryset = Rating.objects.none()

    def get_queryset(self) -> QuerySet[Rating]:
        return get_object_or_404(RankingList, system=self.kwargs["system"]).lines()

    @extend_schema(
        operation_id="ranking_list_ratings_list",
        summary="Show a ranking list, the best first",
        responses={200: RatingSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, system: str) -> Response:
        return self.list(request)


class FormatsView(ApiView):
    @extend_schema(
        summary="List the formats that an event can be drawn in",
        responses={200: FormatSerializer(many=True)} | problems(),
    )
    def get(self, request: Request) -> Response:
        return Response(FormatSerializer(FORMATS.values(), many=True).data)


class TieBreaksView(ApiView):
    @extend_schema(
        summary="List the tie-breaks that an event can use", responses={200: TieBreakSerializer(many=True)} | problems()
    )
    def get(self, request: Request) -> Response:
        return Response(TieBreakSerializer(TIEBREAKS.items(), many=True).data)


class ProfilesView(ApiView):
    @extend_schema(
        summary="List the rule profiles that an event can be played under",
        responses={200: ProfileSerializer(many=True)} | problems(),
    )
    def get(self, request: Request) -> Response:
        return Response(ProfileSerializer(PROFILES.values(), many=True).data)
