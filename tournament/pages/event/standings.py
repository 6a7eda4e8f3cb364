"""The standings of an event, and its play-offs, which directors enter and withdraw there."""

from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_POST, require_safe

from players.errors import Conflict, Refusal
from tournament.draw import play_offs
from tournament.models import Entry, Event, PlayOff, Stage
from tournament.pages.following import event_for, find_event, page_of
from tournament.pages.returning import refuse
from tournament.past.moments import shows_the_past
from tournament.pictures.draw import address_of, round_name
from tournament.ranking.tiebreaks import PLAY_OFF, TIEBREAKS
from tournament.roles.permissions import actions_of
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureState, take_snapshot
from tournament.snapshot.cards import Card, card_of

MOST_PLAYING, MOST_LATEST = 4, 4


class PlayOffForm(forms.Form):
    """The winner and the loser of a play-off between the entries of a tie, the first of which names it."""

    tie = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)
    winner = forms.TypedChoiceField(label=_lazy("Winner"), coerce=int)
    loser = forms.TypedChoiceField(label=_lazy("Loser"), coerce=int)

    def __init__(self, data: QueryDict | None = None, *, tie: Sequence[EntrySnapshot]) -> None:
        super().__init__(data, initial={"tie": tie[0].id}, auto_id=f"%s-{tie[0].id}")
        for name in ("winner", "loser"):
            field: forms.ChoiceField = self.fields[name]  # type: ignore[assignment]
            field.choices = [("", "–"), *((entry.id, entry.name) for entry in tie)]


@shows_the_past
@require_safe
def standings(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event = find_event(tournament_slug, event_slug)
    return _page(request, event, None)


def _page(
    request: HttpRequest,
    event: Event,
    snapshot: EventSnapshot | None,
    *,
    status: int = 200,
    refusal: Refusal | None = None,
) -> HttpResponse:
    allowed = actions_of(request.user, event)

    def context(snapshot: EventSnapshot) -> dict[str, object]:
        # The columns are those of the lines, which may still show the tie-breaks before a change.
        lines = snapshot.stage.standings
        slugs = [slug for slug, _value in lines[0].tiebreaks] if lines else snapshot.tiebreaks
        may_enter = "enter_play_off" in allowed and "fragment" not in request.GET
        typed = request.POST if request.method == "POST" else None
        play_offs = _play_offs(event, snapshot, typed, refusal) if may_enter else {}
        columns = [(slug, _(TIEBREAKS[slug].name)) for slug in slugs]
        return {"tiebreaks": columns, **_beside(snapshot), **play_offs}

    page = page_of(request, event, allowed=allowed, template="event/standings", context=context, snapshot=snapshot)
    page.status_code = status if page.status_code == 200 else page.status_code
    return page


def _beside(snapshot: EventSnapshot) -> dict[str, list[Card]]:
    """Return the cards beside the table: a few matches in play, and those that were decided last."""
    stage = snapshot.stage
    playing = stage.in_state(FixtureState.LIVE)[-MOST_PLAYING:][::-1]
    decided = [
        (fixture.sheet.at, fixture) for fixture in stage.in_state(FixtureState.DONE) if fixture.sheet is not None
    ]
    latest = [fixture for _at, fixture in sorted(decided, key=lambda row: row[0], reverse=True)[:MOST_LATEST]]
    return {
        name: [
            card_of(fixture, round=round_name(stage, fixture), address=address_of(snapshot, fixture))
            for fixture in fixtures
        ]
        for name, fixtures in (("playing", playing), ("latest", latest))
    }


def _play_offs(
    event: Event, snapshot: EventSnapshot, typed: QueryDict | None, refusal: Refusal | None
) -> dict[str, object]:
    """Return the forms for the ties, and the existing play-offs, for a director; nothing if none can be entered."""
    if PLAY_OFF not in snapshot.tiebreaks or snapshot.finished_at is not None:
        return {}
    stage = event.stages.get(pk=snapshot.stage.id)
    try:
        ties = play_offs.tied_for_play_off(event, stage)
    except (Conflict, Refusal):
        return {}
    entries = {entry.id: entry for entry in snapshot.entries}
    entered = [(row.pk, entries[row.winner_id], entries[row.loser_id]) for row in stage.play_offs.all()]
    made = []
    for tie in ([entries[id] for id in tie] for tie in ties):
        is_back = typed is not None and typed.get("tie") == str(tie[0].id)
        form = PlayOffForm(typed if is_back else None, tie=tie)
        if is_back and refusal is not None and form.is_valid():
            refuse(form, refusal)
        made.append(form)
    return {"ties": made, "play_offs": entered, "is_back": any(form.is_bound for form in made)}


@require_POST
@login_required
def enter_play_off(request: HttpRequest, tournament_slug: str, event_slug: str, number: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "enter_play_off")
    stage = get_object_or_404(event.stages, number=number)
    people = Entry.objects.filter(event=event).select_related("player", "partner")
    sides = [request.POST.get(side, "") for side in ("winner", "loser")]
    found = [people.filter(pk=int(side)).first() if side.isdecimal() and len(side) < 10 else None for side in sides]
    shown = take_snapshot(event.pk).at_stage(stage.number)
    if found[0] is None or found[1] is None:
        incomplete = Refusal("play_off_incomplete", _("Choose the winner and the loser of the play-off."))
        return _page(request, event, shown, status=incomplete.status, refusal=incomplete)
    try:
        play_offs.enter_play_off(stage, winner=found[0], loser=found[1], by=director, at=timezone.now())
    except Conflict as conflict:
        messages.error(request, str(conflict))
    except Refusal as refusal:
        return _page(request, event, shown, status=refusal.status, refusal=refusal)
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
