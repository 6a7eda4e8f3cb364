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

from players.errors import Refusal
from players.models import User
from tournament.exports.money import MONEY_EXPORTS, export_cash
from tournament.models import Entry, Event, Lot, Payment, SidePool
from tournament.money import calcutta, side_pools
from tournament.money.accounts import Ledger
from tournament.money.ledger import GROUPS, take_ledger
from tournament.money.paid_places import played_sections
from tournament.money.services import pay_part, preview_money, reverse_payment, set_money, settle_accounts
from tournament.pages.files import answer_file
from tournament.pages.following import event_for, find_event, page_of, tournament_for
from tournament.pages.money.forms import MoneyForm, PartForm, SaleForm, SettleForm, SidePoolForm, read_amount
from tournament.pages.tags.money import amount as written
from tournament.past.moments import boxes_of, ledger_of, moment_of, shows_the_past
from tournament.prizes import EACH_GROUP, TEMPLATES, PrizeTable, find_currency
from tournament.roles.permissions import actions_of

PAGES = {"desk": "money", "sheet": "payout-sheet", "sides": "side-pools", "calcutta": "calcutta"}
"""The page that a payment leads back to."""

PREVIEWED_PLACES = 8
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


def _page(request: HttpRequest, ledger: Ledger, template: str, status: int = 200, **context: object) -> HttpResponse:
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
    ledger = ledger_of(request, event)
    latest = ledger.payments[:-101:-1]
    owing_first = sorted(ledger.entries, key=lambda line: not line.open)
    sold = [lot for lot in ledger.lots if lot.account and lot.account.open]
    return _page(request, ledger, "desk", back="desk", lines=owing_first, sold=sold, latest=latest)


@shows_the_past
@require_GET
@login_required
def payout_sheet(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show a line for each winner, to sign when paid."""
    event, _director = event_for(request, tournament_slug, event_slug, "handle_money")
    return _page(request, ledger_of(request, event), "sheet", back="sheet")


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
    try:
        messages.success(request, _sentence(*_pay_part(event, request, director)))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect(f"{reverse(PAGES[back], args=[tournament_slug, event_slug])}{_anchor(request.POST.get('at', ''))}")


def _pay_part(event: Event, request: HttpRequest, by: User) -> tuple[list[Payment], bool]:
    form = PartForm(request.POST)
    if not form.is_valid():
        raise Refusal("accounts_missing", _("Choose what is being paid."))
    data = form.cleaned_data
    part = read_amount(data["part"], take_ledger(event.pk).currency)
    amount = part if data["amount"] > 0 else -part
    accounts = request.POST.getlist("account")
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
    reason, key = (request.POST.get(name, "").replace("\0", "")[:64] for name in ("reason", "key"))
    if not key:
        raise Refusal("key_missing", _("A submission must carry a key, so that sending it twice does no harm."))
    try:
        reverse_payment(payment, reason=reason, key=key, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
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
def terms(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Preview the fees and prizes, or save them."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    ledger = ledger_of(request, event)
    form = MoneyForm(request.POST or None, initial=MoneyForm.initial_of(ledger))
    status, preview = 200, None
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                if "preview" in request.POST:
                    preview = preview_money(event, form.terms(), by=director, at=timezone.now())
                    status = 200
                else:
                    set_money(event, form.terms(), by=director, at=timezone.now())
                    messages.success(request, _("Saved."))
                    return redirect("money-terms", tournament_slug, event_slug)
            except Refusal as refusal:
                form.add_error(None, str(refusal))
    current = preview or ledger
    parts = form.parts()
    played = {EACH_GROUP if section.startswith(GROUPS) else section for section in played_sections(current.event) or ()}
    near = [part for part in parts if part.is_used or part.section in {"", *played}]
    return _page(
        request,
        current,
        "terms",
        status,
        form=form,
        parts=near,
        more_parts=[part for part in parts if part not in near],
        preview=preview,
        templates=_templates(current),
    )


def _templates(ledger: Ledger) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return how each payout table would pay this field the whole pool: name, description, the first places."""
    plan, field = ledger.terms.plan, max(1, len(ledger.event.entries))
    rows = []
    for slug, template in TEMPLATES.items():
        table = PrizeTable("template", slug)
        paid = table.prizes(ledger.pool.amount, field=field, places=field, step=plan.step, rounding=plan.rounding)
        rows.append((_(template.name), _(template.description), paid[:PREVIEWED_PLACES]))
    return rows


@shows_the_past
@login_required
def sides(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the side pools and their members, and open a new pool."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    ledger = ledger_of(request, event)
    form = SidePoolForm(request.POST or None, initial={"table": "winner"})
    if request.method == "POST" and form.is_valid():
        try:
            side_pools.open_side_pool(
                event,
                name=form.cleaned_data["name"],
                fee=read_amount(form.cleaned_data["fee"], ledger.currency),
                table=form.prize_table(ledger.currency),
                by=director,
                at=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("side-pools", tournament_slug, event_slug)
    return _page(request, ledger, "sides", 400 if form.is_bound else 200, form=form, back="sides")


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
        _say(request, lambda: _make_lots(event, request.POST.getlist("entry"), director))
        return redirect("calcutta", tournament_slug, event_slug)
    ledger = ledger_of(request, event)
    in_lots = {entry.id for lot in ledger.lots for entry in lot.entries}
    free = [entry for entry in ledger.event.entries if entry.id not in in_lots]
    return _page(request, ledger, "calcutta", free=free, back="calcutta")


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
    _say(request, lambda: _change_lot(lot, action, request, director))
    return redirect(f"{reverse('calcutta', args=[tournament_slug, event_slug])}#at-lot-{lot_id}")


def _change_lot(lot: Lot, action: str, request: HttpRequest, by: User) -> None:
    now = timezone.now()
    if action == "dissolve":
        calcutta.dissolve_lot(lot, by=by, at=now)
        return
    form = SaleForm(request.POST)
    base = form.data.get("base", "")
    if not (base.isascii() and base.isdecimal()) or len(base) > 5:
        raise Refusal("sale_invalid", _("Give the buyer and the price of the lot."))
    if action == "take-back":
        calcutta.take_lot_back(lot, base=int(base), by=by, at=now)
        return
    if not form.is_valid():
        raise Refusal("sale_invalid", _("Give the buyer and the price of the lot."))
    currency = take_ledger(lot.event_id).currency
    price = read_amount(form.cleaned_data["price"], currency)
    calcutta.sell_lot(lot, buyer=form.cleaned_data["buyer"], price=price, base=int(base), by=by, at=now)


@shows_the_past
@require_GET
@login_required
def export(request: HttpRequest, tournament_slug: str, event_slug: str, name: str, format: str) -> HttpResponse:
    """Answer with a money table as a file."""
    event, _director = event_for(request, tournament_slug, event_slug, "handle_money")
    if name not in MONEY_EXPORTS:
        raise Http404
    table = MONEY_EXPORTS[name](ledger_of(request, event))
    return answer_file(table, name=f"{tournament_slug}-{event_slug}-{name}", format=format)


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
    """Answer with the cash of the whole tournament as a file."""
    tournament, _user = tournament_for(request, tournament_slug, "see_cash")
    return answer_file(export_cash(boxes_of(request, tournament)), name=f"{tournament_slug}-cash", format=format)
