"""The fees and prizes of an event: previewed, then saved."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import User
from players.questions import digest_of
from tournament.formats import FORMATS
from tournament.formats.knockout import BUY_IN
from tournament.models import Event
from tournament.money.accounts import Ledger
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.ledger import GROUPS
from tournament.money.paid_places import played_sections
from tournament.money.services import TermsPreview, preview_money, set_money
from tournament.pages.following import event_for
from tournament.pages.money.consent import ConsentForm, consent_values
from tournament.pages.money.forms import MoneyForm
from tournament.pages.money.page import money_page
from tournament.past.moments import ledger_of, shows_the_past
from tournament.prizes import EACH_GROUP, TEMPLATES, PrizeTable

PREVIEWED_PLACES = 8


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
    if preview:
        values["question"] = digest_of(form.terms())
        values |= consent_values(asked, preview.moves) if preview.moves else {}
    return money_page(request, current, "terms", status, **values)


def _save_or_preview(
    request: HttpRequest, event: Event, form: MoneyForm, consent: Consent, by: User
) -> tuple[int, TermsPreview | None]:
    """Save the terms, or return the status and the preview.

    They are previewed if that was asked for, if they are not those of the last preview, or if saving has to show what
    it moves.
    """
    status, question = 200, digest_of(form.terms())
    if "preview" not in request.POST and request.POST.get("previewed", question) == question:
        try:
            set_money(event, form.terms(), consent=consent, by=by, at=timezone.now())
        except MovesUnconfirmed as unconfirmed:
            status = unconfirmed.status
        else:
            return status, None
    return status, preview_money(event, form.terms(), by=by, at=timezone.now())


def _parts(form: MoneyForm, current: Ledger) -> dict[str, object]:
    """Return the shares of the pool that are used or played for, and the others but that of a buy-in bracket."""
    parts = form.parts()
    played = {EACH_GROUP if section.startswith(GROUPS) else section for section in played_sections(current.event) or ()}
    if FORMATS[current.event.stages[0].format].takes_buy_ins():
        played.add(BUY_IN)
    near = [part for part in parts if part.is_used or part.section in {"", *played}]
    return {"parts": near, "more_parts": [part for part in parts if part not in near and part.section != BUY_IN]}


def _templates(ledger: Ledger) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return how each payout table would pay this field the whole pool: name, description, the first places."""
    plan, field = ledger.terms.plan, max(1, len(ledger.event.entries))
    rows = []
    for slug, template in TEMPLATES.items():
        table = PrizeTable("template", slug)
        paid = table.prizes(ledger.pool.amount, field=field, places=field, step=plan.step, rounding=plan.rounding)
        rows.append((_(template.name), _(template.description), paid[:PREVIEWED_PLACES]))
    return rows
