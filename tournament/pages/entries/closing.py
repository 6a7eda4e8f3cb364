"""Entries closed before a draw with a public value, and the value typed in: the director's forms."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.draw.beacon import enter_round
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import type_dice
from tournament.pages.entries.closing_forms import DiceForm, ReopenForm, RoundForm
from tournament.pages.entries.entries import entries_page
from tournament.pages.following import event_for
from tournament.pages.returning import refuse


@require_POST
@login_required
def close(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "make_draw")
    try:
        close_entries(event, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Entries are closed."))
    return _panel(tournament_slug, event_slug)


@require_POST
@login_required
def reopen(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "make_draw")
    form = ReopenForm(request.POST)
    if not form.is_valid():
        return entries_page(request, event, status=Refusal.status, reopen_form=form)
    try:
        reopen_entries(event, **form.cleaned_data, by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return entries_page(request, event, status=refusal.status, reopen_form=form)
    messages.success(request, _("Entries are open again."))
    return _panel(tournament_slug, event_slug)


@require_POST
@login_required
def dice(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, user = event_for(request, tournament_slug, event_slug, "type_dice")
    form = DiceForm(request.POST)
    if not form.is_valid():
        return entries_page(request, event, status=Refusal.status, dice_form=form)
    try:
        closing = type_dice(event, **form.cleaned_data, by=user, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal, field="dice")
        return entries_page(request, event, status=refusal.status, dice_form=form)
    if closing.value:
        messages.success(request, _("Both have typed in the same dice. The draw can be made."))
    else:
        messages.success(request, _("Saved. Now another person types in the same dice."))
    return _panel(tournament_slug, event_slug)


@require_POST
@login_required
def drand(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "make_draw")
    form = RoundForm(request.POST)
    if not form.is_valid():
        return entries_page(request, event, status=Refusal.status, round_form=form)
    try:
        enter_round(event, **form.cleaned_data, by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return entries_page(request, event, status=refusal.status, round_form=form)
    messages.success(request, _("The public value is known. The draw can be made."))
    return _panel(tournament_slug, event_slug)


def _panel(tournament_slug: str, event_slug: str) -> HttpResponse:
    return redirect(f"{reverse('entries', args=[tournament_slug, event_slug])}#public-value")
