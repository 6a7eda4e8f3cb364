"""The money of an event: fees and prizes, payments, side pools, the calcutta and the payout sheet."""

import re
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
from tournament.exports.money import MONEY_EXPORTS, export_cash
from tournament.models import Event, Payment
from tournament.money.ledger import take_ledger
from tournament.money.services import pay_part, reverse_payment, settle_accounts
from tournament.pages.files import answer_file
from tournament.pages.following import event_for, find_event, page_of, tournament_for
from tournament.pages.money.forms import PartForm, ReversalForm, SettleForm, read_amount, reads_amounts
from tournament.pages.money.page import money_page
from tournament.pages.money.pools import auction_page, sides_page
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


def _is_open(event: Event, accounts: Sequence[str]) -> bool:
    """Whether the page still has the line of these accounts, with something to pay or to be paid."""
    return any(account.open for account in take_ledger(event.pk).accounts if account.slug in accounts)


def _part_again(
    request: HttpRequest, event: Event, back: str, form: PartForm, status: int = Refusal.status
) -> HttpResponse:
    """Show the page again with the line of the payment open, as it was typed."""
    pages: dict[str, Callable[..., HttpResponse]] = {
        "desk": _desk_page,
        "sheet": _sheet_page,
        "sides": sides_page,
        "calcutta": auction_page,
    }
    return pages[back](request, event, status, returned=Returned("part", form["tap"].value(), form))


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
    except Refusal as refusal:
        if _is_open(event, request.POST.getlist("account")):
            refuse(form, refusal, field="part")
            return _part_again(request, event, back, form, refusal.status)
        messages.error(request, str(refusal))
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
