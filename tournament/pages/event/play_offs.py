"""Play-offs on the standings page, entered and withdrawn by directors."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Conflict, Refusal
from tournament.draw import play_offs
from tournament.models import Entry, Event, PlayOff, Stage
from tournament.pages.following import event_for
from tournament.ranking.tiebreaks import PLAY_OFF
from tournament.snapshot import EventSnapshot


def play_off_context(event: Event, snapshot: EventSnapshot) -> dict[str, object]:
    """Return the ties and existing play-offs for a director's page; nothing if no play-off can be entered."""
    if PLAY_OFF not in snapshot.tiebreaks or snapshot.finished_at is not None:
        return {}
    stage = event.stages.get(pk=snapshot.stage.id)
    try:
        ties = play_offs.tied_for_play_off(event, stage)
    except (Conflict, Refusal):
        return {}
    entries = {entry.id: entry for entry in snapshot.entries}
    entered = [(row.pk, entries[row.winner_id], entries[row.loser_id]) for row in stage.play_offs.all()]
    return {"ties": [[entries[id] for id in tie] for tie in ties], "play_offs": entered}


@require_POST
@login_required
def enter_play_off(request: HttpRequest, tournament_slug: str, event_slug: str, number: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "enter_play_off")
    stage = get_object_or_404(event.stages, number=number)
    people = Entry.objects.filter(event=event).select_related("player", "partner")
    sides = [request.POST.get(side, "") for side in ("winner", "loser")]
    found = [people.filter(pk=int(side)).first() if side.isdecimal() and len(side) < 10 else None for side in sides]
    if found[0] is None or found[1] is None:
        raise Refusal("play_off_incomplete", _("Choose the winner and the loser of the play-off."))
    try:
        play_offs.enter_play_off(stage, winner=found[0], loser=found[1], by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return _back(tournament_slug, event_slug, stage)


@require_POST
@login_required
def void_play_off(request: HttpRequest, tournament_slug: str, event_slug: str, play_off_id: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "enter_play_off")
    play_off = get_object_or_404(PlayOff.objects.select_related("stage__event"), pk=play_off_id, stage__event=event)
    play_offs.void_play_off(play_off, by=director, at=timezone.now())
    return _back(tournament_slug, event_slug, play_off.stage)


def _back(tournament_slug: str, event_slug: str, stage: Stage) -> HttpResponse:
    return redirect(f"{reverse('standings', args=[tournament_slug, event_slug])}?stage={stage.number}")
