"""The API for officers of official lists: making a list, start values, drafts and publications."""

from datetime import date, datetime, time
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from matches.lists.draft import cut_on, draft_next
from matches.lists.publish import publish
from players.errors import Refusal
from players.lists.make import change_list, make_list
from players.lists.models import OfficialList, Publication, StartValue
from players.lists.officers import require_keeper
from players.lists.published import lists_with_newest, publications_of
from players.lists.starts import Choices, choose_players, import_starts, preview_starts, read_listed
from players.lists.values import Criteria
from players.models import Federation
from players.registry.matching import NEW
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.lists.published import find_list
from tournament.api.lists.serializers import (
    ListChangesSerializer,
    ListCutSerializer,
    ListDraftSerializer,
    NewListSerializer,
    OfficialListSerializer,
    PublicationSerializer,
    PublishSerializer,
    StartPreviewSerializer,
    StartValueSerializer,
    criteria_of,
    draft_told,
    starts_told,
)
from tournament.api.parsing import ListCSVParser, XLSXParser
from tournament.api.registry.bodies import read_choices
from tournament.api.schema import WRITE, problems
from tournament.reporting.correcting import correction_lines
from tournament.reporting.source import SOURCE
from tournament.reporting.unfinished import not_ended

TERMS = (
    *("name_empty", "name_too_long", "name_unprintable", "number_out_of_range", "club_unknown", "classes_out_of_order"),
    *("rating_system_unknown", "parameter_invalid", "parameter_unknown", "parameters_conflict", "day_out_of_range"),
)
FILE = ("list_too_large", "csv_unreadable", "file_unreadable", "file_unknown", "header_missing", "source_missing")
CHOICES = ("choice_unknown", "choice_taken", "choices_unreadable")
CUT = ("cut_off_in_future", "cut_off_too_early", "day_out_of_range", "list_not_computable", "rating_system_unknown")


def _terms(sent: dict[str, Any]) -> dict[str, Any]:
    """Return what was sent about a list as the services take it."""
    terms: dict[str, Any] = {name: sent[name] for name in ("name", "parameters", "places") if name in sent}
    if "criteria" in sent:
        terms["criteria"] = criteria_of(sent["criteria"])
    if "counts_from" in sent:
        day: date | None = sent["counts_from"]
        terms["counts_from"] = None if day is None else timezone.make_aware(datetime.combine(day, time.min))
    return terms


class OfficialListsView(Api, generics.ListAPIView):
    serializer_class = OfficialListSerializer
    pagination_class = Pages
    queryset = OfficialList.objects.none()

    def get_queryset(self) -> QuerySet[OfficialList]:
        code = self.request.query_params.get("federation", "").upper()
        lists = OfficialList.objects.filter(federation__code=code) if code else OfficialList.objects.all()
        return lists_with_newest(lists)

    @extend_schema(
        summary="List the official lists",
        parameters=[OpenApiParameter("federation", OpenApiTypes.STR, description="The code of a federation.")],
        responses={200: OfficialListSerializer(many=True)} | problems(),
    )
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Make an official list",
        description="For officers of the federation; a list without one is for administrators.",
        request=NewListSerializer,
        responses={201: OfficialListSerializer}
        | problems(
            *WRITE,
            refusals=(*TERMS, "address_empty", "address_invalid", "federation_unknown"),
            conflicts=("list_exists",),
        ),
    )
    def post(self, request: Request) -> Response:
        by, sent = user_of(request), NewListSerializer.valid(request.data)
        code = sent["federation"].upper()
        federation = Federation.objects.filter(code=code).first() if code else None
        if code and federation is None:
            raise Refusal("federation_unknown", _("There is no federation of this code."), field="federation")
        terms = {"parameters": {}, "criteria": Criteria(), **_terms(sent)}
        kind, slug = sent["kind"], sent["slug"]
        made = make_list(**terms, slug=slug, federation=federation, kind=kind, by=by, at=timezone.now())
        return Response(OfficialListSerializer(find_list(made.slug)).data, status=201)


class OfficialListView(ApiView):
    @extend_schema(summary="Show an official list", responses={200: OfficialListSerializer} | problems())
    def get(self, request: Request, slug: str) -> Response:
        return Response(OfficialListSerializer(find_list(slug)).data)

    @extend_schema(
        summary="Change an official list",
        description="For its officers. Criteria that are sent replace all of them. Once the list has been published, "
        "name and criteria alone can change.",
        request=ListChangesSerializer,
        responses={200: OfficialListSerializer}
        | problems(*WRITE, refusals=(*TERMS, "list_not_computable"), conflicts=("list_published",)),
    )
    def patch(self, request: Request, slug: str) -> Response:
        found, by = find_list(slug), user_of(request)
        require_keeper(by, found)
        changes = _terms(ListChangesSerializer.valid(request.data))
        change_list(found, by=by, at=timezone.now(), **changes)
        return Response(OfficialListSerializer(find_list(slug)).data)


