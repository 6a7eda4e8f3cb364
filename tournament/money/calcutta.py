"""The calcutta: entries are put into lots, and a lot is sold to whoever bids most."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step
from tournament.models import Event, Lot, LotSale
from tournament.money.services import record_money
from tournament.prizes import MAX_AMOUNT


@transaction.atomic
def make_lot(event: Event, *, entries: Sequence[int], by: User | None, at: datetime) -> Lot:
    """These entries are one lot: one, or several as a field. Raises Refusal, Conflict if one is in a lot already."""
    event, at = begin_step(event, at)
    found = list(event.entries.filter(pk__in=entries).select_related("player", "partner"))
    if not found or len(found) != len(set(entries)):
        raise Refusal("lot_empty", _("A lot is of one or several entries of this event."))
    if Lot.objects.filter(event=event, entries__in=found).exists():
        raise Conflict("entry_in_a_lot", _("One of these entries is in a lot already."))
    lot = _new_lots(event, [[entry.pk for entry in found]])[0]
    record_money(event, verb="make_lots", by=by, at=at, names=[entry.name for entry in found], lots=[lot.number])
    return lot


@transaction.atomic
def make_lots(event: Event, *, by: User | None, at: datetime) -> list[Lot]:
    """Every entry that is in no lot is one of its own. Raises Conflict if there is none."""
    event, at = begin_step(event, at)
    free = list(event.entries.filter(lots=None).select_related("player", "partner").order_by("number"))
    if not free:
        raise Conflict("entries_in_lots", _("Every entry is in a lot already."))
    lots = _new_lots(event, [[entry.pk] for entry in free])
    told = {"names": [entry.name for entry in free], "lots": [lot.number for lot in lots]}
    record_money(event, verb="make_lots", by=by, at=at, **told)
    return lots


def _new_lots(event: Event, members: Sequence[Sequence[int]]) -> list[Lot]:
    last = event.lots.aggregate(last=Max("number"))["last"] or 0
    Lot.objects.bulk_create(Lot(event=event, number=last + index) for index in range(1, len(members) + 1))
    lots = list(event.lots.filter(number__gt=last).order_by("number"))
    membership = Lot.entries.through
    membership.objects.bulk_create(
        membership(lot_id=lot.pk, entry_id=entry) for lot, own in zip(lots, members, strict=True) for entry in own
    )
    return lots


@transaction.atomic
def dissolve_lot(lot: Lot, *, by: User | None, at: datetime) -> None:
    """The lot is gone, and its entries are free. Raises Conflict once it was ever sold, or is gone already."""
    event, at = begin_step(lot.event, at)
    _require_there(lot)
    if lot.sales.exists():
        raise Conflict("lot_sold", _("This lot was sold: it stays."))
    number, entries = lot.number, list(lot.entries.values_list("pk", flat=True))
    lot.delete()
    record_money(event, verb="dissolve_lot", by=by, at=at, lot=number, entries=entries)


@transaction.atomic
def sell_lot(lot: Lot, *, buyer: str, price: int, base: int, by: User | None, at: datetime) -> LotSale:
    """The lot is sold to the buyer at the price. ``base`` is how many sales of it the person had seen.

    Raises Conflict if somebody sold it meanwhile, or if the one who had it has paid for it.
    """
    buyer = " ".join(buyer.split())
    if not 1 <= len(buyer) <= 80:
        raise Refusal("buyer_missing", _("Say who bought the lot, in at most 80 characters."))
    if not 1 <= price <= MAX_AMOUNT:
        raise Refusal("amount_out_of_range", _("A lot is sold for an amount above 0."))
    return _sale(lot, buyer, price, base, by=by, at=at)


@transaction.atomic
def take_lot_back(lot: Lot, *, base: int, by: User | None, at: datetime) -> LotSale:
    """The lot is not sold any more. Raises Conflict as :func:`sell_lot`, and for a lot that is not sold."""
    return _sale(lot, "", None, base, by=by, at=at)


def _sale(lot: Lot, buyer: str, price: int | None, base: int, *, by: User | None, at: datetime) -> LotSale:
    event, at = begin_step(lot.event, at)
    _require_there(lot)
    sales = lot.sales.count()
    if sales != base:
        raise Conflict("lot_changed", _("Somebody else sold this lot meanwhile. Look again."))
    last = lot.sales.order_by("number").last()
    if price is None and (last is None or last.price is None):
        raise Conflict("lot_not_sold", _("This lot is not sold."))
    paid = event.payments.filter(account=f"lot-{lot.pk}").aggregate(paid=Sum("amount"))["paid"]
    if paid:
        raise Conflict("lot_paid", _("This lot has been paid for: take the payment back first."))
    sale = LotSale.objects.create(lot=lot, number=sales + 1, buyer=buyer, price=price, by=by, at=at)
    record_money(event, verb="sell_lot", by=by, at=at, lot=lot.number, buyer=buyer, price=price)
    return sale


def _require_there(lot: Lot) -> None:
    if not Lot.objects.filter(pk=lot.pk).exists():
        raise Conflict("lot_changed", _("Somebody else sold this lot meanwhile. Look again."))
