"""The API for tournaments and their events: creating, changing, drawing and ending them, and reading snapshots."""

from dataclasses import replace
from typing import Any
from zlib import crc32

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery, Sum
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from players.statements import Statement
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.events.serializers import (
    EventChangeSerializer,
    EventSerializer,
    EventSummarySerializer,
    EventTermsSerializer,
    FinishSerializer,
    NewStageSerializer,
    NewTournamentSerializer,
    TournamentSerializer,
)
from tournament.api.filtering import TournamentFilter
from tournament.api.money.consent import CLOSED_CONFLICTS, CLOSED_REFUSALS
from tournament.api.schema import ACT, AT, PAST_REFUSALS, WRITE, problems
from tournament.draw.make import cancel_draw, make_draw
from tournament.events.services import (
    create_event,
    create_tournament,
    finish_event,
    reopen_event,
    update_event,
    update_tournament,
)
from tournament.events.stages import add_stage, remove_stage
from tournament.events.terms import EventTerms, terms_of
from tournament.hall.waiting import with_waits
from tournament.models import Event, Tournament
from tournament.money.closing import Consent, keeping_prizes
from tournament.past.moments import shows_the_past, snapshot_of
from tournament.roles.permissions import require
from tournament.snapshot import EventSnapshot, take_snapshot

PRIZES_WON = (
    "If that moves a prize that somebody has won, the answer is `confirm_moves`: send the same again with a `reason` "
    "and the `digest` of the moves."
)
NAME_REFUSALS = ("name_empty", "name_too_long", "name_unprintable")
DAY_REFUSALS = ("last_day_before_first", "time_out_of_range", "time_zone_unknown")
CONTRADICTIONS = ("consolation_missing", "grand_final_not_for_all", "finalist_falls", "third_place_taken")
OPTION_REFUSALS = (
    *("length_out_of_range", "lengths_not_a_list", "seeding_unknown", "option_invalid", "option_unknown"),
    *CONTRADICTIONS,
    "rate_point_of_teams",
)
TERMS_REFUSALS = (
    *NAME_REFUSALS,
    *("profile_unknown", "format_unknown", "tiebreak_unknown", "tiebreak_twice", "tiebreaks_too_many"),
    *("boards_not_odd", "teams_of_pairs", "public_source_unknown"),
    *OPTION_REFUSALS,
    *("clock_incomplete", "clock_out_of_range", "time_out_of_range", "confirm_minutes_out_of_range"),
    *("list_unknown", "lists_too_many", "class_unknown"),
)
COMMON_OPTIONS = ("lengths", "seeding")
STAGE_REFUSALS = ("format_unknown", *OPTION_REFUSALS, "carry_unknown", "boards_not_odd")
DRAW_REFUSALS = (
    *("field_size", "player_meets_self", "pools_too_many", "pools_too_few", "left_not_below_field"),
    *CONTRADICTIONS,
)
ETAG = OpenApiParameter(
    "ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[200], description="The version of this state."
)
VERSIONS = Sum("events__version")
IF_NONE_MATCH = OpenApiParameter("If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER)


def find_event(event_id: int) -> Event:
    for event in _EVENT.find(Event, event_id):
        return event
    raise Http404


_EVENT = Statement(lambda pk: Event.objects.select_related("tournament").filter(pk=pk))


def event_for(request: Request, event_id: int, action: str) -> Event:
    """Find the event, if the user may take this action there. Raises Http404 or Forbidden."""
    event = find_event(event_id)
    require(request.user, event, action)
    return event


def etag_of(event_id: int, version: int, standings_version: int, hall_version: int, versions: int, *named: str) -> str:
    """Return a tag that stays the same as long as everything a visitor can read about the event does.

    ``versions`` are those of all events of the tournament, added up: in any of them a player may become busy. The
    tournament is ``named`` so.
    """
    counted = f"{event_id}-{version}-{standings_version}-{hall_version}-{versions}-{crc32(repr(named).encode()):x}"
    return f'"{counted}-{get_language()}-{timezone.localdate()}"'


def _counted(event_id: int) -> QuerySet:
    around = Tournament.everything.filter(pk=OuterRef("tournament")).annotate(versions=VERSIONS)
    counted = Event.objects.filter(pk=event_id).annotate(
        counted=Max("stages__standings_version"), versions=Subquery(around.values("versions"))
    )
    named = [f"tournament__{column}" for column in ("name", "slug")]
    return counted.order_by().values_list("version", "counted", "tournament__hall_version", "versions", *named)


_COUNTED = Statement(_counted)


def answer_snapshot(snapshot: EventSnapshot, **kwargs: Any) -> Response:
    """Answer with the event as it is now, under its ETag."""
    tournament = Tournament.everything.annotate(versions=VERSIONS).get(pk=snapshot.tournament_id)
    # Read after the versions: a change in the meantime is told, and asked for once more.
    told = with_waits(tournament, snapshot)
    # A plain dict: that of the serializer would keep the serializer, and with it the snapshot, alive.
    response = Response(dict(EventSerializer(told).data), **kwargs)
    versions = snapshot.version, snapshot.standings_version, snapshot.hall_version, tournament.versions
    named = snapshot.tournament_name, snapshot.tournament_slug
    return _with_etag(response, etag_of(snapshot.id, *versions, *named))


def _with_etag(response: Response, etag: str) -> Response:
    response.headers["ETag"] = etag
    patch_cache_control(response, no_cache=True)
    return response


class TournamentsView(Api, generics.ListAPIView):
    queryset = Tournament.objects.all()
    serializer_class = TournamentSerializer
    pagination_class = Pages
    filterset_class = TournamentFilter

    @extend_schema(
        summary="List all tournaments, the latest first", responses={200: TournamentSerializer(many=True)} | problems()
    )
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Create a tournament and direct it",
        request=NewTournamentSerializer,
        responses={201: TournamentSerializer} | problems(*WRITE, refusals=(*NAME_REFUSALS, *DAY_REFUSALS)),
    )
    def post(self, request: Request) -> Response:
        data = NewTournamentSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        tournament = create_tournament(**data.validated_data, by=user_of(request), at=timezone.now())
        location = reverse("api:tournament", [tournament.pk])
        return Response(TournamentSerializer(tournament).data, status=201, headers={"Location": location})


