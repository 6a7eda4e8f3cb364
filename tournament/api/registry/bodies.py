"""The API for federations and clubs, their roles, members and imports of members."""

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

from players.errors import Refusal
from players.models import Club, Federation, Player, RegistryImport, RegistryRole
from players.registry import bodies
from players.registry.bodies import ClubData, FederationData
from players.registry.find import suspected_duplicates
from players.registry.matching import NEW, Choices
from players.registry.member_import import preview_members
from players.registry.names import own_name
from players.registry.records import numbers_of
from players.registry.roles import appoint, dismiss, forbidden, reach_of, require_federation, roles_at
from players.registry.roll import RollLine, Standing, people_on, roll_of
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.filtering import ID, ClubFilter
from tournament.api.parsing import ListCSVParser, XLSXParser
from tournament.api.registry.serializers import (
    ClubDataSerializer,
    ClubSerializer,
    FederationDataSerializer,
    FederationMemberSerializer,
    FederationSerializer,
    MemberPreviewSerializer,
    RegistryImportSerializer,
    RegistryRoleSerializer,
    SuspectsSerializer,
    UserNameSerializer,
)
from tournament.api.schema import ACT, WRITE, problems
from tournament.registry.imports import import_members, undo_import
from tournament.registry.people import edit_club

NAME_REFUSALS = ("name_empty", "name_too_long", "name_unprintable")
FEDERATION_REFUSALS = (
    *NAME_REFUSALS,
    *("code_unreadable", "country_unknown", "year_out_of_range", "pattern_unreadable"),
    *("federation_unknown", "federation_above_itself"),
)
CLUB_REFUSALS = (*NAME_REFUSALS, "code_unreadable", "federation_unknown")
FILE_REFUSALS = (
    *("list_too_large", "csv_unreadable", "file_unreadable", "file_unknown", "members_without_name", "members_empty"),
    *("nothing_to_import", "choices_unreadable"),
)


def find_federation(code: str) -> Federation:
    return get_object_or_404(Federation.objects.select_related("parent"), code=code.upper())


class FederationsView(Api, generics.ListAPIView):
    serializer_class = FederationSerializer
    pagination_class = Pages
    queryset = Federation.objects.select_related("parent")

    @extend_schema(summary="List the federations", responses={200: FederationSerializer(many=True)} | problems())
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Add a federation",
        description="For administrators.",
        request=FederationDataSerializer,
        responses={201: FederationSerializer}
        | problems(*WRITE, refusals=FEDERATION_REFUSALS, conflicts=("federation_exists",)),
    )
    def post(self, request: Request) -> Response:
        by = user_of(request)
        if not reach_of(by).everywhere:
            raise forbidden()
        data = FederationData(**FederationDataSerializer.valid(request.data))
        return Response(FederationSerializer(bodies.create_federation(data, by=by)).data, status=201)


class FederationView(ApiView):
    @extend_schema(summary="Show a federation", responses={200: FederationSerializer} | problems())
    def get(self, request: Request, code: str) -> Response:
        return Response(FederationSerializer(find_federation(code)).data)

    @extend_schema(
        summary="Change a federation",
        description="For its officers. The code stays.",
        request=FederationDataSerializer,
        responses={200: FederationSerializer}
        | problems(*WRITE, refusals=FEDERATION_REFUSALS, conflicts=("federation_exists", "code_stays")),
    )
    def put(self, request: Request, code: str) -> Response:
        federation, by = find_federation(code), user_of(request)
        require_federation(by, federation)
        data = FederationData(**FederationDataSerializer.valid(request.data))
        return Response(FederationSerializer(bodies.edit_federation(federation, data, by=by)).data)


class OfficersView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="List the officers of a federation",
        responses={200: RegistryRoleSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str) -> Response:
        federation = find_federation(code)
        require_federation(user_of(request), federation)
        return Response(RegistryRoleSerializer(roles_at(federation), many=True).data)

    @extend_schema(
        summary="Make a user an officer of the federation",
        request=UserNameSerializer,
        responses={201: RegistryRoleSerializer}
        | problems(*WRITE, refusals=("user_unknown",), conflicts=("role_held",)),
    )
    def post(self, request: Request, code: str) -> Response:
        federation, by = find_federation(code), user_of(request)
        require_federation(by, federation)
        role = appoint(federation, **UserNameSerializer.valid(request.data), by=by, at=timezone.now())
        return Response(RegistryRoleSerializer(role).data, status=201)


