"""The calcutta: entries are grouped into lots, and each lot is sold to the highest bidder."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import MAX_NAME, User
from tournament.changes.record import begin_step
from tournament.models import Entry, Event, Lot, LotSale
from tournament.money.closing import NOT_ASKED, Consent, moving_money
from tournament.money.services import record_money
from tournament.prizes import MAX_AMOUNT


@transaction.atomic
def make_lot(
    event: Event, *, entries: Sequence[int], consent: Consent = NOT_ASKED, by: User | None, at: datetime
) -> Lot:
    """Put one entry, or several as a field, into a lot.

    Raises Refusal for no entry or one of another event, Conflict if one is already in a lot. After play has begun it
    needs ``consent``, as :func:`tournament.money.closing.moving_money` asks for it.
    """
    event, at = begin_step(event, at)
    found = list(event.entries.filter(pk__in=entries).select_related("player", "partner"))
    if not found or len(found) != len(set(entries)):
        raise Refusal("lot_empty", _("A lot needs one or more entries of this event."))
    if Lot.objects.filter(event=event, entries__in=found).exists():
        raise Conflict("entry_in_a_lot", _("One of these entries is already in a lot."))
    return _make_lots(event, [found], consent, by=by, at=at)[0]


@transaction.atomic
def make_lots(event: Event, *, consent: Consent = NOT_ASKED, by: User | None, at: datetime) -> list[Lot]:
    """Put each entry not yet in a lot into a lot of its own. Raises Conflict if there is no such entry.

    After play has begun it needs ``consent``, as :func:`make_lot` does.
    """
    event, at = begin_step(event, at)
    free = list(event.entries.filter(lots=None).select_related("player", "partner").order_by("number"))
    if not free:
        raise Conflict("entries_in_lots", _("Every entry is already in a lot."))
    return _make_lots(event, [[entry] for entry in free], consent, by=by, at=at)


def _make_lots(
    event: Event, members: Sequence[Sequence[Entry]], consent: Consent, *, by: User | None, at: datetime
) -> list[Lot]:
    ids = [[entry.pk for entry in own] for own in members]
    with moving_money(event, consent, makes_lots=ids) as told:
        lots = _new_lots(event, ids)
    details = {"names": [entry.name for own in members for entry in own], "lots": [lot.number for lot in lots]}
    record_money(event, verb="make_lots", by=by, at=at, **details, **told)
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
def dissolve_lot(lot: Lot, *, consent: Consent = NOT_ASKED, by: User | None, at: datetime) -> None:
    """Split up the lot, freeing its entries. Raises Conflict if it was ever sold or is already gone.

    After play has begun it needs ``consent``, as :func:`make_lot` does.
    """
    event, at = begin_step(lot.event, at)
    _require_there(lot)
    if lot.sales.exists():
        raise Conflict("lot_sold", _("This lot has been sold and can no longer be split up."))
    number, entries = lot.number, list(lot.entries.values_list("pk", flat=True))
    with moving_money(event, consent, dissolves=lot.pk) as told:
        Lot.objects.filter(pk=lot.pk).delete()
    record_money(event, verb="dissolve_lot", by=by, at=at, lot=number, entries=entries, **told)


@transaction.atomic
def sell_lot(
    lot: Lot, *, buyer: str, price: int, base: int, consent: Consent = NOT_ASKED, by: User | None, at: datetime
) -> LotSale:
    """Sell the lot to the buyer at the price. ``base`` is the number of its sales that the user had seen.

    Raises Conflict if it has been sold in the meantime, if the previous buyer has paid for it, or if they still have a
    prize that was paid out for it. After play has begun it needs ``consent``, as :func:`make_lot` does.
    """
    buyer = " ".join(buyer.split())
    if not 1 <= len(buyer) <= MAX_NAME:
        sentence = _("Give the name of the buyer, in at most %(limit)s characters.")
        raise Refusal("buyer_missing", sentence % {"limit": MAX_NAME})
    if not 1 <= price <= MAX_AMOUNT:
        raise Refusal("amount_out_of_range", _("The price of a lot must be above 0."))
    return _sale(lot, buyer, price, base, consent, by=by, at=at)


@transaction.atomic
def take_lot_back(lot: Lot, *, base: int, consent: Consent = NOT_ASKED, by: User | None, at: datetime) -> LotSale:
    """Undo the sale of the lot. Raises Conflict as :func:`sell_lot` does, and for an unsold lot.

    A prize that was paid out for it is then to be given back.
    """
    return _sale(lot, "", None, base, consent, by=by, at=at)


def _sale(
    lot: Lot, buyer: str, price: int | None, base: int, consent: Consent, *, by: User | None, at: datetime
) -> LotSale:
    event, at = begin_step(lot.event, at)
    _require_there(lot)
    sales = lot.sales.count()
    if sales != base:
        raise Conflict("lot_changed", _("Somebody else has since changed this lot. Check it and try again."))
    last = lot.sales.order_by("number").last()
    if price is None and (last is None or last.price is None):
        raise Conflict("lot_not_sold", _("This lot has not been sold."))
    if _paid(event, f"lot-{lot.pk}"):
        raise Conflict("lot_paid", _("This lot has been paid for: reverse the payment first."))
    owner = lot.sales.exclude(price=None).order_by("number").values_list("buyer", flat=True).last()
    if buyer not in ("", owner) and _paid(event, f"lot-prize-{lot.pk}"):
        raise Conflict(
            "lot_prize_paid", _("A prize has been paid out for this lot: the previous buyer must give it back first.")
        )
    with moving_money(event, consent, sells=lot.pk, sale=sales + 1, buyer=buyer, price=price) as told:
        sale = LotSale.objects.create(lot=lot, number=sales + 1, buyer=buyer, price=price, by=by, at=at)
    details = {"lot": lot.number, "sale": sale.number, "buyer": buyer, "price": price}
    record_money(event, verb="sell_lot", by=by, at=at, **details, **told)
    return sale


def _paid(event: Event, account: str) -> int:
    return event.payments.filter(account=account).aggregate(paid=Sum("amount"))["paid"] or 0


def _require_there(lot: Lot) -> None:
    if not Lot.objects.filter(pk=lot.pk).exists():
        raise Conflict("lot_changed", _("Somebody else has since changed this lot. Check it and try again."))
