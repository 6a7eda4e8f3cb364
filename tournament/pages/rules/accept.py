"""Accepting a record as a match with a reason, and taking that back: by officers, on the page of the record."""

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from matches.accept_records import accept_record, judge_told, take_back_acceptance
from matches.models import Record
from players.errors import Refusal
from players.registry.roles import require_importer
from rules.records.replay import Replay
from tournament.pages.returning import refuse
from tournament.pages.rules.record_forms import AcceptForm, TakeBackForm
from tournament.pages.rules.records import render_record
from tournament.roles.permissions import require_signed_in


@require_POST
@login_required
def accept(request: HttpRequest, record_id: int) -> HttpResponse:
    """Accept the record as a match."""
    user = require_signed_in(request.user)
    require_importer(user)
    found = get_object_or_404(Record, pk=record_id)
    told: Replay | None = None
    with suppress(Refusal):
        told = judge_told(bytes(found.data), request.POST.dict()).judged
    form = AcceptForm(request.POST, told=told)
    if not form.is_valid():
        return render_record(request, record_id, request.POST, form=form, status=400)
    try:
        accept_record(
            found,
            known=form.known,
            reason=form.cleaned_data["reason"],
            final=form.final,
            players=form.players,
            by=user,
            at=timezone.now(),
        )
    except Refusal as refusal:
        refuse(form, refusal)
        return render_record(request, record_id, request.POST, form=form, status=refusal.status)
    messages.success(request, _("The record is accepted as a match, which is not rated."))
    return redirect(found)


@require_POST
@login_required
def take_back(request: HttpRequest, record_id: int) -> HttpResponse:
    """Take the acceptance back: the match is void."""
    user = require_signed_in(request.user)
    require_importer(user)
    found = get_object_or_404(Record.objects.defer("data"), pk=record_id)
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        return render_record(request, record_id, request.GET, back_form=form, status=400)
    try:
        take_back_acceptance(found, reason=form.cleaned_data["reason"], by=user, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return render_record(request, record_id, request.GET, back_form=form, status=refusal.status)
    messages.success(request, _("The acceptance is taken back."))
    return redirect(found)
