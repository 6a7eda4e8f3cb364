"""The money of an event: fees and prizes, payments, side pools, the calcutta and the payout sheet."""

import re
import uuid
from collections.abc import Callable, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from players.errors import Conflict, Refusal
from players.models import User
from tournament.exports.formats import FORMATS, MEDIA_TYPES, write_csv
from tournament.exports.money import MONEY_EXPORTS, export_cash
from tournament.models import Entry, Event, Lot, Payment, SidePool
from tournament.money import calcutta, side_pools
from tournament.money.accounts import Ledger
from tournament.money.ledger import take_ledger
from tournament.money.services import pay_part, reverse_payment, settle_accounts
from tournament.pages.following import event_for, find_event, page_of, tournament_for
from tournament.pages.money.forms import (
    PartForm,
    ReversalForm,
    SaleForm,
    SettleForm,
    SidePoolForm,
    read_amount,
    reads_amounts,
)
from tournament.pages.returning import Returned, refuse
from tournament.pages.tags.money import amount as written
from tournament.past.moments import boxes_of, ledger_of, moment_of, shows_the_past
from tournament.prizes import find_currency
from tournament.roles.permissions import actions_of

PAGES = {"desk": "money", "sheet": "payout-sheet", "sides": "side-pools", "calcutta": "calcutta"}
"""The page that a payment leads back to."""

ANCHOR = re.compile(r"[a-zA-Z0-9-]{1,60}")


