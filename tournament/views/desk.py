"""What a director does to a tournament and its events."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Refusal
from players.models import User
from tournament.entry_list import MAX_TEXT, EntryLine, parse_csv, parse_pasted
from tournament.event_forms import EventForm, NextStageForm, TournamentForm
from tournament.forms import EntryFileForm, EntryForm, EntryListForm, SeedForm
from tournament.models import Entry, Event, Tournament
from tournament.permissions import require_director, require_signed_in
from tournament.services import draw, entries, events, stages
from tournament.snapshot import EventSnapshot, take_snapshot
from tournament.views.following import directs_event, find_event, page_of


@login_required
def new_tournament(request: HttpRequest) -> HttpResponse:
    user = require_signed_in(request.user)
    form = TournamentForm(request.POST or None, initial={"starts_on": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        try:
            tournament = events.create_tournament(**form.cleaned_data, by=user, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("new-event", tournament.slug)
    return render(request, "tournament/new_tournament.html", {"form": form}, status=_status(form))


@login_required
def new_event(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament = get_object_or_404(Tournament, slug=tournament_slug)
    director = require_director(request.user, tournament)
    form = EventForm(request.POST or None, initial=EventForm.event_defaults() | _advised(request))
    if request.method == "POST" and form.is_valid():
        try:
            event = events.create_event(tournament, **form.terms(), by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("entries", tournament.slug, event.slug)
    context = {"form": form, "tournament": tournament}
    return render(request, "tournament/new_event.html", context, status=_status(form))


def _advised(request: HttpRequest) -> dict[str, object]:
    """Format and lengths as the adviser's page names them in the address."""
    return {name: request.GET[name][:80] for name in ("format", "lengths") if name in request.GET}


