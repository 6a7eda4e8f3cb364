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
from tournament.api.money.serializers import (
    BoxSerializer,
    CashSerializer,
    LotSerializer,
    MoneyPreviewSerializer,
    MoneySerializer,
    NewLotsSerializer,
    NewSidePoolSerializer,
    PartSerializer,
    PaymentSerializer,
    PrizesSerializer,
    ReversalSerializer,
    SaleBackSerializer,
    SaleSerializer,
    SettleSerializer,
    SidePoolSerializer,
    table_from,
    terms_from,
)
from tournament.api.results.views import KEY_HEADER, key_from
from tournament.api.schema import ACT, AT, PAST_REFUSALS, WRITE, problems
from tournament.models import Entry, Lot, Payment, SidePool, Tournament
from tournament.money.calcutta import dissolve_lot, make_lot, make_lots, sell_lot, take_lot_back
from tournament.money.ledger import payment_views, take_ledger
from tournament.money.services import pay_part, preview_money, reverse_payment, set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.past.moments import boxes_of, ledger_of, shows_the_past
from tournament.roles.permissions import require

TABLE_REFUSALS = ("table_empty", "percent_not_whole")
MONEY_REFUSALS = (
    *("rake_above_fee", "rake_above_pot", "section_twice", "groups_and_more", "parts_not_whole", *TABLE_REFUSALS),
    *("amount_out_of_range", "step_invalid"),
)
KEY_REFUSALS = ("key_missing", "keys_differ")
LOT_CONFLICTS = ("lot_changed", "lot_not_sold", "lot_paid")


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
        request=MoneySerializer,
        responses={200: MoneySerializer} | problems(*WRITE, refusals=MONEY_REFUSALS, conflicts=("currency_in_use",)),
    )
    def put(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "handle_money")
        data = MoneySerializer(data=request.data)
        data.is_valid(raise_exception=True)
        money = set_money(event, terms_from(data.validated_data), by=user_of(request), at=timezone.now())
        return Response(MoneySerializer(money).data)


class MoneyPreviewView(ApiView):
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
        ledger = preview_money(event, terms_from(data.validated_data), by=user_of(request), at=timezone.now())
        return Response(MoneyPreviewSerializer(ledger).data)


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


@shows_the_past
class SidePoolsView(ApiView):
    @extend_schema(
        operation_id="events_side_pools_list",
        summary="List the side pools of an event",
        parameters=[AT],
        responses={200: SidePoolSerializer(many=True)} | problems(refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(SidePoolSerializer(ledger_of(request, find_event(event_id)).side_pools, many=True).data)

    @extend_schema(
        summary="Create a side pool",
        request=NewSidePoolSerializer,
        responses={201: SidePoolSerializer}
        | problems(
            *WRITE,
            refusals=("side_pool_taken", "side_pools_too_many", *TABLE_REFUSALS),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "handle_money")
        data = NewSidePoolSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        pool = open_side_pool(
            event,
            name=sent["name"],
            fee=sent["fee"],
            table=table_from(sent["table"]),
            by=user_of(request),
            at=timezone.now(),
        )
        return Response(_side_pool(event.pk, pool.pk), status=201)


def _side_pool(event_id: int, pool_id: int) -> dict:
    (found,) = (pool for pool in take_ledger(event_id).side_pools if pool.id == pool_id)
    return SidePoolSerializer(found).data


class SidePoolMemberView(ApiView):
    @extend_schema(
        summary="Add an entry to a side pool",
        request=None,
        responses={200: SidePoolSerializer}
        | problems(*ACT, refusals=("entry_elsewhere",), conflicts=("member_already",)),
    )
    def put(self, request: Request, pool_id: int, entry_id: int) -> Response:
        pool, entry = self._find(request, pool_id, entry_id)
        join_side_pool(pool, entry=entry, by=user_of(request), at=timezone.now())
        return Response(_side_pool(pool.event_id, pool.pk))

    @extend_schema(
        summary="Remove an entry from a side pool", responses={204: None} | problems(*ACT, conflicts=("member_gone",))
    )
    def delete(self, request: Request, pool_id: int, entry_id: int) -> Response:
        pool, entry = self._find(request, pool_id, entry_id)
        leave_side_pool(pool, entry=entry, by=user_of(request), at=timezone.now())
        return Response(status=204)

    def _find(self, request: Request, pool_id: int, entry_id: int) -> tuple[SidePool, Entry]:
        pool = get_object_or_404(SidePool.objects.select_related("event__tournament"), pk=pool_id)
        require(request.user, pool.event, "handle_money")
        return pool, get_object_or_404(Entry.objects.select_related("player", "partner"), pk=entry_id)


@shows_the_past
class LotsView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="events_lots_list",
        summary="List the lots of the calcutta, in their order (directors)",
        parameters=[AT],
        responses={200: LotSerializer(many=True)} | problems(403, refusals=PAST_REFUSALS),
    )
    def get(self, request: Request, event_id: int) -> Response:
        return Response(
            LotSerializer(ledger_of(request, event_for(request, event_id, "handle_money")).lots, many=True).data
        )

    @extend_schema(
        summary="Make one lot of some entries, or one of each entry that is in none",
        request=NewLotsSerializer,
        responses={201: LotSerializer(many=True)}
        | problems(*WRITE, refusals=("lot_empty",), conflicts=("entry_in_a_lot", "entries_in_lots")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "handle_money")
        data = NewLotsSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        by, now = user_of(request), timezone.now()
        if "entries" in data.validated_data:
            make_lot(event, entries=data.validated_data["entries"], by=by, at=now)
        else:
            make_lots(event, by=by, at=now)
        return Response(LotSerializer(take_ledger(event.pk).lots, many=True).data, status=201)


def _find_lot(request: Request, lot_id: int) -> Lot:
    lot = get_object_or_404(Lot.objects.select_related("event__tournament"), pk=lot_id)
    require(request.user, lot.event, "handle_money")
    return lot


def _answer_lot(lot: Lot) -> Response:
    (found,) = (view for view in take_ledger(lot.event_id).lots if view.id == lot.pk)
    return Response(LotSerializer(found).data)


class LotView(ApiView):
    @extend_schema(
        summary="Split up a lot that was never sold",
        responses={204: None} | problems(*ACT, conflicts=("lot_sold", "lot_changed")),
    )
    def delete(self, request: Request, lot_id: int) -> Response:
        dissolve_lot(_find_lot(request, lot_id), by=user_of(request), at=timezone.now())
        return Response(status=204)


class SaleView(ApiView):
    @extend_schema(
        summary="Sell a lot",
        request=SaleSerializer,
        responses={200: LotSerializer} | problems(*WRITE, conflicts=LOT_CONFLICTS),
    )
    def put(self, request: Request, lot_id: int) -> Response:
        lot = _find_lot(request, lot_id)
        data = SaleSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sell_lot(lot, **data.validated_data, by=user_of(request), at=timezone.now())
        return _answer_lot(lot)


class SaleBackView(ApiView):
    @extend_schema(
        summary="Take a lot back from its buyer",
        request=SaleBackSerializer,
        responses={200: LotSerializer} | problems(*WRITE, conflicts=LOT_CONFLICTS),
    )
    def post(self, request: Request, lot_id: int) -> Response:
        lot = _find_lot(request, lot_id)
        data = SaleBackSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        take_lot_back(lot, base=data.validated_data["base"], by=user_of(request), at=timezone.now())
        return _answer_lot(lot)