@shows_the_past
@require_safe
def prizes(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show everybody what each place wins, and who won it."""
    event = find_event(tournament_slug, event_slug)
    return page_of(
        request,
        event,
        allowed=actions_of(request.user, event),
        template="money/prizes",
        context=lambda _shown: {"ledger": ledger_of(request, event)},
    )


def money_page(
    request: HttpRequest, ledger: Ledger, template: str, status: int = 200, **context: object
) -> HttpResponse:
    """Answer with a page of the event's money."""
    allowed = actions_of(request.user, ledger.terms.event)
    if ledger.event.at is not None:
        allowed &= {"handle_money"}  # the past is read only
    values = {"ledger": ledger, "event": ledger.event, "stage": ledger.event.stage, "may": allowed}
    values |= {"currency": ledger.currency, "page_key": uuid.uuid4().hex, **context}
    return render(request, f"tournament/money/{template}.html", values, status=status)


@shows_the_past
@require_GET
@login_required
def desk(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the fees owed and paid, each settled with one tap, what is to be paid out, and the latest payments."""
    event, _director = event_for(request, tournament_slug, event_slug, "handle_money")
    return _desk_page(request, event)


def _desk_page(request: HttpRequest, event: Event, status: int = 200, **typed: object) -> HttpResponse:
    ledger = ledger_of(request, event)
    latest = ledger.payments[:-101:-1]
    owing_first = sorted(ledger.entries, key=lambda line: not line.open)
    sold = [lot for lot in ledger.lots if lot.account and lot.account.open]
    shown = {"back": "desk", "lines": owing_first, "sold": sold, "latest": latest, **typed}
    return money_page(request, ledger, "desk", status, **shown)


@shows_the_past
@require_GET
@login_required
def payout_sheet(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show a line for each winner, to sign when paid."""
    event, _director = event_for(request, tournament_slug, event_slug, "handle_money")
    return _sheet_page(request, event)


def _sheet_page(request: HttpRequest, event: Event, status: int = 200, **typed: object) -> HttpResponse:
    return money_page(request, ledger_of(request, event), "sheet", status, back="sheet", **typed)


@require_POST
@login_required
def settle(request: HttpRequest, tournament_slug: str, event_slug: str, back: str) -> HttpResponse:
    """Take in or pay out the open sum, with one button."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    form = SettleForm(request.POST)
    if not form.is_valid():
        raise Refusal("accounts_missing", _("Choose what is being paid."))
    accounts = request.POST.getlist("account")
    try:
        paid = settle_accounts(event, accounts=accounts, **form.cleaned_data, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _sentence(*paid))
    return redirect(f"{reverse(PAGES[back], args=[tournament_slug, event_slug])}{_anchor(request.POST.get('at', ''))}")


def _part_again(request: HttpRequest, event: Event, back: str, form: PartForm) -> HttpResponse:
    """Show the page again with the line of the payment open, as it was typed."""
    pages: dict[str, Callable[..., HttpResponse]] = {
        "desk": _desk_page,
        "sheet": _sheet_page,
        "sides": _sides_page,
        "calcutta": _auction_page,
    }
    return pages[back](request, event, Refusal.status, returned=Returned("part", form["tap"].value(), form))


def _sentence(payments: Sequence[Payment], is_new: bool) -> str:
    """Report on the page that follows who paid or was paid, and how much."""
    amount = sum(payment.amount for payment in payments)
    words = _words(payments, abs(amount))
    if not is_new:
        return _("Sent twice, paid once: %(names)s, %(amount)s %(currency)s") % words
    if amount < 0:
        return _("Paid out: %(names)s, %(amount)s %(currency)s") % words
    return _("Paid: %(names)s, %(amount)s %(currency)s") % words


def _words(payments: Sequence[Payment], amount: int) -> dict[str, str]:
    """Return the words used in sentences about payments, with the amount written as on the pages."""
    currency = find_currency(payments[0].currency)
    names = ", ".join(dict.fromkeys(payment.name for payment in payments))
    return {"names": names, "amount": written(amount, currency), "currency": currency.code}


@require_POST
@login_required
def settle_part(request: HttpRequest, tournament_slug: str, event_slug: str, back: str) -> HttpResponse:
    """Take in or pay out part of the sum that is open, as the button beside it says."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    form = PartForm(request.POST)
    if not form.is_valid() or not reads_amounts(form, take_ledger(event.pk).currency, "part"):
        return _part_again(request, event, back, form)
    try:
        messages.success(request, _sentence(*_pay_part(event, form, request.POST.getlist("account"), director)))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    except Refusal as refusal:
        refuse(form, refusal, field="part")
        return _part_again(request, event, back, form)
    return redirect(f"{reverse(PAGES[back], args=[tournament_slug, event_slug])}{_anchor(request.POST.get('at', ''))}")


def _pay_part(event: Event, form: PartForm, accounts: list[str], by: User) -> tuple[list[Payment], bool]:
    data = form.cleaned_data
    part = read_amount(data["part"], take_ledger(event.pk).currency)
    amount = part if data["amount"] > 0 else -part
    return pay_part(
        event, accounts=accounts, amount=amount, payer=data["payer"], key=data["key"], by=by, at=timezone.now()
    )


def _anchor(at: str) -> str:
    """Return the anchor of the line that had the button."""
    return f"#at-{at}" if ANCHOR.fullmatch(at) else ""


@require_POST
@login_required
def take_back(request: HttpRequest, tournament_slug: str, event_slug: str, payment_id: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    payment = get_object_or_404(Payment.objects.select_related("event"), pk=payment_id, event=event)
    form = ReversalForm(request.POST, auto_id=f"%s-{payment_id}")
    if not form.data.get("key"):
        raise Refusal("key_missing", _("A submission must carry a key, so that sending it twice does no harm."))
    if not form.is_valid():
        return _desk_page(request, event, Refusal.status, returned=Returned("reversal", payment_id, form))
    try:
        reverse_payment(payment, **form.cleaned_data, by=director, at=timezone.now())
    except Conflict as conflict:
        messages.error(request, str(conflict))
    except Refusal as refusal:
        refuse(form, refusal)
        return _desk_page(request, event, refusal.status, returned=Returned("reversal", payment_id, form))
    else:
        words = _words([payment], payment.amount)
        messages.success(request, _("Payment reversed: %(names)s, %(amount)s %(currency)s") % words)
    return redirect("money", tournament_slug, event_slug)


def _say(request: HttpRequest, change: Callable[[], object]) -> None:
    """Make the change, or explain on the page that follows why not."""
    try:
        change()
    except Refusal as refusal:
        messages.error(request, str(refusal))


@shows_the_past
@login_required
def sides(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the side pools and their members, and open a new pool."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    form = SidePoolForm(request.POST or None, initial={"table": "winner"})
    if request.method == "POST" and form.is_valid():
        currency = ledger_of(request, event).currency
        if not reads_amounts(form, currency, "fee"):
            return _sides_page(request, event, 400, form=form)
        try:
            side_pools.open_side_pool(
                event,
                name=form.cleaned_data["name"],
                fee=read_amount(form.cleaned_data["fee"], currency),
                table=form.prize_table(currency),
                by=director,
                at=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("side-pools", tournament_slug, event_slug)
    return _sides_page(request, event, 400 if form.is_bound else 200, form=form)


def _sides_page(request: HttpRequest, event: Event, status: int = 200, **typed: object) -> HttpResponse:
    empty = SidePoolForm(initial={"table": "winner"})
    return money_page(request, ledger_of(request, event), "sides", status, **{"form": empty, "back": "sides", **typed})


@require_POST
@login_required
def side_member(
    request: HttpRequest, tournament_slug: str, event_slug: str, pool_id: int, entry_id: int, action: str
) -> HttpResponse:
    """Let an entry join or leave a side pool."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    pool = get_object_or_404(SidePool.objects.select_related("event"), pk=pool_id, event=event)
    entry = get_object_or_404(Entry.objects.select_related("player", "partner"), pk=entry_id, event=event)
    service = {"join": side_pools.join_side_pool, "leave": side_pools.leave_side_pool}[action]
    _say(request, lambda: service(pool, entry=entry, by=director, at=timezone.now()))
    return redirect(f"{reverse('side-pools', args=[tournament_slug, event_slug])}#pool-{pool_id}")


@shows_the_past
@login_required
def auction(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the calcutta: the lots, their prices and what the pot pays. A POST creates lots."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    if request.method == "POST":
        try:
            _make_lots(event, request.POST.getlist("entry"), director)
        except Refusal as refusal:
            ticked = {"ticked": request.POST.getlist("entry"), "refusal": refusal}
            return _auction_page(request, event, refusal.status, **ticked)
        return redirect("calcutta", tournament_slug, event_slug)
    return _auction_page(request, event)


def _auction_page(request: HttpRequest, event: Event, status: int = 200, **typed: object) -> HttpResponse:
    ledger = ledger_of(request, event)
    in_lots = {entry.id for lot in ledger.lots for entry in lot.entries}
    free = [entry for entry in ledger.event.entries if entry.id not in in_lots]
    return money_page(request, ledger, "calcutta", status, free=free, back="calcutta", **typed)


def _make_lots(event: Event, entries: list[str], by: User) -> None:
    chosen = [int(entry) for entry in entries if entry.isascii() and entry.isdecimal() and len(entry) < 19]
    if chosen:
        calcutta.make_lot(event, entries=chosen, by=by, at=timezone.now())
    else:
        calcutta.make_lots(event, by=by, at=timezone.now())


@require_POST
@login_required
def sell(request: HttpRequest, tournament_slug: str, event_slug: str, lot_id: int, action: str) -> HttpResponse:
    """Sell a lot, undo its sale or dissolve it."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    lot = get_object_or_404(Lot.objects.select_related("event"), pk=lot_id, event=event)
    form = SaleForm(request.POST, auto_id=f"%s-{lot_id}")
    try:
        _change_lot(lot, action, form, director)
    except Conflict as conflict:
        messages.error(request, str(conflict))
    except Refusal as refusal:
        if action == "sell":
            refuse(form, refusal)
            return _auction_page(request, event, refusal.status, returned=Returned("sale", lot_id, form))
        messages.error(request, str(refusal))
    return redirect(f"{reverse('calcutta', args=[tournament_slug, event_slug])}#at-lot-{lot_id}")


def _change_lot(lot: Lot, action: str, form: SaleForm, by: User) -> None:
    now = timezone.now()
    if action == "dissolve":
        calcutta.dissolve_lot(lot, by=by, at=now)
        return
    base = form.data.get("base", "")
    if not (base.isascii() and base.isdecimal()) or len(base) > 5:
        raise Refusal("sale_invalid", _("Give the buyer and the price of the lot."))
    if action == "take-back":
        calcutta.take_lot_back(lot, base=int(base), by=by, at=now)
        return
    currency = take_ledger(lot.event_id).currency
    if not form.is_valid() or not reads_amounts(form, currency, "price"):
        raise Refusal("sale_invalid", _("Give the buyer and the price of the lot."))
    price = read_amount(form.cleaned_data["price"], currency)
    calcutta.sell_lot(lot, buyer=form.cleaned_data["buyer"], price=price, base=int(base), by=by, at=now)


@shows_the_past
@require_GET
@login_required
def export(request: HttpRequest, tournament_slug: str, event_slug: str, name: str) -> HttpResponse:
    """Answer with a money table as CSV."""
    event, _director = event_for(request, tournament_slug, event_slug, "handle_money")
    if name not in MONEY_EXPORTS:
        raise Http404
    answer = HttpResponse(
        write_csv(MONEY_EXPORTS[name](ledger_of(request, event))), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = f'attachment; filename="{tournament_slug}-{event_slug}-{name}.csv"'
    return answer


@shows_the_past
@require_GET
@login_required
def cash(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the cash of the whole tournament, one currency at a time."""
    tournament, _user = tournament_for(request, tournament_slug, "see_cash")
    values = {"tournament": tournament, "boxes": boxes_of(request, tournament)}
    return render(request, "tournament/money/cash.html", values | {"moment": moment_of(request, tournament)})


@shows_the_past
@require_GET
@login_required
def cash_file(request: HttpRequest, tournament_slug: str, format: str) -> HttpResponse:
    """Answer with the cash of the whole tournament as CSV or JSON."""
    tournament, _user = tournament_for(request, tournament_slug, "see_cash")
    text = FORMATS[format](export_cash(boxes_of(request, tournament)))
    answer = HttpResponse(text, content_type=f"{MEDIA_TYPES[format]}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{tournament_slug}-cash.{format}"'
    return answer
