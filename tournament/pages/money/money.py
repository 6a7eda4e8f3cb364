"""The money of an event: fees and prizes, payments, side pools, the calcutta and the payout sheet."""

import re
from collections.abc import Sequence

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
from tournament.models import Event, Payment
from tournament.money.accounts import Ledger
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.ledger import GROUPS, take_ledger
from tournament.money.paid_places import played_sections
from tournament.money.services import (
    TermsPreview,
    pay_part,
    preview_money,
    reverse_payment,
    set_money,
    settle_accounts,
)
from tournament.pages.files import answer_file
from tournament.pages.following import event_for, find_event, page_of, tournament_for
from tournament.pages.money.consent import ConsentForm, consent_values
from tournament.pages.money.forms import MoneyForm, PartForm, SettleForm, read_amount
from tournament.pages.money.page import money_page
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
    return money_page(request, ledger, "desk", back="desk", lines=owing_first, sold=sold, latest=latest)


@shows_the_past
@require_GET
@login_required
def payout_sheet(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show a line for each winner, to sign when paid."""
    event, _director = event_for(request, tournament_slug, event_slug, "handle_money")
    return money_page(request, ledger_of(request, event), "sheet", back="sheet")


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


@shows_the_past
@login_required
def terms(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Preview the fees and prizes, or save them; after play has begun they are previewed first."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    ledger = ledger_of(request, event)
    form = MoneyForm(request.POST or None, initial=MoneyForm.initial_of(ledger))
    asked = ConsentForm(request.POST)
    status, preview = 200, None
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                status, preview = _save_or_preview(request, event, form, asked.consent, director)
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                if preview is None:
                    messages.success(request, _("Saved."))
                    return redirect("money-terms", tournament_slug, event_slug)
    current = preview.ledger if preview else ledger
    values = {"form": form, "preview": preview, "templates": _templates(current), **_parts(form, current)}
    if preview and preview.moves:
        values |= consent_values(asked, preview.moves)
    return money_page(request, current, "terms", status, **values)


def _save_or_preview(
    request: HttpRequest, event: Event, form: MoneyForm, consent: Consent, by: User
) -> tuple[int, TermsPreview | None]:
    """Save the terms, or return the status and the preview: the one that was asked for, or that saving has to show."""
    status = 200
    if "preview" not in request.POST:
        try:
            set_money(event, form.terms(), consent=consent, by=by, at=timezone.now())
        except MovesUnconfirmed as unconfirmed:
            status = unconfirmed.status
        else:
            return status, None
    return status, preview_money(event, form.terms(), by=by, at=timezone.now())


def _parts(form: MoneyForm, current: Ledger) -> dict[str, object]:
    """Return the shares of the pool that are used or played for, and the others."""
    parts = form.parts()
    played = {EACH_GROUP if section.startswith(GROUPS) else section for section in played_sections(current.event) or ()}
    near = [part for part in parts if part.is_used or part.section in {"", *played}]
    return {"parts": near, "more_parts": [part for part in parts if part not in near]}


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
