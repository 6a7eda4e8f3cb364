"""The API for what official lists have published, for everybody."""

from django.db.models import QuerySet
from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from matches.lists.files import list_file
from matches.lists.moves import corrections_in, moves_of
from players.lists.models import OfficialList, Publication, PublishedLine
from players.lists.published import Wanted, history_on, lines_wanted, lists_with_newest
from players.models import MAX_NAME, Player
from tournament.api.access import Api, ApiView, Pages
from tournament.api.fields import StrictSerializer, TextField
from tournament.api.lists.serializers import (
    HistoryLineSerializer,
    ListCorrectionSerializer,
    PublicationSerializer,
    PublishedLineSerializer,
    RatingMovesSerializer,
    moves_told,
)
from tournament.api.schema import problems
from tournament.exports.spool import spooled
from tournament.reporting.correcting import correction_lines

FILTERS = ("q", "club", "country", "class_name")


def find_list(slug: str) -> OfficialList:
    """Find the list with its newest publication. Raises Http404."""
    return get_object_or_404(lists_with_newest(OfficialList.objects.all()), slug=slug)


def find_publication(slug: str, number: int) -> Publication:
    """Find the publication without its document. Raises Http404."""
    rows = Publication.objects.select_related("official_list__federation", "previous")
    found = rows.defer("document", "previous__document")
    return get_object_or_404(found, official_list__slug=slug, number=number)


class _Search(StrictSerializer):
    q = TextField(required=False, allow_blank=True, default="", max_length=MAX_NAME)
    club = TextField(required=False, allow_blank=True, default="", max_length=MAX_NAME)
    country = TextField(required=False, allow_blank=True, default="", max_length=3)
    class_name = TextField(required=False, allow_blank=True, default="", max_length=MAX_NAME)


class PublicationView(ApiView):
    @extend_schema(
        summary="Show a publication of an official list", responses={200: PublicationSerializer} | problems()
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(PublicationSerializer(find_publication(slug, number)).data)


class PublicationLinesView(Api, generics.ListAPIView):
    serializer_class = PublishedLineSerializer
    pagination_class = Pages
    queryset = PublishedLine.objects.none()

    def get_queryset(self) -> QuerySet[PublishedLine]:
        sent = self.request.query_params
        search = _Search(data={name: sent[name] for name in sent if name in FILTERS})
        search.is_valid(raise_exception=True)
        told = search.validated_data
        wanted = Wanted(told["q"], told["club"], told["country"], told["class_name"])
        return lines_wanted(find_publication(self.kwargs["slug"], self.kwargs["number"]), wanted)

    @extend_schema(
        summary="List the lines of a publication, as they were published",
        description="Names are as their people are shown now: a name that is no longer public is not here.",
        parameters=[
            OpenApiParameter("q", OpenApiTypes.STR, description="Parts of the name, or a whole number."),
            OpenApiParameter("club", OpenApiTypes.STR, description="The name of a club."),
            OpenApiParameter("country", OpenApiTypes.STR, description="The code of a country."),
            OpenApiParameter("class_name", OpenApiTypes.STR, description="The name of a class."),
        ],
        responses={200: PublishedLineSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self.list(request)


class PublicationFileView(ApiView):
    @extend_schema(
        summary="Get the signed file of a publication",
        description="`manage.py verify_list` computes the list again from it. The bytes are those of the page.",
        responses={200: OpenApiTypes.OBJECT} | problems(),
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return FileResponse(spooled(list_file(find_publication(slug, number))), content_type="application/json")


class CorrectionsView(Api, generics.ListAPIView):
    serializer_class = ListCorrectionSerializer
    pagination_class = Pages
    queryset = Publication.objects.none()

    @extend_schema(
        summary="List the matches that a publication counts otherwise than one before it",
        responses={200: ListCorrectionSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        found = find_publication(slug, number)
        page = self.paginate_queryset(corrections_in(found)) or []
        lines = correction_lines(found.official_list, page)
        return self.get_paginated_response(ListCorrectionSerializer(lines, many=True).data)


class ListPlayerView(ApiView):
    @extend_schema(
        summary="List the lines of a player on all publications of an official list, the newest first",
        responses={200: HistoryLineSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, slug: str, player_id: int) -> Response:
        player = get_object_or_404(Player, pk=player_id)
        return Response(HistoryLineSerializer(history_on(find_list(slug), player), many=True).data)


class ListMovesView(ApiView):
    @extend_schema(
        summary="Show match by match why a player's rating moved since the publication before",
        description="`player_id` is `person` of the line.",
        responses={200: RatingMovesSerializer} | problems(),
    )
    def get(self, request: Request, slug: str, number: int, player_id: int) -> Response:
        found = find_publication(slug, number)
        get_object_or_404(PublishedLine, publication=found, person=player_id)
        why = moves_of(found, player_id)
        told = {**moves_told(why), "corrections": correction_lines(found.official_list, why.corrections)}
        return Response(RatingMovesSerializer(told).data)
