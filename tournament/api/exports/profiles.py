"""The API for the exports of federations and organisers: profiles, and files made at once or kept by workers."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.lines import MAX_NAME
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.exports.files import TABLE, CsvRenderer, TableJsonRenderer, XlsxRenderer
from tournament.api.fields import LineField, StrictBooleanField, StrictDateField, StrictSerializer, TextField
from tournament.api.registry.bodies import find_federation
from tournament.api.schema import ACT, WRITE, problems
from tournament.api.site.jobs import JobSerializer
from tournament.exports.keepers import Keeper, keeper_of, require_keeper
from tournament.exports.kinds import KINDS
from tournament.exports.layout import write_long
from tournament.exports.profiles import (
    CHOICES,
    MAX_TITLE,
    ProfileData,
    change_profile,
    file_name,
    make_profile,
    open_at_once,
    remove_profile,
)
from tournament.exports.spool import spooled
from tournament.jobs.exports import check_export, file_of
from tournament.jobs.services import start_job
from tournament.models import ExportProfile, KeptExport

MAX_WORD = 20
PROFILE_REFUSALS = (
    *("name_empty", "name_too_long", "name_unprintable", "export_kind_unknown", "choice_unknown"),
    *("columns_unreadable", "titles_twice", "title_unreadable", "ranking_without_list", "list_unknown"),
)
FILE_REFUSALS = ("days_out_of_order", "day_out_of_range", "ranking_without_list", "list_not_published")
WHOSE = "Of a federation, for its officers; without one, your own: of events of the tournaments that you direct."
SENTENCES = {
    "format": "How the file is written.",
    "delimiter": "Between the columns of CSV.",
    "decimal": "The decimal sign of CSV.",
    "encoding": "The letters of CSV.",
    "dates": "How CSV writes days.",
    "every": "How often a worker makes a file by itself, on behalf of the user who says so.",
}


class ExportKindSerializer(serializers.Serializer):
    kind = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    needs_list = serializers.BooleanField()
    of_events = serializers.BooleanField(help_text="Whether an organiser has it too.")


class ExportColumnSerializer(StrictSerializer):
    column = LineField(most=MAX_WORD * 2)
    title = LineField(most=MAX_TITLE, required=False, allow_blank=True, default="")


def _choice(name: str, default: str) -> TextField:
    sentence = f"{SENTENCES[name]} One of {', '.join(f'`{choice}`' for choice in CHOICES[name])}."
    return TextField(
        required=False,
        default=default,
        allow_blank=True,
        max_length=MAX_WORD,
        help_text=sentence,
        trim_whitespace=False,
    )


class ExportProfileDataSerializer(StrictSerializer):
    name = LineField(most=MAX_NAME)
    kind = LineField(max_length=MAX_WORD, help_text=f"One of {', '.join(KINDS)}; it stays.")
    list = LineField(max_length=40, required=False, allow_blank=True, default="", help_text="The slug of a list.")
    columns = ExportColumnSerializer(  # type: ignore[call-arg]
        many=True, max_length=100, help_text="In order; without a title, a column has its own name."
    )
    format = _choice("format", "csv")
    delimiter = _choice("delimiter", ";")
    decimal = _choice("decimal", ",")
    encoding = _choice("encoding", "utf-8-sig")
    dates = _choice("dates", "iso")
    names_schema = StrictBooleanField(required=False, default=False, help_text="A first line names the schema.")
    every = _choice("every", "")


def _data(request: Request) -> ProfileData:
    told = ExportProfileDataSerializer.valid(request.data)
    columns = tuple((column["column"], column["title"]) for column in told.pop("columns"))
    return ProfileData(columns=columns, **told)


class ShownExportColumnSerializer(serializers.Serializer):
    column = serializers.CharField()
    title = serializers.CharField()


class ExportProfileSerializer(serializers.ModelSerializer):
    list = serializers.CharField(source="official_list.slug", default="", help_text="The slug of a list, or empty.")
    columns = serializers.SerializerMethodField()
    every = serializers.CharField(help_text="`day`, `week` or `month`; empty if a file is made only when asked.")

    class Meta:
        model = ExportProfile
        fields = [
            *("id", "name", "kind", "list", "columns", "format", "delimiter", "decimal", "encoding", "dates"),
            *("names_schema", "every", "made_at"),
        ]

    @extend_schema_field(ShownExportColumnSerializer(many=True))
    def get_columns(self, profile: ExportProfile) -> Any:
        return [{"column": name, "title": title} for name, title in profile.columns]


class KeptExportSerializer(serializers.ModelSerializer):
    profile = serializers.IntegerField(source="profile_id", allow_null=True)
    by = serializers.CharField(source="by.username", default="", help_text="Who asked for it.")
    is_empty = serializers.BooleanField(help_text="Whether it was emptied, as a name was taken back since.")

    class Meta:
        model = KeptExport
        fields = [
            *("id", "profile", "name", "format", "first", "last", "rows", "size", "sha256", "made_at", "by"),
            "is_empty",
        ]


class ExportDaysSerializer(StrictSerializer):
    first = StrictDateField(help_text="The first day.")
    last = StrictDateField(help_text="The last day.")


class ExportKindsView(ApiView):
    @extend_schema(
        summary="List the tables that federations and organisers export, with their columns",
        responses={200: ExportKindSerializer(many=True)} | problems(),
    )
    def get(self, request: Request) -> Response:
        told = [
            {"kind": slug, "columns": list(kind.columns), "needs_list": kind.needs_list, "of_events": kind.of_events}
            for slug, kind in KINDS.items()
        ]
        return Response(ExportKindSerializer(told, many=True).data)


class ExportProfilesView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = ExportProfileSerializer
    pagination_class = Pages
    queryset = ExportProfile.objects.none()

    def get_queryset(self) -> QuerySet[ExportProfile]:
        return _keeper(self.request, self.kwargs.get("code", "")).export_profiles.select_related("official_list")

    @extend_schema(
        summary="List export profiles",
        description=WHOSE,
        responses={200: ExportProfileSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str = "") -> Response:
        return self.list(request)

    @extend_schema(
        summary="Make an export profile",
        description=WHOSE,
        request=ExportProfileDataSerializer,
        responses={201: ExportProfileSerializer}
        | problems(*WRITE, refusals=PROFILE_REFUSALS, conflicts=("profile_exists", "profiles_too_many")),
    )
    def post(self, request: Request, code: str = "") -> Response:
        profile = make_profile(_keeper(request, code), _data(request), by=user_of(request), at=timezone.now())
        return Response(ExportProfileSerializer(profile).data, status=201)


class ExportProfileView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(summary="Show an export profile", responses={200: ExportProfileSerializer} | problems(403))
    def get(self, request: Request, profile_id: int) -> Response:
        return Response(ExportProfileSerializer(_profile(request, profile_id)).data)

    @extend_schema(
        summary="Change an export profile",
        request=ExportProfileDataSerializer,
        responses={200: ExportProfileSerializer}
        | problems(*WRITE, refusals=PROFILE_REFUSALS, conflicts=("profile_exists", "kind_stays")),
    )
    def put(self, request: Request, profile_id: int) -> Response:
        profile = _profile(request, profile_id)
        changed = change_profile(profile, _data(request), by=user_of(request), at=timezone.now())
        return Response(ExportProfileSerializer(changed).data)

    @extend_schema(summary="Remove an export profile", responses={204: None} | problems(*ACT))
    def delete(self, request: Request, profile_id: int) -> Response:
        remove_profile(_profile(request, profile_id), by=user_of(request))
        return Response(status=204)


class ExportFileView(ApiView):
    permission_classes = [IsAuthenticated]
    renderer_classes = [TableJsonRenderer, CsvRenderer, XlsxRenderer]

    @extend_schema(
        summary="Download what a profile exports of some days",
        description="In the format of the profile, whatever `Accept` says. It has no ETag. One that takes longer than "
        "two seconds is made by a worker: `POST` to `make/` beside it.",
        parameters=[ExportDaysSerializer],
        responses=TABLE | problems(403, refusals=FILE_REFUSALS, conflicts=("standings_stale", "export_too_long")),
    )
    def get(self, request: Request, profile_id: int) -> HttpResponseBase:
        profile = _profile(request, profile_id)
        days = _days(request.query_params)
        table, layout = open_at_once(profile, **days)
        file, name = spooled(write_long(table, layout)), file_name(profile, days["last"])
        answer = FileResponse(file, as_attachment=True, filename=name, content_type=layout.media_type)
        answer["Cache-Control"] = "no-store"
        return answer


class MakeExportView(ApiView):
    @extend_schema(
        summary="Have a worker make and keep what a profile exports of some days",
        description="Follow the job; the file is then listed among the exports of the federation, or your own.",
        request=ExportDaysSerializer,
        responses={202: JobSerializer} | problems(*WRITE, refusals=FILE_REFUSALS, conflicts=("standings_stale",)),
    )
    def post(self, request: Request, profile_id: int) -> Response:
        by = user_of(request)
        given = check_export(_profile(request, profile_id), **_days(request.data), by=by)
        return Response(JobSerializer(start_job("export", given=given, by=by, at=timezone.now())).data, status=202)


class KeptExportsView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = KeptExportSerializer
    pagination_class = Pages
    queryset = KeptExport.objects.none()

    def get_queryset(self) -> QuerySet[KeptExport]:
        kept = _keeper(self.request, self.kwargs.get("code", "")).kept_exports.defer("data").select_related("by")
        return kept.annotate(is_empty=Q(data__isnull=True))

    @extend_schema(
        summary="List the files that workers made, the latest first",
        description=WHOSE,
        responses={200: KeptExportSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str = "") -> Response:
        return self.list(request)


class KeptFileView(ApiView):
    permission_classes = [IsAuthenticated]
    renderer_classes = [TableJsonRenderer, CsvRenderer, XlsxRenderer]

    @extend_schema(
        summary="Download a file that a worker made",
        description="Its ETag is its SHA-256.",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}
        | problems(403, refusals=("export_emptied",)),
    )
    def get(self, request: Request, export_id: int) -> HttpResponseBase:
        kept = get_object_or_404(KeptExport.objects.select_related("federation", "organiser"), pk=export_id)
        require_keeper(user_of(request), keeper_of(kept))
        answer = HttpResponse(file_of(kept), content_type="application/octet-stream")
        answer["Content-Disposition"] = f'attachment; filename="{kept.name}"'
        answer["ETag"] = f'"{kept.sha256}"'
        return answer


def _days(data: Any) -> Any:
    return ExportDaysSerializer.valid(data)


def _profile(request: Request, profile_id: int) -> ExportProfile:
    found = ExportProfile.objects.select_related("federation", "organiser", "official_list__federation")
    profile = get_object_or_404(found, pk=profile_id)
    require_keeper(user_of(request), keeper_of(profile))
    return profile


def _keeper(request: Request, code: str) -> Keeper:
    keeper = find_federation(code) if code else user_of(request)
    require_keeper(user_of(request), keeper)
    return keeper
