"""The API for whole lists of entries: imported, seeded, removed and checked in at once; departures previewed."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.entries.door import GONE
from tournament.api.entries.door_serializers import LeaveSerializer
from tournament.api.entries.list_serializers import (
    ChosenSerializer,
    ConsequencesSerializer,
    ImportPreviewSerializer,
    SeedByQuerySerializer,
    SeedingProposalSerializer,
    SeedingSerializer,
)
from tournament.api.entries.serializers import EntrySerializer
from tournament.api.entries.views import CONFLICTS, ENTRY_REFUSALS, find_entry_to_change
from tournament.api.events.views import event_for
from tournament.api.parsing import ListCSVParser, XLSXParser
from tournament.api.schema import ACT, WRITE, problems
from tournament.api.site.jobs import JobSerializer
from tournament.draw.chain import load_people
from tournament.entries.checking import check_in_all
from tournament.entries.consequences import Departing, preview_departure
from tournament.entries.imports import import_entries, preview_import
from tournament.entries.lists import parse_file
from tournament.entries.seed_by import seeds_by_event, seeds_by_ranking
from tournament.entries.seeding import Seeding, SeedingRow, set_seeding
from tournament.entries.services import remove_entries
from tournament.jobs.kinds import given_lines
from tournament.jobs.services import start_job
from tournament.models import Entry, Event

FILE_REFUSALS = ("entries_empty", "list_too_large", "csv_without_name", "csv_unreadable", "file_unreadable")
IMPORT_REFUSALS = (*FILE_REFUSALS, "file_unknown", "entries_too_many", "nothing_to_enter")


def _answer(event: Event, entries: list[Entry], *, status: int = 200) -> Response:
    """Answer with these entries as they stand."""
    found = load_people(event.entries.filter(pk__in=[entry.pk for entry in entries]).order_by("number"))
    return Response(EntrySerializer(found, many=True).data, status=status)


class ImportView(ApiView):
    parser_classes = [ListCSVParser, XLSXParser]

    @extend_schema(
        summary="Preview the import of a CSV or XLSX file, or import it",
        description="Without `digest` the answer tells what becomes of each row, and nothing is stored. Send the same "
        "file again with the `digest` of that answer: the rows that can be entered are, and the others are left out. "
        "If anything would be different by now, the answer is `preview_changed`. With `later=true` a worker does it. "
        "Columns are recognised by their titles, in the languages of the site: name, or first and last name; club, "
        "country, seed, partner, members.",
        parameters=[OpenApiParameter("digest", OpenApiTypes.STR), OpenApiParameter("later", OpenApiTypes.BOOL)],
        request={"text/csv": OpenApiTypes.BINARY, XLSXParser.media_type: OpenApiTypes.BINARY},
        responses={200: ImportPreviewSerializer, 201: EntrySerializer(many=True), 202: JobSerializer}
        | problems(
            *WRITE,
            refusals=(*IMPORT_REFUSALS, *ENTRY_REFUSALS),
            conflicts=(*CONFLICTS, "preview_changed"),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        lines = parse_file(request.data if isinstance(request.data, bytes) else b"")
        digest, now = request.query_params.get("digest"), timezone.now()
        if digest is None:
            return Response(ImportPreviewSerializer(preview_import(event, lines=lines, at=now)).data)
        if request.query_params.get("later") == "true":
            given = given_lines(lines) | {"digest": digest[:64]}
            job = start_job("import", event=event, given=given, by=user_of(request), at=now)
            return Response(JobSerializer(job).data, status=202)
        entered = import_entries(event, lines=lines, digest=digest, by=user_of(request), at=now)
        return _answer(event, entered, status=201)


class SeedingView(ApiView):
    @extend_schema(
        summary="Set seeds and families of many entries at once, all or none",
        description="An entry whose `base` is as it is wanted stays as it is. If somebody else has changed another one "
        "meanwhile, the answer is `seeding_changed` and names it. Before the draw only. The answer lists the entries "
        "that changed.",
        request=SeedingSerializer,
        responses={200: EntrySerializer(many=True)}
        | problems(
            *WRITE,
            refusals=("seed_taken", "seed_out_of_range", "family_too_long"),
            conflicts=("event_drawn", "entries_closed", "seeding_changed"),
        ),
    )
    def put(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        data = SeedingSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        rows = [SeedingRow(row["id"], _seeding(row), _seeding(row["base"])) for row in data.validated_data["entries"]]
        return _answer(event, set_seeding(event, rows=rows, by=user_of(request), at=timezone.now()))


class SeedingProposalView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Propose seeds by a ranking list, or by the places of an earlier event",
        description="Give either `ranking`, the name of a list such as `fibs`, or `event`, the id of an event that has "
        "ended. Pairs and teams have the average of their players, equals stand by name, and entries without a rating "
        "or a place have no seed. Nothing is stored: send the answer back with PUT to set the seeds.",
        parameters=[
            OpenApiParameter("ranking", OpenApiTypes.STR),
            OpenApiParameter("event", OpenApiTypes.INT),
            OpenApiParameter("most", OpenApiTypes.INT, description="How many are seeded; all without it."),
        ],
        responses={200: SeedingProposalSerializer}
        | problems(403, refusals=("ranking_unknown", "earlier_event_not_ended")),
    )
    def get(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        asked = SeedByQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        most = asked.validated_data.get("most")
        if "event" in asked.validated_data:
            earlier = get_object_or_404(Event, pk=asked.validated_data["event"])
            proposed = seeds_by_event(event, earlier=earlier, most=most)
        else:
            proposed = seeds_by_ranking(event, system=asked.validated_data.get("ranking", ""), most=most)
        rows = [
            {
                "id": one.entry.pk,
                "seed": one.seed,
                "family": one.entry.family,
                "base": {"seed": one.entry.seed, "family": one.entry.family},
            }
            for one in proposed
        ]
        return Response(SeedingProposalSerializer({"entries": rows}).data)


def _seeding(data: Mapping[str, Any]) -> Seeding:
    return Seeding(data["seed"], data["family"])


class RemovalView(ApiView):
    @extend_schema(
        summary="Remove several entries, all or none",
        description="Before the draw only.",
        request=ChosenSerializer,
        responses={204: None}
        | problems(*WRITE, conflicts=("event_drawn", "entries_closed", "entry_gone", "entry_has_paid")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        data = ChosenSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        remove_entries(event, ids=data.validated_data["entries"], by=user_of(request), at=timezone.now())
        return Response(status=204)


class CheckInAllView(ApiView):
    @extend_schema(
        summary="Check in every entry that has not checked in",
        description="Before the draw; the waiting list stays as it is. The answer lists the entries that were checked "
        "in.",
        request=None,
        responses={200: EntrySerializer(many=True)} | problems(*ACT, conflicts=("event_drawn", "event_finished")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "check_in")
        return _answer(event, check_in_all(event, by=user_of(request), at=timezone.now()))


class DeparturePreviewView(ApiView):
    takes_keys = False

    @extend_schema(
        summary="Preview what follows if an entry leaves",
        description="The players who get a walkover, and those who move up from the waiting list. Nothing is stored.",
        request=LeaveSerializer,
        responses={200: ConsequencesSerializer}
        | problems(
            *WRITE,
            refusals=("reason_missing", "departure_is_whole"),
            conflicts=("entry_out", "not_in_main", "no_show_has_begun", "later_match_begun", "entries_closed", *GONE),
        ),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        data = LeaveSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        following = preview_departure(entry, Departing(**data.validated_data), at=timezone.now())
        return Response(ConsequencesSerializer(following).data)
