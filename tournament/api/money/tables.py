"""The API for money tables, meant for spreadsheets and other programs."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.events.views import event_for
from tournament.api.exports.files import FILES, TABLE, ExportView
from tournament.api.schema import AT, PAST_REFUSALS, problems
from tournament.exports.money import MONEY_EXPORTS, export_cash
from tournament.models import Tournament
from tournament.past.moments import boxes_of, ledger_of, shows_the_past
from tournament.roles.permissions import require


@shows_the_past
class MoneyTableView(ExportView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Get a table of money (directors)",
        description="`payments` is the cash book, `dues` shows who has paid, `accounts` is the ledger, `payouts` "
        f"the payout sheet. {FILES}",
        parameters=[OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(MONEY_EXPORTS)), AT],
        responses=TABLE | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int, name: str) -> Response:
        event = event_for(request, event_id, "handle_money")
        if name not in MONEY_EXPORTS:
            raise Http404
        return Response(MONEY_EXPORTS[name](ledger_of(request, event)))


@shows_the_past
class CashTableView(ExportView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Get the cash of a tournament by event and purpose, as a table (directors)",
        description="`cash` is what came in, or went out if below 0; the rows of a currency sum to what is in "
        f"its box. {FILES}",
        parameters=[AT],
        responses=TABLE | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "see_cash")
        return Response(export_cash(boxes_of(request, tournament)))