class TournamentView(Api, generics.RetrieveAPIView):
    queryset = Tournament.objects.all()
    serializer_class = TournamentSerializer
    lookup_url_kwarg = "tournament_id"

    @extend_schema(summary="Show a tournament", responses={200: TournamentSerializer} | problems())
    def get(self, request: Request, tournament_id: int) -> Response:
        return self.retrieve(request)

    @extend_schema(
        summary="Change the name, place, days or time zone of a tournament",
        description="Send only what changes. Its address stays the same.",
        request=NewTournamentSerializer(partial=True),
        responses={200: TournamentSerializer} | problems(*WRITE, refusals=(*NAME_REFUSALS, *DAY_REFUSALS)),
    )
    def patch(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        user = require(request.user, tournament, "change_tournament")
        data = NewTournamentSerializer(data=request.data, partial=True)
        data.is_valid(raise_exception=True)
        if not data.validated_data:
            raise ValidationError(_("Send at least one field to change."), code="empty")
        facts = {"name": tournament.name, "place": tournament.place, "starts_on": tournament.starts_on}
        changed = update_tournament(tournament, **(facts | data.validated_data), by=user, at=timezone.now())
        return Response(TournamentSerializer(changed).data)


class TournamentEventsView(Api, generics.ListAPIView):
    serializer_class = EventSummarySerializer
    pagination_class = Pages
    queryset = Event.objects.none()

    def get_queryset(self) -> QuerySet[Event]:
        tournament = get_object_or_404(Tournament, pk=self.kwargs["tournament_id"])
        counted = tournament.events.annotate(entry_count=Count("entries"))
        return counted.prefetch_related("stages").order_by("id")

    @extend_schema(
        summary="List the events of a tournament", responses={200: EventSummarySerializer(many=True)} | problems()
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Create an event",
        request=EventTermsSerializer,
        responses={201: EventSerializer} | problems(*WRITE, refusals=TERMS_REFUSALS),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "create_event")
        data = EventTermsSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        event = create_event(tournament, EventTerms(**data.validated_data), by=user_of(request), at=timezone.now())
        location = reverse("api:event", [event.pk])
        return answer_snapshot(take_snapshot(event.pk), status=201, headers={"Location": location})


@shows_the_past
class EventView(ApiView):
    @extend_schema(
        summary="Show an event as it is now",
        description="Entries, pairings, bracket, live scores and standings. Ask again with `If-None-Match`: as "
        "long as nothing has changed, the answer is an empty 304.",
        parameters=[ETAG, IF_NONE_MATCH, AT],
        responses={200: EventSerializer, 304: OpenApiResponse(description="Nothing has changed.")}
        | problems(refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        if request.query_params.get("at"):
            return Response(EventSerializer(snapshot_of(request, find_event(event_id))).data)
        found = _COUNTED.rows(event_id)
        if not found:
            raise Http404
        etag = etag_of(event_id, *found[0])
        seen = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
        if etag in seen or "*" in seen:
            return _with_etag(Response(status=304), etag)
        try:
            return answer_snapshot(take_snapshot(event_id))
        except Event.DoesNotExist as error:
            raise Http404 from error

    @extend_schema(
        summary="Change the terms of an event",
        description="Send only what changes. After the draw only name, tie-breaks, clock, start and what concerns "
        f"reports and phones may change. {PRIZES_WON}",
        request=EventChangeSerializer(partial=True),
        responses={200: EventSerializer}
        | problems(
            *WRITE,
            refusals=(*TERMS_REFUSALS, *CLOSED_REFUSALS),
            conflicts=(
                *("event_drawn", "declaration_fixed", "entries_closed", "event_has_entries", "event_finished"),
                *CLOSED_CONFLICTS,
            ),
        ),
    )
    def patch(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_event")
        data = EventChangeSerializer(data=request.data, partial=True)
        data.is_valid(raise_exception=True)
        if not data.validated_data:
            raise ValidationError(_("Send at least one field to change."), code="empty")
        changed = dict(data.validated_data)
        consent = Consent(reason=changed.pop("reason", ""), digest=changed.pop("digest", ""))
        with keeping_prizes(event, consent, terms=str(changed)) as event:
            stage = event.stages.get(number=1)
            same_format = changed.get("format", stage.format) == stage.format
            kept = stage.options if same_format else {name: stage.options[name] for name in COMMON_OPTIONS}
            changed["options"] = kept | changed.get("options", {})
            update_event(event, replace(terms_of(event, stage), **changed), by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))


class StagesView(ApiView):
    @extend_schema(
        summary="Add a stage after the last one",
        description=PRIZES_WON,
        request=NewStageSerializer,
        responses={201: EventSerializer}
        | problems(
            *WRITE,
            refusals=(*STAGE_REFUSALS, "qualifiers_out_of_range", "stages_too_many", *CLOSED_REFUSALS),
            conflicts=("entries_closed", "event_finished", *CLOSED_CONFLICTS),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_event")
        data = NewStageSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        terms = dict(data.validated_data)
        consent = Consent(reason=terms.pop("reason"), digest=terms.pop("digest"))
        with keeping_prizes(event, consent, stage=str(terms)):
            add_stage(event, **terms, by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id), status=201)


class StageView(ApiView):
    @extend_schema(
        summary="Remove the last stage",
        responses={200: EventSerializer}
        | problems(*ACT, conflicts=("stage_not_last", "event_drawn", "entries_closed", "event_finished")),
    )
    def delete(self, request: Request, event_id: int, number: int) -> Response:
        event = event_for(request, event_id, "change_event")
        remove_stage(event, number=number, by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))


class DrawView(ApiView):
    @extend_schema(
        summary="Draw, and publish the pairings and the seed",
        description="Draws the first stage that has not been drawn. If every stage has been, nothing changes.",
        request=None,
        responses={200: EventSerializer}
        | problems(
            *WRITE,
            refusals=DRAW_REFUSALS,
            conflicts=(
                *("not_checked_in", "stage_waits", "event_finished"),
                *("public_value_missing", "entries_changed"),
            ),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        make_draw(event_for(request, event_id, "make_draw"), by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))

    @extend_schema(
        summary="Cancel the draw, and open the entries again",
        responses={200: EventSerializer} | problems(*ACT, conflicts=("draw_in_play", "event_finished")),
    )
    def delete(self, request: Request, event_id: int) -> Response:
        cancel_draw(event_for(request, event_id, "make_draw"), by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))


class FinishView(ApiView):
    @extend_schema(
        summary="End an event",
        request=FinishSerializer,
        responses={200: EventSerializer}
        | problems(*WRITE, conflicts=("event_not_drawn", "stage_not_drawn", "event_has_open_matches", "rates_open")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "finish_event")
        sent = FinishSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        finish_event(event, confirmed=sent.validated_data["confirmed"], by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))


class ReopenView(ApiView):
    @extend_schema(
        summary="Reopen an event, so that a result can be corrected",
        request=None,
        responses={200: EventSerializer} | problems(*ACT),
    )
    def post(self, request: Request, event_id: int) -> Response:
        reopen_event(event_for(request, event_id, "finish_event"), by=user_of(request), at=timezone.now())
        return answer_snapshot(take_snapshot(event_id))