class ManagersView(ApiView):
    @extend_schema(
        summary="Make a user the manager of a club",
        description="For officers of the federation that the club belongs to.",
        request=UserNameSerializer,
        responses={201: RegistryRoleSerializer}
        | problems(*WRITE, refusals=("user_unknown",), conflicts=("role_held",)),
    )
    def post(self, request: Request, club_id: int) -> Response:
        club, by = get_object_or_404(Club, pk=club_id), user_of(request)
        if not reach_of(by).everywhere and club.federation_id not in reach_of(by).federations:
            raise forbidden()
        role = appoint(club, **UserNameSerializer.valid(request.data), by=by, at=timezone.now())
        return Response(RegistryRoleSerializer(role).data, status=201)


class RegistryRoleView(ApiView):
    @extend_schema(
        summary="End a role in the registry",
        responses={204: None} | problems(*ACT, conflicts=("role_ended",)),
    )
    def delete(self, request: Request, role_id: int) -> Response:
        role = get_object_or_404(RegistryRole, pk=role_id)
        dismiss(role, by=user_of(request))
        return Response(status=204)


class ClubsView(Api, generics.ListAPIView):
    serializer_class = ClubSerializer
    pagination_class = Pages
    filterset_class = ClubFilter
    queryset = Club.objects.select_related("federation").order_by("name")

    @extend_schema(summary="List the clubs", responses={200: ClubSerializer(many=True)} | problems())
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Add a club to a federation",
        request=ClubDataSerializer,
        responses={201: ClubSerializer} | problems(*WRITE, refusals=CLUB_REFUSALS, conflicts=("club_exists",)),
    )
    def post(self, request: Request) -> Response:
        by = user_of(request)
        if not reach_of(by).is_officer:
            raise forbidden()
        data = ClubData(**ClubDataSerializer.valid(request.data))
        return Response(ClubSerializer(bodies.create_club(data, by=by)).data, status=201)


class ClubView(ApiView):
    @extend_schema(summary="Show a club", responses={200: ClubSerializer} | problems())
    def get(self, request: Request, club_id: int) -> Response:
        return Response(ClubSerializer(_club(club_id)).data)

    @extend_schema(
        summary="Change a club",
        description="For its manager, and for officers of its federation. Draws keep the name under which its players "
        "were drawn.",
        request=ClubDataSerializer,
        responses={200: ClubSerializer}
        | problems(*WRITE, refusals=CLUB_REFUSALS, conflicts=("club_exists", "club_of_others")),
    )
    def put(self, request: Request, club_id: int) -> Response:
        club, by = _club(club_id), user_of(request)
        reach = reach_of(by)
        if not (reach.keeps_club(club) or (club.federation_id is None and reach.is_officer)):
            raise forbidden()
        data = ClubData(**ClubDataSerializer.valid(request.data))
        return Response(ClubSerializer(edit_club(club, data, by=by)).data)


def _club(club_id: int) -> Club:
    return get_object_or_404(Club.objects.select_related("federation"), pk=club_id)


