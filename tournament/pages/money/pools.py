"""The pages for side pools and the calcutta: once play has begun, every change first shows what it moves."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Conflict, Refusal
from players.models import User
from tournament.models import Entry, Event, Lot, SidePool
from tournament.money import calcutta, side_pools
from tournament.money.closing import Consent, MovesUnconfirmed, is_closed
from tournament.money.ledger import take_ledger
from tournament.pages.following import event_for
from tournament.pages.money.consent import ConsentForm, ask_for_consent
from tournament.pages.money.forms import SaleForm, SidePoolForm, read_amount, reads_amounts
from tournament.pages.money.page import money_page
from tournament.pages.returning import Returned, refuse
from tournament.past.moments import ledger_of, shows_the_past


@shows_the_past
@login_required
def sides(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the side pools and their members, and open a new pool."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    form = SidePoolForm(request.POST or None, initial={"table": "winner"})
    if request.method == "POST" and form.is_valid():
        currency = ledger_of(request, event).currency
        if not reads_amounts(form, currency, "fee"):
            return sides_page(request, event, 400, form=form)
        asked = ConsentForm(request.POST)
        try:
            side_pools.open_side_pool(
                event,
                name=form.cleaned_data["name"],
                fee=read_amount(form.cleaned_data["fee"], currency),
                table=form.prize_table(currency),
                consent=asked.consent,
                by=director,
                at=timezone.now(),
            )
        except MovesUnconfirmed as unconfirmed:
            what = f"{_('Create side pool')}: {form.cleaned_data['name']}"
            return ask_for_consent(request, event, unconfirmed, what=what, form=asked, back=request.path)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("side-pools", tournament_slug, event_slug)
    return sides_page(request, event, 400 if form.is_bound else 200, form=form)


def sides_page(request: HttpRequest, event: Event, status: int = 200, **typed: object) -> HttpResponse:
    """Show the side pools; ``typed`` are forms that come back to the page."""
    values = {"form": SidePoolForm(initial={"table": "winner"}), "closed": is_closed(event), "back": "sides", **typed}
    return money_page(request, ledger_of(request, event), "sides", status, **values)


@require_POST
@login_required
def side_member(
    request: HttpRequest, tournament_slug: str, event_slug: str, pool_id: int, entry_id: int, action: str
) -> HttpResponse:
    """Let an entry join or leave a side pool."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    pool = get_object_or_404(SidePool.objects.select_related("event"), pk=pool_id, event=event)
    entry = get_object_or_404(Entry.objects.select_related("player", "partner"), pk=entry_id, event=event)
    service, sentence = {
        "join": (side_pools.join_side_pool, _("%(name)s joins %(pool)s")),
        "leave": (side_pools.leave_side_pool, _("%(name)s leaves %(pool)s")),
    }[action]

    def change(consent: Consent) -> None:
        service(pool, entry=entry, consent=consent, by=director, at=timezone.now())

    what = sentence % {"name": entry.name, "pool": pool.name}
    return _change(request, event, "side-pools", change, what=what, anchor=f"#pool-{pool_id}")


@shows_the_past
@login_required
def auction(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the calcutta: the lots, their prices and what the pot pays. A POST creates lots."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    if request.method == "POST":
        entries = request.POST.getlist("entry")

        def change(consent: Consent) -> None:
            _make_lots(event, entries, consent, director)

        def refused(refusal: Refusal) -> HttpResponse:
            return auction_page(request, event, refusal.status, ticked=entries, refusal=refusal)

        return _change(request, event, "calcutta", change, what=_("Create lots"), refused=refused)
    return auction_page(request, event)


def auction_page(request: HttpRequest, event: Event, status: int = 200, **typed: object) -> HttpResponse:
    """Show the calcutta; ``typed`` is what comes back to the page."""
    ledger = ledger_of(request, event)
    in_lots = {entry.id for lot in ledger.lots for entry in lot.entries}
    free = [entry for entry in ledger.event.entries if entry.id not in in_lots]
    values = {"free": free, "closed": is_closed(event), "back": "calcutta", **typed}
    return money_page(request, ledger, "calcutta", status, **values)


def _make_lots(event: Event, entries: list[str], consent: Consent, by: User) -> None:
    chosen = [int(entry) for entry in entries if entry.isascii() and entry.isdecimal() and len(entry) < 19]
    if chosen:
        calcutta.make_lot(event, entries=chosen, consent=consent, by=by, at=timezone.now())
    else:
        calcutta.make_lots(event, consent=consent, by=by, at=timezone.now())


@require_POST
@login_required
def sell(request: HttpRequest, tournament_slug: str, event_slug: str, lot_id: int, action: str) -> HttpResponse:
    """Sell a lot, undo its sale or dissolve it."""
    event, director = event_for(request, tournament_slug, event_slug, "handle_money")
    lot = get_object_or_404(Lot.objects.select_related("event"), pk=lot_id, event=event)

    form = SaleForm(request.POST, auto_id=f"%s-{lot_id}")

    def change(consent: Consent) -> None:
        _change_lot(lot, action, form, consent, director)

    def refused(refusal: Refusal) -> HttpResponse:
        refuse(form, refusal)
        return auction_page(request, event, refusal.status, returned=Returned("sale", lot_id, form))

    label = {"sell": _("Record sale"), "take-back": _("Undo sale"), "dissolve": _("Split up lot")}[action]
    what = f"{label}: {', '.join(entry.name for entry in lot.entries.select_related('player', 'partner'))}"
    comes_back = refused if action == "sell" else None
    return _change(request, event, "calcutta", change, what=what, anchor=f"#at-lot-{lot_id}", refused=comes_back)


def _change_lot(lot: Lot, action: str, form: SaleForm, consent: Consent, by: User) -> None:
    now = timezone.now()
    if action == "dissolve":
        calcutta.dissolve_lot(lot, consent=consent, by=by, at=now)
        return
    base = form.data.get("base", "")
    if not (base.isascii() and base.isdecimal()) or len(base) > 5:
        raise Refusal("sale_invalid", _("Give the buyer and the price of the lot."))
    if action == "take-back":
        calcutta.take_lot_back(lot, base=int(base), consent=consent, by=by, at=now)
        return
    currency = take_ledger(lot.event_id).currency
    if not form.is_valid() or not reads_amounts(form, currency, "price"):
        raise Refusal("sale_invalid", _("Give the buyer and the price of the lot."))
    price = read_amount(form.cleaned_data["price"], currency)
    sold = {"buyer": form.cleaned_data["buyer"], "price": price, "base": int(base)}
    calcutta.sell_lot(lot, **sold, consent=consent, by=by, at=now)


def _change(
    request: HttpRequest,
    event: Event,
    page: str,
    change: Callable[[Consent], object],
    *,
    what: str,
    anchor: str = "",
    refused: Callable[[Refusal], HttpResponse] | None = None,
) -> HttpResponse:
    """Make the change and go back to the page, which explains why not if it was refused.

    After play has begun first show what it moves; ``what`` names it. ``refused`` shows a form again that was typed in.
    """
    back = reverse(page, args=[event.tournament.slug, event.slug])
    form = ConsentForm(request.POST)
    try:
        change(form.consent)
    except MovesUnconfirmed as unconfirmed:
        return ask_for_consent(request, event, unconfirmed, what=what, form=form, back=back)
    except Conflict as conflict:
        messages.error(request, str(conflict))
    except Refusal as refusal:
        if refused is not None:
            return refused(refusal)
        messages.error(request, str(refusal))
    return redirect(f"{back}{anchor}")