@login_required
def settings(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = _directed_event(request, tournament_slug, event_slug)
    snapshot = take_snapshot(event.pk)
    form = _terms_form(snapshot, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            events.update_event(event, **form.terms(), by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("pairings", tournament_slug, event_slug)
    return _settings_page(request, snapshot, form, _next_stage_form())


def _settings_page(
    request: HttpRequest, snapshot: EventSnapshot, form: EventForm, stage_form: NextStageForm
) -> HttpResponse:
    context = {"form": form, "stage_form": stage_form, "event": snapshot, "stage": snapshot.stage, "directs": True}
    status = 400 if form.is_bound or stage_form.is_bound else 200
    return render(request, "tournament/settings.html", context, status=status)


def _terms_form(snapshot: EventSnapshot, data: QueryDict | None = None) -> EventForm:
    first = snapshot.stages[0]
    initial = EventForm.values_of(
        name=snapshot.name,
        format=first.format,
        options=first.options,
        profile=snapshot.profile,
        crawford=snapshot.crawford,
        doubles=snapshot.doubles,
        tiebreaks=snapshot.tiebreaks,
    )
    return EventForm(data, initial=initial)


def _next_stage_form(data: QueryDict | None = None) -> NextStageForm:
    return NextStageForm(data, initial={**NextStageForm.defaults(), "qualifiers": 8}, prefix="next")


@require_POST
@login_required
def add_stage(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = _directed_event(request, tournament_slug, event_slug)
    form = _next_stage_form(request.POST)
    if form.is_valid():
        try:
            stages.add_stage(event, **form.stage_terms(), by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("settings", tournament_slug, event_slug)
    snapshot = take_snapshot(event.pk)
    return _settings_page(request, snapshot, _terms_form(snapshot), form)


@require_POST
@login_required
def remove_stage(request: HttpRequest, tournament_slug: str, event_slug: str, number: int) -> HttpResponse:
    event, director = _directed_event(request, tournament_slug, event_slug)
    try:
        stages.remove_stage(event, number=number, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("settings", tournament_slug, event_slug)


def entry_page(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Everybody reads the entries; a director adds to them by typing, by pasting a list, or by a CSV file."""
    event = find_event(tournament_slug, event_slug)
    forms = {"entry_form": EntryForm(), "list_form": EntryListForm(), "file_form": EntryFileForm()}
    status = 200
    if request.method == "POST":
        director = require_director(request.user, event.tournament)
        way = request.POST.get("way", "")
        name, form = _entry_form(way, request)
        if form.is_valid():
            try:
                added = entries.add_entries(
                    event, lines=_entry_lines(way, form.cleaned_data), by=director, at=timezone.now()
                )
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("%(count)s entered.") % {"count": len(added)})
                return redirect("entries", tournament_slug, event_slug)
        forms[name] = form
        status = 400
    snapshot = take_snapshot(event.pk)
    directs = directs_event(request, event)
    response = page_of(request, snapshot, directs=directs, template="entries", context=forms)
    response.status_code = status if response.status_code == 200 else response.status_code
    return response


def _entry_form(way: str, request: HttpRequest) -> tuple[str, EntryForm | EntryListForm | EntryFileForm]:
    if way == "list":
        return "list_form", EntryListForm(request.POST)
    if way == "file":
        return "file_form", EntryFileForm(request.POST, request.FILES)
    return "entry_form", EntryForm(request.POST)


def _entry_lines(way: str, data: dict) -> list[EntryLine]:
    if way == "list":
        return parse_pasted(data["text"])
    if way == "file":
        return parse_csv(data["file"].read(MAX_TEXT + 1))
    return [EntryLine(name=data["name"], club=data["club"], country=data["country"], player_id=data["player_id"])]


@require_POST
@login_required
def remove_entry(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    event, director = _directed_event(request, tournament_slug, event_slug)
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    entries.remove_entry(entry, by=director, at=timezone.now())
    return redirect("entries", tournament_slug, event_slug)


@require_POST
@login_required
def seed_entry(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    event, director = _directed_event(request, tournament_slug, event_slug)
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    form = SeedForm(request.POST)
    if not form.is_valid():
        raise Refusal("seed_invalid", _("A seed is a number from 1 to %(limit)s.") % {"limit": entries.MAX_ENTRIES})
    entries.seed_entry(entry, seed=form.cleaned_data["seed"], by=director, at=timezone.now())
    return redirect("entries", tournament_slug, event_slug)


@require_POST
@login_required
def keep_apart(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    event, director = _directed_event(request, tournament_slug, event_slug)
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    family = request.POST.get("family", "").replace("\0", "")
    entries.keep_apart(entry, family=family, by=director, at=timezone.now())
    return redirect("entries", tournament_slug, event_slug)


@require_POST
@login_required
def change_presence(
    request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int, action: str
) -> HttpResponse:
    """An entry leaves, or is back."""
    event, director = _directed_event(request, tournament_slug, event_slug)
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    service = {"withdraw": entries.withdraw_entry, "return": entries.return_entry}[action]
    service(entry, by=director, at=timezone.now())
    return redirect("entries", tournament_slug, event_slug)


@require_POST
@login_required
def act(request: HttpRequest, tournament_slug: str, event_slug: str, action: str) -> HttpResponse:
    """Draw, take the draw back, end or reopen the event: one button each."""
    event, director = _directed_event(request, tournament_slug, event_slug)
    service = {
        "draw": draw.make_draw,
        "cancel-draw": draw.cancel_draw,
        "finish": events.finish_event,
        "reopen": events.reopen_event,
    }[action]
    try:
        service(event, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("entries" if action == "cancel-draw" else "pairings", tournament_slug, event_slug)


def _directed_event(request: HttpRequest, tournament_slug: str, event_slug: str) -> tuple[Event, User]:
    event = find_event(tournament_slug, event_slug)
    return event, require_director(request.user, event.tournament)


def _status(form: object) -> int:
    return 400 if form.is_bound else 200  # type: ignore[attr-defined]
