"""The API for the hall: calling, starting, moving and recalling matches; tables, breaks and the plan of the day."""

from django.db.models import BigIntegerField
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.statements import Statement, columns_of
from tournament.api.access import ApiView, user_of
from tournament.api.events.fixtures import CallSerializer
from tournament.api.hall.serializers import (
    BreakSerializer,
    CallMatchSerializer,
    CallReadySerializer,
    DaySerializer,
    HallSerializer,
    MoveMatchSerializer,
    NewBreakSerializer,
    NewTablesSerializer,
    SiteAddressSerializer,
    TableSerializer,
    TableTermsSerializer,
)
from tournament.api.results.views import match_for
from tournament.api.schema import ACT, WRITE, problems
from tournament.api.versions import regardless_of
from tournament.forecast.day import plan_of_the_day
from tournament.hall.calling import call_match, call_ready, move_match, recall_match, start_match
from tournament.hall.desk import take_desk
from tournament.hall.site import set_site_address
from tournament.hall.tables import add_break, add_tables, remove_break, update_table
from tournament.models import Break, Call, Event, Table, Tournament
from tournament.roles.claims import SETTLES
from tournament.roles.permissions import reaches_in, require
from tournament.snapshot import CallSnapshot

TABLE_CONFLICTS = ("table_taken", "table_unknown", "table_out_of_order")
CALL_CONFLICTS = (
    *("match_called", "player_at_another_table", "match_has_a_result", "no_table_free"),
    *TABLE_CONFLICTS,
    *("event_finished", "match_not_in_draw"),
)


def tournament_for(request: Request, tournament_id: int, action: str) -> Tournament:
    """Find the tournament, if the user may take this action there. Raises Http404 or Forbidden."""
    if tournament_id > BigIntegerField.MAX_BIGINT:
        raise Http404
    for tournament in _TOURNAMENT.find(Tournament, tournament_id):
        require(request.user, tournament, action)
        return tournament
    raise Http404


_TOURNAMENT = Statement(lambda pk: Tournament.objects.filter(pk=pk).values_list(*columns_of(Tournament)))


def answer_call(call: Call, status: int = 200) -> Response:
    view = CallSnapshot(call.table_number, call.called_at, call.started_at)
    return Response(CallSerializer(view).data, status=status)


class HallView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Show the hall: every open match in the order of the desk, and every table",
        responses={200: HallSerializer} | problems(403),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = tournament_for(request, tournament_id, "see_desk")
        return regardless_of(_answer_hall(request, tournament), "at")


def _answer_hall(request: Request, tournament: Tournament) -> Response:
    settles = reaches_in(request.user, tournament)[SETTLES]
    return Response(HallSerializer(take_desk(tournament, at=timezone.now()).without_claims(settles)).data)


