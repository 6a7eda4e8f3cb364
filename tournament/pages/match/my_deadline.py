"""A player's deadline on the private page: extending it, and noting when they offered to play."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.entries.deadlines import extend_by_link, offer_by_link
from tournament.pages.match.mine import entry_of, match_of, render_mine, until_it_ends


class OfferForm(forms.Form):
    """Up to three days on which the player offered to play; ``no_answer`` says that the opponent does not answer."""

    day_1 = forms.DateField(required=False)
    day_2 = forms.DateField(required=False)
    day_3 = forms.DateField(required=False)
    no_answer = forms.BooleanField(required=False, label=gettext_lazy("No answer"))


@require_POST
@csrf_protect
@until_it_ends
def extend(request: HttpRequest, token: str, match_id: str) -> HttpResponse:
    entry = entry_of(token)
    match = match_of(entry, int(match_id))
    try:
        extend_by_link(entry, match, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(request, _("The deadline has been extended."))
    return redirect("my-entry", token=token)


@require_POST
@csrf_protect
@until_it_ends
def offer(request: HttpRequest, token: str, match_id: str) -> HttpResponse:
    entry = entry_of(token)
    match = match_of(entry, int(match_id))
    form = OfferForm(request.POST)
    try:
        days = [form.cleaned_data[f"day_{one}"] for one in (1, 2, 3)] if form.is_valid() else []
        chosen = [day for day in days if day is not None]
        if not chosen and not form.cleaned_data.get("no_answer"):
            sentence = _("Choose a day on which you offered to play, or note that your opponent does not answer.")
            raise Refusal("offer_empty", sentence)
        offer_by_link(entry, match, days=chosen, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(request, _("Your offer has been noted."))
    return redirect("my-entry", token=token)
