"""The API for money tables, meant for spreadsheets and other programs."""

from collections.abc import Mapping

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView
from tournament.api.events.views import event_for
from tournament.api.money.serializers import MoneyTableSerializer
from tournament.api.schema import AT, PAST_REFUSALS, problems
from tournament.exports.formats import Export, write_csv, write_json
from tournament.exports.money import MONEY_EXPORTS, export_cash
from tournament.models import Tournament
from tournament.past.moments import boxes_of, ledger_of, shows_the_past
from tournament.roles.permissions import require


class CsvRenderer(BaseRenderer):
    """A table as CSV."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Export, media_type: str | None = None, context: Mapping[str, object] | None = None) -> bytes:
        return write_csv(data).encode()


class TableJsonRenderer(BaseRenderer):
    """A table as JSON, with its schema."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Export, media_type: str | None = None, context: Mapping[str, object] | None = None) -> bytes:
        return write_json(data).encode()


class ExportView(ApiView):
    """A table, as JSON or CSV."""

    permission_classes = [IsAuthenticated]
    renderer_classes = [TableJsonRenderer, CsvRenderer]
    # DRF's answer to OPTIONS is not a table.
    http_method_names = ["get", "head"]


@shows_the_past
class MoneyTableView(ExportView):
    @extend_schema(
        summary="Get a table of money (directors)",
        description="`payments` is the cash book, `dues` shows who has paid, `accounts` is the ledger, `payouts` "
        "the payout sheet. `Accept: text/csv` gives the file that the page offers.",
        parameters=[OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(MONEY_EXPORTS)), AT],
        responses={(200, "application/json"): MoneyTableSerializer, (200, "text/csv"): OpenApiTypes.STR}
        | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int, name: str) -> Response:
        event = event_for(request, event_id, "handle_money")
        if name not in MONEY_EXPORTS:
            raise Http404
        return Response(MONEY_EXPORTS[name](ledger_of(request, event)))


@shows_the_past
class CashTableView(ExportView):
    @extend_schema(
        summary="Get the cash of a tournament by event and purpose, as a table (directors)",
        description="`cash` is what came in, or went out if below 0; the rows of a currency sum to what is in "
        "its box. `Accept: text/csv` gives the file that the page offers.",
        parameters=[AT],
        responses={(200, "application/json"): MoneyTableSerializer, (200, "text/csv"): OpenApiTypes.STR}
        | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "see_cash")
        return Response(export_cash(boxes_of(request, tournament)))