class MembersView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = FederationMemberSerializer
    pagination_class = Pages
    queryset = Player.objects.none()

    @extend_schema(
        summary="List the members of a federation by family name",
        description="For its officers. Without `membership` they are today's. `any` adds those whose membership has "
        "lapsed, and people of its clubs, or with its number, who have none.",
        parameters=[
            OpenApiParameter("q", OpenApiTypes.STR, description="Part of a name, or a number."),
            OpenApiParameter("club", ID, description="The id of the club that they are in."),
            OpenApiParameter("membership", OpenApiTypes.STR, enum=[*Standing.values, "any"], default="valid"),
        ],
        responses={200: FederationMemberSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str) -> Response:
        federation, asked = find_federation(code), request.query_params
        require_federation(user_of(request), federation)
        wanted = asked.get("membership", Standing.VALID.value)
        lines = roll_of(
            federation,
            timezone.localdate(),
            text=asked.get("q", ""),
            club=int(asked["club"]) if "club" in asked else None,
            standings=list(Standing) if wanted == "any" else [Standing(wanted)],
        )
        page: list[RollLine] = self.paginate_queryset(lines) or []
        people = people_on(page)
        numbers, stands = dict(numbers_of(federation, people)), {line.player: line.standing for line in page}
        told = [
            {
                "id": player.pk,
                "name": own_name(player),
                "club": player.club.name if player.club else "",
                "country": player.country,
                "number": numbers.get(player.pk, ""),
                "membership": stands[player.pk],
            }
            for player in people
        ]
        return self.get_paginated_response(FederationMemberSerializer(told, many=True).data)


class ImportMembersView(ApiView):
    parser_classes = [ListCSVParser, XLSXParser]

    @extend_schema(
        summary="Preview the import of a CSV or XLSX file of members, or import it",
        description="Without `digest` the answer tells what becomes of each row, and nothing is stored. Send the same "
        "file again with the `digest` of that answer to import it, and with your `choices`, which the digest does not "
        "depend on. They say who an ambiguous row is: `4:17,9:new` makes row 4 player 17 and row 9 somebody new.",
        parameters=[
            OpenApiParameter("digest", OpenApiTypes.STR),
            OpenApiParameter("choices", OpenApiTypes.STR),
            OpenApiParameter("name", OpenApiTypes.STR, description="The name of the file."),
        ],
        request=dict.fromkeys((ListCSVParser.media_type, XLSXParser.media_type), OpenApiTypes.BINARY),
        responses={200: MemberPreviewSerializer, 201: RegistryImportSerializer}
        | problems(*WRITE, refusals=FILE_REFUSALS, conflicts=("preview_changed",)),
    )
    def post(self, request: Request, code: str) -> Response:
        federation, by, now = find_federation(code), user_of(request), timezone.now()
        require_federation(by, federation)
        chosen = read_choices(request.query_params.get("choices", ""))
        data = request.data if isinstance(request.data, bytes) else b""
        digest = request.query_params.get("digest")
        if digest is None:
            preview = preview_members(federation, data, chosen=chosen, by=by, at=now)
            return Response(MemberPreviewSerializer(preview).data)
        name = request.query_params.get("name", "")
        kept = import_members(federation, data, name=name, chosen=chosen, digest=digest[:64], by=by, at=now)
        return Response(RegistryImportSerializer(kept).data, status=201)


def read_choices(text: str) -> Choices:
    """Return what was chosen for rows, sent as ``4:17,9:new``. Raises Refusal for another text."""
    found = {}
    for choice in text.split(",") if text else ():
        line, _colon, value = choice.partition(":")
        is_one = value == NEW or (value.isascii() and value.isdecimal() and len(value) < 19)
        if not (is_one and line.isascii() and line.isdecimal() and len(line) < 9):
            raise Refusal("choices_unreadable", _("Choices are written as 4:17,9:new."), field="choices")
        found[int(line)] = value
    return found


class ImportsView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = RegistryImportSerializer
    pagination_class = Pages
    queryset = RegistryImport.objects.none()

    def get_queryset(self) -> QuerySet[RegistryImport]:
        return find_federation(self.kwargs["code"]).imports.filter(kind=RegistryImport.Kind.MEMBERS).defer("data")

    @extend_schema(
        summary="List the imports of members of a federation, the latest first",
        responses={200: RegistryImportSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str) -> Response:
        require_federation(user_of(request), find_federation(code))
        return self.list(request)


class UndoImportView(ApiView):
    @extend_schema(
        summary="Undo an import of members",
        request=None,
        responses={200: RegistryImportSerializer} | problems(*ACT, conflicts=("import_undone", "import_stands")),
    )
    def post(self, request: Request, import_id: int) -> Response:
        members = RegistryImport.objects.filter(kind=RegistryImport.Kind.MEMBERS).select_related("federation")
        kept, by = get_object_or_404(members, pk=import_id), user_of(request)
        return Response(RegistryImportSerializer(undo_import(kept, by=by, at=timezone.now())).data)


class DuplicatesView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="List people who may be one person",
        description="For officers. Their names have the same words, and their years of birth do not differ.",
        responses={200: SuspectsSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request) -> Response:
        if not reach_of(user_of(request)).is_officer:
            raise forbidden()
        return Response(SuspectsSerializer(suspected_duplicates(), many=True).data)
