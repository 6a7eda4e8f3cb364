"""The API for money: anybody may read the prizes, and directors the payments too; amounts are in the smallest unit."""

from collections.abc import Callable, Sequence

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.events.views import event_for, find_event
from tournament.api.money.consent import CLOSED, CLOSED_CONFLICTS, CLOSED_REFUSALS, consent_from
from tournament.api.money.serializers import (
    BoxSerializer,
    CashSerializer,
    MoneyPreviewSerializer,
    MoneySerializer,
    PartSerializer,
    PaymentSerializer,
    PrizesSerializer,
    ReversalSerializer,
    SetMoneySerializer,
    SettleSerializer,
    terms_from,
)
from tournament.api.results.views import KEY_HEADER, key_from
from tournament.api.schema import AT, PAST_REFUSALS, WRITE, problems
from tournament.models import Payment, Tournament
from tournament.money.ledger import payment_views
from tournament.money.services import pay_part, preview_money, reverse_payment, set_money, settle_accounts
from tournament.past.moments import boxes_of, ledger_of, shows_the_past
from tournament.roles.permissions import require

TABLE_REFUSALS = ("table_empty", "percent_not_whole")
MONEY_REFUSALS = (
    *("rake_above_fee", "rake_above_pot", "section_twice", "groups_and_more", "parts_not_whole", *TABLE_REFUSALS),
    *("amount_out_of_range", "step_invalid"),
)
KEY_REFUSALS = ("key_missing", "keys_differ")


def _payments(rows: Sequence[Payment]) -> list[dict]:
    """Return the answer to a client that made these payments, given in order and all belonging to one event."""
    ids = {row.pk for row in rows}
    known = list(Payment.objects.filter(event=rows[0].event_id).select_related("by").order_by("id"))
    views = payment_views([row for row in known if row.pk in ids], beside=known)
    return PaymentSerializer(views, many=True).data  # type: ignore[return-value]


@shows_the_past
class MoneyView(ApiView):
    @extend_schema(
        summary="Show what an event costs and pays out",
        parameters=[AT],
        responses={200: MoneySerializer} | problems(refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(MoneySerializer(ledger_of(request, find_event(event_id)).terms).data)

    @extend_schema(
        summary="Set what an event costs and pays out",
        description=CLOSED,
        request=SetMoneySerializer,
        responses={200: MoneySerializer}
        | problems(
            *WRITE,
            refusals=(*MONEY_REFUSALS, *CLOSED_REFUSALS),
            conflicts=("currency_in_use", *CLOSED_CONFLICTS),
        ),
    )
    def put(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "handle_money")
        data = SetMoneySerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent, by = data.validated_data, user_of(request)
        money = set_money(event, terms_from(sent), consent=consent_from(sent), by=by, at=timezone.now())
        return Response(MoneySerializer(money).data)


class MoneyPreviewView(ApiView):
    takes_keys = False
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Preview other terms; nothing is stored",
        request=MoneySerializer,
        responses={200: MoneyPreviewSerializer}
        | problems(*WRITE, refusals=MONEY_REFUSALS, conflicts=("currency_in_use",)),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "handle_money")
        data = MoneySerializer(data=request.data)
        data.is_valid(raise_exception=True)
        preview = preview_money(event, terms_from(data.validated_data), by=user_of(request), at=timezone.now())
        moves = preview.moves.as_dict() if preview.moves else None
        return Response({**MoneyPreviewSerializer(preview.ledger).data, "moves": moves})


@shows_the_past
class PrizesView(ApiView):
    @extend_schema(
        summary="Show what the places of an event are paid, and to whom",
        parameters=[AT],
        responses={200: PrizesSerializer} | problems(refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(PrizesSerializer(ledger_of(request, find_event(event_id))).data)


@shows_the_past
class CashView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Show all balances and payments of an event (directors)",
        parameters=[AT],
        responses={200: CashSerializer} | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(CashSerializer(ledger_of(request, event_for(request, event_id, "handle_money"))).data)


@shows_the_past
class TournamentCashView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="tournaments_cash_list",
        summary="Show the cash of a tournament, by currency (directors)",
        parameters=[AT],
        responses={200: BoxSerializer(many=True)} | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "see_cash")
        return Response(BoxSerializer(boxes_of(request, tournament), many=True).data)


PAID = {
    201: PaymentSerializer(many=True),
    200: OpenApiResponse(PaymentSerializer(many=True), "The payments of a repeated submission."),
}


def _pay(
    request: Request,
    event_id: int,
    serializer: type[SettleSerializer] | type[PartSerializer],
    service: Callable[..., tuple[list[Payment], bool]],
) -> Response:
    event = event_for(request, event_id, "handle_money")
    data = serializer(data=request.data)
    data.is_valid(raise_exception=True)
    sent = data.validated_data
    key = key_from(request, sent.pop("key", ""))
    rows, is_new = service(event, **sent, key=key, by=user_of(request), at=timezone.now())
    answer = _payments(rows)
    return Response(answer, status=201 if is_new else 200)


class PaymentsView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Settle accounts: take in or pay out what is open on them",
        parameters=[KEY_HEADER],
        request=SettleSerializer,
        responses=PAID
        | problems(
            *WRITE,
            refusals=("account_unknown", *KEY_REFUSALS),
            conflicts=("amount_changed", "nothing_open", "place_open", "key_reused"),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        return _pay(request, event_id, SettleSerializer, settle_accounts)


class PartPaymentsView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Take in or pay out a part of what is open",
        description="For example when several people bought a lot together: each pays a part, under their own name.",
        parameters=[KEY_HEADER],
        request=PartSerializer,
        responses=PAID
        | problems(
            *WRITE,
            refusals=("account_unknown", *KEY_REFUSALS),
            conflicts=("amount_above_open", "nothing_open", "place_open", "key_reused"),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        return _pay(request, event_id, PartSerializer, pay_part)


class ReversalView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Reverse a payment by another one",
        parameters=[KEY_HEADER],
        request=ReversalSerializer,
        responses={
            201: PaymentSerializer,
            200: OpenApiResponse(PaymentSerializer, "The payment of a repeated submission."),
        }
        | problems(*WRITE, refusals=KEY_REFUSALS, conflicts=("payment_reversed", "key_reused")),
    )
    def post(self, request: Request, payment_id: int) -> Response:
        payment = get_object_or_404(Payment.objects.select_related("event__tournament"), pk=payment_id)
        require(request.user, payment.event, "handle_money")
        data = ReversalSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        row, is_new = reverse_payment(
            payment,
            reason=data.validated_data["reason"],
            key=key_from(request, data.validated_data.get("key", "")),
            by=user_of(request),
            at=timezone.now(),
        )
        (answer,) = _payments([row])
        return Response(answer, status=201 if is_new else 200)