class DraftView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Show the next publication of an official list as it would be",
        description="For its officers; nothing is stored. Publish it with its `digest`.",
        parameters=[ListCutSerializer],
        responses={200: ListDraftSerializer} | problems(403, refusals=CUT, conflicts=("cut_off_not_later",)),
    )
    def get(self, request: Request, slug: str) -> Response:
        found = find_list(slug)
        require_keeper(user_of(request), found)
        sent = ListCutSerializer.valid(request.query_params.dict())
        draft = draft_next(found, cut_on(**sent), at=timezone.now(), source=SOURCE)
        told = {
            **draft_told(draft),
            "corrections": correction_lines(found, draft.corrections),
            "not_ended": [event.pk for event in not_ended(found, draft.cut.matches_until)],
        }
        return Response(ListDraftSerializer(told).data)


class PublicationsView(Api, generics.ListAPIView):
    serializer_class = PublicationSerializer
    pagination_class = Pages
    queryset = Publication.objects.none()

    def get_queryset(self) -> QuerySet[Publication]:
        return publications_of(find_list(self.kwargs["slug"]))

    @extend_schema(
        summary="List the publications of an official list, the newest first",
        responses={200: PublicationSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Publish an official list as its draft showed it",
        description="For its officers. A publication is signed, and never changes again.",
        request=PublishSerializer,
        responses={201: PublicationSerializer}
        | problems(*WRITE, refusals=CUT, conflicts=("cut_off_not_later", "preview_changed")),
    )
    def post(self, request: Request, slug: str) -> Response:
        found, by = find_list(slug), user_of(request)
        require_keeper(by, found)
        sent = PublishSerializer.valid(request.data)
        digest = sent.pop("digest")
        made = publish(found, cut_on(**sent), digest=digest, source=SOURCE, by=by, at=timezone.now())
        return Response(PublicationSerializer(made).data, status=201)


class ListStartsView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    parser_classes = [ListCSVParser, XLSXParser]
    serializer_class = StartValueSerializer
    pagination_class = Pages
    queryset = StartValue.objects.none()

    def get_queryset(self) -> QuerySet[StartValue]:
        found = get_object_or_404(OfficialList.objects.select_related("federation"), slug=self.kwargs["slug"])
        require_keeper(self.request.user, found)
        return found.start_values.select_related("player").order_by("player_id")

    @extend_schema(
        summary="List the start values of an official list",
        description="For its officers.",
        responses={200: StartValueSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Preview the start values in a CSV or XLSX file, or store them",
        description="For officers of the list. Without `digest` the answer tells what becomes of each row, and nothing "
        "is stored. Send the same file again with the `digest` of that answer to store them. `choices` says who is "
        "meant by ambiguous rows: `4:17` takes row 4 for player 17, one of its `candidates`.",
        parameters=[
            OpenApiParameter("as_of", OpenApiTypes.DATE, required=True, description="The day of the list."),
            OpenApiParameter("source", OpenApiTypes.STR, required=True, description="Which list it is."),
            OpenApiParameter("digest", OpenApiTypes.STR),
            OpenApiParameter("choices", OpenApiTypes.STR),
        ],
        request=dict.fromkeys((ListCSVParser.media_type, XLSXParser.media_type), OpenApiTypes.BINARY),
        responses={200: StartPreviewSerializer, 201: StartPreviewSerializer}
        | problems(
            *WRITE,
            refusals=(*FILE, *CHOICES, "invalid_parameter"),
            conflicts=("preview_changed", "start_values_in_use"),
        ),
    )
    def post(self, request: Request, slug: str) -> Response:
        found, by = find_list(slug), user_of(request)
        require_keeper(by, found)
        rows = read_listed(request.data if isinstance(request.data, bytes) else b"")
        source, digest = request.query_params.get("source", ""), request.query_params.get("digest")
        as_of = _day(request.query_params.get("as_of", ""))
        chosen = _players(request.query_params.get("choices", ""))
        if digest is None:
            preview = choose_players(found, _previewed(found, rows, as_of, source), chosen)
            return Response(StartPreviewSerializer(starts_told(preview)).data)
        done = import_starts(found, rows, as_of=as_of, source=source, digest=digest[:64], by=by, chosen=chosen)
        return Response(StartPreviewSerializer(starts_told(done)).data, status=201)


def _previewed(found: OfficialList, rows: Any, as_of: date, source: str) -> Any:
    return preview_starts(found, rows, as_of=as_of, source=" ".join(source.split()))


def _players(text: str) -> Choices:
    """Return who was chosen for rows, sent as ``4:17,9:12``. Raises Refusal for another text."""
    choices = read_choices(text)
    if NEW in choices.values():
        raise Refusal("choices_unreadable", _("Choices are written as 4:17,9:12."), field="choices")
    return {row: int(player) for row, player in choices.items()}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refusal(
            "invalid_parameter", _("The parameter “as_of” is a day such as 2026-11-01."), field="as_of"
        ) from error
