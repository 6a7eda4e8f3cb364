"""The API for side pools and lots; once play has begun, a change needs consent to what it moves."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.events.views import event_for, find_event
from tournament.api.money.consent import (
    CLOSED,
    CLOSED_CONFLICTS,
    CLOSED_REFUSALS,
    CONSENT,
    ConsentSerializer,
    consent_from,
    consent_in_query,
    consent_sent,
)
from tournament.api.money.serializers import (
    LotSerializer,
    NewLotsSerializer,
    NewSidePoolSerializer,
    SaleBackSerializer,
    SaleSerializer,
    SidePoolSerializer,
    table_from,
)
from tournament.api.schema import ACT, AT, PAST_REFUSALS, WRITE, problems
from tournament.models import Entry, Lot, SidePool
from tournament.money.calcutta import dissolve_lot, make_lot, make_lots, sell_lot, take_lot_back
from tournament.money.ledger import take_ledger
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.past.moments import ledger_of, shows_the_past
from tournament.roles.permissions import require

TABLE_REFUSALS = ("table_empty", "percent_not_whole")
LOT_CONFLICTS = ("lot_changed", "lot_not_sold", "lot_paid", *CLOSED_CONFLICTS)


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
        description=CLOSED,
        request=NewSidePoolSerializer,
        responses={201: SidePoolSerializer}
        | problems(
            *WRITE,
            refusals=("side_pool_taken", "side_pools_too_many", *TABLE_REFUSALS, *CLOSED_REFUSALS),
            conflicts=CLOSED_CONFLICTS,
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
            consent=consent_from(sent),
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
        description=CLOSED,
        request=ConsentSerializer,
        responses={200: SidePoolSerializer}
        | problems(
            *WRITE,
            refusals=("entry_elsewhere", *CLOSED_REFUSALS),
            conflicts=("member_already", *CLOSED_CONFLICTS),
        ),
    )
    def put(self, request: Request, pool_id: int, entry_id: int) -> Response:
        pool, entry = self._find(request, pool_id, entry_id)
        consent = consent_sent(request.data)
        join_side_pool(pool, entry=entry, consent=consent, by=user_of(request), at=timezone.now())
        return Response(_side_pool(pool.event_id, pool.pk))

    @extend_schema(
        summary="Remove an entry from a side pool",
        description=CLOSED,
        parameters=CONSENT,
        responses={204: None} | problems(*ACT, refusals=CLOSED_REFUSALS, conflicts=("member_gone", *CLOSED_CONFLICTS)),
    )
    def delete(self, request: Request, pool_id: int, entry_id: int) -> Response:
        pool, entry = self._find(request, pool_id, entry_id)
        consent = consent_in_query(request)
        leave_side_pool(pool, entry=entry, consent=consent, by=user_of(request), at=timezone.now())
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
        description=CLOSED,
        request=NewLotsSerializer,
        responses={201: LotSerializer(many=True)}
        | problems(
            *WRITE,
            refusals=("lot_empty", *CLOSED_REFUSALS),
            conflicts=("entry_in_a_lot", "entries_in_lots", *CLOSED_CONFLICTS),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "handle_money")
        data = NewLotsSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent, by, now = data.validated_data, user_of(request), timezone.now()
        if "entries" in sent:
            make_lot(event, entries=sent["entries"], consent=consent_from(sent), by=by, at=now)
        else:
            make_lots(event, consent=consent_from(sent), by=by, at=now)
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
        description=CLOSED,
        parameters=CONSENT,
        responses={204: None}
        | problems(*ACT, refusals=CLOSED_REFUSALS, conflicts=("lot_sold", "lot_changed", *CLOSED_CONFLICTS)),
    )
    def delete(self, request: Request, lot_id: int) -> Response:
        lot, consent = _find_lot(request, lot_id), consent_in_query(request)
        dissolve_lot(lot, consent=consent, by=user_of(request), at=timezone.now())
        return Response(status=204)


class SaleView(ApiView):
    @extend_schema(
        summary="Sell a lot",
        description=CLOSED,
        request=SaleSerializer,
        responses={200: LotSerializer}
        | problems(*WRITE, refusals=CLOSED_REFUSALS, conflicts=("lot_prize_paid", *LOT_CONFLICTS)),
    )
    def put(self, request: Request, lot_id: int) -> Response:
        lot = _find_lot(request, lot_id)
        data = SaleSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        sold = {name: sent[name] for name in ("buyer", "price", "base")}
        sell_lot(lot, **sold, consent=consent_from(sent), by=user_of(request), at=timezone.now())
        return _answer_lot(lot)


class SaleBackView(ApiView):
    @extend_schema(
        summary="Take a lot back from its buyer",
        description=CLOSED,
        request=SaleBackSerializer,
        responses={200: LotSerializer} | problems(*WRITE, refusals=CLOSED_REFUSALS, conflicts=LOT_CONFLICTS),
    )
    def post(self, request: Request, lot_id: int) -> Response:
        lot = _find_lot(request, lot_id)
        data = SaleBackSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent, by = data.validated_data, user_of(request)
        take_lot_back(lot, base=sent["base"], consent=consent_from(sent), by=by, at=timezone.now())
        return _answer_lot(lot)
