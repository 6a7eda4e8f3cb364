"""The fees and prizes of an event: previewed, then saved."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.questions import digest_of
from tournament.money.accounts import Ledger
from tournament.money.ledger import GROUPS
from tournament.money.paid_places import played_sections
from tournament.money.services import preview_money, set_money
from tournament.pages.following import event_for
from tournament.pages.money.forms import MoneyForm
from tournament.pages.money.money import money_page
from tournament.past.moments import ledger_of, shows_the_past
from tournament.prizes import EACH_GROUP, TEMPLATES, PrizeTable

PREVIEWED_PLACES = 8


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
                wanted = form.terms()
                if "preview" in request.POST or request.POST.get("previewed", digest_of(wanted)) != digest_of(wanted):
                    preview = preview_money(event, wanted, by=director, at=timezone.now())
                    status = 200
                else:
                    set_money(event, wanted, by=director, at=timezone.now())
                    messages.success(request, _("Saved."))
                    return redirect("money-terms", tournament_slug, event_slug)
            except Refusal as refusal:
                form.add_error(None, str(refusal))
    current = preview or ledger
    parts = form.parts()
    played = {EACH_GROUP if section.startswith(GROUPS) else section for section in played_sections(current.event) or ()}
    near = [part for part in parts if part.is_used or part.section in {"", *played}]
    return money_page(
        request,
        current,
        "terms",
        status,
        form=form,
        parts=near,
        more_parts=[part for part in parts if part not in near],
        preview=preview,
        question=digest_of(form.terms()) if preview else "",
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
