"""Challenges that directors enter and withdraw on the page of a ladder."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.draw.challenges import PEOPLE, challenge, ladder_in_play, withdraw_challenge
from tournament.models import Challenge, Entry
from tournament.pages.event.ladder import ChallengeForm
from tournament.pages.event.public import pairings_page
from tournament.pages.following import event_for
from tournament.pages.returning import refuse


@require_POST
@login_required
def make_challenge(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "make_challenge")
    ladder_in_play(event)
    form = ChallengeForm(request.POST, event=event)
    if not form.is_valid():
        return pairings_page(request, event, challenge_form=form, status=400)
    low, high = (int(id) for id in form.cleaned_data["pair"].split("-"))
    people = Entry.objects.filter(event=event).select_related("player", "partner")
    two = {"challenger": get_object_or_404(people, pk=low), "challenged": get_object_or_404(people, pk=high)}
    try:
        challenge(event, **two, by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal, field="pair")
        return pairings_page(request, event, challenge_form=form, status=refusal.status)
    return redirect("pairings", tournament_slug, event_slug)


@require_POST
@login_required
def withdraw(request: HttpRequest, tournament_slug: str, event_slug: str, number: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "make_challenge")
    made = get_object_or_404(
        Challenge.objects.select_related(*PEOPLE, "stage__event__tournament"),
        stage=ladder_in_play(event),
        number=number,
    )
    try:
        withdraw_challenge(made, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("pairings", tournament_slug, event_slug)