class DayView(ApiView):
    @extend_schema(
        summary="Show the plan of the day: starts, expected ends and breaks",
        description="The ends are computed in the background: ask again where they are null.",
        responses={200: DaySerializer} | problems(),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        return Response(DaySerializer(plan_of_the_day(tournament, at=timezone.now())).data)


class CallReadyView(ApiView):
    @extend_schema(
        summary="Call as many ready matches as there are tables for",
        description="In a hall without tables, all of them. Matches expected to run into a break are not called. "
        "The answer is the hall afterwards.",
        request=CallReadySerializer,
        responses={200: HallSerializer} | problems(*WRITE),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = tournament_for(request, tournament_id, "call_match")
        data = CallReadySerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data["event"]
        event = get_object_or_404(tournament.events, pk=asked) if asked is not None else None
        call_ready(tournament, event=event, by=user_of(request), at=timezone.now())
        return _answer_hall(request, tournament)


class TablesView(ApiView):
    @extend_schema(summary="List the tables of the hall", responses={200: TableSerializer(many=True)} | problems())
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        return Response(TableSerializer(tournament.tables.all(), many=True).data)

    @extend_schema(
        summary="Add a range of tables",
        description="Tables that exist already stay as they are.",
        request=NewTablesSerializer,
        responses={200: TableSerializer(many=True)} | problems(*WRITE, refusals=("table_numbers_out_of_range",)),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = tournament_for(request, tournament_id, "change_hall")
        data = NewTablesSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        add_tables(tournament, **data.validated_data, by=user_of(request), at=timezone.now())
        return Response(TableSerializer(tournament.tables.all(), many=True).data)


class TableView(ApiView):
    @extend_schema(
        summary="Reserve a table, stream it, or put it out of order",
        request=TableTermsSerializer,
        responses={200: TableSerializer}
        | problems(*WRITE, refusals=("event_of_another_tournament",), conflicts=("table_taken", "table_unknown")),
    )
    def patch(self, request: Request, tournament_id: int, number: int) -> Response:
        tournament = tournament_for(request, tournament_id, "change_hall")
        table = get_object_or_404(Table, tournament=tournament, number=number)
        data = TableTermsSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        reserved = sent.get("event", table.event_id)
        changed = update_table(
            tournament,
            number=number,
            event=get_object_or_404(Event, pk=reserved) if reserved is not None else None,
            streamed=sent.get("streamed", table.streamed),
            out_of_order=sent.get("out_of_order", table.out_of_order),
            by=user_of(request),
            at=timezone.now(),
        )
        return Response(TableSerializer(changed).data)


class SiteAddressView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Get the site address of a tournament (directors)",
        responses={200: SiteAddressSerializer} | problems(403),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        return Response(SiteAddressSerializer(tournament_for(request, tournament_id, "change_hall")).data)

    @extend_schema(
        summary="Set the site address, with which QR codes and invitations begin",
        description="`http://` or `https://`, a host that phones can reach, and a port or none.",
        request=SiteAddressSerializer,
        responses={200: SiteAddressSerializer}
        | problems(*WRITE, refusals=("site_address_invalid", "site_address_local")),
    )
    def put(self, request: Request, tournament_id: int) -> Response:
        tournament = tournament_for(request, tournament_id, "change_hall")
        data = SiteAddressSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        address = data.validated_data["site_address"]
        changed = set_site_address(tournament, address=address, by=user_of(request), at=timezone.now())
        return Response(SiteAddressSerializer(changed).data)


class BreaksView(ApiView):
    @extend_schema(summary="List the breaks of a tournament", responses={200: BreakSerializer(many=True)} | problems())
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        return Response(BreakSerializer(tournament.breaks.all(), many=True).data)

    @extend_schema(
        summary="Plan a break",
        request=NewBreakSerializer,
        responses={201: BreakSerializer}
        | problems(
            *WRITE,
            refusals=(
                *("break_ends_before_it_starts", "breaks_overlap", "breaks_too_many", "time_out_of_range"),
                *("name_empty", "name_too_long", "name_unprintable"),
            ),
        ),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = tournament_for(request, tournament_id, "change_hall")
        data = NewBreakSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        added = add_break(tournament, **data.validated_data, by=user_of(request), at=timezone.now())
        return Response(BreakSerializer(added).data, status=201)


class BreakView(ApiView):
    @extend_schema(summary="Remove a break", responses={204: None} | problems(*ACT))
    def delete(self, request: Request, tournament_id: int, break_id: int) -> Response:
        tournament = tournament_for(request, tournament_id, "change_hall")
        get_object_or_404(Break, tournament=tournament, pk=break_id)
        remove_break(tournament, break_id=break_id, by=user_of(request), at=timezone.now())
        return Response(status=204)


class CallMatchView(ApiView):
    @extend_schema(
        summary="Call a match to a table",
        description="To the table named, or to the best free one. In a hall without tables its players are called by "
        "name. If two call it at once, the second gets `match_called`.",
        request=CallMatchSerializer,
        responses={201: CallSerializer} | problems(*WRITE, conflicts=CALL_CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "call_match")
        data = CallMatchSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        call = call_match(match, table=data.validated_data["table"], by=user_of(request), at=timezone.now())
        return answer_call(call, status=201)


class StartMatchView(ApiView):
    @extend_schema(
        summary="Mark a called match as begun",
        request=None,
        responses={200: CallSerializer} | problems(*ACT, conflicts=("match_not_called", "match_not_in_draw")),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "call_match")
        return answer_call(start_match(match, by=user_of(request), at=timezone.now()))


class MoveMatchView(ApiView):
    @extend_schema(
        summary="Move a match to another table",
        request=MoveMatchSerializer,
        responses={200: CallSerializer}
        | problems(*WRITE, conflicts=("match_not_called", *TABLE_CONFLICTS, "match_not_in_draw")),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "call_match")
        data = MoveMatchSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        return answer_call(move_match(match, **data.validated_data, by=user_of(request), at=timezone.now()))


class RecallMatchView(ApiView):
    @extend_schema(
        summary="Take back the call of a match",
        request=None,
        responses={200: CallSerializer} | problems(*ACT, conflicts=("match_not_called", "match_not_in_draw")),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "call_match")
        return answer_call(recall_match(match, by=user_of(request), at=timezone.now()))
