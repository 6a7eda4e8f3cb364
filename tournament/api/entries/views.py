"""The API for an event's entries: entered singly, as a list or as CSV, seeded and removed."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.entries.serializers import (
    REASONS,
    ConfirmedEntrySerializer,
    EntryListSerializer,
    EntrySerializer,
    FamilySerializer,
    HomeEveningSerializer,
    SeedSerializer,
)
from tournament.api.events.views import DRAW_REFUSALS, NAME_REFUSALS, event_for, find_event
from tournament.api.parsing import CSVParser
from tournament.api.schema import ACT, AT, PAST_REFUSALS, WRITE, problems
from tournament.api.site.jobs import JobSerializer
from tournament.draw.chain import load_people
from tournament.entries.at_once import enter_and_draw
from tournament.entries.lists import EntryLine, parse_csv, parse_pasted
from tournament.entries.services import (
    add_entries,
    keep_apart,
    remove_entry,
    return_entry,
    seed_entry,
    set_home_evening,
    withdraw_entry,
)
from tournament.jobs.kinds import given_lines
from tournament.jobs.services import start_job
from tournament.models import Entry, Event
from tournament.past.moments import entries_of, shows_the_past
from tournament.roles.authors import SEES_REASONS
from tournament.roles.permissions import actions_of, require

ENTRY_REFUSALS = (
    *NAME_REFUSALS,
    *("entry_twice", "seed_taken", "player_unknown", "player_ambiguous", "country_unknown", "entries_too_many"),
    *("pair_incomplete", "pair_of_one", "team_size", "team_name_taken", "event_without_teams"),
)
BUY_IN_CONFLICTS = (
    "buy_ins_closed",
    "buy_in_not_drawn",
    "buy_in_still_in",
    "buy_in_lost_late",
    "buy_in_again",
    "buy_in_full",
)
CONFLICTS = ("event_drawn", "entries_closed", "no_bye_left", "confirm_bye", "event_finished", *BUY_IN_CONFLICTS)
CONFIRMED_QUERY = OpenApiParameter("confirmed", OpenApiTypes.BOOL)
REMOVAL_CONFLICTS = (
    "buy_ins_closed",
    "event_drawn",
    "entries_closed",
    "late_entry_has_begun",
    "walkover_of_absence",
    "entry_has_paid",
    "entry_gone",
    "event_finished",
)
PRESENCE_CONFLICTS = (
    "entry_in_fixed_draw",
    "entries_closed",
    "entry_present",
    "entry_out",
    "entry_gone",
    "event_finished",
)


def line_sent(data: Mapping[str, Any], line: int = 0) -> EntryLine:
    """Return the line that a client has sent, as its serializer reads it."""
    return EntryLine(
        name=data.get("name", ""),
        club=data["club"],
        country=data["country"],
        seed=data.get("seed"),
        player_id=data.get("player"),
        line=line,
        members=tuple(_member_from(member, line) for member in data["members"]),
    )


def _member_from(data: Mapping[str, Any], line: int) -> EntryLine:
    return EntryLine(data.get("name", ""), data["club"], data["country"], player_id=data.get("player"), line=line)


def _enter(request: Request, event: Event, lines: list[EntryLine], *, confirmed: bool) -> list[Entry]:
    agreed = None if confirmed else ""
    return _with_people(event, add_entries(event, lines=lines, by=user_of(request), at=timezone.now(), agreed=agreed))


def is_confirmed(request: Request) -> bool:
    return request.query_params.get("confirmed") == "true"


def _with_people(event: Event, entered: list[Entry]) -> list[Entry]:
    return list(load_people(event.entries.filter(pk__in=[entry.pk for entry in entered])))


def _present_entries() -> QuerySet[Entry]:
    return Entry.objects.filter(event__in=Event.objects.all())


def find_entry_to_change(request: Request, entry_id: int, action: str = "change_entries") -> Entry:
    """Find the entry, if the user may take this action in its event. Raises Http404 or Forbidden."""
    entry = get_object_or_404(_present_entries().select_related("event__tournament"), pk=entry_id)
    require(request.user, entry.event, action)
    return entry


@shows_the_past
class EntriesView(Api, generics.ListAPIView):
    serializer_class = EntrySerializer
    pagination_class = Pages
    queryset = Entry.objects.none()

    tells_reasons = False

    def get_queryset(self) -> QuerySet[Entry] | list[Entry]:  # type: ignore[override]
        event = find_event(self.kwargs["event_id"])
        self.tells_reasons = SEES_REASONS in actions_of(self.request.user, event)
        return entries_of(self.request, event)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), REASONS: self.tells_reasons}

    @extend_schema(
        summary="List the entries of an event, in their order",
        description="Families and reasons of leaving are for those with a role in the event; for others they are "
        "empty.",
        parameters=[AT],
        responses={200: EntrySerializer(many=True)} | problems(refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Enter one player, pair or team",
        description="By name, or by the id of a known player. A name that only one known player has means that "
        "player. A pair is written as `Anna & Bo`; a team has a name and members.",
        request=ConfirmedEntrySerializer,
        responses={201: EntrySerializer} | problems(*WRITE, refusals=ENTRY_REFUSALS, conflicts=CONFLICTS),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        data = ConfirmedEntrySerializer(data=request.data)
        data.is_valid(raise_exception=True)
        lines, confirmed = [line_sent(data.validated_data, 0)], data.validated_data["confirmed"]
        (entry,) = _enter(request, event, lines, confirmed=confirmed)
        return Response(EntrySerializer(entry).data, status=201)


class EntryListView(ApiView):
    @extend_schema(
        summary="Enter a list of players, all or none",
        description="With `?later=true` a worker enters it: the answer is a job whose progress can be asked for. With "
        "`?draw=true` the draw is made as well, or nothing is done.",
        parameters=[OpenApiParameter("later", OpenApiTypes.BOOL), OpenApiParameter("draw", OpenApiTypes.BOOL)],
        request=EntryListSerializer,
        responses={201: EntrySerializer(many=True), 202: JobSerializer}
        | problems(
            *WRITE,
            refusals=(*ENTRY_REFUSALS, *DRAW_REFUSALS, "entries_empty", "list_too_large"),
            conflicts=(*CONFLICTS, "not_checked_in"),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        data = EntryListSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        if "text" in data.validated_data:
            lines = parse_pasted(data.validated_data["text"])
        else:
            lines = [line_sent(entry, line) for line, entry in enumerate(data.validated_data["entries"], start=1)]
        if request.query_params.get("later") == "true":
            job = start_job("entries", event=event, given=given_lines(lines), by=user_of(request), at=timezone.now())
            return Response(JobSerializer(job).data, status=202)
        if request.query_params.get("draw") == "true":
            require(request.user, event, "make_draw")
            drawn = enter_and_draw(event, lines=lines, by=user_of(request), at=timezone.now())
            entered = _with_people(event, drawn)
        else:
            entered = _enter(request, event, lines, confirmed=data.validated_data["confirmed"])
        return Response(EntrySerializer(entered, many=True).data, status=201)


class EntryCSVView(ApiView):
    parser_classes = [CSVParser]

    @extend_schema(
        summary="Enter the players of a CSV file, all or none",
        description="The first line names the columns: `name` and, optionally, `club`, `country` and `seed`. "
        "Comma, semicolon or tab; UTF-8 or Windows-1252. With `?confirmed=true` what `confirm_bye` says has been read.",
        parameters=[CONFIRMED_QUERY],
        request={"text/csv": OpenApiTypes.STR},
        responses={201: EntrySerializer(many=True)}
        | problems(
            *WRITE,
            refusals=(
                *ENTRY_REFUSALS,
                "entries_empty",
                "list_too_large",
                "csv_without_name",
                "csv_unreadable",
                "seed_invalid",
            ),
            conflicts=CONFLICTS,
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        data = request.data if isinstance(request.data, bytes) else b""
        entered = _enter(request, event, parse_csv(data), confirmed=is_confirmed(request))
        return Response(EntrySerializer(entered, many=True).data, status=201)


class EntryView(ApiView):
    @extend_schema(
        summary="Remove an entry",
        description="Before the draw, from the waiting list, or from a bye that it took while its match has not begun.",
        responses={204: None} | problems(*ACT, conflicts=REMOVAL_CONFLICTS),
    )
    def delete(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        remove_entry(entry, by=user_of(request), at=timezone.now())
        return Response(status=204)


class SeedView(ApiView):
    @extend_schema(
        summary="Set or clear the seed of an entry",
        request=SeedSerializer,
        responses={200: EntrySerializer}
        | problems(
            *WRITE,
            refusals=("seed_taken", "seed_out_of_range"),
            conflicts=("event_drawn", "entries_closed", "entry_gone"),
        ),
    )
    def put(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        data = SeedSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        seed_entry(entry, **data.validated_data, by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)


class FamilyView(ApiView):
    @extend_schema(
        summary="Set the family of an entry",
        description="Entries of the same family are kept apart in round 1.",
        request=FamilySerializer,
        responses={200: EntrySerializer}
        | problems(*WRITE, refusals=("family_too_long",), conflicts=("event_drawn", "entries_closed", "entry_gone")),
    )
    def put(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        data = FamilySerializer(data=request.data)
        data.is_valid(raise_exception=True)
        keep_apart(entry, **data.validated_data, by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)


class HomeEveningView(ApiView):
    @extend_schema(
        summary="Set the weekday on which an entry plays its home matches",
        description="Where the rounds of a stage have dates, side A plays at home on this weekday of the round.",
        request=HomeEveningSerializer,
        responses={200: EntrySerializer}
        | problems(*WRITE, refusals=("weekday_unknown",), conflicts=("event_finished", "entry_gone")),
    )
    def put(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        data = HomeEveningSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        set_home_evening(entry, **data.validated_data, by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)


class WithdrawView(ApiView):
    @extend_schema(
        summary="Withdraw an entry until it returns",
        description="It is not paired in the meantime. For formats that pair round by round.",
        request=None,
        responses={200: EntrySerializer} | problems(*ACT, conflicts=PRESENCE_CONFLICTS),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        withdraw_entry(find_entry_to_change(request, entry_id), by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)


class ReturnView(ApiView):
    @extend_schema(
        summary="Bring a withdrawn entry back, from the next round",
        request=None,
        responses={200: EntrySerializer} | problems(*ACT, conflicts=PRESENCE_CONFLICTS),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        return_entry(find_entry_to_change(request, entry_id), by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)


def answer_entry(entry_id: int) -> Response:
    """Answer with the entry as it stands."""
    return Response(EntrySerializer(get_object_or_404(load_people(_present_entries()), pk=entry_id)).data)
