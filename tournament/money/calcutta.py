"""The calcutta: entries are grouped into lots, and each lot is sold to the highest bidder."""

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
    """Put one entry, or several as a field, into a lot.

    Raises Refusal for no entry or one of another event, Conflict if one is already in a lot.
    """
    event, at = begin_step(event, at)
    found = list(event.entries.filter(pk__in=entries).select_related("player", "partner"))
    if not found or len(found) != len(set(entries)):
        raise Refusal("lot_empty", _("A lot needs one or more entries of this event."))
    if Lot.objects.filter(event=event, entries__in=found).exists():
        raise Conflict("entry_in_a_lot", _("One of these entries is already in a lot."))
    lot = _new_lots(event, [[entry.pk for entry in found]])[0]
    record_money(event, verb="make_lots", by=by, at=at, names=[entry.name for entry in found], lots=[lot.number])
    return lot


@transaction.atomic
def make_lots(event: Event, *, by: User | None, at: datetime) -> list[Lot]:
    """Put each entry not yet in a lot into a lot of its own. Raises Conflict if there is no such entry."""
    event, at = begin_step(event, at)
    free = list(event.entries.filter(lots=None).select_related("player", "partner").order_by("number"))
    if not free:
        raise Conflict("entries_in_lots", _("Every entry is already in a lot."))
    lots = _new_lots(event, [[entry.pk] for entry in free])
    details = {"names": [entry.name for entry in free], "lots": [lot.number for lot in lots]}
    record_money(event, verb="make_lots", by=by, at=at, **details)
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
    """Split up the lot, freeing its entries. Raises Conflict if it was ever sold or is already gone."""
    event, at = begin_step(lot.event, at)
    _require_there(lot)
    if lot.sales.exists():
        raise Conflict("lot_sold", _("This lot has been sold and can no longer be split up."))
    number, entries = lot.number, list(lot.entries.values_list("pk", flat=True))
    lot.delete()
    record_money(event, verb="dissolve_lot", by=by, at=at, lot=number, entries=entries)


@transaction.atomic
def sell_lot(lot: Lot, *, buyer: str, price: int, base: int, by: User | None, at: datetime) -> LotSale:
    """Sell the lot to the buyer at the price. ``base`` is the number of its sales that the user had seen.

    Raises Conflict if it has been sold in the meantime, or if the previous buyer has paid for it.
    """
    buyer = " ".join(buyer.split())
    if not 1 <= len(buyer) <= 80:
        raise Refusal("buyer_missing", _("Give the name of the buyer, in at most 80 characters."))
    if not 1 <= price <= MAX_AMOUNT:
        raise Refusal("amount_out_of_range", _("The price of a lot must be above 0."))
    return _sale(lot, buyer, price, base, by=by, at=at)


@transaction.atomic
def take_lot_back(lot: Lot, *, base: int, by: User | None, at: datetime) -> LotSale:
    """Undo the sale of the lot. Raises Conflict as :func:`sell_lot` does, and for an unsold lot."""
    return _sale(lot, "", None, base, by=by, at=at)


def _sale(lot: Lot, buyer: str, price: int | None, base: int, *, by: User | None, at: datetime) -> LotSale:
    event, at = begin_step(lot.event, at)
    _require_there(lot)
    sales = lot.sales.count()
    if sales != base:
        raise Conflict("lot_changed", _("Somebody else has since changed this lot. Check it and try again."))
    last = lot.sales.order_by("number").last()
    if price is None and (last is None or last.price is None):
        raise Conflict("lot_not_sold", _("This lot has not been sold."))
    paid = event.payments.filter(account=f"lot-{lot.pk}").aggregate(paid=Sum("amount"))["paid"]
    if paid:
        raise Conflict("lot_paid", _("This lot has been paid for: reverse the payment first."))
    sale = LotSale.objects.create(lot=lot, number=sales + 1, buyer=buyer, price=price, by=by, at=at)
    record_money(event, verb="sell_lot", by=by, at=at, lot=lot.number, buyer=buyer, price=price)
    return sale


def _require_there(lot: Lot) -> None:
    if not Lot.objects.filter(pk=lot.pk).exists():
        raise Conflict("lot_changed", _("Somebody else has since changed this lot. Check it and try again."))
